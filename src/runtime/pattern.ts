/**
 * The function that generated checks call for a pattern that can backtrack. Separate from `checks`, because bundlers keep all
 * re-exports.
 */
export { matchesPattern } from './validate/pattern.js'
