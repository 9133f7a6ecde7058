import type { Lengths } from './search.js'

/**
 * The strings that a schema allows: all patterns are found somewhere in them, as the validator finds
 * them, and their lengths in code points are within.
 */
export type StringTerms = Lengths & { readonly patterns: readonly string[] }
