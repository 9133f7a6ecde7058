import { HttpError } from '../errors.js'
import type { Address } from '../shared/address.js'
import { closeDeadline, endOf, signalOf, startDeadline } from '../shared/deadline.js'
import { runHooks } from '../shared/hooks.js'
import { issuesOf } from '../shared/issues.js'
import { explain } from '../shared/load-explanations.js'
import { streamFormat } from '../shared/media-type.js'
import { redactor } from '../shared/redact.js'
import { headerSecrets } from '../shared/written-secrets.js'
import { incoming } from '../transport/exchange.js'
import type { IncomingResponse, Send } from '../transport/transport.js'
import { mayStream } from './accept.js'
import {
  discard,
  endedError,
  findAddress,
  inputSecrets,
  type Outcome,
  type Prepared,
  type Read,
  sendUntilDone,
  warn,
  write,
} from './attempts.js'
import type { CallOptions, HttpContext } from './call.js'
import { createFailures, type Failures } from './failure.js'
import type { AnyInput } from './request.js'
import { isOk, type ReadResponse, readResponse } from './response.js'

/**
 * Sends one call: request, transport, response, validation, retries. Throws a CallError without secrets, and the HttpErrors
 * that `isThrown` selects; the others are returned as `error`.
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

/** The body of a possible stream is read only with its items. */
const transportOf = ({ operation, settings }: HttpContext, input?: AnyInput): Send =>
  mayStream(operation, input) ? settings.rawTransport : settings.transport

/** Sends one call, and returns the response unchanged after its body was validated. */
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
    async (received, prepared) => {
      const response = received.response()
      if (isItems(context, response)) return response
      const read = incoming(response.clone(), context.settings.maxResponseBytes)
      const found = await check(context, options, read, prepared).catch((error) => {
        // The other half of the clone would keep the connection.
        received.discard()
        throw error
      })
      return finish(response, found, prepared.fail)
    },
    transportOf(context, input),
  )

/** Whether a response is a stream, which may have no end. */
const isItems = ({ operation }: HttpContext, { ok, headers }: Response): boolean =>
  ok &&
  operation.streams !== undefined &&
  streamFormat(headers.get('content-type') ?? '') !== undefined

/** Sends one call, and returns the response with its body unread. */
export const sendRaw = (
  context: HttpContext,
  input?: AnyInput,
  options: CallOptions = {},
): Promise<Response> =>
  send(
    context,
    input,
    options,
    async (received) => received.response(),
    context.settings.rawTransport,
  )

const check = (
  context: HttpContext,
  options: CallOptions,
  response: IncomingResponse,
  { request, fail, warnings, retry, clock }: Prepared,
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
      ((from, items) =>
        openStream(from, {
          ...items,
          signal: options.signal,
          report: () => warn(context, warnings, fail),
          resend: operation.method === 'GET' ? repeat : undefined,
          retry,
          clock,
          onError: (error) => runOnError(context, error, fail),
        })),
    variant: request.variant,
    accept: input.accept,
    reading: options.validate?.response ?? settings.validate.response ?? 'tolerant',
    integers: settings.options.integers ?? 'number',
    fail,
    explain: (rejection) => explain(operation.id, rejection, settings.options.explanations),
    warn: (message, issues) =>
      warnings.push({
        kind: 'response',
        operation: operation.id,
        message,
        issues: issuesOf(issues),
      }),
  })
}

/**
 * Continues a stream. The response is a success, with its body unread. The stream itself reports the error that ends it to
 * `onError`.
 */
const sendAgain = (
  context: HttpContext,
  input: AnyInput,
  options: CallOptions,
): Promise<Response> =>
  send(
    { ...context, settings: { ...context.settings, options: quiet(context.settings.options) } },
    input,
    { ...options, retry: { ...options.retry, attempts: 1 } },
    async (received, prepared) =>
      isOk(received)
        ? received.response()
        : ((await check(context, options, received, prepared)).error ?? received.response()),
    context.settings.rawTransport,
  )

const quiet = <Options extends object>(options: Options) => ({ ...options, onError: undefined })

const send = async <Result extends Outcome>(
  context: HttpContext,
  input: AnyInput = {},
  options: CallOptions,
  read: Read<Result>,
  transport = context.settings.transport,
): Promise<Result> => {
  const { operation, settings } = context
  const timeout = options.timeout ?? settings.timeout
  const deadline = startDeadline(
    options.signal ? [options.signal] : [],
    timeout,
    settings.clock.now,
  )
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
    if (endOf(deadline) !== undefined) throw deadline.reason
    address = await findAddress(context, deadline, fail)
    const show = (url: string) => redactor(secrets())(url)
    const isRead = transport !== settings.rawTransport
    // The caller's signal also aborts the reading of the body by the caller.
    const signal =
      isRead || !options.signal ? undefined : AbortSignal.any([signalOf(deadline), options.signal])
    const retry = { ...settings.retry, ...options.retry }
    const clock = { ...settings.clock, ...options.retry?.clock }
    const sending = { deadline, retry, clock, fail, show, transport, signal, warnings: [] }
    let isStream = false
    const sendTo = async (address: Address) => {
      const request = await write(context, input, options, { address, fail })
      isStream = request.body instanceof ReadableStream
      return await sendUntilDone(context, { ...sending, address, request }, read)
    }
    let result = await sendTo(address)
    if (result.status === UNAUTHORIZED && !isStream) {
      const { credentials } = address
      const renewed = await findAddress(context, deadline, fail, credentials)
      if (JSON.stringify(renewed.credentials) !== JSON.stringify(credentials)) {
        discard(result)
        address = renewed
        result = await sendTo(renewed)
      }
    }
    if (result instanceof HttpError) throw result
    return result
  } catch (thrown) {
    const error = endedError(thrown, deadline, timeout, fail)
    await runOnError(context, error, fail)
    throw error
  } finally {
    closeDeadline(deadline)
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

const UNAUTHORIZED = 401
