import { pointerKeys, pointerStep } from '../runtime/shared/pointer.js'

/** A JSON pointer (RFC 6901) from unescaped segments; no segment is the whole document, `''`. */
export const pointerOf = (...segments: readonly (string | number)[]): string =>
  segments.map(pointerStep).join('')

/** The pointer some levels below. */
export const joinPointer = (pointer: string, ...segments: readonly (string | number)[]): string =>
  pointer + pointerOf(...segments)

/** The unescaped segments of a pointer; a text without a leading slash is read as if it had one. */
export const segmentsOf = (pointer: string): readonly string[] =>
  pointer === '' ? [] : pointerKeys(pointer.startsWith('/') ? pointer : `/${pointer}`)

/** Undoes the percent-encoding of a part of a URI reference; undefined if it is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
