import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../model/api.js'
import type { HeaderRecord, ServerReply } from '../runtime/server/request.js'
import { MockError } from './mock-error.js'
import { precheckScript } from './precheck.js'

/**
 * Starts Prism's mock server on a document, on a free port of this machine. Throws MockError where
 * Prism is not installed, cannot compile a schema, or is not listening within `timeout` milliseconds.
 */
export const startPrism = async (
  document: JsonObject,
  { timeout = 300_000 }: { readonly timeout?: number } = {},
): Promise<Prism> => {
  const prism = findPrism()
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-mock-'))
  const files = { whole: join(folder, 'document.json'), head: join(folder, 'head.json') }
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  try {
    const { openapi, 'x-json-schema-faker': faker } = document
    await writeFile(files.whole, wellFormed(JSON.stringify(document, withoutInherited)))
    await writeFile(files.head, JSON.stringify({ openapi, ...HEAD, 'x-json-schema-faker': faker }))
    const child = run(prism, files)
    const stop = async () => {
      await end(child)
      await removeFolder()
    }
    try {
      const port = await listening(child, timeout)
      return { ask: (request) => ask(port, request), pid: child.pid ?? 0, stop }
    } catch (error) {
      await stop()
      throw error
    }
  } catch (error) {
    await removeFolder()
    throw error
  }
}

/** Prism reads the options of what makes values up from a document of their own; all else is read of the whole one. */
const HEAD = { info: { title: '', version: '' }, paths: {} }

/** JSON without halves of pairs of surrogates, which Prism cannot write into an address. */
const wellFormed = (json: string): string =>
  json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'))

/** Prism looks a format up in an object, and would find what every object inherits. */
const withoutInherited = (key: string, value: unknown): unknown =>
  key === 'format' && typeof value === 'string' && value in Object.prototype ? undefined : value

export type Prism = {
  readonly ask: (request: PrismRequest) => Promise<ServerReply>
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** A request for Prism; `target` is its path and query. */
export type PrismRequest = {
  readonly method: string
  readonly target: string
  readonly headers: HeaderRecord
  readonly body: Uint8Array
}

const ask = async (
  port: number,
  { method, target, headers, body }: PrismRequest,
): Promise<ServerReply> => {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, String(value)]],
  )
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: sent,
    redirect: 'manual',
    ...(body.length > 0 && method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(body) }),
  })
  const received = [...response.headers].filter(([name]) => !HOP_BY_HOP.has(name))
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(received), body: bytes }
}

/** Headers of one connection, and those that are written again with the body. */
const HOP_BY_HOP = new Set([
  ...['connection', 'content-length', 'content-encoding', 'host', 'keep-alive'],
  ...['transfer-encoding', 'upgrade', 'expect'],
])

/** The package.json of Prism, an optional peer: only `mock --prism` needs it. */
const findPrism = (): string => {
  try {
    return createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json')
  } catch (cause) {
    throw new MockError(
      'mock --prism needs Prism, which is not installed: npm install --save-dev @stoplight/prism-cli@5.14.2',
      { cause },
    )
  }
}

/** Prism takes its settings from the head; what it would read of the rest is read before it, once. */
const run = (prism: string, { whole, head }: { readonly whole: string; readonly head: string }) => {
  // Quieter levels than `info` hide the line that tells the port; several processes hide all lines.
  const options = ['-p', '0', '-h', '127.0.0.1', '-v', 'info', '--multiprocess=false', '--errors']
  const args = ['-e', precheckScript, 'prism', 'mock', head, ...options]
  return spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, TWINSPEC_PRISM: prism, TWINSPEC_DOCUMENT: whole },
  })
}

type Child = ReturnType<typeof run>

const listening = (child: Child, timeout: number): Promise<number> =>
  new Promise((resolve, reject) => {
    let said = ''
    const fail = (what: string) => {
      clearTimeout(timer)
      const last = said.trim().split('\n').slice(-5).join('\n')
      reject(new MockError(`Prism ${what}${last === '' ? '' : `; it said:\n${last}`}`))
    }
    const timer = setTimeout(() => fail(`did not listen within ${timeout} ms`), timeout)
    const hear = (chunk: Buffer) => {
      // Read for ever, or Prism stops when the pipe is full; kept only until it listens.
      if (port !== undefined) return
      said += chunk.toString('utf8')
      const found = /Prism is listening on http:\/\/[^\s:]+:(\d+)/.exec(said)
      if (!found) return
      port = Number(found[1])
      clearTimeout(timer)
      resolve(port)
    }
    let port: number | undefined
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', (error) => fail(`did not start: ${error.message}`))
    child.once('exit', (code) => {
      const [, refused] = /^precheck: (.*)$/m.exec(said) ?? []
      if (refused === undefined) return fail(`ended with code ${code} before it listened`)
      clearTimeout(timer)
      reject(new MockError(`Prism cannot read a schema and would accept anything: ${refused}`))
    })
  })

const end = async (child: Child): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 2_000)
  await gone
  clearTimeout(timer)
}
