import { type ClientSettings, credentialNames, namedBy, readOptions } from './client-options.js'
import { HttpError } from './errors.js'
import { acceptOf } from './http/accept.js'
import type {
  CallOptions,
  ClientCodecs,
  HttpCallContext,
  HttpEndpoint,
  HttpOptions,
  HttpService,
  PollOptions,
} from './http/call.js'
import { createFailures, type Failures } from './http/failure.js'
import type { SendPage } from './http/pages.js'
import { pollOperation } from './http/poll.js'
import type { AnyInput, HttpChecks } from './http/request.js'
import { sendCall, sendRaw } from './http/send.js'
import type { HttpOperation, Pages, Server } from './operation.js'
import { createFindAddress } from './shared/address.js'
import type { Why } from './shared/explain.js'
import { keepText } from './shared/redact.js'
import { withoutOrigin } from './shared/server-url.js'
import { validatorsFor } from './shared/validators.js'

export { type ClientOptions, mergeOptions, type Validation } from './client-options.js'
export { CallError, HttpError, type Issue, isCallError } from './errors.js'
export type {
  Call,
  CallOptions,
  CallTypes,
  ErrorGuard,
  HttpEndpoint,
  HttpOptions,
  HttpService,
  PollOptions,
  VariantResultOf,
  WithBody,
} from './http/call.js'
export type { BodyOf, ContentOf, InputOf, ParametersOf } from './http/input.js'
export type { ItemStream } from './http/item-stream.js'
export type { ErrorOf, ResultOf } from './http/status.js'
export type { FetchOptions } from './link/transport.js'
export type { Auth, BasicCredentials, Secret } from './shared/credentials.js'
export type { Clock } from './shared/deadline.js'
export type { Why } from './shared/explain.js'
export type { FileInput, StreamedFile } from './shared/file.js'
export { addGroups as groupOperations } from './shared/groups.js'
export type { HookRequest, Hooks } from './shared/hooks.js'
export type { DeprecationWarning, ResponseWarning, Warning } from './shared/issues.js'
export type { Retry } from './shared/retry.js'

/**
 * Creates the client of an HTTP service, with one function per operation. Calls throw an HttpError for an error response, and a
 * CallError if there is no usable response. `validators` is the generated module `validators.ts`. `why` loads the generated
 * module `explanations.ts`; it is called when a value is rejected, to explain the errors. `codecs` has
 * what operations need beside JSON, text, bytes and forms.
 *
 * Throws a TypeError for invalid options: an unknown server, a variable without a value, a header that HTTP does not allow,
 * missing validators, a timeout that is not a number.
 */
export const createHttp = <Client>(
  service: HttpService,
  validators: object,
  options: HttpOptions = {},
  why: Why | undefined = options.explanations,
  codecs: ClientCodecs = {},
): Client => {
  const settings = readOptions(namedBy(service), { ...options, explanations: why })
  const calls = createContexts(service, validators, settings, codecs).map((context) => [
    context.operation.id,
    createCall(context),
  ])
  return Object.fromEntries(calls) as Client
}

/**
 * Creates a client of one operation, so that a bundle contains only this operation. It loads no explanations: the option
 * `explanations` does.
 *
 * ```ts
 * const { getPet } = createHttpOperation(endpoint, operations.getPet, validators.getPet, { server })
 * ```
 *
 * Throws a TypeError for invalid options, as `createHttp` does.
 */
export const createHttpOperation = <Client>(
  endpoint: HttpEndpoint,
  operation: HttpOperation,
  validators: object,
  options?: HttpOptions,
  codecs?: ClientCodecs,
): Client => {
  const { id } = operation
  const service = { ...endpoint, operations: { [id]: operation } }
  return createHttp(service, { [id]: validators }, options, undefined, codecs)
}

/** The data that the calls of each operation share. Throws a TypeError for invalid options. */
export const createContexts = (
  service: HttpService,
  validators: object,
  settings: ClientSettings,
  codecs: ClientCodecs = {},
): readonly HttpCallContext[] => {
  const operations = Object.entries(service.operations)
  const everyServer = [...service.servers, ...operations.flatMap(([, { servers }]) => servers)]
  const { server } = settings.options
  // The servers of HTTP are the first of a list.
  const isFit = ({ name, url }: Server) =>
    server === undefined ? !/^wss?:/i.test(url) : name === server.toString()
  return operations.map(([id, operation]) => {
    const servers = operation.servers.length > 0 ? operation.servers : service.servers
    const names = credentialNames(operation)
    const path = withoutOrigin(servers[0]?.url ?? '')
    const isElsewhere = !servers.some(isFit) && everyServer.some(isFit)
    return {
      service,
      operation,
      validators: validatorsFor<HttpChecks>(validators, id),
      settings,
      findAddress: isElsewhere ? undefined : createFindAddress({ servers, path, names }, settings),
      accept: acceptOf(operation),
      codecs,
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

const createCall = (context: HttpCallContext) => {
  const { operation } = context
  const send = (input?: AnyInput, options?: CallOptions) =>
    sendCall(context, input, options, 'call')
  const call = async (input?: AnyInput, options?: CallOptions): Promise<unknown> =>
    (await send(input, options)).body
  const exchange = async (input?: AnyInput, options?: CallOptions) => {
    const { status, headers, body } = await sendCall(context, input, options, 'exchange')
    return { status, headers, body }
  }
  const raw = (input?: AnyInput, options?: CallOptions) => sendRaw(context, input, options)
  const { poll, pages } = operation
  const fail = createFailures(operation.id, () => keepText)
  const polled = poll && {
    poll: (input?: AnyInput, options: PollOptions = {}) =>
      pollOperation(poll, (each) => call(input, each), options, {
        clock: context.settings.clock,
        fail,
      }),
  }
  const paged = pages && pagesOf(operation, pages, send, fail)
  return Object.assign(call, { exchange, raw }, polled, paged)
}

/** `pages` and `items` of an operation. Their code is loaded with the first page. */
const pagesOf = (operation: HttpOperation, pages: Pages, send: SendPage, fail: Failures) => {
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
