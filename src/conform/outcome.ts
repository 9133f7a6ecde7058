import type { HttpOperation, Operation } from '../model/api.js'
import { LIMIT_EXCEEDED } from '../runtime/shared/retry.js'
import { open } from '../runtime/validate.js'
import { declaredResponse, isRedirectOf, isSuccessOf } from '../runtime/wire/status.js'
import type { Exchange } from '../traffic/exchange.js'
import type { Session } from './case.js'
import { NOT_OFFERED } from './operations.js'
import { isNotOffered, isStatusOfNoOffer } from './responses/not-offered.js'
import { rpcOutcomeOf, valueIn } from './responses/read.js'
import { isUnsent } from './wire/exchange.js'

/** What an exchange was by the document. `how` and `why` are words for messages: `the status 500`. */
export type Outcome =
  /** A success of the operation whose body is no error of a variant, or a result. */
  | { readonly kind: 'accepted' }
  /** 4xx, 501, a 2xx of an error (`default` beside a success, or by `x-variants`), or a JSON-RPC error. */
  | {
      readonly kind: 'rejected'
      readonly cause: RejectionReason
      readonly how: string
      /** The code of a JSON-RPC error. */
      readonly code?: number
    }
  /** 5xx. `isUpstream`: the server behind it was not available (502 and 504). */
  | { readonly kind: 'failed'; readonly how: string; readonly isUpstream: boolean }
  /** No response, or an incomplete one. `isUnsent`: HTTP cannot carry the request. */
  | { readonly kind: 'none'; readonly how: string; readonly isUnsent: boolean }
  /** The response would differ at another time: 408, 425, 429, 503, or an exhausted rate limit. */
  | { readonly kind: 'later'; readonly how: string }
  /** 1xx and 3xx. `isDeclared`: the operation declares no other success. */
  | { readonly kind: 'redirected'; readonly how: string; readonly isDeclared: boolean }
  /** A success status without a JSON-RPC response. */
  | { readonly kind: 'unreadable'; readonly how: string }

/**
 * What a rejection is about. `value`: the request, as -32602 or a 4xx. `caller`: credentials. `state`: the resource is missing, or in
 * a state that allows no such request. `not offered`: the server does not have the operation. `other`: another JSON-RPC error.
 */
export type RejectionReason = 'value' | 'caller' | 'state' | 'not offered' | 'other'

/** Classifies the response to a request of an operation. */
export const classify = (
  exchange: Exchange,
  operation: Operation,
  { checker }: Pick<Session, 'checker'>,
): Outcome => {
  const { answer, failure = 'no response' } = exchange
  if (answer === undefined) return { kind: 'none', how: failure, isUnsent: isUnsent(exchange) }
  const { status } = answer
  if (operation.kind === 'rpc') {
    const outcome = rpcOutcomeOf(answer)
    if (outcome.kind === 'error') {
      const { code } = outcome
      if (isNotOffered(operation, outcome)) return rejected('not offered', NOT_OFFERED)
      if (code === LIMIT_EXCEEDED) return { kind: 'later', how: LIMITED }
      const cause = code === -32602 ? 'value' : 'other'
      return { ...rejected(cause, `the error ${code}`), code }
    }
    // The checks of every response report a wrong status.
    if (outcome.kind === 'result') return { kind: 'accepted' }
  }
  const how =
    operation.kind === 'rpc'
      ? `the status ${status} without a JSON-RPC response`
      : `the status ${status}`
  const later = LATER[status]
  if (later !== undefined) return { kind: 'later', how: later }
  if (isOfCaller(status) && !isOfValues(operation, status))
    return rejected('caller', 'the server rejects the caller')
  if (isOfNoOffer(operation, status)) return rejected('not offered', NOT_OFFERED)
  if (isOfUpstream(status))
    return { kind: 'failed', how: 'the upstream of the server was not available', isUpstream: true }
  if (status >= 500) return { kind: 'failed', how, isUpstream: false }
  if (operation.kind === 'rpc')
    // The checks of every response report it. Whether the value was accepted is unknown.
    return status < 400 ? { kind: 'unreadable', how } : { kind: 'failed', how, isUpstream: false }
  const ofState = OF_STATE[status]
  if (ofState !== undefined) return rejected('state', `${ofState} (${status})`)
  if (status >= 400) return rejected('value', how)
  if (status < 200) return { kind: 'redirected', how: `the response has ${how}`, isDeclared: false }
  if (status >= 300) {
    const words = `the server redirects, with ${how}`
    return { kind: 'redirected', how: words, isDeclared: isRedirectOf(operation.responses, status) }
  }
  if (!isSuccessOf(operation.responses, status))
    return rejected('value', `${how}, which only the default response describes`)
  return isVariantError({ checker }, operation, valueIn(answer))
    ? rejected('value', `${how} and an error of a variant`)
    : { kind: 'accepted' }
}

