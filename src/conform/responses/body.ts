import { decodedBytes } from '../wire/decode.js'
import type { Answer } from '../wire/exchange.js'

/** The body of an answer as its characters, or why it has none. */
export type Body =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly why: string }

export const readBody = (answer: Answer): Body => {
  const read = decodedBytes(answer)
  if ('why' in read) return { kind: 'bytes', why: read.why }
  const { bytes } = read
  // RFC 8259, 8.1: none may be sent, though a reader may look over it, as TextDecoder does.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return { kind: 'bytes', why: 'begins with a byte order mark' }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { kind: 'bytes', why: 'is no UTF-8' }
  }
}
