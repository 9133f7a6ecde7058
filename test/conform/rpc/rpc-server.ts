import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { FindingExchange } from '../../../src/model/finding.js'
import type { CheckReport } from '../../../src/report/report.js'
import { folderOf, twinspec } from '../../cli/command-line.js'
import { sectionIn } from '../../report/report-of.js'

export type Call = { readonly method: string; readonly params?: unknown; readonly id?: unknown }

/** A result, an error, or an HTTP status of the whole response; `body` replaces all of it. */
export type Reply = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message?: string }
  readonly status?: number
  readonly body?: string
}

/**
 * A JSON-RPC server that keeps to the protocol, and answers the methods that it knows with `answer`. Resolves with its URL. It is
 * closed when the test ends.
 */
export const startRpc = async (
  methods: readonly string[],
  answer: (call: Call) => Reply | Promise<Reply>,
): Promise<string> => {
  const one = async (call: unknown): Promise<{ value: unknown; status: number; body?: string }> => {
    const failure = (id: unknown, code: number) => ({
      value: { jsonrpc: '2.0', id, error: { code, message: 'no' } },
      status: 200,
    })
    if (typeof call !== 'object' || call === null || Array.isArray(call))
      return failure(null, -32600)
    const { jsonrpc, method, id, params } = call as Record<string, unknown>
    const idFits = id === undefined || id === null || ['string', 'number'].includes(typeof id)
    const paramsFit = params === undefined || (typeof params === 'object' && params !== null)
    if (jsonrpc !== '2.0' || typeof method !== 'string' || !idFits || !paramsFit)
      return failure((idFits && id) ?? null, -32600)
    if (id === undefined && !('id' in call)) return { value: undefined, status: 204 }
    if (!methods.includes(method)) return failure(id, -32601)
    const { result, error, status = 200, body } = await answer(call as Call)
    const value = error ? { error: { message: 'no', ...error } } : { result }
    return {
      value: { jsonrpc: '2.0', id, ...value },
      status,
      ...(body === undefined ? {} : { body }),
    }
  }
  return listen(
    createServer(async (request, response) => {
      const bytes = await bodyOf(request)
      if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
      const { headers } = request
      if (!/^application\/json/i.test(headers['content-type'] ?? '') || headers['content-encoding'])
        return void response.writeHead(415).end()
      const send = (value: unknown, status: number, body?: string) =>
        value === undefined
          ? response.writeHead(204).end()
          : response
              .writeHead(status, { 'content-type': 'application/json' })
              .end(body ?? JSON.stringify(value))
      let read: unknown
      try {
        read = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
      } catch {
        return void send({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } }, 200)
      }
      if (!Array.isArray(read) || read.length === 0) {
        const { value, status, body } = await one(Array.isArray(read) ? undefined : read)
        return void send(value, status, body)
      }
      const all = await Promise.all(read.map(one))
      const values = all.flatMap(({ value }) => (value === undefined ? [] : [value]))
      send(values.length === 0 ? undefined : values, 200)
    }),
  )
}

/** The URL of a server on a free port of this machine, closed when the test ends. */
export const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export type Method = { readonly name: string; readonly [key: string]: unknown }

/** A method without params that gives a text, and an example of it. */
export const textMethod = (name: string, more: object = {}): Method => ({
  name,
  'x-idempotent': true,
  paramStructure: 'by-position',
  params: [],
  result: { name: 'r', schema: { type: 'string' } },
  examples: [{ name: 'first', params: [], result: { name: 'r', value: 'text' } }],
  ...more,
})

/** A method with one integer from 0 to 100, which it squares. */
export const squareMethod = (name: string): Method =>
  textMethod(name, {
    params: [{ name: 'n', required: true, schema: { type: 'integer', minimum: 0, maximum: 100 } }],
    result: { name: 'r', schema: { type: 'integer' } },
    examples: [
      { name: 'first', params: [{ name: 'n', value: 3 }], result: { name: 'r', value: 9 } },
    ],
  })

export const openrpc = (...methods: readonly Method[]): string =>
  JSON.stringify({ openrpc: '1.2.6', info: { title: 'T', version: '1' }, methods }, null, 1)

export type Finding = {
  readonly rule: string
  readonly level: string
  readonly message: string
  readonly cause: string
  readonly operations?: readonly string[]
  readonly exchange: FindingExchange
}

/** Runs `conform` against a URL as a user would, with the findings of its JSON report. */
export const conformed = async (
  url: string,
  document: { readonly openrpc?: string; readonly openapi?: string },
  ...more: readonly string[]
) => {
  const kind = document.openrpc === undefined ? 'openapi' : 'openrpc'
  const folder = await folderOf({ 'api.json': document[kind] ?? '' })
  const out = `${folder}/report.json`
  const args = [
    'conform',
    url,
    `--${kind}`,
    `${folder}/api.json`,
    '--rate',
    '0',
    '--max-examples',
    '3',
  ]
  const { code, stdout, stderr } = await twinspec(
    ...args,
    '--format',
    'json',
    '--out',
    out,
    ...more,
  )
  const { readFileSync } = await import('node:fs')
  const report = JSON.parse(readFileSync(out, 'utf8')) as {
    readonly findings: readonly Finding[]
  } & Pick<CheckReport, 'sections'>
  const notTested = sectionIn(report, 'not-tested')
  const notOffered = sectionIn(report, 'not-offered')
  const coverage = sectionIn(report, 'coverage')
  return {
    ...{ code, text: stdout, stderr, findings: report.findings },
    notTested: notTested?.kind === 'reasons' ? notTested.groups : [],
    notOffered: notOffered?.kind === 'list' ? notOffered.items : [],
    coverage: coverage?.kind === 'coverage' ? coverage.rows : [],
  }
}
