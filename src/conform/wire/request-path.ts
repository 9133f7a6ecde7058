/**
 * The path and query of an absolute URL as they go out: as they were written, for `new URL` would tidy the dots and escapes that
 * a server is tried with. What no request line can hold (RFC 9112, 3.2), a blank or an umlaut, is percent-encoded.
 */
export const requestPath = (url: string): string => {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/, '')
  return (path.startsWith('/') ? path : `/${path}`).replace(/[^\u0021-\u007e]+/g, encoded)
}

/** Half a surrogate pair has no bytes: U+FFFD goes out for it, as it does in a body. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))
