import { startMock } from '../../src/mock/mock.js'
import { createService } from '../../src/mock/service.js'
import type { Api } from '../../src/model/api.js'
import { createRpc } from '../../src/runtime/rpc.js'
import { createServerCore } from '../../src/runtime/server.js'
import type { CallVerdict } from './calls.js'
import { conformVerdict, type WireRequest } from './verdicts.js'

type Params = readonly unknown[] | Readonly<Record<string, unknown>>

/** What the handlers of a generated server receive, in the order of the calls. */
export const serverCalls = async (api: Api, message: string): Promise<CallVerdict> => {
  const { service } = createService(api)
  const read = new Map<unknown, CallVerdict[number]>()
  const handlers = Object.fromEntries(
    Object.entries(service.rpc?.operations ?? {}).map(([id, operation]) => [
      id,
      (params: Params) => {
        const names = operation.params.map(({ name }) => name)
        const list = params as readonly unknown[]
        const named = Array.isArray(params)
          ? Object.fromEntries(list.map((value, at) => [names[at] ?? `#${at}`, value]))
          : { ...params }
        const given = Object.entries(named).filter(([, value]) => value !== undefined)
        read.set(read.size, { operation: id, params: Object.fromEntries(given) })
        return operation.method
      },
    ]),
  )
  const server = createServerCore(service, handlers as never, { concurrency: 1 })
  const headers = { 'content-type': 'application/json' }
  const reply = await server.handle({ method: 'POST', url: '/', headers, body: message })
  const text = reply.body === undefined ? '' : String(reply.body)
  const calls = [...read.values()]
  if (text === '') return calls
  const answers: readonly { readonly error?: { readonly code: number } }[] = [
    JSON.parse(text),
  ].flat()
  return answers.map((answer): CallVerdict[number] => {
    if (answer.error === undefined) return calls.shift() ?? 'unread'
    return answer.error.code === METHOD_NOT_FOUND ? 'none' : 'unread'
  })
}

/** Which methods the mock answers, in the order of the calls. */
export const mockCalls = async (api: Api, message: string): Promise<readonly string[]> => {
  const mock = await startMock(api)
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${mock.url}/`, { method: 'POST', headers, body: message })
    const text = await response.text()
    if (text === '') return []
    const answers: readonly { result?: string; error?: { code: number } }[] = [
      JSON.parse(text),
    ].flat()
    return answers.map(({ result, error }) => {
      if (error === undefined) return result ?? ''
      return error.code === METHOD_NOT_FOUND ? 'none' : 'unread'
    })
  } finally {
    await mock.stop()
  }
}

const METHOD_NOT_FOUND = -32601

/** The text that a client sends for the calls of a verdict. */
export const clientCalls = async (api: Api, verdict: CallVerdict): Promise<string> => {
  const { service } = createService(api)
  let sent = ''
  const rpc = { servers: [], path: '/', operations: {}, limits: {}, ...service.rpc }
  const fetchIt = async (url: string | URL | Request, init?: RequestInit) => {
    sent = await new Request(url, init).text()
    return new Response('', { headers: { 'content-type': 'application/json' } })
  }
  const options = { server: 'https://api.example', fetch: fetchIt, timeout: 5_000 }
  const client = createRpc<AnyClient>(rpc, service.validators, options)
  const start = (own: AnyClient) =>
    verdict.map(async (one) => {
      if (typeof one === 'string') return
      const operation = rpc.operations[one.operation]
      const isNamed = operation?.paramStructure === 'by-name'
      const list = operation?.params.map(({ name }) => one.params[name]) ?? []
      while (list.length > 0 && list.at(-1) === undefined) list.pop()
      const params = isNamed ? one.params : list
      await own.request({ method: operation?.method ?? '', params }).catch(() => undefined)
    })
  await (verdict.length === 1
    ? Promise.all(start(client))
    : client.batch((own) => Promise.all(start(own))))
  return sent
}

type AnyClient = {
  readonly request: (call: { method: string; params: unknown }) => Promise<unknown>
  readonly batch: <T>(collect: (own: AnyClient) => T) => Promise<Awaited<T>>
}

/** The recorded request of a message. */
export const requestOf = (message: string): WireRequest => ({
  method: 'POST',
  url: '/',
  headers: { 'content-type': 'application/json' },
  body: message,
})

/** The rules that conform reports for a message that every call of it was accepted. */
export const conformCalls = (api: Api, message: string) =>
  conformVerdict(api, requestOf(message), {
    status: 200,
    type: 'application/json',
    body: acceptance(message),
  })

/** A response that accepts each call with the name of its method. */
export const acceptance = (message: string): string => {
  const parsed: unknown = parse(message)
  const answerOf = (one: unknown) => {
    const { id = null, method } = Object(one)
    return { jsonrpc: '2.0', result: method, id }
  }
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(answerOf) : answerOf(parsed))
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
