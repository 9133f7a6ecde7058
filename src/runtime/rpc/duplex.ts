import type { PostedCall } from '../link/http.js'
import type { ResponseTooLarge } from '../link/http-exchange.js'
import type { DuplexLink, LinkConnection, LinkResponse, Sending } from '../link/link.js'
import type { onEnd } from '../shared/deadline.js'
import type { UnmatchedWarning } from '../shared/issues.js'
import type { isCall } from './match.js'

/**
 * Sends texts over a duplex link and matches what arrives to all that is pending, by id alone. The link is opened for the first
 * text, and again for the first one after it closed or failed to open; then every pending text is rejected. A text that is too
 * large is not parsed, and rejects all that is pending, because it may be the response to any of it. This module must not import
 * functions of clients: bundlers would split them off.
 */
export const exchangeOver = (
  link: DuplexLink,
  terms: Terms,
): ((text: string, sending: DuplexSending) => Promise<DuplexResponse>) => {
  const { signal } = terms
  let current: Opening | undefined
  signal?.addEventListener('abort', () => {
    void current?.connection.then(({ close }) => close()).catch(() => undefined)
    current?.end(signal.reason)
  })
  return async (text, { calls, signal: end }) => {
    if (current?.isOver() !== false) current = open(link, terms)
    return await current.send(text, calls, end)
  }
}

type Terms = {
  /** Receives what is no response to a pending call. */
  readonly report: (warning: UnmatchedWarning) => unknown
  /** Closes the link. */
  readonly signal: AbortSignal | undefined
  /** The maximum number of bytes of a text. */
  readonly maxResponseBytes: number
  readonly ResponseTooLarge: typeof ResponseTooLarge
  readonly isCall: typeof isCall
  /** Writes the notification that cancels a sent call; undefined if there is none. */
  readonly cancel?: ((id: number) => string) | undefined
  readonly onEnd: typeof onEnd
  /** Processes what the server sends. Without it, notifications are reported, and requests are rejected. */
  readonly incoming?: Pick<Incoming, 'serve' | 'ended'> | undefined
}

/** The side of a client that the server calls. */
export type Incoming = {
  /** Receives the calls in one text, and sends the responses. */
  readonly serve: (calls: readonly IncomingCall[], text: IncomingText) => void
  /** The connection ended; another may follow. */
  readonly ended: () => void
}

/** A member of a text that has a method. */
export type IncomingCall = {
  readonly id?: unknown
  readonly method: string
  readonly params?: unknown
}

/** A text with calls. */
export type IncomingText = {
  readonly text: string
  readonly isBatch: boolean
  readonly send: (text: string) => Promise<void>
}

type DuplexSending = Pick<Sending, 'signal'> & { readonly calls: readonly PostedCall[] }

/** The texts of a response, and the same ones parsed. */
type DuplexResponse = LinkResponse & { readonly messages?: readonly unknown[] | undefined }

/** One opening of a link, from its beginning until it closed. */
type Opening = {
  readonly connection: Promise<LinkConnection>
  readonly isOver: () => boolean
  /** Rejects all that is pending. The first cause counts. */
  readonly end: (cause: unknown) => void
  /** Never rejects. */
  readonly send: (
    text: string,
    calls: readonly PostedCall[],
    signal: AbortSignal,
  ) => Promise<DuplexResponse>
}

/** A text whose response is not complete. */
type Pending = {
  /** The ids without a response. */
  readonly ids: Set<unknown>
  readonly texts: string[]
  readonly messages: unknown[]
  /** Ends the text. The first response counts. */
  readonly end: (response: DuplexResponse) => void
}

