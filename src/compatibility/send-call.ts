import type { Operation } from '../model/api.js'
import { codecOf } from '../runtime/shared/codecs.js'
import { messageOf } from '../runtime/shared/message-of.js'
import type { Exchange } from '../traffic/exchange.js'
import { argumentsOf, type PlannedCall } from './calls.js'
import { type CreateClient, memberOf } from './load-client.js'

/** Creates a client of an old version, whose calls are sent one after another. Throws a TypeError for invalid options. */
export const createCallSender = (
  create: CreateClient,
  { server, auth, milliseconds, isMock, take = async () => undefined }: SenderOptions,
): CallSender => {
  let warnings: unknown[] = []
  let exchanges: Exchange[] = []
  let prefer: string | undefined
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    await take()
    const headers = new Headers(init.headers)
    if (prefer !== undefined) headers.set('prefer', prefer)
    const sent = { method: init.method ?? 'GET', url, headers: Object.fromEntries(headers) }
    const body = typeof init.body === 'string' ? { body: init.body } : {}
    const began = performance.now()
    const index = exchanges.push({ sent: { ...sent, ...body }, answer: undefined, failure: 'none' })
    const response = await fetchAgain(url, { ...init, headers })
    const type = response.headers.get('content-type') ?? ''
    // A stream may never end, so only its client reads it.
    const isRead = codecOf(type) === 'json'
    const bytes = new Uint8Array(isRead ? await response.arrayBuffer() : [])
    const { status } = response
    const answer = {
      ...{ status, headers: [...response.headers], body: bytes },
      milliseconds: performance.now() - began,
    }
    exchanges[index - 1] = { sent: { ...sent, ...body }, answer, failure: undefined }
    if (!isRead) return response
    const content = bytes.length === 0 ? null : bytes
    return new Response(content, { status, headers: response.headers })
  }
  // A mock in this process closes idle connections while the process computes, which can fail a request that is being sent.
  const fetchAgain = (url: string, init: RequestInit): Promise<Response> =>
    isMock ? fetch(url, init).catch(() => fetch(url, init)) : fetch(url, init)
  const client = create({
    ...{ server, auth, timeout: milliseconds, retry: { attempts: 1 } },
    fetch: send,
    onWarning: (warning: unknown) => {
      // A deprecated operation still works.
      if (Reflect.get(Object(warning), 'kind') !== 'deprecation') warnings.push(warning)
    },
  })
  return async (values, operation, preference) => {
    warnings = []
    exchanges = []
    prefer = preference
    const { member, args } = argumentsOf(values, operation)
    const call = memberOf(client[operation.kind], member)
    if (call === undefined) return { kind: 'unsent', why: `its client has no ${member}` }
    try {
      await readItems(await call(...args))
      return { kind: 'returned', warning: warnings[0], exchanges }
    } catch (error) {
      return exchanges.length === 0
        ? { kind: 'unsent', why: messageOf(error) }
        : { kind: 'thrown', error, exchanges }
    }
  }
}

export type SenderOptions = {
  /** The address of the server, without the path that documents add. */
  readonly server: string
  readonly auth: Readonly<Record<string, unknown>>
  readonly isMock: boolean
  /** The timeout of one call. */
  readonly milliseconds: number
  /** Resolves when the next request may be sent. */
  readonly take?: (() => Promise<void>) | undefined
}

/** Sends one call. `preference` is the value of the `Prefer` header, by which a mock selects its response. */
export type CallSender = (
  values: PlannedCall['values'],
  operation: Operation,
  preference?: string,
) => Promise<CallRecord>

/** The outcome of one call of a client. */
export type CallRecord =
  /** The client did not send it; `why` is the reason. */
  | { readonly kind: 'unsent'; readonly why: string }
  | {
      readonly kind: 'returned'
      readonly warning: unknown
      readonly exchanges: readonly Exchange[]
    }
  | { readonly kind: 'thrown'; readonly error: unknown; readonly exchanges: readonly Exchange[] }

/** Reads the first items of a stream, which its client validates, and closes it; an unread body would keep its connection. */
const readItems = async (value: unknown): Promise<void> => {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return
  if (value instanceof ReadableStream) return await value.cancel()
  let count = 0
  for await (const _ of value as AsyncIterable<unknown>) if (++count === MOST_ITEMS) return
}

const MOST_ITEMS = 3
