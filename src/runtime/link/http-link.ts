import { type Clock, startDeadline, systemClock } from '../shared/deadline.js'
import { JSON_TYPE } from '../shared/media-type.js'
import { isBusy, type Retry, waitBefore } from '../shared/retry.js'
import { headerSecrets } from '../shared/written-secrets.js'
import { createEventParser } from '../streams/event-stream.js'
import { eventTexts } from './event-texts.js'
import { exchange, isEventStream, ResponseTooLarge, rejectionBy, sendBy } from './http-exchange.js'
import type { ExchangeLink } from './link.js'
import type { Fetch, IncomingResponse } from './transport.js'
import { platformFetch } from './web-transport.js'

/**
 * A link to a server over HTTP that responds with JSON or with an event stream, in which it may send messages of its own first, as
 * in Streamable HTTP of the Model Context Protocol. An event stream that ends without the response is continued by a GET request
 * with `Last-Event-ID`, if its events have ids. Throws a TypeError for a URL that is not `http:` or `https:`.
 *
 * ```ts
 * const link = httpLink('https://mcp.example/mcp', { session: 'Mcp-Session-Id', listen: true })
 * const rpc = createRpcClient({ link, handlers })
 * ```
 */
export const httpLink = (url: string | URL, options: HttpLinkOptions = {}): ExchangeLink => {
  const { href, protocol } = new URL(url)
  if (!/^https?:$/.test(protocol))
    throw new TypeError('the URL of an HTTP link begins with http: or https:')
  const { maxBytes = 104_857_600, retry = {}, headers = {}, fetch = platformFetch } = options
  const session = options.session?.toLowerCase()
  const clock = { ...systemClock, ...retry.clock, ...options.clock }
  const transport = sendBy(fetch)
  let sessionId: string | undefined
  let secrets: readonly string[] = []
  /** Called when the server has accepted a text. */
  let onAccepted: () => void = () => undefined

  const request = async (
    method: 'POST' | 'GET' | 'DELETE',
    own: Readonly<Record<string, string>>,
    signal: AbortSignal,
    body?: string,
  ): Promise<IncomingResponse> => {
    const more = Object.entries(typeof headers === 'function' ? await headers(body) : headers)
    const sentId = sessionId
    const all = {
      ...own,
      ...Object.fromEntries(more.map(([name, value]) => [name.toLowerCase(), value])),
      ...(session && sentId !== undefined && { [session]: sentId }),
    }
    secrets = headerSecrets(Object.entries(all))
    const exchanged = await exchange(
      transport,
      {},
      {
        operations: () => [],
        attempt: 1,
        url: href,
        shown: () => href,
        method,
        headers: all,
        body,
        deadline: UNLIMITED,
        signal,
        maxResponseBytes: maxBytes,
        redirect: 'manual',
        protocol: 'rpc',
        secretHeaders: Object.keys(all).filter((name) => !Object.hasOwn(own, name)),
      },
    )
    if ('error' in exchanged) throw exchanged.error
    // The server ended the session, so the next text begins another one.
    if (exchanged.response.status === 404 && sessionId === sentId) sessionId = undefined
    return exchanged.response
  }

  /**
   * The texts of an event stream and of those that continue it. Without a first response it is the stream that the server has for
   * what belongs to no response; it is opened again whenever it ends, until the server has none.
   */
  async function* textsOf(
    first: IncomingResponse | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    let response = first
    let id = ''
    let asked: number | undefined
    let failures = 0
    let cause: unknown
    for (;;) {
      if (response) {
        const parser = createEventParser(id)
        try {
          const events = eventTexts(response.response(), maxBytes, ResponseTooLarge, parser)
          for await (const text of events) {
            failures = 0
            if (text !== '') yield text
          }
        } catch (error) {
          if (error instanceof ResponseTooLarge) throw error
          cause = error
        }
        id = parser.lastEventId()
        asked = parser.retry() ?? asked
      }
      if (signal.aborted || (first && id === '' && cause === undefined)) return
      if (first && id === '') throw cause
      if (response || cause !== undefined) {
        failures += 1
        const wait = await waitBefore(failures + 1, null, retry, clock)
        if (wait === undefined) throw new Error('the event stream ended', { cause })
        await clock.sleep(asked ?? wait, signal)
        if (signal.aborted) return
      }
      response = undefined
      try {
        const own = { accept: EVENTS, ...(id !== '' && { 'last-event-id': id }) }
        const next = await request('GET', own, signal)
        if (isEventStream(next)) {
          response = next
          cause = undefined
          if (!first) failures = 0
          continue
        }
        next.discard()
        if (!first && next.status === 405) return
        cause = new Error(`the server returned HTTP ${next.status}`)
        if (!isBusy(next.status)) break
      } catch (error) {
        cause = error
      }
    }
    throw new Error('the event stream ended', { cause })
  }

  return {
    kind: 'exchange',
    secrets: () => secrets,
    exchange: async (text, { signal, calls }) => {
      let response: IncomingResponse | undefined
      try {
        response = await request('POST', POSTED, signal, text)
        const { status } = response
        if (status < 200 || status > 299) {
          const retryAfter = isBusy(status) ? response.header('retry-after') : undefined
          const headers = response.headers()
          const body = await response.text()
          return { rejection: { reason: 'status', status, headers, text: body, retryAfter } }
        }
        if (session) sessionId = response.header(session) ?? sessionId
        onAccepted()
        if (!isEventStream(response)) return { texts: [await response.text()] }
        if (calls.some(({ id }) => id !== undefined)) return { texts: textsOf(response, signal) }
        // Notifications and responses have no response to wait for.
        response.discard()
        return { texts: [] }
      } catch (cause) {
        response?.discard()
        return { rejection: rejectionBy(cause) }
      }
    },
    listen: async (receive, signal) => {
      signal.addEventListener('abort', () => {
        if (session && sessionId !== undefined)
          request('DELETE', {}, AbortSignal.timeout(MOST_FOR_END)).then(
            (response) => response.discard(),
            // The server ends sessions that are not used.
            () => undefined,
          )
      })
      if (!options.listen) return
      for (;;) {
        await new Promise<void>((resolve) => {
          onAccepted = () => (!session || sessionId !== undefined) && resolve()
        })
        const listened = sessionId
        try {
          for await (const text of textsOf(undefined, signal)) receive(text)
          return
        } catch (error) {
          // The next session has a stream of its own.
          if (!session || sessionId === listened) throw error
        }
      }
    },
  }
}

