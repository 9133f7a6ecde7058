import { CallError } from '../errors.js'
import type { HttpOperation, Server } from '../operation.js'
import { type Deadline, startDeadline } from '../shared/deadline.js'
import type { Why } from '../shared/load-explanations.js'
import { messageOf } from '../shared/message-of.js'
import { redactor } from '../shared/redact.js'
import { type Clock, waitBefore } from '../shared/retry.js'
import { headerSecrets, urlSecrets } from '../shared/written-secrets.js'
import type { Transport } from '../transport/web-transport.js'
import type { Fault } from '../validate.js'
import type { Address, FindAddress } from './address.js'
import type { CallOptions, Validation } from './call.js'
import { createFailures, type Failures } from './failure.js'
import type { HttpOptions, HttpService } from './options.js'
import {
  type AnyInput,
  type HttpChecks,
  lowerCase,
  type Rejection,
  type WrittenRequest,
  writeRequest,
} from './request.js'
import { type ReadResponse, readResponse } from './response.js'

/** What the calls of one operation share. */
export type HttpContext = {
  readonly service: HttpService
  readonly operation: HttpOperation
  readonly servers: readonly Server[]
  readonly validators: HttpChecks
  readonly why: Why | undefined
  readonly options: HttpOptions
  readonly clock: Clock
  readonly transport: Transport
  readonly findAddress: FindAddress | undefined
  /** Those of the options, by lower case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The media types that every call accepts. */
  readonly accept: string
}

/**
 * One call: request, transport, response, check, retry. Throws a CallError that shows no secret. A documented error is
 * returned, with its `error`.
 */
export const sendCall = async (
  context: HttpContext,
  input: AnyInput = {},
  options: CallOptions = {},
): Promise<ReadResponse> => {
  const { operation, clock } = context
  const timeout = options.timeout ?? context.options.timeout ?? 60_000
  const deadline = startDeadline({ signal: options.signal, timeout, now: clock.now })
  let address: Address | undefined
  const fail = createFailures(operation.id, () =>
    redactor([
      ...inputSecrets(operation, input),
      ...optionSecrets(context, options),
      ...(address?.secrets() ?? []),
    ]),
  )
  try {
    if (deadline.ended() !== undefined) throw deadline.reason()
    address = await findAddress(context, deadline, fail)
    const request = await write(context, input, options, { address, fail })
    return await sendUntilDone(context, options, { address, request, deadline, fail })
  } catch (error) {
    const ended = deadline.ended()
    if (error instanceof CallError || ended === undefined) throw error
    if (ended === 'timeout') throw fail.call('timeout', `no answer within ${timeout} ms`)
    throw fail.call('aborted', 'aborted by the caller', { cause: deadline.reason() })
  } finally {
    deadline.end()
  }
}

const findAddress = async (
  { findAddress, options }: HttpContext,
  deadline: Deadline,
  fail: Failures,
): Promise<Address> => {
  if (findAddress === undefined)
    throw fail.call('invalid-input', `has no server named '${options.server}'`)
  try {
    return await findAddress(deadline)
  } catch (cause) {
    if (deadline.ended() !== undefined) throw cause
    throw fail.call('invalid-input', 'the credentials cannot be had', { cause })
  }
}

const write = async (
  context: HttpContext,
  input: AnyInput,
  options: CallOptions,
  { address, fail }: { readonly address: Address; readonly fail: Failures },
): Promise<WrittenRequest> => {
  const { operation, service, validators, accept } = context
  const written = writeRequest(operation, validators, input, {
    credentials: address.credentials,
    limits: service.limits,
    headers: { ...context.headers, ...lowerCase(options.headers) },
    accept,
    checks: isChecked(context, options, 'input'),
  })
  if ('request' in written) return written.request
  const faults = await Promise.all(
    written.problems.map(async (problem) =>
      'faults' in problem
        ? problem.faults
        : (await explain(context, problem)).map((fault) => ({
            ...fault,
            pointer: `${problem.pointer}${fault.pointer}`,
          })),
    ),
  )
  throw fail.call('invalid-input', 'the input does not fit', { faults: faults.flat() })
}

