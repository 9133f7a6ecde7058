import type { Fault } from '../validate.js'
import { segmentsOf } from './pointer.js'

/** One error of validation: an issue of Standard Schema (`message`, `path`) with its JSON pointer, keyword and params. */
export type Issue = Fault & { readonly path: readonly string[] }

/** The argument of `onWarning`; `kind` distinguishes the types. */
export type Warning = ResponseWarning | DeprecationWarning | UnmatchedWarning

/** A response that differs from the document and is returned nevertheless (`validate.response: 'tolerant'`). */
export type ResponseWarning = {
  readonly kind: 'response'
  /** The operation's id (HTTP) or the method's wire name (JSON-RPC). */
  readonly operation: string
  readonly message: string
  readonly issues: readonly Issue[]
}

/** The server announces a deprecation or sunset of an operation; reported once for each operation of a client. */
export type DeprecationWarning = {
  readonly kind: 'deprecation'
  /** As in `operations`, joined by commas. */
  readonly operation: string
  /** Several if the response to a JSON-RPC batch does not identify one of them. */
  readonly operations: readonly string[]
  readonly message: string
  readonly issues: readonly []
  /** The date of the header `Deprecation` (RFC 9745); it may be in the future. */
  readonly since: Date | undefined
  /** The date of the header `Sunset` (RFC 8594): the operation is expected to stop responding then. */
  readonly sunset: Date | undefined
  /** The link of the header `Link`. */
  readonly link: DeprecationLink | undefined
}

/** What arrived over a duplex link and is no response to a pending call. It is ignored. */
export type UnmatchedWarning = {
  readonly kind: 'unmatched'
  /** The method of a call or notification of the server; empty for everything else. */
  readonly operation: string
  readonly message: string
  readonly issues: readonly []
}

export type DeprecationLink = {
  readonly rel: 'successor-version' | 'deprecation' | 'sunset'
  /** As the server sent it: it may be relative to the URL of the request. */
  readonly href: string
}

export const issuesOf = (faults: readonly Fault[]): readonly Issue[] =>
  faults.map((fault) => ({ ...fault, path: segmentsOf(fault.pointer) }))
