import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KEY } from '../../conform/seeded/clean-server.js'
import { smallDocuments } from '../../conform/seeded/small-api.js'
import { httpOperations, requestsOf } from '../../conformance/documents.js'
import type { Side } from './side.js'
import { installed } from './test-coverage.js'

/**
 * `prism proxy --errors` between a caller and the server: the caller sends each request that the documents show, and looks
 * a submission up until it has come to its end. Prism reads OpenAPI alone, so JSON-RPC does not go through it.
 */
export const prism = async (): Promise<Side> => {
  const require = await installed()
  const folder = await mkdtemp(join(tmpdir(), 'bench-conform-'))
  const document = join(folder, 'openapi.json')
  await writeFile(document, smallDocuments.openapi)
  const upstream = await switchboard()
  const port = await freePort()
  const cli = require.resolve('@stoplight/prism-cli/dist/index.js')
  const argv = ['proxy', document, upstream.url, '--errors', '--port', String(port)]
  const child = spawn(process.execPath, [cli, ...argv], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await ready(url)
  return {
    name: 'prism proxy --errors',
    complaints: async (server) => {
      upstream.point(Number(new URL(server).port))
      return new Set(await traffic(url))
    },
    stop: async () => {
      child.kill()
      upstream.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const traffic = async (url: string): Promise<readonly string[]> => {
  const errors: string[] = []
  const send = async (name: string, path: string, init: RequestInit): Promise<unknown> => {
    try {
      const answer = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(5_000) })
      const text = await answer.text()
      if (/prism\/errors/.test(text)) errors.push(`${name} ${answer.status} ${typeOf(text)}`)
      return JSON.parse(text)
    } catch (error) {
      errors.push(`${name} ${(error as Error).name}`)
      return undefined
    }
  }
  for (const operation of httpOperations)
    for (const { examples, path, body } of requestsOf(operation)) {
      const filled = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent(name === 'apiKey' ? KEY : String(path[name])),
      )
      const init = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_TYPE }
      const name = `${operation.id} ${examples.join(' ')}`
      const answer = await send(name, filled, { method: operation.method, ...init })
      const { queueId } = (answer ?? {}) as { readonly queueId?: string }
      if (operation.method === 'GET' || queueId === undefined) continue
      for (let look = 1; look <= 5; look++)
        await send(`${name}, look ${look}`, `/gtn/v1/zkt/transaction/${queueId}`, {})
    }
  return errors
}

const JSON_TYPE = { 'content-type': 'application/json' }

const typeOf = (text: string): string => /prism\/errors#(\w+)/.exec(text)?.[1] ?? ''

/** One address for Prism, behind which the servers change; bytes pass as they are. */
const switchboard = async () => {
  let port = 0
  const server = createServer((caller) => {
    const behind = connect({ host: '127.0.0.1', port })
    caller.pipe(behind).pipe(caller)
    caller.on('error', () => behind.destroy())
    behind.on('error', () => caller.destroy())
    behind.on('close', () => caller.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    point: (next: number) => {
      port = next
    },
    stop: () => void server.close(),
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const ready = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt++) {
    try {
      await fetch(url, { signal: AbortSignal.timeout(2_000) })
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  throw new Error('Prism did not start within a minute')
}
