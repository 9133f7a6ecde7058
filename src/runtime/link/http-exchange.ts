import type { Operation } from '../operation.js'
import { signalOf } from '../shared/deadline.js'
import { type Hooks, runHooks } from '../shared/hooks.js'
import type { DeprecationWarning } from '../shared/issues.js'
import { essence } from '../shared/media-type.js'
import type { LinkRejection } from './link.js'
import type {
  ExchangeResult,
  Fetch,
  IncomingResponse,
  Send,
  SendableRequest,
  Transport,
} from './transport.js'

/** Sends one HTTP request, with the hooks around it, whose code is loaded on demand. Never rejects. */
export const exchange = async (
  transport: Send,
  hooks: Hooks,
  request: SendableRequest,
): Promise<ExchangeResult> => {
  try {
    if (hooks.onRequest === undefined && hooks.onResponse === undefined)
      return { response: await follow(transport, request) }
    const { exchangeWithHooks } = await import('./http-hooks.js')
    const send: Send = (changed) => follow(transport, changed)
    return await exchangeWithHooks(send, hooks, request, incoming, runHooks)
  } catch (error) {
    return { error, by: 'network' }
  }
}

const follow = async (transport: Send, request: SendableRequest): Promise<IncomingResponse> => {
  const { deadline, redirect } = request
  if (deadline.ended) throw deadline.reason
  const response = await transport(request)
  const { status } = response
  if (redirect === 'follow' || (status !== 0 && (status < 300 || status > 399))) return response
  // The code that knows redirects is loaded on demand, because most responses are none.
  const { followRedirects } = await import('./redirects.js')
  return await followRedirects(transport, request, response)
}

/**
 * Reports to `onWarning` that a response announces a deprecation or sunset, and rejects with its errors. Most responses do not,
 * and need no promise; for the others, the code that reads the headers is loaded.
 */
export const reportDeprecation = (
  { options: { onWarning }, reported }: Reporting,
  response: IncomingResponse,
  operations: () => readonly Operation[],
  redact: (text: string) => string,
): Promise<void> | undefined => {
  if (!onWarning) return undefined
  const [deprecation = null, sunset = null, link = null] = ['deprecation', 'sunset', 'link'].map(
    (name) => response.header(name),
  )
  if (deprecation === null && sunset === null) return undefined
  const sent = { deprecation, sunset, link }
  return import('../shared/read-deprecation.js').then(async ({ readDeprecation }) => {
    const warning = readDeprecation(sent, operations(), reported, redact)
    if (warning) await onWarning(warning)
  })
}

type Reporting = {
  readonly options: { readonly onWarning?: ((warning: DeprecationWarning) => unknown) | undefined }
  /** The operations whose deprecation was reported. */
  readonly reported: Set<string>
}

/** The body of a response is larger, decompressed, than the option `maxResponseBytes` of the client. */
export class ResponseTooLarge extends RangeError {
  override readonly name = 'ResponseTooLarge'

  constructor(limit: number) {
    super(`the response has more than ${limit} bytes (options.maxResponseBytes)`)
  }
}

/** Why a text has no response, by the error that was thrown. */
export const rejectionBy = (
  cause: unknown,
  otherwise: 'network' | 'not-sent' | 'hook' = 'network',
): LinkRejection => ({
  reason: cause instanceof ResponseTooLarge ? 'too-large' : otherwise,
  cause,
})

/** Whether the body of a response is an event stream, which may never end. */
export const isEventStream = (response: Pick<IncomingResponse, 'status' | 'header'>): boolean =>
  response.status >= 200 &&
  response.status < 300 &&
  essence(response.header('content-type') ?? '') === 'text/event-stream'

export const sendBy =
  (fetch: Fetch): Transport =>
  async ({ url, method, headers, body, redirect, fetchOptions, deadline, ...rest }) => {
    const { signal, maxResponseBytes } = rest
    const isStream = body instanceof ReadableStream
    const response = await fetch(url, {
      ...fetchOptions,
      method,
      headers,
      signal: signal ?? signalOf(deadline),
      ...(body !== undefined && { body }),
      ...(isStream && { duplex: 'half' }),
      ...(redirect === 'manual' && { redirect }),
    })
    return incoming(response, maxResponseBytes)
  }

export const incoming = (response: Response, maxBytes: number): IncomingResponse => ({
  status: response.status,
  header: (name) => response.headers.get(name),
  headers: () => response.headers,
  text: async () => {
    const chunks = await readChunks(response, maxBytes)
    return await (chunks ? new Blob(chunks) : response).text()
  },
  chunks: () => readChunks(response, maxBytes),
  discard: () => void response.body?.cancel().catch(() => undefined),
  response: () => response,
})

/** Undefined if there is no body, or it was already read, for which the platform throws its own error. */
const readChunks = async (
  { body, bodyUsed }: Response,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> => {
  if (!body || bodyUsed) return undefined
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let left = maxBytes
  for (;;) {
    const { value } = await reader.read()
    if (value === undefined) return chunks
    left -= value.byteLength
    if (left < 0) {
      reader.cancel().catch(() => undefined)
      throw new ResponseTooLarge(maxBytes)
    }
    chunks.push(value)
  }
}
