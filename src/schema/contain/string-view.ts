import type { StringTerms } from '../patterns/string-terms.js'
import { keywordsOf, type Terms } from './node.js'

/** What the parts of a shape say together of a string. */
export function stringTerms(parts: Terms): StringTerms {
  const schemas = parts.map(keywordsOf)
  const bounds = schemas.flatMap(({ maxLength }) => (maxLength === undefined ? [] : [maxLength]))
  return {
    patterns: [
      ...new Set(schemas.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]))),
    ],
    minLength: Math.max(0, ...schemas.map(({ minLength }) => minLength ?? 0)),
    maxLength: bounds.length === 0 ? undefined : Math.min(...bounds),
  }
}
