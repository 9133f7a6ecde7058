import { messageOf } from '../../runtime/shared/message-of.js'
import type { FailureCause } from '../../traffic/exchange.js'
import { quoted } from '../report/shown.js'
import { LARGE_WORDS } from './exchange.js'

/** Why there is no response, or not all of it, in words and as a kind. */
export type Failure = { readonly failure: string; readonly cause: FailureCause }

/** The body of a response has more than `MOST_BYTES`. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

const WORDS: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: { failure: 'the connection was refused', cause: 'unreachable' },
  ECONNRESET: { failure: 'the connection was closed before a response', cause: 'broken' },
  ENOTFOUND: { failure: 'the host could not be found', cause: 'unreachable' },
  EAI_AGAIN: { failure: 'the host could not be found', cause: 'unreachable' },
  EHOSTUNREACH: { failure: 'the host is unreachable', cause: 'unreachable' },
  ENETUNREACH: { failure: 'the network is unreachable', cause: 'unreachable' },
  ETIMEDOUT: { failure: 'the connection timed out', cause: 'unreachable' },
  EPIPE: { failure: 'the connection was closed before the request was sent', cause: 'broken' },
}

export const codeOf = (error: unknown): string | undefined =>
  (error as { readonly code?: string }).code ?? undefined

/** The message for an error of Node's HTTP parser, which has the bytes that it could not read. */
const unreadableWords = (error: unknown): string => {
  const { rawPacket, reason = messageOf(error) } = error as {
    readonly rawPacket?: Uint8Array
    readonly reason?: string
  }
  return notHttpWords(rawPacket ?? Buffer.alloc(0), reason)
}

export const failureOf = (error: unknown): Failure => {
  const code = codeOf(error)
  const known = code === undefined ? undefined : WORDS[code]
  if (known !== undefined) return known
  if (code?.startsWith('HPE_')) return { failure: unreadableWords(error), cause: 'broken' }
  if (code === 'ABORT_ERR') return { failure: messageOf(error), cause: 'ended' }
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_'))
    return { failure: `the server does not speak TLS: ${code}`, cause: 'unreachable' }
  const isUntrusted = code?.startsWith('CERT_') || code?.includes('SIGNED')
  return isUntrusted
    ? { failure: `the certificate is not trusted: ${messageOf(error)}`, cause: 'unreachable' }
    : { failure: messageOf(error), cause: 'broken' }
}

/** Why the body of a response could not be read to its end. */
export const bodyFailure = (error: unknown): Failure => {
  if (error instanceof TooLarge) return { failure: LARGE_WORDS, cause: 'too large' }
  const { failure, cause } = failureOf(error)
  if (cause === 'ended') return { failure, cause }
  const isReset = codeOf(error) === 'ECONNRESET'
  const why = isReset ? 'the connection was closed before its end' : failure
  return { failure: `the response was interrupted: ${why}`, cause: 'broken' }
}

/** The message for bytes that Node cannot read as an HTTP/1.1 response: `the server sent bytes that are not HTTP: "junk\r\n"`. */
const notHttpWords = (bytes: Uint8Array, reason: string): string => {
  const text = Buffer.from(bytes).toString('latin1')
  if (text.startsWith('HTTP/')) return `the response is not valid HTTP: ${reason}`
  if (isHttp2(bytes)) return 'the server sent an HTTP/2 frame, and the request was HTTP/1.1'
  if (isTls(bytes)) return 'the server sent a TLS record, and the request was not encrypted'
  if (METHOD.test(text)) return 'the server sent the request back and no response'
  return `the server sent bytes that are not HTTP: ${quoted(JSON.stringify(text))}`
}

const METHOD = /^[A-Z]+ \S+ HTTP\//

/** A SETTINGS frame of stream 0, which a server sends first (RFC 9113, 3.4), or GOAWAY. */
const isHttp2 = ([, , , type, , ...id]: Uint8Array): boolean =>
  (type === 4 || type === 7) && id.length >= 4 && id.slice(0, 4).every((byte) => byte === 0)

/** An alert or a handshake of TLS (RFC 8446, 5.1). */
const isTls = ([type, major]: Uint8Array): boolean => (type === 21 || type === 22) && major === 3
