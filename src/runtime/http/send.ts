import type { Validation } from '../client-options.js'
import { CallError, HttpError } from '../errors.js'
import type { HttpOperation } from '../operation.js'
import { type Deadline, startDeadline } from '../shared/deadline.js'
import { runHooks } from '../shared/hooks.js'
import { issuesOf } from '../shared/issues.js'
import { redactor } from '../shared/redact.js'
import { headerSecrets, urlSecrets } from '../shared/written-secrets.js'
import { type Address, pathOf } from './address.js'
import { type Outcome, type Prepared, type Reader, sendUntilDone } from './attempts.js'
import type { CallOptions } from './call.js'
import type { HttpContext } from './context.js'
import type { Explained } from './explain.js'
import { createFailures, type Failures } from './failure.js'
import {
  type AnyInput,
  lowerCase,
  type Rejection,
  type WrittenRequest,
  writeRequest,
} from './request.js'
import { type ReadResponse, readResponse } from './response.js'

/**
 * One call: request, transport, response, check, retry. Throws a CallError that shows no secret, and the HttpErrors that
 * `isThrown` chooses; the others are returned as `error`.
 */
export const sendCall = async (
  context: HttpContext,
  input: AnyInput | undefined,
  options: CallOptions = {},
  isThrown: (error: HttpError) => boolean,
): Promise<ReadResponse> =>
  send(context, input, options, {
    read: (response, prepared) => check(context, options, response, prepared),
    errorOf: ({ error }) => (error !== undefined && isThrown(error) ? error : undefined),
  })

/** The same call, whose response is returned as it comes once its body has been validated. */
export const sendChecked = (
  context: HttpContext,
  input?: AnyInput,
  options: CallOptions = {},
): Promise<Response> =>
  send(context, input, options, {
    read: async (response, prepared) => {
      await check(context, options, response.clone(), prepared)
      return response
    },
    errorOf: () => undefined,
  })

const check = (
  context: HttpContext,
  options: CallOptions,
  response: Response,
  { request, fail, warnings }: Prepared,
): Promise<ReadResponse> =>
  readResponse(context.operation, context.validators, response, {
    variant: request.variant,
    reading: validationOf(context, options).response ?? 'tolerant',
    fail,
    explain: (rejection) => explain(context, rejection),
    warn: (message, issues) =>
      warnings.push({ operation: context.operation.id, message, issues: issuesOf(issues) }),
  })

/** The same call, whose response is returned as it comes. */
export const sendRaw = (
  context: HttpContext,
  input?: AnyInput,
  options: CallOptions = {},
): Promise<Response> =>
  send(context, input, options, { read: async (response) => response, errorOf: () => undefined })

const send = async <Result extends Outcome>(
  context: HttpContext,
  input: AnyInput = {},
  options: CallOptions,
  { read, errorOf }: Reader<Result>,
): Promise<Result> => {
  const { operation, clock } = context
  const timeout = options.timeout ?? context.options.timeout ?? 60_000
  const deadline = startDeadline({ signal: options.signal, timeout, now: clock.now })
  let address: Address | undefined
  const fail = createFailures(operation.id, () =>
    redactor([
      ...inputSecrets(operation, input),
      ...optionSecrets(context, options),
      ...(address?.secrets() ?? []),
      ...(address?.hidden() ?? []),
    ]),
  )
  const show = (url: string): string =>
    redactor([
      ...inputSecrets(operation, input),
      ...optionSecrets(context, options),
      ...(address?.secrets() ?? []),
    ])(url)
  const asEnded = (error: unknown): unknown => {
    const ended = deadline.ended()
    if (error instanceof CallError || error instanceof HttpError || ended === undefined)
      return error
    if (ended === 'timeout') return fail.call('timeout', `no answer within ${timeout} ms`)
    return fail.call('aborted', 'aborted by the caller', { cause: deadline.reason() })
  }
  try {
    if (deadline.ended() !== undefined) throw deadline.reason()
    address = await findAddress(context, deadline, fail)
    const request = await write(context, input, options, { address, fail })
    const prepared = { address, request, deadline, fail, show, warnings: [] }
    const result = await sendUntilDone(context, options, prepared, read)
    const error = errorOf(result)
    if (error !== undefined) throw error
    return result
  } catch (thrown) {
    const error = asEnded(thrown)
    await runHooks(context.options.onError, 'out', error, operation.id).catch((cause) => {
      throw fail.clean(cause)
    })
    throw error
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
    checks: validationOf(context, options).request !== 'off',
  })
  if ('request' in written) return written.request
  const faults = await Promise.all(
    written.problems.map(async (problem) =>
      'faults' in problem
        ? problem.faults
        : (await explain(context, problem)).faults.map((fault) => ({
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
): Promise<Explained> => {
  try {
    const { explainRejected } = await import('./explain.js')
    return await explainRejected(operation.id, rejection, why)
  } catch {
    // What cannot be loaded must not hide that the value was rejected.
    const message = 'does not fit; what says why could not be loaded'
    return { faults: [{ pointer: '', keyword: 'schema', message }], isTolerated: false }
  }
}

/** As the call says, else the client. */
const validationOf = ({ options }: HttpContext, { validate }: CallOptions): Validation => ({
  request: validate?.request ?? options.validate?.request,
  response: validate?.response ?? options.validate?.response,
})

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
  return [
    ...urlSecrets(options.server?.toString() ?? '', servers, servers.map(pathOf)),
    ...[options.headers, headers].flatMap((given) => headerSecrets(Object.entries(given ?? {}))),
  ]
}
