import type { Finding, Location } from '../model/finding.js'

/**
 * What one operation is for the clients of one version. `works`: each response was as its client expects. `warns`: a response differed,
 * and the client returned it and called `onWarning`. `breaks`: the client threw. `untested`: nothing could be concluded.
 */
export type Verdict = 'works' | 'warns' | 'breaks' | 'untested'

/** A cell of the matrix. */
export type Cell = {
  readonly version: string
  /** `GET /orders`, `eth_getBalance`. */
  readonly operation: string
  readonly verdict: Verdict
  /** Requests that the client sent. */
  readonly requests: number
  /** Of `breaks` and `warns`. */
  readonly difference?: Difference
  /** Of `untested`: why. */
  readonly why?: string
  /** The operation in the old documents, and in the new ones where it is there. */
  readonly places: { readonly before: Location; readonly after: Location }
  /** A request does not fit the new documents, by their schemas alone. */
  readonly mismatch?: { readonly pointer: string; readonly message: string }
}

/** Where what came differs from what the client expects. */
export type Difference = {
  /** What was sent: `the example paid`. */
  readonly sent: string
  /** The status of the response, where one came; the code of a JSON-RPC error. */
  readonly status?: number
  readonly code?: number
  /** The place in the request or in the response. */
  readonly pointer?: string
  readonly expected: string
  readonly received: string
}

export type Matrix = {
  /** In their order, the oldest first. */
  readonly versions: readonly string[]
  readonly cells: readonly Cell[]
  /** Of each version by its name: what diff reports between it and the new documents. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>
}
