import { readHeaders } from '../client-options.js'
import { CallError, HttpError } from '../errors.js'
import type { HttpOperation } from '../operation.js'
import type { Address } from '../shared/address.js'
import type { Credentials } from '../shared/credentials.js'
import { type Deadline, startDeadline } from '../shared/deadline.js'
import { exchange } from '../shared/exchange.js'
import { runHooks } from '../shared/hooks.js'
import { issuesOf, type Warning } from '../shared/issues.js'
import { explain } from '../shared/load-explanations.js'
import { streamFormat } from '../shared/media-type.js'
import { messageOf } from '../shared/message-of.js'
import { redactor } from '../shared/redact.js'
import { waitBefore } from '../shared/retry.js'
import { headerSecrets } from '../shared/written-secrets.js'
import type { Transport } from '../transport/web-transport.js'
import type { CallOptions, HttpContext } from './call.js'
import { createFailures, type Failures } from './failure.js'
import {
  type AnyInput,
  acceptOf,
  isFormBody,
  mayStream,
  type WrittenRequest,
  writeRequest,
} from './request.js'
import { type ReadResponse, readResponse } from './response.js'

/** What becomes of a response; an HttpError is thrown, unless the call is sent again. */
type Read<Result> = (response: Response, prepared: Prepared) => Promise<Result | HttpError>

type Outcome = { readonly status: number; readonly headers: Headers }

/**
 * One call: request, transport, response, check, retry. Throws a CallError that shows no secret, and the HttpErrors that
 * `isThrown` chooses; the others are returned as `error`.
 */
export const sendCall = (
  context: HttpContext,
  input: AnyInput | undefined,
  options: CallOptions = {},
  isThrown: (error: HttpError) => boolean,
): Promise<ReadResponse> =>
  send(
    context,
    input,
    options,
    async (response, prepared) => {
      const found = await check(context, options, response, prepared, input)
      return found.error !== undefined && isThrown(found.error) ? found.error : found
    },
    transportOf(context, input),
  )

/** Of an answer that may be a stream, the body is read when its items are. */
const transportOf = ({ operation, settings }: HttpContext, input?: AnyInput): Transport =>
  mayStream(operation, input) ? settings.rawTransport : settings.transport

/** The same call, whose response is returned as it comes once its body has been validated. */
export const sendChecked = (
  context: HttpContext,
  input: AnyInput,
  options: CallOptions,
  finish: (response: Response, found: ReadResponse, fail: Failures) => Response,
): Promise<Response> =>
  send(
    context,
    input,
    options,
    async (response, prepared) =>
      isItems(context, response)
        ? response
        : finish(
            response,
            await check(context, options, response.clone(), prepared),
            prepared.fail,
          ),
    transportOf(context, input),
  )

/** Whether a response is a stream, which has no end that could be waited for. */
const isItems = ({ operation }: HttpContext, { ok, headers }: Response): boolean =>
  ok &&
  operation.streams !== undefined &&
  streamFormat(headers.get('content-type') ?? '') !== undefined

/** The same call, whose response is returned as it comes, its body not read. */
export const sendRaw = (
  context: HttpContext,
  input?: AnyInput,
  options: CallOptions = {},
): Promise<Response> =>
  send(context, input, options, async (response) => response, context.settings.rawTransport)

const check = (
  context: HttpContext,
  options: CallOptions,
  response: Response,
  { request, fail, warnings }: Prepared,
  input: AnyInput = {},
): Promise<ReadResponse> => {
  const { operation, validators, settings, openStream } = context
  const repeat = (headers: CallOptions['headers']) => {
    const again = { ...options, headers: { ...options.headers, ...headers } }
    return sendAgain(context, input, again)
  }
  return readResponse(operation, validators, response, {
    openStream:
      openStream &&
      ((from, { format, content, check: checkItem }) =>
        openStream(from, {
          format,
          content,
          signal: options.signal,
          check: (...given) =>
            checkItem(...given)?.then(async (item) => {
              await warn(context, warnings, fail)
              return item
            }),
          resend: operation.method === 'GET' ? repeat : undefined,
          retry: { ...settings.retry, ...options.retry },
          clock: { ...settings.clock, ...options.retry?.clock },
          fail,
          onError: (error) => runOnError(context, error, fail),
        })),
    variant: request.variant,
    accept: input.accept,
    reading: options.validate?.response ?? settings.validate.response ?? 'tolerant',
    integers: settings.options.integers ?? 'number',
    fail,
    explain: (rejection) => explain(operation.id, rejection, settings.options.explanations),
    warn: (message, issues) =>
      warnings.push({ operation: operation.id, message, issues: issuesOf(issues) }),
  })
}

