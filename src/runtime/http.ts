import createClient from 'openapi-fetch'
import { lightRequest, plainFetch } from '#fetch'
import { HttpError } from './errors.js'
import { ownValidators } from './ground/own-validators.js'
import type { LightRequest, PlainResponse } from './ground/plain-fetch.js'
import { redactor } from './ground/redact.js'
import { systemClock } from './ground/retry.js'
import { chooseServer } from './ground/server-url.js'
import type { RawAnswer } from './http/answer.js'
import type { CallOptions, PollOptions } from './http/call.js'
import { createFailures } from './http/failure.js'
import type { HttpOptions, HttpService } from './http/options.js'
import { pollRecord } from './http/poll.js'
import type { AnyInput } from './http/request.js'
import { type CallContext, type Requester, sendCall } from './http/send.js'
import type { HttpValidators } from './operation.js'

export { CallError, HttpError } from './errors.js'
export type { Auth, BasicCredentials, Secret } from './ground/credentials.js'
export type { Clock, Retry } from './ground/retry.js'
export type { Call, CallOptions, ErrorGuard, PollOptions, Validation } from './http/call.js'
export type { HttpOptions, HttpService } from './http/options.js'

/**
 * The client of an HTTP service: one function per operation. Calls throw HttpError for an answer that says no, and
 * CallError where there is no usable answer. Throws a TypeError for a server that nobody documents, and where the
 * validators of an operation are missing.
 */
export const createHttp = <Client>(
  service: HttpService,
  validators: object,
  options: HttpOptions = {},
): Client => {
  const { servers, operations } = service
  const every = [...servers, ...Object.values(operations).flatMap((one) => one.servers)]
  if (options.server !== undefined) chooseServer(every, String(options.server))
  const request = createRequester(options)
  const clock = { ...systemClock, ...options.retry?.clock, ...options.clock }
  const calls = Object.entries(operations).map(([id, operation]) => {
    const own = ownValidators<HttpValidators>(validators, id)
    const call = createCall({ service, operation, validators: own, options, request, clock })
    return [id, call] as const
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
  return error.operation === operation && asked && error.faults.length === 0
}

const createCall = (context: CallContext) => {
  const { operation, clock } = context
  const call = async (input?: AnyInput, options?: CallOptions): Promise<unknown> => {
    const answer = await sendCall(context, input, options)
    if (answer.error !== undefined) throw answer.error
    return answer.body
  }
  const exchange = async (input?: AnyInput, options?: CallOptions) => {
    const { error, ...answer } = await sendCall(context, input, options)
    if (error !== undefined && error.faults.length > 0) throw error
    return answer
  }
  const { poll } = operation
  if (poll === undefined) return Object.assign(call, { exchange })
  const fail = createFailures(operation.id, () => redactor([])).call
  const ask = (input?: AnyInput, options: PollOptions = {}) => {
    const { interval: _, timeout: __, signal: ___, ...each } = options
    return pollRecord(poll, (signal) => call(input, { ...each, signal }), {
      ...options,
      clock,
      fail: (reason, text, cause) => fail(reason, text, { cause }),
    })
  }
  return Object.assign(call, { exchange, poll: ask })
}

/** openapi-fetch, made at the first call; parameters and bodies reach it serialised. */
const createRequester = ({ fetch }: HttpOptions): Requester => {
  let client: OpenapiFetch | undefined
  const Light = fetch === undefined ? lightRequest : undefined
  const send = (request: Made): Promise<PlainResponse> =>
    'deadline' in request && !(request instanceof Request)
      ? plainFetch(request.url, request)
      : (fetch ?? globalThis.fetch)(request)
  return (method, path, { sent, deadline, ...init }) => {
    client ??= createClient() as unknown as OpenapiFetch
    return client.request(method, path, {
      ...init,
      ...(Light === undefined ? { signal: deadline.signal } : { deadline, Request: Light }),
      fetch: (request: Made) => {
        sent()
        return send(request)
      },
    })
  }
}

type Made = InstanceType<LightRequest>

/** Its own types want a document; here the descriptor is the document. */
type OpenapiFetch = {
  readonly request: (method: string, path: string, init: object) => Promise<RawAnswer>
}
