/** What generated checks call for a pattern that can backtrack. Apart from `checks`: bundlers keep all that a file exports again. */
export { matchesPattern } from './validate/pattern.js'
