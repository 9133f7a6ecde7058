import { HttpError } from './errors.js'
import type { CallOptions, PollOptions } from './http/call.js'
import { createContext, type HttpContext } from './http/context.js'
import type { HttpOptions, HttpService } from './http/options.js'
import { pollOperation } from './http/poll.js'
import type { AnyInput } from './http/request.js'
import { sendCall, sendRaw } from './http/send.js'
import { checkOptions } from './shared/check-options.js'
import type { Why } from './shared/load-explanations.js'

export type { ClientOptions, Validation } from './client-options.js'
export { CallError, HttpError, type Issue, isCallError } from './errors.js'
export type { Call, CallOptions, ErrorGuard, PollOptions } from './http/call.js'
export type { HttpOptions, HttpService } from './http/options.js'
export type { Auth, BasicCredentials, Secret } from './shared/credentials.js'
export type { HookRequest, Hooks } from './shared/hooks.js'
export type { Warning } from './shared/issues.js'
export type { Why } from './shared/load-explanations.js'
export type { Clock, Retry } from './shared/retry.js'

/**
 * The client of an HTTP service: one function per operation. Calls throw HttpError for an answer that says no, and
 * CallError where there is no usable answer. `validators` is what `validators.ts` exports, and `why` loads what
 * `explanations.ts` does: it is called when a value was rejected, to say what is wrong with it.
 *
 * Throws a TypeError for options that cannot work: an unknown server, a variable without a value, a header that HTTP does
 * not allow, missing validators, a timeout that is no number.
 */
export const createHttp = <Client>(
  service: HttpService,
  validators: object,
  options: HttpOptions = {},
  why?: Why,
): Client => {
  checkOptions(options)
  const parts = { service, validators, options, why }
  const calls = Object.entries(service.operations).map(([id, operation]) => [
    id,
    createCall(createContext(parts, id, operation)),
  ])
  return Object.fromEntries(calls) as Client
}

/** What generated clients export as `isHttpError`; `never` alone can stand for every narrowing of `ErrorGuard`. */
export const guardHttpError = (
  error: unknown,
  operation?: string,
  status?: number,
): error is never => {
  if (!(error instanceof HttpError)) return false
  if (operation === undefined) return true
  const asked = status === undefined || error.status === status
  return error.operation === operation && asked && error.issues.length === 0
}

const createCall = (context: HttpContext) => {
  const { operation } = context
  const call = async (input?: AnyInput, options?: CallOptions): Promise<unknown> => {
    const { body } = await sendCall(context, input, options, () => true)
    return body
  }
  const exchange = async (input?: AnyInput, options?: CallOptions) => {
    const isInvalid = ({ issues }: HttpError) => issues.length > 0
    const { status, headers, body } = await sendCall(context, input, options, isInvalid)
    return { status, headers, body }
  }
  const raw = (input?: AnyInput, options?: CallOptions) => sendRaw(context, input, options)
  const { poll } = operation
  if (poll === undefined) return Object.assign(call, { exchange, raw })
  const polled = (input?: AnyInput, options: PollOptions = {}) =>
    pollOperation(context, poll, (each) => call(input, each), options)
  return Object.assign(call, { exchange, raw, poll: polled })
}
