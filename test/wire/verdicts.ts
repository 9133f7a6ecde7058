import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkTraffic } from '../../src/conform/check-traffic.js'
import { startMock } from '../../src/mock/mock.js'
import { createService } from '../../src/mock/service.js'
import type { Api } from '../../src/model/api.js'
import { CallError, HttpError } from '../../src/runtime/errors.js'
import { createHttp } from '../../src/runtime/http.js'
import { createServerCore, type ServerCore } from '../../src/runtime/server.js'
import { createNdjsonReader } from '../../src/traffic/ndjson.js'
import { createUsageCounter } from '../../src/usage/usage-counter.js'

/** A request as it travels. The url is a path with a query. */
export type WireRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** A response as it travels. */
export type WireResponse = {
  readonly status: number
  readonly type?: string
  readonly body?: string
}

/** What a message says by its document. */
export type Verdict =
  | {
      readonly operation: string
      /** By location and name; locations without a parameter are absent. */
      readonly parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
      readonly value?: unknown
    }
  /** The message belongs to an operation, but cannot be read by its document. */
  | { readonly unread: string }
  /** The document declares no operation for the request, or no response for the status. */
  | 'none'

/** The verdict of a generated server: what its handler receives. */
export const serverVerdict = async (api: Api, request: WireRequest): Promise<Verdict> => {
  const { server, verdict } = recordingServer(api)
  const reply = await server.handle({ ...request, ...bytesOf(request) })
  if (verdict.read !== undefined) return verdict.read
  return reply.status === 404 || reply.status === 405 ? 'none' : { unread: 'rejected' }
}

/** The verdict of the mock: which operation's example it returns, or why it rejects the request. */
export const mockVerdict = async (
  api: Api,
  request: WireRequest,
): Promise<{ readonly operation: string } | 'unread' | 'none'> => {
  const mock = await startMock(api)
  try {
    const { method, headers, url, body } = request
    const response = await fetch(`${mock.url}${url}`, { method, headers, ...(body && { body }) })
    const text = await response.text()
    if (response.status === 404 || response.status === 405) return 'none'
    if (response.status !== 200) return 'unread'
    return { operation: JSON.parse(text).operation }
  } finally {
    await mock.stop()
  }
}

/** The shape that usage counts: the types of values, `=value` for those that the document lists. */
export const usageShape = (api: Api, request: WireRequest, response: WireResponse): Usage => {
  const [recording] = createNdjsonReader('recorded.ndjson', (error) => {
    throw error
  }).push(`${lineOf(request, response)}\n`)
  const counter = createUsageCounter(api, {
    by: { kind: 'user-agent' },
    maxConsumers: 9,
    secret: () => SECRET,
  })
  if (recording) counter.add(recording)
  const usage = counter.usage(0)
  const [consumer] = Object.values(usage.consumers)
  const [name] = Object.keys(consumer ?? {})
  if (name === undefined || consumer === undefined) return 'none'
  const [shape = '{}'] = Object.keys(usage.shapes[name] ?? {})
  const one = consumer[name]
  return { name, shape: JSON.parse(shape), counts: Object.keys(one?.counts ?? {}), usage: one }
}

type Usage =
  | {
      readonly name: string
      readonly shape: unknown
      readonly counts: readonly string[]
      readonly usage: unknown
    }
  | 'none'

const SECRET = new Uint8Array(16)

