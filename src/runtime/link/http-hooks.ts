import type { Hooks, runHooks } from '../shared/hooks.js'
import type { ExchangeResult, IncomingResponse, Send, SendableRequest } from './transport.js'

/**
 * Sends one HTTP request, with the hooks around it. Never rejects. `incoming` reads a response that hooks have seen. Functions of
 * clients are arguments, because bundlers would split imported ones from the rest of a client.
 */
export const exchangeWithHooks = async (
  send: Send,
  { onRequest, onResponse }: Hooks,
  request: SendableRequest,
  incoming: (response: Response, maxBytes: number) => IncomingResponse,
  run: typeof runHooks,
): Promise<ExchangeResult> => {
  let by: 'hook' | 'network' = 'hook'
  let sent: IncomingResponse | undefined
  try {
    const { operations, attempt, method, shown } = request
    const headers = new Headers(request.headers)
    const seen = { operations: operations(), attempt, method, url: shown(), headers }
    await run(onRequest, 'in', seen)
    by = 'network'
    sent = await send({ ...request, headers: Object.fromEntries(headers) })
    by = 'hook'
    const response = sent.response()
    await run(onResponse, 'out', response, seen)
    return { response: incoming(response, request.maxResponseBytes) }
  } catch (error) {
    sent?.discard()
    return { error, by }
  }
}
