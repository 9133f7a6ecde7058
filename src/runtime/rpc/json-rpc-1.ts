import type { HttpLink, PostedCall } from '../link/http.js'
import { markNumbers } from '../shared/exact-integers.js'

/**
 * A link to servers of JSON-RPC 1.0, such as bitcoind and its forks. Requests have no member `jsonrpc`, and notifications have the
 * id null; a list of them is a batch, which 1.0 does not define, but these servers accept. Responses become those of 2.0. Calls
 * with params by name are not sent. This module must not import functions of clients: bundlers would split them off.
 */
export const jsonRpc1Link = (link: HttpLink): HttpLink => ({
  ...link,
  exchange: async (text, posting) => {
    const named = posting.calls.find(hasNamedParams)
    if (named) {
      const { method } = named.method.operation
      const cause = new TypeError(
        `${method} has params by name, and JSON-RPC 1.0 has only those by position: pass a list`,
      )
      return { rejection: { reason: 'not-sent', cause }, redact: () => (shown) => shown }
    }
    const requests = posting.calls.map(requestText).join()
    const posted = await link.exchange(text.startsWith('[') ? `[${requests}]` : requests, posting)
    const { messages: _, ...rest } = posted
    return { ...rest, ...convertedResponse(posted) }
  },
})

/** How all requests of a client begin. */
const VERSION = '"jsonrpc":"2.0",'

const requestText = ({ id, text }: PostedCall): string => {
  const members = text.slice(VERSION.length + 1).replace(/"params":\{\}\}$/, '"params":[]}')
  return `{${id === undefined ? '"id":null,' : ''}${members}`
}

const hasNamedParams = ({ text }: PostedCall): boolean => {
  const { params } = JSON.parse(text)
  return params !== undefined && !Array.isArray(params) && Object.keys(params).length > 0
}

type Posted = Awaited<ReturnType<HttpLink['exchange']>>

const convertedResponse = ({ texts, rejection }: Posted): Pick<Posted, 'texts' | 'rejection'> => {
  if (rejection?.reason === 'status')
    return { rejection: { ...rejection, text: responseText(rejection.text) } }
  if (rejection) return { rejection }
  if (texts === undefined) return {}
  return { texts: Array.isArray(texts) ? texts.map(responseText) : convertedTexts(texts) }
}

async function* convertedTexts(
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  for await (const text of texts) yield responseText(text)
}

/** The text of a response of 2.0, with the same digits. What is no JSON is unchanged. */
const responseText = (text: string): string => {
  try {
    const marked = markNumbers(text, 'large')
    const message: unknown = JSON.parse(marked?.text ?? text)
    const converted = Array.isArray(message) ? message.map(response) : response(message)
    const written = JSON.stringify(converted)
    return marked ? written.replaceAll(new RegExp(`"${marked.mark}([^"]*)"`, 'g'), '$1') : written
  } catch {
    return text
  }
}

/** JSON-RPC 1.0, 1.2: a response has `result` and `error`, of which one is null. */
const response = (message: unknown): unknown => {
  const { jsonrpc, error, result, ...others } = Object(message)
  if (jsonrpc === '2.0') return message
  if (error === undefined && result === undefined) return { jsonrpc: '2.0', ...others }
  const isError = error !== null && error !== undefined
  return {
    jsonrpc: '2.0',
    ...others,
    ...(isError && { error }),
    ...((!isError || (result !== null && result !== undefined)) && { result: result ?? null }),
  }
}
