import type { Finding, Location } from '../model/finding.js'

/**
 * The result of one operation for the clients of one version. `works`: each response was as expected. `warns`: a response
 * differed, and the client returned it and called `onWarning`. `breaks`: the client threw. `untested`: nothing was concluded.
 */
export type CellVerdict = 'works' | 'warns' | 'breaks' | 'untested'

/** A cell of the matrix. */
export type Cell = {
  readonly version: string
  /** `GET /orders`, `eth_getBalance`. */
  readonly operation: string
  readonly verdict: CellVerdict
  /** Requests that the client sent. */
  readonly requests: number
  /** Present for `breaks` and `warns`. */
  readonly difference?: ResponseDifference
  /** The reason for `untested`. */
  readonly why?: string
  /** The operation in the old documents, and in the new ones if they declare it. */
  readonly places: { readonly before: Location; readonly after: Location }
  /** A request that is invalid by the schemas of the new documents. */
  readonly mismatch?: { readonly pointer: string; readonly message: string }
}

/** A difference between a received value and the value that the client expects. */
export type ResponseDifference = {
  /** The description of the request: `the example paid`. */
  readonly sent: string
  /** The status of the response, if there was one; the code of a JSON-RPC error. */
  readonly status?: number
  readonly code?: number
  /** The place in the request or in the response. */
  readonly pointer?: string
  readonly expected: string
  readonly received: string
}

export type Matrix = {
  /** Sorted, the oldest first. */
  readonly versions: readonly string[]
  readonly cells: readonly Cell[]
  /** By the name of a version: the findings of diff between it and the new documents. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>
}
