import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { messageOf } from '../../runtime/ground/message-of.js'
import { type Answer, headerOf } from '../exchange.js'

/** The body of an answer as its characters, or why it has none. */
export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly why: string }

/** A server may compress what nobody asked it to (RFC 9110, 12.5.3). */
export const readBody = (answer: Answer): Body => {
  const coding = headerOf(answer, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  const decode = DECODERS[coding]
  if (!decode) return { kind: 'bytes', why: `is encoded as ${coding}, which nobody asked for` }
  try {
    const bytes = answer.body.length === 0 ? answer.body : decode(answer.body)
    // RFC 8259, 8.1: none may be sent, though a reader may look over it, as TextDecoder does.
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
      return { kind: 'bytes', why: 'begins with a byte order mark' }
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    const isText = coding === 'identity' || coding === ''
    return { kind: 'bytes', why: isText ? 'is no UTF-8' : `is no ${coding}: ${messageOf(error)}` }
  }
}

const LIMIT = { maxOutputLength: 64 * 1024 * 1024 }

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  '': (bytes) => bytes,
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMIT),
  deflate: (bytes) => inflateSync(bytes, LIMIT),
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
}
