/** A JSON pointer (RFC 6901) from unescaped segments; without segments the whole document, `''`. */
export const pointerOf = (...segments: readonly (string | number)[]): string =>
  segments.map(pointerStep).join('')

/** The pointer with further segments. */
export const joinPointer = (pointer: string, ...segments: readonly (string | number)[]): string =>
  pointer + pointerOf(...segments)

/** One segment of a pointer, escaped, with its slash. */
export const pointerStep = (key: string | number): string =>
  typeof key === 'string' && isEscaped(key)
    ? `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `/${key}`

/** A loop, because most keys have few characters. */
const isEscaped = (key: string): boolean => {
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    if (code === 0x2f || code === 0x7e) return true
  }
  return false
}

/** The unescaped segments of a pointer; a text without a leading slash is read as if it had one. */
export const segmentsOf = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .replace(/^\//, '')
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