/** Whether a server accepted a request of an operation, by the document. */
export const isAccepted = (
  exchange: Exchange,
  operation: Operation,
  session: Pick<Session, 'checker'>,
): boolean => classify(exchange, operation, session).kind === 'accepted'

/**
 * Whether a server carried a request out. 202 says that it may do so later (RFC 9110, 15.3.3), and 207 that parts of it may have
 * failed (RFC 4918, 11.1).
 */
export const isCarriedOut = (
  exchange: Exchange,
  operation: Operation,
  session: Pick<Session, 'checker'>,
): boolean =>
  isAccepted(exchange, operation, session) && !UNFINISHED.has(exchange.answer?.status ?? 0)

const UNFINISHED: ReadonlySet<number> = new Set([202, 207])

const rejected = (cause: RejectionReason, how: string) =>
  ({ kind: 'rejected', cause, how }) as const

const LIMITED = 'the rate limit of the server is exhausted'

/** Statuses that say nothing about the request (RFC 9110, 15.5.9 and 15.6.4; RFC 8470, 5.2; RFC 6585, 4). */
const LATER: Readonly<Record<number, string>> = {
  408: 'the server did not wait for the whole request',
  425: 'the server does not process requests of early data',
  429: LIMITED,
  503: 'the server was not available',
}

const isOfUpstream = (status: number): boolean => status === 502 || status === 504

/** RFC 9110, 15.5.2 to 15.5.4 and 15.5.8. */
const CALLER: ReadonlySet<number> = new Set([401, 402, 403, 407])

/** An operation without security that declares the status uses it for values: a login with a wrong password. */
const isOfValues = (operation: Operation, status: number): boolean =>
  operation.kind === 'http' && operation.security.length === 0 && isNamed(operation, status)

/** 501 always means it; 404 and 405 do if they are undeclared, and 404 not with path parameters, whose values it may be about. */
const isOfNoOffer = (operation: Operation, status: number): boolean => {
  if (status === 501) return true
  if (!isStatusOfNoOffer(status)) return false
  if (operation.kind === 'rpc') return true
  const hasPathValues = operation.parameters.some((one) => one.in === 'path')
  return declaredResponse(operation.responses, status) === undefined && !hasPathValues
}

/** Whether the document declares this exact status; `default` and `4XX` do not count. */
export const isNamed = ({ responses }: HttpOperation, status: number): boolean =>
  responses.some(({ status: one }) => one === String(status))

/** Whether a status is about the credentials of the caller. */
export const isOfCaller = (status: number): boolean => CALLER.has(status)

/** Whether the response would differ at another time, or if the upstream of the server were available. */
export const isOfMoment = (status: number): boolean =>
  LATER[status] !== undefined || isOfUpstream(status)

/** Whether a status says that there is no such resource. */
export const isOfMissing = (status: number): boolean => status === 404 || status === 410

/** Whether a status is about the resource and not about the request. */
export const isOfState = (status: number): boolean => OF_STATE[status] !== undefined

/** Statuses that say nothing about a value (RFC 9110, 15.5.5, 15.5.10, 15.5.11 and 15.5.13; RFC 4918, 11.3 and 11.4; RFC 6585, 3). */
const OF_STATE: Readonly<Record<number, string>> = {
  404: 'no resource was found, so the values were not looked at',
  409: 'the state of the resource does not allow the request, so its values were not looked at',
  410: 'the resource is gone, so its values were not looked at',
  412: 'a precondition failed, so the values were not looked at',
  423: 'the resource is locked, so its values were not looked at',
  424: 'another change failed, so the values were not looked at',
  428: 'a precondition is required, so the values were not looked at',
}

/** Whether a body with 2xx rejects the request: it is an error of a variant (`x-variants`), and no response of one. */
const isVariantError = (
  { checker }: Pick<Session, 'checker'>,
  { variants }: Pick<HttpOperation, 'variants'>,
  body: unknown,
): boolean => {
  const fits = (names: readonly string[]) =>
    names.some((name) => open(checker.named(name)).check(body))
  return (
    fits(variants.flatMap(({ errors }) => errors)) &&
    !fits(variants.flatMap(({ responses }) => responses))
  )
}
