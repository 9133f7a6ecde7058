import type { Fault } from '../validate.js'
import { segmentsOf } from './pointer.js'

/** One error of validation: an issue of Standard Schema (`message`, `path`) with its JSON pointer, keyword and params. */
export type Issue = Fault & { readonly path: readonly string[] }

/** What `onWarning` receives: `kind` says which of the two. */
export type Warning = ResponseWarning | DeprecationWarning

/** A response that differs from the document and is returned nevertheless (`validate.response: 'tolerant'`). */
export type ResponseWarning = {
  readonly kind: 'response'
  /** The operation's id (HTTP) or the method's wire name (JSON-RPC). */
  readonly operation: string
  readonly message: string
  readonly issues: readonly Issue[]
}

/** The server announces that an operation is deprecated, or ends; reported once for each operation of a client. */
export type DeprecationWarning = {
  readonly kind: 'deprecation'
  /** As in `operations`, joined by commas. */
  readonly operation: string
  /** Several where the response to a batch of JSON-RPC does not say which of them it means. */
  readonly operations: readonly string[]
  readonly message: string
  readonly issues: readonly []
  /** Of the header `Deprecation` (RFC 9745); it may be in the future. */
  readonly since: Date | undefined
  /** Of the header `Sunset` (RFC 8594): the operation is expected to stop responding then. */
  readonly sunset: Date | undefined
  /** Of the header `Link`. */
  readonly link: DeprecationLink | undefined
}

export type DeprecationLink = {
  readonly rel: 'successor-version' | 'deprecation' | 'sunset'
  /** As the server sent it: it may be relative to the URL of the request. */
  readonly href: string
}

export const issuesOf = (faults: readonly Fault[]): readonly Issue[] =>
  faults.map((fault) => ({ ...fault, path: segmentsOf(fault.pointer) }))