const open = (
  link: DuplexLink,
  { report, signal: ending, maxResponseBytes, ResponseTooLarge, isCall, incoming, ...terms }: Terms,
): Opening => {
  const pending = new Set<Pending>()
  const byId = new Map<unknown, Pending>()
  /** Ids without a response, of which no caller waits for one. */
  const cancelled = new Set<unknown>()
  let over: LinkResponse | undefined

  const end = (cause: unknown): void => {
    if (over) return
    over = lost(cause)
    incoming?.ended()
    for (const one of [...pending]) one.end(over)
  }

  /** An error without an id, such as a parse error, is the response to the only pending text. */
  const onlyOne = (id: unknown, error: unknown): Pending | undefined => {
    const [one] = pending
    if (id != null || error === undefined || pending.size > 1 || !one) return undefined
    one.ids.clear()
    return one
  }

  const serve = (calls: readonly IncomingCall[], text: string, isBatch: boolean): void => {
    const send = async (response: string) => (await connection).send(response)
    serveCalls(calls, { text, isBatch, send }, incoming, report)
  }

  const receive = (text: string): void => {
    if (over) return
    if (isLonger(text, maxResponseBytes)) {
      const cause = new ResponseTooLarge(maxResponseBytes)
      const sent = new Set(byId.values())
      if (sent.size === 0) report(unmatched('', 'a text that is too large'))
      for (const one of sent) {
        one.ids.clear()
        one.end({ rejection: { reason: 'too-large', cause } })
      }
      return
    }
    const message = parseMessage(text)
    if (message === undefined) return void report(unmatched('', 'a text that is not JSON'))
    const owners = new Set<Pending>()
    const calls: IncomingCall[] = []
    for (const member of Array.isArray(message) ? message : [message]) {
      const { id, method, error } = Object(member)
      const owner = isCall(member) ? undefined : (byId.get(id) ?? onlyOne(id, error))
      owner?.ids.delete(id)
      if (owner) owners.add(owner)
      else if (typeof method === 'string') calls.push(member)
      else if (!cancelled.delete(id))
        report(unmatched('', 'a response without the id of a pending call'))
    }
    if (calls.length > 0) serve(calls, text, Array.isArray(message))
    for (const owner of owners) {
      owner.texts.push(text)
      owner.messages.push(message)
      if (owner.ids.size === 0) owner.end({ texts: owner.texts, messages: owner.messages })
    }
  }

  const closed = (reason?: unknown): void => {
    const why = typeof reason === 'string' && reason !== '' ? `: ${reason}` : ''
    end(new Error(`the link closed${why}`, { cause: reason }))
  }
  const connection = Promise.resolve().then(() => link.open({ text: receive, closed }))
  connection.catch(end)

  const send: Opening['send'] = (text, calls, signal) =>
    new Promise((resolve) => {
      const ids = calls.flatMap(({ id }) => (id === undefined ? [] : [id]))
      const stop = () => one.end(lost(signal.reason))
      const one: Pending = {
        ids: new Set(ids),
        texts: [],
        messages: [],
        end: ({ texts, messages, rejection }) => {
          pending.delete(one)
          for (const id of ids) if (byId.get(id) === one) byId.delete(id)
          signal.removeEventListener('abort', stop)
          resolve(rejection ? { rejection } : { texts, messages })
        },
      }
      pending.add(one)
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
      connection
        .then(async (opened) => {
          if (!pending.has(one)) return
          for (const id of ids) byId.set(id, one)
          const sent = opened.send(text)
          if (terms.cancel)
            for (const { id, deadline } of calls)
              terms.onEnd(deadline, () => cancelCall(one, id, opened))
          await sent
          // A notification has no response.
          if (ids.length === 0) one.end({ texts: [] })
        })
        .catch((cause) => {
          one.ids.clear()
          one.end(lost(cause))
        })
    })

  /** Cancels a sent call that has no response yet. The others of its text go on. */
  const cancelCall = (one: Pending, id: number | undefined, { send }: LinkConnection): void => {
    const text = id === undefined ? undefined : terms.cancel?.(id)
    if (text === undefined || over || ending?.aborted || !one.ids.delete(id)) return
    byId.delete(id)
    if (cancelled.size >= MOST_CANCELLED) cancelled.clear()
    cancelled.add(id)
    send(text).catch(() => undefined)
    if (one.ids.size === 0) one.end({ texts: one.texts, messages: one.messages })
  }

  return { connection, isOver: () => over !== undefined, end, send }
}

/** More late responses than these are reported. */
const MOST_CANCELLED = 10_000

const lost = (cause: unknown): LinkResponse => ({ rejection: { reason: 'network', cause } })

/** Passes calls of the server to its handlers. Without any, notifications are reported, and requests are rejected. */
export const serveCalls = (
  calls: readonly IncomingCall[],
  text: IncomingText,
  incoming: Pick<Incoming, 'serve'> | undefined,
  report: (warning: UnmatchedWarning) => unknown,
): void => {
  incoming?.serve(calls, text)
  for (const { id, method } of incoming ? [] : calls)
    if (id === undefined) report(unmatched(method, 'a call of the server'))
    else text.send(notFoundText(id)).catch(() => undefined)
}

/** JSON-RPC 2.0, 5.1. */
export const notFoundText = (id: unknown): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Method not found"}}`

export const unmatched = (operation: string, what: string): UnmatchedWarning => ({
  kind: 'unmatched',
  operation,
  message: `${what} was ignored`,
  issues: [],
})

/** Whether a text has more bytes than a limit, in UTF-8. */
export const isLonger = (text: string, limit: number): boolean =>
  text.length > limit || (text.length * 3 > limit && new TextEncoder().encode(text).length > limit)

/** The message in a text; undefined if it is not JSON. */
export const parseMessage = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
