import { readFetchOptions, readHeaders } from '../client-options.js'
import { HttpError } from '../errors.js'
import { incoming } from '../link/http-exchange.js'
import type { IncomingResponse, Send } from '../link/transport.js'
import type { Address } from '../shared/address.js'
import { closeDeadline, endOf, signalOf, startDeadline } from '../shared/deadline.js'
import { runHooks } from '../shared/hooks.js'
import { issuesOf } from '../shared/issues.js'
import { explainRejection } from '../shared/load-explanations.js'
import { pointerOf } from '../shared/pointer.js'
import { redactor } from '../shared/redact.js'
import { headerSecrets } from '../shared/written-secrets.js'
import { declaredRedirects, hasStream } from '../wire/status.js'
import { mayStream } from './accept.js'
import {
  type AttemptResult,
  discard,
  endedError,
  findAddress,
  inputSecrets,
  type Prepared,
  type Read,
  sendUntilDone,
  warn,
  write,
} from './attempts.js'
import type { CallOptions, HttpCallContext } from './call.js'
import { createFailures, type Failures } from './failure.js'
import {
  type AnyInput,
  chooseContent,
  isDocumented,
  PLACES,
  type RequestSettings,
} from './request.js'
import { isOk, type ReadResponse, readResponse } from './response.js'

/**
 * Sends one call: request, transport, response, validation, retries. Throws a CallError without secrets. A `call` throws every
 * HttpError and follows redirects. An `exchange` throws those with issues, and returns the others as `error`, and the redirects
 * that the document declares.
 */
export const sendCall = (
  context: HttpCallContext,
  input: AnyInput | undefined,
  options: CallOptions = {},
  kind: 'call' | 'exchange',
): Promise<ReadResponse> =>
  send(
    context,
    input,
    options,
    async (response, prepared) => {
      const found = await check(context, options, response, prepared, input)
      const { error } = found
      return error && (kind === 'call' || error.issues.length > 0) ? error : found
    },
    transportOf(context, input),
    kind === 'call' ? [] : declaredRedirects(context.operation.responses),
  )

/** The body of a possible stream is read only with its items. */
const transportOf = ({ operation, settings }: HttpCallContext, input?: AnyInput): Send =>
  mayStream(operation, input) ? settings.rawTransport : settings.transport

/** Sends one call, and returns the response unchanged after its body was validated. */
export const sendChecked = (
  context: HttpCallContext,
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
      if (await isItems(context, response)) return response
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
const isItems = async (
  { operation }: HttpCallContext,
  { ok, headers }: Response,
): Promise<boolean> =>
  ok &&
  hasStream(operation.responses) &&
  (await import('./expected-type.js')).isStreamType(headers.get('content-type') ?? '')

/** Sends one call, and returns the response with its body unread. */
export const sendRaw = (
  context: HttpCallContext,
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
  context: HttpCallContext,
  options: CallOptions,
  response: IncomingResponse,
  { request, fail, warnings, retry, clock }: Prepared,
  input: AnyInput = {},
): Promise<ReadResponse> => {
  const { operation, validators, settings, codecs } = context
  const { openStream } = codecs
  const repeat = (headers: CallOptions['headers']) => {
    const again = { ...options, headers: { ...options.headers, ...headers } }
    return sendAgain(context, input, again)
  }
  return readResponse(operation, validators, response, {
    codecs,
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
    isStreamed: operation.streamDefault === undefined ? undefined : mayStream(operation, input),
    reading: options.validate?.response ?? settings.validate.response ?? 'tolerant',
    integers: settings.options.integers ?? 'number',
    fail,
    explain: (rejection) =>
      explainRejection(operation.id, rejection, settings.options.explanations),
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
  context: HttpCallContext,
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

const send = async <Result extends AttemptResult>(
  context: HttpCallContext,
  passed: AnyInput = {},
  options: CallOptions,
  read: Read<Result>,
  transport = context.settings.transport,
  redirects: Prepared['redirects'] = [],
): Promise<Result> => {
  const { operation, settings } = context
  const timeout = options.timeout ?? settings.timeout
  const deadline = startDeadline(
    options.signal ? [options.signal] : [],
    timeout,
    settings.clock.now,
  )
  let address: Address | undefined
  let input = passed
  let undocumented: RequestSettings['undocumented']
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
    if (!isDocumented(operation, passed)) {
      const { readNames } = await import('./input-names.js')
      ;({ input, undocumented } = readNames(operation, passed, PLACES, pointerOf))
    }
    if (operation.defaults) {
      const { fillDefaults } = await import('../shared/fill-defaults.js')
      const names = Object.keys({ ...settings.headers, ...readHeaders(options.headers) })
      const content = chooseContent(operation.body?.content ?? [], input.contentType)
      input = fillDefaults(operation.defaults, input, {
        hasHeader: (name) => names.includes(name.toLowerCase()),
        type: content?.type,
      })
    }
    address = await findAddress(context, deadline, fail)
    const show = (url: string) => redactor(secrets())(url)
    const isRead = transport !== settings.rawTransport
    // The caller's signal also aborts the reading of the body by the caller.
    const signal =
      isRead || !options.signal ? undefined : AbortSignal.any([signalOf(deadline), options.signal])
    const retry = { ...settings.retry, ...options.retry }
    const clock = { ...settings.clock, ...options.retry?.clock }
    const sending = {
      deadline,
      retry,
      clock,
      fail,
      show,
      transport,
      fetchOptions: readFetchOptions(options.fetchOptions, settings.fetchOptions),
      redirects,
      signal,
      warnings: [],
    }
    let isStream = false
    const sendTo = async (address: Address) => {
      const request = await write(context, input, options, { address, fail, undocumented })
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
  { operation, settings }: HttpCallContext,
  error: unknown,
  fail: Failures,
): Promise<void> =>
  runHooks(settings.options.onError, 'out', error, operation.id).catch((cause) => {
    throw fail.clean(cause)
  })

const UNAUTHORIZED = 401
