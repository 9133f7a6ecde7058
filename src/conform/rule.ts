import type { Finding } from '../model/finding.js'

/** A row of the table: what a server must do, and the clause that says so. */
export type Rule = {
  /** A kebab-case sentence of what is wrong, subject first: `id-is-not-echoed`. */
  readonly id: string
  /** error: the clause says MUST; warning: SHOULD; note: it leaves a choice, which must be the same choice everywhere. */
  readonly level: Finding['level']
  readonly purpose: string
  /** `JSON-RPC 2.0, 5`, `RFC 9110, 15.5.6`, `OpenAPI, responses`. */
  readonly clause: string
  /**
   * The numbers of the checks that it covers: `J31`, `H24`. They come from a table of checks outside the repository.
   * The two checks.test.ts compare them with it, so that no check of the table is left without a rule.
   */
  readonly checks?: readonly string[]
  /** Kept only by a server that works its answer out of the request, or remembers one: not by a mock of examples. */
  readonly needsState?: boolean
  /** The first request is shown, and not the smallest: what came after it may only follow from it. */
  readonly showsFirst?: boolean
}
