import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Case } from '../../../src/conform/case.js'
import type { Profile } from '../../../src/conform/profile-list.js'
import { findingsOf } from '../../../src/conform/report/findings.js'
import { rpcCases } from '../../../src/conform/rpc/cases.js'
import { runCases } from '../../../src/conform/run-cases.js'
import { createSession } from '../../../src/conform/session.js'
import { createTarget } from '../../../src/conform/target.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { createPace, type Pace } from '../../../src/conform/wire/pace.js'
import type { Api } from '../../../src/model/api.js'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { parseExact } from '../../../src/runtime/shared/exact-json.js'
import { createChecker } from '../../../src/schema/check.js'
import type { ReceivedResponse, Sent } from '../../../src/traffic/exchange.js'

const OPENRPC = `
openrpc: 1.3.2
info: { title: Desk, version: '1' }
servers:
  - name: main
    url: https://desk.example/rpc/{apiKey}
    variables: { apiKey: { default: open, x-secret: true } }
x-limits: { batchSize: 12, payloadBytes: 200000, requestsPerMinute: 30 }
methods:
  - name: hours
    x-access: public
    x-idempotent: true
    params: []
    result: { name: hours, schema: { type: integer } }
    examples: [{ name: now, params: [], result: { name: hours, value: 8 } }]
  - name: open
    x-access: public
    x-idempotent: true
    params: []
    result: { name: open, schema: { type: [integer, boolean] } }
    examples: [{ name: now, params: [], result: { name: open, value: true } }]
  - name: greet
    x-access: public
    x-idempotent: true
    paramStructure: by-position
    params: [{ name: name, required: true, schema: { type: string, pattern: '^[a-z]+$' } }]
    result: { name: greeting, schema: { type: string } }
    examples:
      - { name: ann, params: [{ name: name, value: ann }], result: { name: greeting, value: hello ann } }
  - name: order
    x-access: key
    params: [{ name: what, required: true, schema: { type: string } }]
    result: { name: ticket, schema: { type: string } }
    examples:
      - { name: tea, params: [{ name: what, value: tea }], result: { name: ticket, value: t1 } }
  - name: nap
    x-access: public
    x-idempotent: true
    params: []
    result: { name: nap, schema: { type: boolean } }
    errors: [{ code: -32601, message: Not offered }]
    examples: [{ name: now, params: [], result: { name: nap, value: true } }]
`

export const readApi = (text: string): Promise<Api> =>
  loadApi({ openrpc: parseDocument(text, 'openrpc.yaml') })

export const api = await readApi(OPENRPC)

/** What a server of the desk is asked, and says; nothing where the connection breaks. */
export type Asked = {
  readonly method: string
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly text: string
}
export type Said = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}
export type Answering = (asked: Asked) => Said | undefined

export const KEY = 'the-key-of-ann'

export const failing = (code: number, id = 'null', message = 'No'): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":"${message}"}}`