/** The verdict of conform on a recorded exchange. */
export const conformVerdict = async (api: Api, request: WireRequest, response: WireResponse) => {
  const folder = await mkdtemp(join(tmpdir(), 'verdict-'))
  try {
    const file = join(folder, 'recorded.ndjson')
    await writeFile(file, `${lineOf(request, response)}\n`)
    const { findings, coverage, notTested } = await checkTraffic(api, file)
    const operations = coverage.find(({ kind }) => kind === 'operation')
    return {
      rules: findings.map(({ rule }) => rule),
      covered: operations,
      notTested: notTested.map(({ why }) => why),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The request that a client sends for the values of a verdict. */
export const clientRequest = async (
  api: Api,
  id: string,
  input: object,
): Promise<WireRequest | { readonly error: unknown }> => {
  let sent: WireRequest | undefined
  const fetchIt = async (url: string | URL | Request, init?: RequestInit) => {
    const request = new Request(url, init)
    const body = request.body === null ? undefined : await request.text()
    sent = {
      method: request.method,
      url: request.url.replace(ORIGIN, ''),
      headers: Object.fromEntries(request.headers),
      ...(body !== undefined && { body }),
    }
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  }
  try {
    await clientOf(api, fetchIt)[id]?.(input)
  } catch (error) {
    if (sent === undefined) return { error }
  }
  return sent ?? { error: new Error(`there is no operation ${id}`) }
}

/** What a client returns for a response. */
export const clientVerdict = async (
  api: Api,
  id: string,
  input: object,
  { status, type, body }: WireResponse,
): Promise<Verdict> => {
  const headers = type === undefined ? {} : { 'content-type': type }
  const bytes = body === undefined ? null : new TextEncoder().encode(body)
  const client = clientOf(api, async () => new Response(bytes, { status, headers }))
  try {
    const exchanged = await client[id]?.exchange(input)
    return { operation: id, value: await plainOf(exchanged?.body) }
  } catch (error) {
    if (error instanceof HttpError) return error.issues.some(isUndeclared) ? 'none' : READ_ERROR
    if (!(error instanceof CallError)) throw error
    if (error.issues.some(isUndeclared)) return 'none'
    return { unread: error.reason }
  }
}

const READ_ERROR = { unread: 'issues' }

const isUndeclared = ({ keyword }: { readonly keyword: string }) => keyword === 'responses'

const clientOf = (api: Api, fetchIt: typeof fetch): Readonly<Record<string, AnyCall>> => {
  const { service } = createService(api)
  const http = { servers: [], operations: {}, limits: {}, ...service.http }
  const options = { server: ORIGIN, fetch: fetchIt, timeout: 5_000 }
  return createHttp<Readonly<Record<string, AnyCall>>>(http, service.validators, options)
}

type AnyCall = ((input: object) => Promise<unknown>) & {
  readonly exchange: (input: object) => Promise<{ readonly status: number; readonly body: unknown }>
}

const ORIGIN = 'https://api.example'

const plainOf = async (value: unknown): Promise<unknown> =>
  value instanceof Blob ? await value.text() : value

/** Whether a call of the client returns a response, and does not throw it as an error. */
export const isReturned = async (
  api: Api,
  id: string,
  { status, type, body }: WireResponse,
): Promise<boolean> => {
  const headers = type === undefined ? {} : { 'content-type': type }
  const client = clientOf(api, async () => new Response(body ?? null, { status, headers }))
  return (
    (await client[id]?.({}).then(
      () => true,
      () => false,
    )) === true
  )
}

/** What a generated server makes of a reply of its handler; undefined if it rejects the reply. */
export const serverReply = async (
  api: Api,
  id: string,
  { status, type, body }: WireResponse,
): Promise<WireResponse | undefined> => {
  const { service } = createService(api)
  let isRejected = false
  const isJson = type !== undefined && /json/i.test(type)
  const reply = {
    status,
    ...(body !== undefined && { body: isJson && body !== '' ? JSON.parse(body) : body }),
    ...(type !== undefined && { headers: { 'content-type': type } }),
  }
  const server = createServerCore(service, { [id]: () => reply } as never, {
    validateOutput: true,
    onError: () => {
      isRejected = true
    },
  })
  const [operation] = api.operations
  const method = operation?.kind === 'http' ? operation.method : 'GET'
  const answer = await server.handle({ method, url: '/things', headers: {} })
  if (isRejected) return undefined
  return {
    status: answer.status,
    ...(answer.headers['content-type'] !== undefined && { type: answer.headers['content-type'] }),
    ...(answer.body !== undefined && { body: String(answer.body) }),
  }
}

/** What the mock sends for a status and a media type. */
export const mockReply = async (
  api: Api,
  { status, type }: WireResponse,
): Promise<WireResponse> => {
  const mock = await startMock(api)
  try {
    const headers = { prefer: `code=${status}`, ...(type !== undefined && { accept: type }) }
    const response = await fetch(`${mock.url}/things`, { headers })
    const body = await response.text()
    const sent = response.headers.get('content-type')
    return {
      status: response.status,
      ...(sent !== null && { type: sent }),
      ...(body !== '' && { body }),
    }
  } finally {
    await mock.stop()
  }
}

/** A server whose handlers note what they receive. */
const recordingServer = (api: Api) => {
  const { service } = createService(api)
  const verdict: { read?: Verdict } = {}
  const ids = Object.keys({ ...service.http?.operations, ...service.rpc?.operations })
  const handlers = Object.fromEntries(
    ids.map((id) => [
      id,
      async (input: Received) => {
        verdict.read = await verdictOf(id, input)
        return { status: 200, body: { operation: id } }
      },
    ]),
  )
  const server: ServerCore = createServerCore(service, handlers as never, {
    validateOutput: false,
    onError: (error) => {
      throw error
    },
  })
  return { server, verdict }
}

type Received = {
  readonly [Place in 'path' | 'query' | 'header' | 'cookie']?: Readonly<Record<string, unknown>>
} & { readonly body?: unknown }

const verdictOf = async (id: string, input: Received): Promise<Verdict> => {
  const { body, ...places } = input
  const sent = Object.entries(places).filter(([, values]) => Object.keys(values ?? {}).length > 0)
  const parameters = Object.fromEntries(sent) as Record<string, Record<string, unknown>>
  const value = await withoutFiles(body)
  return {
    operation: id,
    ...(sent.length > 0 && { parameters }),
    ...(value !== undefined && { value }),
  }
}

/** Files are compared by their text. */
const withoutFiles = async (value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map(withoutFiles))
  if (typeof value !== 'object' || value === null) return value
  if ('bytes' in value && typeof value.bytes === 'function')
    return new TextDecoder().decode(await value.bytes())
  const entries = Object.entries(value).map(async ([key, one]) => [key, await withoutFiles(one)])
  return Object.fromEntries(await Promise.all(entries))
}

const bytesOf = ({ body }: WireRequest) =>
  body === undefined ? {} : { body: new TextEncoder().encode(body) }

const lineOf = (request: WireRequest, { status, type, body }: WireResponse): string =>
  JSON.stringify({
    request,
    response: {
      status,
      headers:
        type === undefined ? { date: 'Thu, 01 Oct 2026 10:00:00 GMT' } : { 'content-type': type },
      ...(body !== undefined && { body }),
    },
  })

/** The shape that usage must have counted for a verdict. */
export const shapeOf = ({
  parameters,
  value,
}: Extract<Verdict, { operation: string }>): unknown => ({
  ...Object.fromEntries(
    Object.entries(parameters ?? {}).map(([place, values]) => [
      place,
      Object.fromEntries(Object.entries(values).map(([name, one]) => [name, shapeOfValue(one)])),
    ]),
  ),
  ...(value !== undefined && { body: shapeOfValue(value) }),
})

const shapeOfValue = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const texts = new Set(value.map((one) => shapeOfValue(one)))
    const [first] = texts
    return typeof first === 'string' ? [[...texts].sort().join(' or ')] : [first]
  }
  if (typeof value !== 'object' || value === null) return `=${value}`
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOfValue(one)]))
}

/** The shape that usage must have counted for the params of a call. */
export const callShapeOf = (params: Readonly<Record<string, unknown>>): unknown => {
  const shapes = Object.entries(params).map(([name, one]) => [name, shapeOfValue(one)])
  return shapes.length === 0 ? {} : { params: Object.fromEntries(shapes) }
}