/** Continues a stream: the response is of a success, and not read. */
const sendAgain = (
  context: HttpContext,
  input: AnyInput,
  options: CallOptions,
): Promise<Response> =>
  send(
    context,
    input,
    { ...options, retry: { ...options.retry, attempts: 1 } },
    async (response, prepared) =>
      response.ok
        ? response
        : ((await check(context, options, response, prepared)).error ?? response),
    context.settings.rawTransport,
  )

type Prepared = {
  readonly address: Address
  readonly request: WrittenRequest
  readonly deadline: Deadline
  readonly fail: Failures
  /** A URL without the secrets of the call. */
  readonly show: (url: string) => string
  readonly transport: Transport
  readonly signal: AbortSignal
  /** What the tolerant reading found in the response. */
  readonly warnings: Warning[]
}

const send = async <Result extends Outcome>(
  context: HttpContext,
  input: AnyInput = {},
  options: CallOptions,
  read: Read<Result>,
  transport = context.settings.transport,
): Promise<Result> => {
  const { operation, settings } = context
  const timeout = options.timeout ?? settings.timeout
  const deadline = startDeadline([options.signal], timeout, settings.clock.now)
  let address: Address | undefined
  const secrets = () => [
    ...inputSecrets(operation, input),
    ...headerSecrets(Object.entries(options.headers ?? {})),
    ...(address?.secrets() ?? []),
  ]
  const fail = createFailures(operation.id, () =>
    redactor([...secrets(), ...(address?.hidden() ?? [])]),
  )
  try {
    if (deadline.ended() !== undefined) throw deadline.reason()
    address = await findAddress(context, deadline, fail)
    const show = (url: string) => redactor(secrets())(url)
    const isRead = transport !== settings.rawTransport
    // The signal of a caller who reads the body ends that, too.
    const signal =
      isRead || !options.signal
        ? deadline.signal()
        : AbortSignal.any([deadline.signal(), options.signal])
    let isStream = false
    const sendTo = async (address: Address) => {
      const request = await write(context, input, options, { address, fail })
      isStream = request.body instanceof ReadableStream
      const prepared = { address, request, deadline, fail, show, transport, signal, warnings: [] }
      return await sendUntilDone(context, options, prepared, read)
    }
    const rejected = address
    const renew = async () => {
      if (isStream) return undefined
      const renewed = await findAddress(context, deadline, fail, rejected.credentials)
      const isSame = JSON.stringify(renewed.credentials) === JSON.stringify(rejected.credentials)
      return isSame ? undefined : renewed
    }
    const result = await sendTo(rejected).catch((error) => {
      if (error instanceof HttpError && error.status === UNAUTHORIZED) return error
      throw error
    })
    const renewed = result.status === UNAUTHORIZED ? await renew() : undefined
    if (renewed !== undefined) {
      address = renewed
      return await sendTo(renewed)
    }
    if (result instanceof HttpError) throw result
    return result
  } catch (thrown) {
    const error = endedError(thrown, deadline, timeout, fail)
    await runOnError(context, error, fail)
    throw error
  } finally {
    deadline.end()
  }
}

const runOnError = (
  { operation, settings }: HttpContext,
  error: unknown,
  fail: Failures,
): Promise<void> =>
  runHooks(settings.options.onError, 'out', error, operation.id).catch((cause) => {
    throw fail.clean(cause)
  })