export type HttpLinkOptions = {
  /** Headers of each request. A function is called for each, with the text that is sent; a GET and a DELETE have none. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | ((
        text: string | undefined,
      ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined
  /**
   * The header of the session, such as `Mcp-Session-Id`: its value in a response is sent with each further request. A 404 forgets
   * it. The option `signal` of the client ends the session with a DELETE request.
   */
  readonly session?: string | undefined
  /**
   * Whether a GET request opens the event stream of what the server sends outside of responses, once the server has accepted a
   * text and has begun the session. It is opened again whenever it ends, except if the server has none (405).
   */
  readonly listen?: boolean | undefined
  /** How often an event stream is continued in succession, and the delays in which the server sets none. */
  readonly retry?: Retry | undefined
  /** The maximum number of bytes of a response, or of one event; 104,857,600 (100 MiB) by default. */
  readonly maxBytes?: number | undefined
  /** Sends every request; by default the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined
  readonly clock?: Partial<Clock> | undefined
}

const EVENTS = 'text/event-stream'

const POSTED = { accept: `${JSON_TYPE}, ${EVENTS}`, 'content-type': JSON_TYPE }

/** The signals of the requests are their only ends. */
const UNLIMITED = startDeadline([])

/** Milliseconds for ending a session. */
const MOST_FOR_END = 5_000
