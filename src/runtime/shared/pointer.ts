/** One step of a JSON pointer, with its slash (RFC 6901 §3). */
export const pointerStep = (key: string | number): string =>
  typeof key === 'string' && isEscaped(key)
    ? `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `/${key}`

/** A loop, as most keys are a few characters. */
const isEscaped = (key: string): boolean => {
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at)
    if (code === 0x2f || code === 0x7e) return true
  }
  return false
}

/** The keys that a JSON pointer walks along; none for the whole value. */
export const pointerKeys = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
