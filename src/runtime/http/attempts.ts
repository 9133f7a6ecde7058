import { readHeaders } from '../client-options.js'
import { CallError, HttpError } from '../errors.js'
import type { HttpOperation } from '../operation.js'
import type { Address } from '../shared/address.js'
import type { Credentials } from '../shared/credentials.js'
import { type Clock, type Deadline, endOf, race, remaining, signalOf } from '../shared/deadline.js'
import type { Warning } from '../shared/issues.js'
import { explain } from '../shared/load-explanations.js'
import { messageOf } from '../shared/message-of.js'
import { type Retry, waitBefore } from '../shared/retry.js'
import { exchange, ResponseTooLarge, reportDeprecation } from '../transport/exchange.js'
import type { IncomingResponse, Send } from '../transport/transport.js'
import { acceptOf } from './accept.js'
import type { CallOptions, HttpContext } from './call.js'
import type { Failures } from './failure.js'
import { type AnyInput, hasOtherBody, ownOf, type WrittenRequest, writeRequest } from './request.js'

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
  readonly signal: AbortSignal | undefined
  /** The differences that tolerant validation found in the response. */
  readonly warnings: Warning[]
}

export const findAddress = async (
  { findAddress: find, settings }: HttpContext,
  deadline: Deadline,
  fail: Failures,
  rejected?: Credentials,
): Promise<Address> => {
  if (find === undefined)
    throw fail.call('invalid-input', `has no server named '${settings.options.server}'`)
  try {
    const found = find(rejected)
    return found instanceof Promise ? await race(deadline, found) : found
  } catch (cause) {
    if (endOf(deadline) !== undefined) throw cause
    throw fail.call('invalid-input', 'the credentials could not be obtained', { cause })
  }
}

export const write = async (
  { operation, service, validators, accept, settings }: HttpContext,
  input: AnyInput,
  options: CallOptions,
  { address, fail }: { readonly address: Address; readonly fail: Failures },
): Promise<WrittenRequest> => {
  const bodies = hasOtherBody(operation, input) ? await import('./bodies.js') : undefined
  const written = writeRequest(operation, validators, input, {
    bodies,
    credentials: address.credentials,
    limits: service.limits,
    headers: { ...settings.headers, ...readHeaders(options.headers) },
    accept: input.accept ?? (operation.streams ? acceptOf(operation, input) : accept),
    checks: (options.validate?.request ?? settings.validate.request) !== 'off',
    integers: settings.options.integers,
  })
  if ('request' in written) return written.request
  const faults = await Promise.all(
    written.problems.map(async (problem) => {
      if ('faults' in problem) return problem.faults
      const explained = await explain(operation.id, problem, settings.options.explanations)
      return explained.faults.map((fault) => ({
        ...fault,
        pointer: `${problem.pointer}${fault.pointer}`,
      }))
    }),
  )
  throw fail.call('invalid-input', 'the input is not valid', { faults: faults.flat() })
}

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

export type Outcome = { readonly status: number; readonly headers: Headers }

/** Sends a request, with retries if the document allows them, until a response is final. */
export const sendUntilDone = async <Result extends Outcome>(
  context: HttpContext,
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
    if (isRetried && (isFailure || BUSY.has(outcome.status))) {
      const retryAfter = isFailure ? null : outcome.headers.get('retry-after')
      const wait = waitBefore(attempt + 1, retryAfter, retry, clock)
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

/** Too many requests, and service unavailable: the statuses with `Retry-After`. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/** A response, or a network failure as a value, because it may be retried. Throws every other failure. */
const attemptOnce = async <Result extends Outcome>(
  context: HttpContext,
  prepared: Prepared,
  attempt: number,
  read: Read<Result>,
): Promise<Result | HttpError | CallError> => {
  const { operation, settings } = context
  const { id, method } = operation
  const { options, maxResponseBytes } = settings
  const { address, request, deadline, fail, show, warnings } = prepared
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
    redirect: request.secretHeaders.length > 0 ? 'manual' : 'follow',
    secretHeaders: request.secretHeaders,
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
  { settings }: HttpContext,
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
  const [, base = '', own = ''] = /^([^?#]*?)\/*(?:\?([^#]*))?(?:#.*)?$/s.exec(address) ?? []
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
