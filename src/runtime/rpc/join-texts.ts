import type { HttpLink, Posting } from '../link/http.js'
import type { SentCall } from '../link/link.js'
import type { ParsedJson } from '../shared/json.js'
import type { RpcCallContext } from './call.js'
import type { IncomingCall } from './duplex.js'
import type { isCall as isCallOfServer, Packaging, Received } from './match.js'
import type { ServingTerms } from './own-link.js'

/**
 * The responses in several texts as one text: that of a single response, or a JSON array of all of them, as if the server had
 * sent a batch. Notifications and requests of the server are passed to its handlers,
 * whose responses are sent by exchanges of their own; texts that are not JSON are left out. Reading ends
 * with the last text, or when each call has a response; an error without an id is the response to one of them. `messages` are the
 * parsed texts, if they were parsed before, and their calls were served. This module must not import functions of clients: bundlers would split them off.
 */
export const joinTexts = async (
  texts: readonly string[] | AsyncIterable<string>,
  calls: readonly SentCall[],
  packaging: Packaging,
  messages: readonly unknown[] | undefined,
  { link, deadline, context: { incoming, settings }, isCall }: Terms,
): Promise<Pick<Received, 'text' | 'parsed' | 'packaging'>> => {
  const missing = new Set<unknown>(calls.flatMap(({ id }) => (id === undefined ? [] : [id])))
  const kept: string[] = []
  const all: unknown[] = []
  let whole = ''
  let parsed: ParsedJson | undefined
  let at = 0
  let withoutId = 0
  const terms: ServingTerms = {
    respond: (response) => link.exchange(response, { calls: [], attempt: 1, deadline }),
    incoming,
    report: (warning) => settings.options.onWarning?.(warning),
  }
  const isCallOfText = (one: unknown): one is IncomingCall =>
    isCall(one) && typeof one.method === 'string'
  for await (const text of texts) {
    if (kept.length === 0) whole = text
    const message = messages ? messages[at] : parse(text)
    at += 1
    const members: readonly unknown[] = Array.isArray(message) ? message : [message]
    const responses = members.filter((one) => typeof one === 'object' && one && !isCall(one))
    const served = messages ? [] : members.filter(isCallOfText)
    if (served.length > 0) {
      const { serveByExchange } = await import('./own-link.js')
      serveByExchange(served, text, Array.isArray(message), terms)
    }
    if (responses.length === 0) continue
    // Members keep their own text, which has the digits of large numbers.
    if (kept.length === 0) parsed = { value: message }
    all.push(...members)
    kept.push(Array.isArray(message) ? text.trim().slice(1, -1) : text)
    for (const response of responses) {
      const { id, error } = Object(response)
      missing.delete(id)
      if (id == null && error) withoutId += 1
    }
    if (missing.size <= withoutId) break
  }
  return kept.length > 1
    ? { text: `[${kept}]`, parsed: { value: all }, packaging: 'batch' }
    : { text: whole, parsed, packaging }
}

type Terms = {
  readonly link: Pick<HttpLink, 'exchange'>
  /** Ends the exchange, and those of the responses of handlers. */
  readonly deadline: Posting['deadline']
  readonly context: Pick<RpcCallContext, 'incoming' | 'settings'>
  readonly isCall: typeof isCallOfServer
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
