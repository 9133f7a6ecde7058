import { startDeadline } from '../shared/deadline.js'
import { withResolvers } from '../shared/with-resolvers.js'
import type { Bytes } from '../transport/node-decode.js'
import { findDispatch, type Handler, type RawHeaders } from '../transport/node-dispatcher.js'
import { plainAddress, plainHeaders } from '../transport/node-fetch.js'
import { goOn } from '../transport/node-redirect.js'
import { createAnswer, pairs } from '../transport/node-response.js'
import type { PlainResponse } from '../transport/plain-fetch.js'
import type { Head, Hear, Send } from './send.js'
import { send as webSend } from './web-send.js'

/**
 * Straight to the dispatcher that Node's own `fetch` sends by, its answer taken as it comes. Where that is not all, a
 * redirection or a coding to undo, `transport/node-fetch.ts` goes on; addresses that it leaves to `fetch` are left to it.
 */
export const send: Send = (url, headers, body, hear) => {
  const dispatch = findDispatch()
  const target = dispatch && targetOf(url, headers)
  if (dispatch === undefined || target === undefined) {
    return webSend(url, headers, body, hear)
  }
  const chunks: Bytes[] = []
  let abort: ((reason?: unknown) => void) | undefined
  let isEnded = false
  let begun: { readonly status: number; readonly raw: RawHeaders } | undefined
  let other: Diverted | undefined
  const fail = (cause: unknown) =>
    hear({ error: new TypeError(begun === undefined ? 'fetch failed' : 'terminated', { cause }) })
  const handler: Handler = {
    onConnect: (given) => {
      abort = given
      if (isEnded) abort()
    },
    onHeaders: (status, raw) => {
      if (status < 200) return true
      begun = { status, raw }
      if (!isPlain(status, raw)) {
        other = divert(target.address, headers, body, hear)
        if (abort !== undefined) other.handler.onConnect(abort)
        other.handler.onHeaders(status, raw)
      }
      return true
    },
    onData: (chunk) => {
      if (other !== undefined) return other.handler.onData(chunk)
      chunks.push(chunk)
      return true
    },
    onComplete: () => {
      if (other !== undefined) other.handler.onComplete()
      else if (begun !== undefined) {
        hear({ text: textOf(chunks), head: headOf(begun.status, begun.raw) })
      }
    },
    onError: (cause) => {
      if (other !== undefined) other.handler.onError(cause)
      else fail(cause)
    },
  }
  try {
    dispatch({ ...target.request, body }, handler)
  } catch (cause) {
    fail(cause)
  }
  return () => {
    isEnded = true
    if (other !== undefined) other.end()
    else abort?.()
  }
}

/** What is the same for every call of a client, as long as its address is. */
const targetOf = (url: string, headers: Headers): Target | undefined => {
  const known = targets.get(headers)
  if (known?.url === url) return known
  const address = plainAddress(url)
  if (address === undefined) return undefined
  const given = plainHeaders(
    { method: 'POST', headers, body: '', deadline: unended },
    address.protocol === 'https:',
  )
  if (given === undefined) return undefined
  const { origin, pathname, search } = address
  const request = { origin, path: `${pathname}${search}`, method: 'POST', headers: given }
  const target = { url, address, request }
  targets.set(headers, target)
  return target
}

type Target = {
  readonly url: string
  readonly address: URL
  readonly request: {
    readonly origin: string
    readonly path: string
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
  }
}

const targets = new WeakMap<Headers, Target>()
const unended = startDeadline()

/** Whether an answer is the last word, and its body as it came. */
const isPlain = (status: number, raw: RawHeaders): boolean => {
  if ((status >= 300 && status < 400) || status === 407 || status === 421) return false
  if (!Array.isArray(raw)) return false
  for (let index = 0; index < raw.length; index += 2) {
    const { length } = raw[index]
    if (length === CODING.length && String(raw[index]).toLowerCase() === CODING) return false
  }
  return true
}

const CODING = 'content-encoding'

const textOf = (chunks: readonly Bytes[]): string => {
  const [first = EMPTY] = chunks
  return UTF8.decode(chunks.length > 1 ? Buffer.concat(chunks) : first)
}

const headOf = (status: number, raw: RawHeaders): Head => ({
  status,
  ok: status >= 200 && status < 300,
  get headers() {
    return new Headers(pairs(raw))
  },
})

const EMPTY: Bytes = new Uint8Array()
const UTF8 = new TextDecoder()

/** Hears the rest of an answer that has begun, and goes on as `fetch` would. */
const divert = (address: URL, headers: Headers, body: string, hear: Hear): Diverted => {
  const controller = new AbortController()
  const deadline = startDeadline({ signal: controller.signal })
  const request = { method: 'POST', headers, body, deadline }
  const begun = withResolvers<PlainResponse>()
  const readOn = async (first: PlainResponse) => {
    const last = await (goOn(first, address, request) ?? first)
    return { text: await last.text(), head: last }
  }
  begun.promise
    .then(readOn)
    .then(hear, (error) => hear({ error }))
    .finally(deadline.end)
  return {
    handler: createAnswer({ method: 'POST', deadline, ...begun }),
    end: () => controller.abort(),
  }
}

type Diverted = { readonly handler: Handler; readonly end: () => void }
