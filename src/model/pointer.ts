/** A JSON pointer (RFC 6901) from unescaped segments; no segment is the whole document, `''`. */
export const pointerOf = (...segments: readonly (string | number)[]): string =>
  segments.reduce<string>((pointer, segment) => `${pointer}/${escapeSegment(String(segment))}`, '')

/** The pointer some levels below. */
export const joinPointer = (pointer: string, ...segments: readonly (string | number)[]): string =>
  pointer + pointerOf(...segments)

/** The unescaped segments of a pointer; a text without a leading slash is read as if it had one. */
export const segmentsOf = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : (pointer.startsWith('/') ? pointer.slice(1) : pointer).split('/').map(unescapeSegment)

/** Undoes the percent-encoding of a part of a URI reference; undefined if it is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

// RFC 6901, 4: `~1` is undone before `~0`, or `~01` would become `/`.
const unescapeSegment = (segment: string): string =>
  segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment

const escapeSegment = (segment: string): string =>
  /[~/]/.test(segment) ? segment.replaceAll('~', '~0').replaceAll('/', '~1') : segment
