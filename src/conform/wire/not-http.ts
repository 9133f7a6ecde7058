import { quoted } from '../report/quoted.js'

/** What a server sent that Node cannot read as an HTTP/1.1 response: `the server sent bytes that are not HTTP: "junk\r\n"`. */
export const notHttpWords = (bytes: Uint8Array, reason: string): string => {
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
