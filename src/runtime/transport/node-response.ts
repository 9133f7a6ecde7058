import type { Deadline } from '../shared/deadline.js'
import { type Bytes, decode } from './node-decode.js'
import type { Handler, RawHeaders } from './node-dispatcher.js'
import type { PlainResponse } from './plain-fetch.js'

/** Makes an answer of what a dispatcher tells; failures are those of `fetch`, in its words. */
export const createAnswer = ({ method, deadline, resolve, reject }: Asked): Handler => {
  const chunks: Bytes[] = []
  let abort: (reason?: unknown) => void = () => undefined
  let isBegun = false
  let outcome: Outcome | undefined
  let settled: ((outcome: Outcome) => void) | undefined
  const settle = (told: Outcome): void => {
    if (outcome !== undefined) return
    forget()
    outcome = told
    if (!isBegun && 'error' in told) reject(told.error)
    settled?.(told)
  }
  const stop = (error: unknown): void => {
    settle({ error })
    abort(error)
  }
  const forget = deadline.onEnd(() => stop(deadline.reason()))
  const bytes = (): Promise<Bytes> =>
    new Promise((resolve, reject) => {
      settled = (told) => ('error' in told ? reject(told.error) : resolve(told.bytes))
      if (outcome !== undefined) settled(outcome)
    })
  return {
    onConnect: (given) => {
      abort = given
      if (outcome !== undefined) given('error' in outcome ? outcome.error : undefined)
    },
    onHeaders: (status, raw) => {
      if (status < 200) return true
      isBegun = true
      const cancel = async () => stop(new DOMException('The answer is not read', 'AbortError'))
      resolve(createResponse({ method, status, raw, bytes, cancel }))
      return true
    },
    onData: (chunk) => {
      chunks.push(chunk)
      return true
    },
    onComplete: () =>
      settle({ bytes: chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks) }),
    onError: (cause) =>
      settle({ error: new TypeError(isBegun ? 'terminated' : 'fetch failed', { cause }) }),
  }
}

type Asked = {
  readonly method: string
  readonly deadline: Deadline
  readonly resolve: (answer: PlainResponse) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly bytes: Bytes } | { readonly error: unknown }

const EMPTY: Bytes = new Uint8Array()

const createResponse = ({ method, status, raw, bytes, cancel }: Received): PlainResponse => {
  let headers: Headers | undefined
  const readHeaders = (): Headers => {
    headers ??= new Headers(pairs(raw))
    return headers
  }
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
  const read = async (): Promise<Bytes> => {
    const codings = hasBody ? readHeaders().get('content-encoding') : null
    const sent = await bytes()
    return codings === null ? sent : decode(sent, codings)
  }
  return {
    status,
    ok: status < 300,
    get headers() {
      return readHeaders()
    },
    body: hasBody ? { cancel } : null,
    text: async () => UTF8.decode(await read()),
    blob: async () => {
      const type = readHeaders().get('content-type')
      return new Response(
        await read(),
        type === null ? {} : { headers: { 'content-type': type } },
      ).blob()
    },
  }
}

type Received = {
  readonly method: string
  readonly status: number
  readonly raw: RawHeaders
  readonly bytes: () => Promise<Bytes>
  readonly cancel: () => Promise<void>
}

const UTF8 = new TextDecoder()

export const pairs = (raw: RawHeaders): [string, string][] => {
  if (!isList(raw))
    return Object.entries(raw).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    )
  const found: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    found.push([latin1(raw[index]), latin1(raw[index + 1])])
  return found
}

const isList = (raw: RawHeaders): raw is readonly Bytes[] => Array.isArray(raw)

const latin1 = (bytes: Bytes | undefined): string => Buffer.from(bytes ?? EMPTY).toString('latin1')
