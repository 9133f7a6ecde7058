import { HttpError } from './errors.js'
import { acceptOf } from './http/accept.js'
import type { CallOptions, PollOptions } from './http/call.js'
import type { HttpOptions, HttpService } from './http/options.js'
import type { AnyInput, HttpChecks } from './http/request.js'
import { type CallContext, loadRest, sendCall } from './http/send.js'
import { transportOf } from './http/transport.js'
import { chooseServer } from './shared/choose-server.js'
import type { Why } from './shared/load-explanations.js'
import { validatorsFor } from './shared/validators.js'

export { CallError, HttpError } from './errors.js'
export type { Call, CallOptions, ErrorGuard, PollOptions, Validation } from './http/call.js'
export type { HttpOptions, HttpService } from './http/options.js'
export type { Auth, BasicCredentials, Secret } from './shared/credentials.js'
export type { Why } from './shared/load-explanations.js'
export type { Clock, Retry } from './shared/retry.js'

/**
 * The client of an HTTP service: one function per operation. Calls throw HttpError for an answer that says no, and
 * CallError where there is no usable answer. `validators` is what `validators.ts` exports, and `why` loads what
 * `explanations.ts` does: it is called when a value was refused, to say what is wrong with it. Throws a TypeError for a server that nobody documents, and where the
 * validators of an operation are missing.
 */
export const createHttp = <Client>(
  service: HttpService,
  validators: object,
  options: HttpOptions = {},
  why?: Why,
): Client => {
  const { servers, operations } = service
  const every = [...servers, ...Object.values(operations).flatMap((one) => one.servers)]
  if (options.server !== undefined) chooseServer(every, String(options.server))
  const shared = { service, options, why, transport: transportOf(options) }
  const calls = Object.entries(operations).map(([id, operation]) => {
    const own = validatorsFor<HttpChecks>(validators, id)
    return [id, createCall({ ...shared, operation, validators: own, accept: acceptOf(operation) })]
  })
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

const createCall = (context: CallContext) => {
  const { operation } = context
  const call = async (input?: AnyInput, options?: CallOptions): Promise<unknown> => {
    const answer = await sendCall(context, input, options)
    if (answer.error !== undefined) throw answer.error
    return answer.body
  }
  const exchange = async (input?: AnyInput, options?: CallOptions) => {
    const { error, ...answer } = await sendCall(context, input, options)
    if (error !== undefined && error.issues.length > 0) throw error
    return answer
  }
  const { poll } = operation
  if (poll === undefined) return Object.assign(call, { exchange })
  const polled = async function* (input?: AnyInput, options: PollOptions = {}) {
    const { pollOperation } = await loadRest(operation.id)
    yield* pollOperation(context, poll, (each) => call(input, each), options)
  }
  return Object.assign(call, { exchange, poll: polled })
}
