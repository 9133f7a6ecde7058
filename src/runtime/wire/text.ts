import { headerParameter } from '../shared/file-name.js'

/** The text of a request, or undefined if the bytes are not UTF-8. A byte order mark is kept; it makes JSON invalid (RFC 8259, 8.1). */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    const text = BUFFER?.isBuffer(bytes) ? bytes.toString() : REPLACEMENT
    // A buffer returns this character for bytes that are not UTF-8; the client may also have sent it.
    return text.includes(REPLACEMENT) ? UTF8.decode(bytes) : text
  } catch {
    return undefined
  }
}

/** Defined on Node, whose own decoder is much faster for short texts. */
const { Buffer: BUFFER } = globalThis as { Buffer?: typeof Buffer }

const REPLACEMENT = '\ufffd'

/** It keeps no state between texts, because each text is decoded as a whole. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a response or a document as `fetch` reads it: without a byte order mark (Encoding Standard, "UTF-8 decode"). */
export const withoutMark = (text: string): string =>
  text.startsWith('\ufeff') ? text.slice(1) : text

/** Whether a Content-Type names a charset other than UTF-8. */
export const hasForeignCharset = (contentType: string): boolean => {
  const charset = headerParameter(contentType, 'charset')
  return charset !== undefined && !/^"?(utf-?8|us-ascii)"?$/i.test(charset)
}
