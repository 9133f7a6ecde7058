import { readHeaders } from '../client-options.js'
import { CallError, HttpError } from '../errors.js'
import { exchange, ResponseTooLarge, reportDeprecation } from '../link/http-exchange.js'
import type { FetchOptions, IncomingResponse, Send } from '../link/transport.js'
import type { DeclaredResponse, HttpOperation } from '../operation.js'
import type { Address } from '../shared/address.js'
import type { ResolvedSecrets } from '../shared/credentials.js'
import { type Clock, type Deadline, endOf, race, remaining, signalOf } from '../shared/deadline.js'
import type { Warning } from '../shared/issues.js'
import { explainRejection } from '../shared/load-explanations.js'
import { messageOf } from '../shared/message-of.js'
import { isBusy, type Retry, waitBefore } from '../shared/retry.js'
import { declaredResponse, hasStream } from '../wire/status.js'
import { acceptOf } from './accept.js'
import type { CallOptions, HttpCallContext } from './call.js'
import type { Failures } from './failure.js'
import {
  type AnyInput,
  hasOtherBody,
  ownOf,
  type RequestSettings,
  type WrittenRequest,
  writeRequest,
} from './request.js'

/** The data that the attempts of one call share. */
export type Prepared = {
  readonly address: Address
  readonly request: WrittenRequest
  readonly deadline: Deadline
  readonly retry: Retry
  readonly clock: Clock
  readonly fail: Failures
  /** A URL without the secrets of the call. */
  readonly show: (url: string) => string
  readonly transport: Send
  readonly fetchOptions: FetchOptions | undefined
  /** The declared responses that are returned although they are redirects. */
  readonly redirects: readonly DeclaredResponse[]
  readonly signal: AbortSignal | undefined
  /** The differences that tolerant validation found in the response. */
  readonly warnings: Warning[]
}

export const findAddress = async (
  { findAddress: find, settings }: HttpCallContext,
  deadline: Deadline,
  fail: Failures,
  rejected?: ResolvedSecrets,
): Promise<Address> => {
  if (find === undefined)
    throw fail.call(
      'invalid-input',
      `has no server ${settings.options.server ?? 'of HTTP'}: give a URL`,
    )
  try {
    const found = find(rejected)
    return found instanceof Promise ? await race(deadline, found) : found
  } catch (cause) {
    if (endOf(deadline) !== undefined) throw cause
    throw fail.call('invalid-input', 'the credentials could not be obtained', { cause })
  }
}

export const write = async (
  { operation, service, validators, accept, settings, codecs }: HttpCallContext,
  input: AnyInput,
  options: CallOptions,
  {
    address,
    fail,
    undocumented,
  }: Pick<RequestSettings, 'undocumented'> & {
    readonly address: Address
    readonly fail: Failures
  },
): Promise<WrittenRequest> => {
  const bodies = hasOtherBody(operation, input) ? await import('../wire/write-body.js') : undefined
  const headers = { ...settings.headers, ...readHeaders(options.headers) }
  const [own, sent] = await withoutCookies(operation, input, headers)
  const written = writeRequest(own, validators, sent, {
    undocumented,
    bodies,
    codecs,
    credentials: address.credentials,
    limits: service.limits,
    headers,
    accept: input.accept ?? (hasStream(operation.responses) ? acceptOf(operation, input) : accept),
    checks: (options.validate?.request ?? settings.validate.request) !== 'off',
    integers: settings.options.integers,
  })
  if ('request' in written) return written.request
  const faults = await Promise.all(
    written.problems.map(async (problem) => {
      if ('faults' in problem) return problem.faults
      const explained = await explainRejection(operation.id, problem, settings.options.explanations)
      return explained.faults.map((fault) => ({
        ...fault,
        pointer: `${problem.pointer}${fault.pointer}`,
      }))
    }),
  )
  throw fail.call('invalid-input', 'the input is not valid', { faults: faults.flat() })
}

/** The operation and the input as a browser can send them, which sets all cookies itself. */
const withoutCookies = async (
  operation: HttpOperation,
  input: AnyInput,
  headers: Record<string, string>,
): Promise<readonly [HttpOperation, AnyInput]> =>
  headers.cookie ||
  [...operation.parameters, ...Object.values(operation.schemes)].some(
    (one) => 'in' in one && one.in === 'cookie',
  )
    ? (await import('./browser-cookies.js')).leaveCookiesToBrowser(operation, input, headers)
    : [operation, input]

export const inputSecrets = (operation: HttpOperation, input: AnyInput): readonly string[] =>
  operation.parameters
    .filter(({ secret }) => secret === true)
    .map((parameter) => ownOf(input[parameter.in], parameter.name))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)

