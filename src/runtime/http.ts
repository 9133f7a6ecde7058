import { type ClientSettings, credentialNames, readOptions } from './client-options.js'
import { HttpError } from './errors.js'
import { acceptOf } from './http/accept.js'
import type {
  CallOptions,
  HttpContext,
  HttpOptions,
  HttpService,
  PollOptions,
} from './http/call.js'
import { createFailures } from './http/failure.js'
import type { OpenStream } from './http/item-stream.js'
import type { SendPage } from './http/pages.js'
import type { AnyInput, HttpChecks } from './http/request.js'
import { sendCall, sendRaw } from './http/send.js'
import type { HttpOperation, Pages, Poll, Server } from './operation.js'
import { createFindAddress, pathOf } from './shared/address.js'
import {
  closeDeadline,
  endOf,
  race,
  remaining,
  signalOf,
  startDeadline,
} from './shared/deadline.js'
import type { Why } from './shared/explain.js'
import { writeJson } from './shared/json.js'
import { keepText } from './shared/redact.js'
import { validatorsFor } from './shared/validators.js'

export { type ClientOptions, mergeOptions, type Validation } from './client-options.js'
export { CallError, HttpError, type Issue, isCallError } from './errors.js'
export type {
  Call,
  CallOptions,
  ErrorGuard,
  HttpOptions,
  HttpService,
  PollOptions,
} from './http/call.js'
export type { ItemStream } from './http/item-stream.js'
export type { Auth, BasicCredentials, Secret } from './shared/credentials.js'
export type { Clock } from './shared/deadline.js'
export type { Why } from './shared/explain.js'
export type { FileInput, StreamedFile } from './shared/file.js'
export { addGroups as groupOperations, type Grouped } from './shared/groups.js'
export type { HookRequest, Hooks } from './shared/hooks.js'
export type { DeprecationWarning, ResponseWarning, Warning } from './shared/issues.js'
export type { Retry } from './shared/retry.js'

/**
 * Creates the client of an HTTP service, with one function per operation. Calls throw an HttpError for an error response, and a
 * CallError if there is no usable response. `validators` is the generated module `validators.ts`. `why` loads the generated
 * module `explanations.ts`; it is called when a value is rejected, to explain the errors. `openStream` of `runtime/streams` is
 * required if an operation streams.
 *
 * Throws a TypeError for invalid options: an unknown server, a variable without a value, a header that HTTP does not allow,
 * missing validators, a timeout that is not a number.
 */
export const createHttp = <Client>(
  service: HttpService,
  validators: object,
  options: HttpOptions = {},
  why: Why | undefined = options.explanations,
  openStream?: OpenStream,
): Client => {
  const settings = readOptions(service, { ...options, explanations: why })
  const calls = createContexts(service, validators, settings, openStream).map((context) => [
    context.operation.id,
    createCall(context),
  ])
  return Object.fromEntries(calls) as Client
}

/** The data that the calls of each operation share. Throws a TypeError for invalid options. */
export const createContexts = (
  service: HttpService,
  validators: object,
  settings: ClientSettings,
  openStream?: OpenStream,
): readonly HttpContext[] => {
  const operations = Object.entries(service.operations)
  const everyServer = [...service.servers, ...operations.flatMap(([, { servers }]) => servers)]
  const { server } = settings.options
  return operations.map(([id, operation]) => {
    const servers = operation.servers.length > 0 ? operation.servers : service.servers
    const isNamed = ({ name }: Server) => name === server?.toString()
    const names = credentialNames(operation)
    const path = servers[0] === undefined ? '' : pathOf(servers[0])
    const isElsewhere = !servers.some(isNamed) && everyServer.some(isNamed)
    return {
      service,
      operation,
      validators: validatorsFor<HttpChecks>(validators, id),
      settings,
      findAddress: isElsewhere ? undefined : createFindAddress({ servers, path, names }, settings),
      accept: acceptOf(operation),
      openStream,
    }
  })
}

/** Generated clients export it as `isHttpError`. Only `never` is assignable to every narrowing of `ErrorGuard`. */
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
  const send = (input?: AnyInput, options?: CallOptions) =>
    sendCall(context, input, options, () => true)
  const call = async (input?: AnyInput, options?: CallOptions): Promise<unknown> =>
    (await send(input, options)).body
  const exchange = async (input?: AnyInput, options?: CallOptions) => {
    const isInvalid = ({ issues }: HttpError) => issues.length > 0
    const { status, headers, body } = await sendCall(context, input, options, isInvalid)
    return { status, headers, body }
  }
  const raw = (input?: AnyInput, options?: CallOptions) => sendRaw(context, input, options)
  const { poll, pages } = operation
  const polled = poll && {
    poll: (input?: AnyInput, options: PollOptions = {}) =>
      pollOperation(context, poll, (each) => call(input, each), options),
  }
  const paged = pages && pagesOf(operation, pages, send)
  return Object.assign(call, { exchange, raw }, polled, paged)
}

/** `pages` and `items` of an operation. Their code is loaded with the first page. */
const pagesOf = (operation: HttpOperation, pages: Pages, send: SendPage) => {
  const fail = createFailures(operation.id, () => keepText)
  const load = async () =>
    (await import('./http/pages.js')).createPages(operation, pages, send, fail)
  return {
    pages: async function* (input?: AnyInput, options?: CallOptions) {
      yield* (await load()).pages(input, options)
    },
    items: async function* (input?: AnyInput, options?: CallOptions) {
      yield* (await load()).items(input, options)
    },
  }
}

/**
 * Calls an operation until its record is final. Yields each changed record, and the final one last. Each request has the
 * timeout of a call. An undocumented state continues the polling. A state that goes back is an error, because the caller may
 * have acted on the later one.
 */
async function* pollOperation(
  { operation: { id }, settings: { clock } }: HttpContext,
  poll: Poll,
  ask: (options: CallOptions) => Promise<unknown>,
  { interval = growing, timeout, signal, ...each }: PollOptions,
): AsyncGenerator<unknown, void, undefined> {
  const fail = createFailures(id, () => keepText)
  const deadline = startDeadline(signal ? [signal] : [], timeout, clock.now)
  let last: string | undefined
  let reached = -1
  try {
    for (let asked = 1; ; asked += 1) {
      const record = await ask({ ...each, signal: signalOf(deadline) })
      const state = String(Object(record)[poll.field])
      const place = poll.order.indexOf(state)
      if (place !== -1 && place < reached) {
        const message = `${poll.field} went back from ${poll.order[reached]} to ${state}`
        throw fail.call('invalid-answer', message)
      }
      reached = Math.max(reached, place)
      const text = writeJson(record)
      if (text !== last) yield record
      last = text
      if (poll.terminal.includes(state)) return
      const wait = typeof interval === 'number' ? interval : interval(asked)
      const rest = Math.min(wait, Math.max(0, remaining(deadline)))
      await race(deadline, clock.sleep(rest, signalOf(deadline)))
      if (endOf(deadline) !== undefined) throw deadline.reason
    }
  } catch (error) {
    const ended = endOf(deadline)
    if (ended === undefined) throw error
    if (ended === 'timeout') throw fail.call('timeout', `not final within ${timeout} ms`)
    throw fail.call('aborted', 'aborted', { cause: deadline.reason })
  } finally {
    closeDeadline(deadline)
  }
}

const growing = (asked: number): number => Math.min(500 * 1.5 ** (asked - 1), 5_000)
