import { createServer, notOffered } from '../../../generated/server.ts'

/** Our server with a handler for each method that is asked, which answers what it was given. */
export function ourServer(results) {
  const handlers = Object.entries(results).map(([method, result]) => [
    method.replace(/_(.)/, (_, letter) => letter.toUpperCase()),
    () => result,
  ])
  return createServer({ ...notOffered, ...Object.fromEntries(handlers) })
}

/** The least that JSON-RPC asks of a handler in a framework that knows nothing of it; nothing is validated. */
export const answerWith = (results) => (sent) =>
  Array.isArray(sent)
    ? sent.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: results[method] }))
    : { jsonrpc: '2.0', id: sent.id, result: results[sent.method] }
