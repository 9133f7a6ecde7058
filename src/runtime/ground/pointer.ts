/** One step of a JSON pointer, with its slash (RFC 6901 §3). */
export const pointerStep = (key: string | number): string =>
  typeof key === 'string' && /[~/]/.test(key)
    ? `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `/${key}`

/** The keys that a JSON pointer walks along; none for the whole value. */
export const pointerKeys = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