const warn = async (
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

const UNAUTHORIZED = 401

const endedError = (
  error: unknown,
  deadline: Deadline,
  timeout: number,
  fail: Failures,
): unknown => {
  const ended = deadline.ended()
  if (error instanceof CallError || error instanceof HttpError || ended === undefined) return error
  if (ended === 'timeout') return fail.call('timeout', `no answer within ${timeout} ms`)
  return fail.call('aborted', 'aborted by the caller', { cause: deadline.reason() })
}

const findAddress = async (
  { findAddress: find, settings }: HttpContext,
  deadline: Deadline,
  fail: Failures,
  rejected?: Credentials,
): Promise<Address> => {
  if (find === undefined)
    throw fail.call('invalid-input', `has no server named '${settings.options.server}'`)
  try {
    const found = find(rejected)
    return found instanceof Promise ? await deadline.race(found) : found
  } catch (cause) {
    if (deadline.ended() !== undefined) throw cause
    throw fail.call('invalid-input', 'the credentials cannot be had', { cause })
  }
}

const write = async (
  { operation, service, validators, accept, settings }: HttpContext,
  input: AnyInput,
  options: CallOptions,
  { address, fail }: { readonly address: Address; readonly fail: Failures },
): Promise<WrittenRequest> => {
  const forms = isFormBody(operation, input) ? await import('./forms.js') : undefined
  const written = writeRequest(operation, validators, input, {
    forms,
    credentials: address.credentials,
    limits: service.limits,
    headers: { ...settings.headers, ...readHeaders(options.headers) },
    accept: input.accept ?? (operation.streams ? acceptOf(operation, input) : accept),
    checks: (options.validate?.request ?? settings.validate.request) !== 'off',
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
  throw fail.call('invalid-input', 'the input does not fit', { faults: faults.flat() })
}

/** Sends a request, and again where the document allows it, until a response is final. */
const sendUntilDone = async <Result extends Outcome>(
  context: HttpContext,
  options: CallOptions,
  prepared: Prepared,
  read: Read<Result>,
): Promise<Result> => {
  const { operation, settings } = context
  const { request, deadline } = prepared
  // A stream can be sent once.
  const isSafe = operation.idempotent === true || operation.idempotencyKey !== undefined
  const isRetried = isSafe && !(request.body instanceof ReadableStream)
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await deadline.race(attemptOnce(context, prepared, attempt, read))
    const isFailure = outcome instanceof CallError
    if (isRetried && (isFailure || BUSY.has(outcome.status))) {
      const retry = { ...settings.retry, ...options.retry }
      const clock = { ...settings.clock, ...options.retry?.clock }
      const retryAfter = isFailure ? null : outcome.headers.get('retry-after')
      const wait = waitBefore(attempt + 1, retryAfter, retry, clock)
      if (wait !== undefined && wait < deadline.remaining()) {
        await deadline.race(clock.sleep(wait, deadline.signal()))
        continue
      }
    }
    if (outcome instanceof Error) throw outcome
    return outcome
  }
}

/** Too many requests, and unavailable for now: the statuses that `Retry-After` was made for. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/** A response, or a failure of the network as a value, since it may be retried. Throws every other failure. */
const attemptOnce = async <Result extends Outcome>(
  context: HttpContext,
  prepared: Prepared,
  attempt: number,
  read: Read<Result>,
): Promise<Result | HttpError | CallError> => {
  const {
    operation: { id, method },
    settings: { options },
  } = context
  const { address, request, deadline, fail, show, warnings } = prepared
  const url = urlOf(address.url, request)
  const exchanged = await exchange(prepared.transport, options, {
    operations: [id],
    attempt,
    url,
    shown: () => show(url),
    method,
    headers: request.headers,
    body: request.body,
    signal: prepared.signal,
    secretHeaders: request.secretHeaders,
    redirects: 'any',
  })
  if ('error' in exchanged && exchanged.by === 'hook') throw fail.clean(exchanged.error)
  let result: Result | HttpError
  try {
    if ('error' in exchanged) throw exchanged.error
    result = await read(exchanged.response, prepared)
  } catch (cause) {
    if (cause instanceof CallError || deadline.ended() !== undefined) throw cause
    return fail.call('network', `no answer: ${messageOf(cause)}`, { cause })
  }
  await warn(context, warnings, fail)
  return result
}

/** The query of an address, a key of a gateway say, goes before that of the request. A fragment is never sent. */
const urlOf = (address: string, { path, query }: WrittenRequest): string => {
  const [, base = '', own = ''] = /^([^?#]*?)\/*(?:\?([^#]*))?(?:#.*)?$/s.exec(address) ?? []
  const joined = [own, query].filter(Boolean).join('&')
  return `${base}${path}${joined && `?${joined}`}`
}

const inputSecrets = (operation: HttpOperation, input: AnyInput): readonly string[] =>
  operation.parameters
    .filter(({ secret }) => secret === true)
    .map((parameter) => input[parameter.in]?.[parameter.name])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
