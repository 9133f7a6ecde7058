/** Appends segments to a JSON pointer (RFC 6901), escaping each: `joinPointer('/paths', '/a')` is `/paths/~1a`. */
export function joinPointer(pointer: string, ...segments: readonly (string | number)[]): string {
  return segments.reduce<string>(
    (path, segment) =>
      `${path}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    pointer,
  )
}

/** The unescaped segments of a pointer; none for the empty pointer. */
export function segmentsOf(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}