/** Why a check rejected a value. It is loaded when it is needed, since most clients never need it. */
const explain = async (
  { operation, why }: HttpContext,
  rejection: Rejection,
): Promise<readonly Fault[]> => {
  try {
    const { explainRejected } = await import('./explain.js')
    return await explainRejected(operation.id, rejection, why)
  } catch {
    // What cannot be loaded must not hide that the value was rejected.
    const message = 'does not fit; what says why could not be loaded'
    return [{ pointer: '', keyword: 'schema', message }]
  }
}

type Prepared = {
  readonly address: Address
  readonly request: WrittenRequest
  readonly deadline: Deadline
  readonly fail: Failures
}

const sendUntilDone = async (
  context: HttpContext,
  options: CallOptions,
  prepared: Prepared,
): Promise<ReadResponse> => {
  const { operation } = context
  const { request, deadline } = prepared
  const retry = { ...context.options.retry, ...options.retry }
  const clock = { ...context.clock, ...options.retry?.clock }
  // A stream can be sent once.
  const isRetried = operation.idempotent === true && !(request.body instanceof ReadableStream)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await deadline.race(attemptOnce(context, options, prepared))
    const isFailure = outcome instanceof CallError
    if (isRetried && (isFailure || BUSY.has(outcome.status))) {
      const retryAfter = isFailure ? null : outcome.headers.get('retry-after')
      const wait = waitBefore(attempt + 1, retryAfter, retry, clock)
      if (wait !== undefined && wait < deadline.remaining()) {
        await deadline.race(clock.sleep(wait, deadline.signal))
        continue
      }
    }
    if (isFailure) throw outcome
    return outcome
  }
}

/** Too many requests, and unavailable for now: the statuses that `Retry-After` was made for. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/** A response, or a failure of the network as a value, since it may be retried. Throws every other failure. */
const attemptOnce = async (
  context: HttpContext,
  options: CallOptions,
  { address, request, deadline, fail }: Prepared,
): Promise<ReadResponse | CallError> => {
  const { operation, validators, transport } = context
  const url = `${address.baseUrl}${request.path}${request.query && `?${request.query}`}`
  const init: RequestInit = {
    method: operation.method,
    headers: request.headers,
    signal: deadline.signal,
    ...(request.body !== undefined && { body: request.body }),
    ...(request.body instanceof ReadableStream && { duplex: 'half' }),
  }
  try {
    const response = await transport(url, init)
    return await readResponse(operation, validators, response, {
      variant: request.variant,
      checks: isChecked(context, options, 'answer'),
      fail,
      explain: (rejection) => explain(context, rejection),
    })
  } catch (cause) {
    if (cause instanceof CallError || deadline.ended() !== undefined) throw cause
    if (!isPossible(url, init))
      throw fail.call('invalid-input', 'no request can be made of the input', { cause })
    return fail.call('network', `no answer: ${messageOf(cause)}`, { cause })
  }
}

/** Whether the platform can make such a request at all; a stream that was sent is spent, and says nothing about that. */
const isPossible = (url: string, { body, ...init }: RequestInit): boolean => {
  try {
    return (
      new Request(
        url,
        body instanceof ReadableStream ? init : { ...init, body: body ?? null },
      ) instanceof Request
    )
  } catch {
    return false
  }
}

/** Whether values are validated: as the call says, else the client; they are by default. */
const isChecked = (
  { options }: HttpContext,
  { validate }: CallOptions,
  what: keyof Validation,
): boolean => validate?.[what] ?? options.validate?.[what] ?? true

const inputSecrets = (operation: HttpOperation, input: AnyInput): readonly string[] =>
  operation.parameters
    .filter(({ secret }) => secret === true)
    .map((parameter) => input[parameter.in]?.[parameter.name])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)

/** What the caller wrote into an address or a header of their own. */
const optionSecrets = (
  { options, servers }: HttpContext,
  { headers }: CallOptions,
): readonly string[] => {
  const paths = servers.map(({ url }) => url.replace(/^[^/]*\/\/[^/]*/, ''))
  return [
    ...urlSecrets(options.server?.toString() ?? '', servers, paths),
    ...[options.headers, headers].flatMap((given) => headerSecrets(Object.entries(given ?? {}))),
  ]
}
