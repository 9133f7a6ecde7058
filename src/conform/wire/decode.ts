import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { messageOf } from '../../runtime/shared/message-of.js'
import { type Answer, MOST_BYTES } from './exchange.js'

/**
 * An answer with its body as it was before the server compressed it, which it may do unasked (RFC 9110, 12.5.3). What cannot be
 * decoded stays as it came, and `decodedBytes` says why.
 */
export const decode = (answer: Answer): Answer => {
  if (answer.isDecoded || answer.body.length === 0 || codingsOf(answer).length === 0) return answer
  const read = decodedBytes(answer)
  return 'bytes' in read ? { ...answer, body: read.bytes, isDecoded: true } : answer
}

export type Decoded = { readonly bytes: Uint8Array } | { readonly why: string }

/** The bytes of a body behind all of its codings, or why there are none, after `the body`. */
export const decodedBytes = (answer: Answer): Decoded => {
  if (answer.isDecoded || answer.body.length === 0) return { bytes: answer.body }
  let bytes = answer.body
  // The last coding that is named was applied last (RFC 9110, 8.4).
  for (const coding of codingsOf(answer).toReversed()) {
    const undo = DECODERS[coding]
    if (!undo) return { why: `is encoded as ${coding}, which nobody asked for` }
    try {
      bytes = undo(bytes)
    } catch (error) {
      return { why: `is no ${coding}: ${messageOf(error)}` }
    }
  }
  return { bytes }
}

const codingsOf = ({ headers }: Answer): readonly string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '' && one !== 'identity')

/** Bytes: what a few of them may become has an end. */
const LIMIT = { maxOutputLength: MOST_BYTES }

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMIT),
  deflate: (bytes) => inflateSync(bytes, LIMIT),
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
}