/** Reads a response; the call throws an HttpError result, unless it is retried. */
export type Read<Result> = (
  response: IncomingResponse,
  prepared: Prepared,
) => Promise<Result | HttpError>

export type AttemptResult = { readonly status: number; readonly headers: Headers }

/** Sends a request, with retries if the document allows them, until a response is final. */
export const sendUntilDone = async <Result extends AttemptResult>(
  context: HttpCallContext,
  prepared: Prepared,
  read: Read<Result>,
): Promise<Result | HttpError> => {
  const { operation } = context
  const { request, deadline, retry, clock } = prepared
  // A declared key is in the headers as well. A stream can only be sent once.
  const key = operation.idempotencyKey?.toLowerCase() ?? 'idempotency-key'
  const isSafe = operation.idempotent === true || request.headers[key] !== undefined
  const isRetried = isSafe && !(request.body instanceof ReadableStream)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await race(deadline, attemptOnce(context, prepared, attempt, read))
    const isFailure = outcome instanceof CallError
    if (isRetried && (isFailure || isBusy(outcome.status))) {
      const retryAfter = isFailure ? null : outcome.headers.get('retry-after')
      const wait = await race(deadline, waitBefore(attempt + 1, retryAfter, retry, clock))
      if (wait !== undefined && wait < remaining(deadline)) {
        discard(outcome)
        await race(deadline, clock.sleep(wait, signalOf(deadline)))
        continue
      }
    }
    if (isFailure) throw outcome
    return outcome
  }
}

/** Frees the connection of a response that is not returned, if its body was not read. */
export const discard = (outcome: unknown): void => {
  if (outcome instanceof Response) outcome.body?.cancel().catch(() => undefined)
}

/** A response, or a network failure as a value, because it may be retried. Throws every other failure. */
const attemptOnce = async <Result extends AttemptResult>(
  context: HttpCallContext,
  prepared: Prepared,
  attempt: number,
  read: Read<Result>,
): Promise<Result | HttpError | CallError> => {
  const { operation, settings } = context
  const { id, method } = operation
  const { options, maxResponseBytes } = settings
  const { address, request, deadline, fail, redirects, show, warnings } = prepared
  const url = urlOf(address.url, request)
  const exchanged = await exchange(prepared.transport, options, {
    operations: () => [id],
    attempt,
    url,
    shown: () => show(url),
    method,
    headers: request.headers,
    body: request.body,
    deadline,
    signal: prepared.signal,
    maxResponseBytes,
    fetchOptions: prepared.fetchOptions,
    redirect: request.secretHeaders.length + redirects.length > 0 ? 'manual' : 'follow',
    secretHeaders: request.secretHeaders,
    isReturned: (status) => declaredResponse(redirects, status) !== undefined,
    protocol: 'http',
  })
  if ('error' in exchanged && exchanged.by === 'hook') throw fail.clean(exchanged.error)
  if ('response' in exchanged) {
    const { response } = exchanged
    const reporting = reportDeprecation(settings, response, () => [operation], fail.clean)
    await reporting?.catch((cause) => {
      response.discard()
      throw fail.clean(cause)
    })
  }
  let result: Result | HttpError
  try {
    if ('error' in exchanged) throw exchanged.error
    result = await read(exchanged.response, prepared)
  } catch (cause) {
    if (cause instanceof CallError || endOf(deadline) !== undefined) throw cause
    if (cause instanceof ResponseTooLarge)
      throw fail.call('response-too-large', cause.message, { cause })
    return fail.call('network', `no response: ${messageOf(cause)}`, { cause })
  }
  await warn(context, warnings, fail)
  return result
}

export const warn = async (
  { settings }: HttpCallContext,
  warnings: Warning[],
  fail: Failures,
): Promise<void> => {
  try {
    for (const warning of warnings.splice(0)) await settings.options.onWarning?.(warning)
  } catch (cause) {
    throw fail.clean(cause)
  }
}

/** The query of an address, such as a gateway's key, precedes that of the request. A fragment is never sent. */
const urlOf = (address: string, { path, query }: WrittenRequest): string => {
  const [, base = '', own = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(address) ?? []
  const joined = [own, query].filter(Boolean).join('&')
  return `${base}${path}${joined && `?${joined}`}`
}

export const endedError = (
  error: unknown,
  deadline: Deadline,
  timeout: number,
  fail: Failures,
): unknown => {
  const ended = endOf(deadline)
  if (error instanceof CallError || error instanceof HttpError || ended === undefined) return error
  if (ended === 'timeout') return fail.call('timeout', `no response within ${timeout} ms`)
  return fail.call('aborted', 'aborted by the caller', { cause: deadline.reason })
}
