import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Prism by itself, on a document and a free port, as anybody starts it. */
export const startPlainPrism = async (
  document: string,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> => {
  const manifest = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')
  const options = ['-p', '0', '-h', '127.0.0.1', '--multiprocess=false']
  const child = spawn(
    process.execPath,
    [join(dirname(manifest), 'dist/index.js'), 'mock', document, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGKILL')
    await gone
  }
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    const hear = (chunk: Buffer) => {
      said += chunk
      const found = /listening on (http:\/\/\S+:\d+)/.exec(said)
      if (found?.[1]) resolve(found[1])
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`Prism ended: ${said}`)))
  })
  return { url, stop }
}
