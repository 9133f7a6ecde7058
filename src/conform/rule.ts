import type { Finding } from '../model/finding.js'

/** A row of the rule table: what a server must do, and the clause that requires it. */
export type Rule = {
  /** A kebab-case phrase for what is wrong, subject first: `id-is-not-echoed`. */
  readonly id: string
  /** error: the clause has MUST; warning: SHOULD; note: the clause leaves a choice, which must be the same everywhere. */
  readonly level: Finding['level']
  readonly purpose: string
  /** `JSON-RPC 2.0, 5`, `RFC 9110, 15.5.6`, `OpenAPI, responses`. */
  readonly clause: string
  /**
   * The numbers of the checks that it covers: `J31`, `H24`. They come from a table of checks outside the repository. The two
   * checks.test.ts compare them with it, so that each check of the table has a rule.
   */
  readonly checks?: readonly string[]
  /** Requires a server that computes its response from the request, or keeps state; a mock of examples does neither. */
  readonly needsState?: boolean
  /** Shows the first request and not the smallest, because later ones may only be consequences. */
  readonly showsFirst?: boolean
}
