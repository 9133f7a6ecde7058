import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startAnvil } from '../../service/anvil.js'

/** Starts a server of this folder, or anvil, on a free port of the loopback; `stop` ends its process. */
export const startServer = (name: string): Promise<RealServer> =>
  name === 'anvil' ? startAnvil(1337) : startProgram(name)

export type RealServer = { readonly url: string; readonly stop: () => Promise<void> }

/** Whether `npm run real-servers` or `.ci/run` has installed the server. anvil is a dependency of the repository. */
export const isInstalled = (name: string): boolean => {
  const packages = name === 'anvil' ? '../../../node_modules/@foundry-rs/anvil' : 'node_modules'
  return existsSync(pathOf(name === 'anvil' ? packages : `${packages}/${name}/package.json`))
}

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const startProgram = async (name: string): Promise<RealServer> => {
  const child = spawn(process.execPath, [pathOf(`${name}/server.mjs`)], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} at its start`)))
  })
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { url, stop }
}