export const giving = (id = '1', result = '8'): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${result}}`

/** Answers as JSON-RPC 2.0 has it, by no code that is under test. */
export const valid: Answering = ({ method, key, headers, bytes, text }) => {
  if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  if (!/^application\/json(-rpc)?(;|$)/i.test(headers['content-type'] ?? '')) return { status: 415 }
  if (headers['content-encoding'] !== undefined) return { status: 415 }
  if (bytes.length > 200_000) return { status: 413 }
  if (key !== KEY && key !== 'open') return { status: 401, body: failing(-32000) }
  const parsed = bytes.includes(0xff) ? undefined : parse(text)
  if (!parsed) return { body: failing(-32700) }
  const { value, odd } = parsed
  if (!Array.isArray(value)) {
    const token = odd().find(({ path }) => path?.key === 'id' && !path.parent)?.text
    return spoken(member(value, key, token))
  }
  if (value.length === 0) return { body: failing(-32600) }
  if (value.length > 12) return { body: failing(-32010) }
  const answers = value.flatMap((one) => member(one, key, undefined) ?? [])
  return spoken(answers.length === 0 ? undefined : `[${answers.join(',')}]`)
}

const spoken = (body: string | undefined): Said => (body === undefined ? { status: 204 } : { body })

const parse = (text: string): ReturnType<typeof parseExact> | undefined => {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

const member = (value: unknown, key: string, token: string | undefined): string | undefined => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return failing(-32600)
  const { jsonrpc, method, params = [], id } = value as Readonly<Record<string, unknown>>
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  const text = isId ? (token ?? JSON.stringify(id)) : 'null'
  const isValid = jsonrpc === '2.0' && typeof method === 'string' && typeof params === 'object'
  if (!isValid || params === null || (id !== undefined && !isId)) return failing(-32600, text)
  const answer = call(method, params, key, text)
  return id === undefined ? undefined : answer
}

const call = (method: string, params: object, key: string, id: string): string => {
  const given = Array.isArray(params) ? params : [undefined]
  if (method === 'hours') return given.length === 0 ? giving(id) : failing(-32602, id)
  if (method === 'open') return given.length === 0 ? giving(id, 'true') : failing(-32602, id)
  if (method === 'greet')
    return given.length === 1 && /^[a-z]+$/.test(String(given[0])) && typeof given[0] === 'string'
      ? giving(id, `"hello ${given[0]}"`)
      : failing(-32602, id)
  if (method !== 'order') return failing(-32601, id)
  if (key !== KEY) return failing(-32000, id)
  return given.length === 1 && typeof given[0] === 'string'
    ? giving(id, '"t1"')
    : failing(-32602, id)
}

/** A desk that says something else in some cases: undefined leaves it to the valid one. */
export const unless =
  (odd: (asked: Asked) => Said | 'nothing' | undefined): Answering =>
  (asked) => {
    const said = odd(asked)
    return said === 'nothing' ? undefined : (said ?? valid(asked))
  }

export type CheckContext = {
  readonly api?: Api
  readonly key?: string
  readonly url?: string
  readonly profile?: Profile
  readonly wire?: Wire
  /** Which cases are tried; all but those that need sockets, or trouble others, where it is left out. */
  readonly tried?: (one: Case) => boolean
  readonly pace?: Pick<Pace, 'take'>
  readonly now?: () => number
  readonly sleep?: (milliseconds: number) => Promise<void>
}

/** The findings of a desk. */
export const judge = async (answering: Answering, options: CheckContext = {}) => {
  const { api: judged = api, key = KEY, url = 'http://127.0.0.1:9', profile } = options
  const target = createTarget(judged, { url, key })
  const now = options.now ?? (() => performance.now())
  const sleep = options.sleep ?? (async () => undefined)
  const session = createSession({
    ...{ api: judged, target, profile, seed: 1, milliseconds: 5_000, now, sleep },
    wire: options.wire ?? wireTo(answering),
    pace: options.pace ?? createPace(undefined, { now, sleep }),
    signal: new AbortController().signal,
  })
  const { skip } = session
  const plan = {
    api: judged,
    target,
    checker: createChecker(judged.schemas),
    seed: 1,
    maxExamples: 1,
    skip,
  }
  const tried = options.tried ?? ((one) => !one.isDisruptive && !SOCKETS.test(one.name))
  const { findings: all } = await runCases(rpcCases(plan).filter(tried), session)
  const { seen } = session
  return {
    findings: findingsOf(judged, target, profile, all, seen),
    rules: [...new Set(findingsOf(judged, target, profile, all, seen).map(({ rule }) => rule))],
    ways: Object.fromEntries([...seen.ways].map(([choice, [first]]) => [choice, first?.way])),
    skipped: seen.skipped,
    why: (name: string) => [...seen.skipped].find(([, what]) => what.has(name))?.[0],
    seen,
  }
}

const SOCKETS = /over the limit$|over one connection|slow callers/

/** No socket: what is sent goes to a function. */
export const wireTo =
  (answering: Answering): Wire =>
  async (sent) => {
    const said = answering(askedOf(sent))
    if (!said) return { sent, answer: undefined, failure: 'the connection was closed' }
    return { sent, answer: answerOf(said), failure: undefined }
  }

const askedOf = ({ method, url, headers, body = '' }: Sent): Asked => {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return {
    method,
    key: keyOf(url),
    headers,
    bytes,
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
  }
}

const keyOf = (url: string): string => decodeURIComponent(url.split('/').at(-1) ?? '')

const answerOf = ({ status = 200, headers = {}, body = '' }: Said): ReceivedResponse => ({
  status,
  headers: Object.entries({ ...(body && { 'content-type': 'application/json' }), ...headers }),
  body: new TextEncoder().encode(body),
  milliseconds: 1,
})

/** The same on a port of its own; what arrives chunked and too large is refused as it comes. */
export const listen = async (
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  options: Readonly<Record<string, number>> = {},
) => {
  const server = createServer(options, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<unknown>((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

export const listenerOf =
  (answering: Answering, most = 200_000) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = () => void response.writeHead(413, { connection: 'close' }).end()
    if (Number(request.headers['content-length'] ?? 0) > most) return refuse()
    const chunks: Buffer[] = []
    let size = 0
    const iterator = request[Symbol.asyncIterator]()
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
      size += step.value.length
      if (size > most) return refuse()
      chunks.push(step.value)
    }
    const headers = request.headers as Readonly<Record<string, string>>
    const { method = '', url = '' } = request
    const sent = { method, url, headers, body: new Uint8Array(Buffer.concat(chunks)) }
    const said = answering(askedOf(sent))
    if (!said) return void response.destroy()
    const { status, headers: pairs, body } = answerOf(said)
    response.writeHead(status, Object.fromEntries(pairs)).end(body)
  }
