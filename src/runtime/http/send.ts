import { CallError } from '../errors.js'
import { readCredentials, secretTexts, textSecrets } from '../ground/credentials.js'
import { type Deadline, startDeadline } from '../ground/deadline.js'
import { messageOf } from '../ground/message-of.js'
import { redactor } from '../ground/redact.js'
import { type Clock, waitBefore } from '../ground/retry.js'
import { chooseServer, resolveServer, secretVariables } from '../ground/server-url.js'
import { addressSecrets, headerSecrets, urlSecrets } from '../ground/written-secrets.js'
import type { HttpOperation, HttpValidators, Server } from '../operation.js'
import { type RawAnswer, type ReadAnswer, readAnswer } from './answer.js'
import type { CallOptions } from './call.js'
import { createFailures, type Failures } from './failure.js'
import type { HttpOptions, HttpService } from './options.js'
import { type AnyInput, fillPath, type WrittenRequest, writeRequest } from './request.js'

/**
 * One call, from input to read answer, repeated where the document calls the operation idempotent. Throws a CallError
 * that holds no secret; an answer that says no is returned with its `error`.
 */
export const sendCall = async (
  context: CallContext,
  input: AnyInput = {},
  options: CallOptions = {},
): Promise<ReadAnswer> => {
  const { operation, clock } = context
  const timeout = options.timeout ?? context.options.timeout ?? 60_000
  const deadline = startDeadline({ signal: options.signal, timeout, now: clock.now })
  const secrets = new Set([...givenSecrets(operation, input), ...optionSecrets(context, options)])
  const fail = createFailures(operation.id, () => redactor(secrets))
  try {
    const address = await prepare(context, input, options, { deadline, fail, secrets })
    return await repeat(context, options, address, { deadline, fail })
  } catch (error) {
    const ended = deadline.ended()
    if (error instanceof CallError || ended === undefined) throw error
    if (ended === 'timeout') throw fail.call('timeout', `no answer within ${timeout} ms`)
    throw fail.call('aborted', 'aborted by the caller', { cause: deadline.reason() })
  } finally {
    deadline.end()
  }
}

/** What one operation's calls need, client and document together. */
export type CallContext = {
  readonly service: HttpService
  readonly operation: HttpOperation
  readonly validators: HttpValidators | undefined
  readonly options: HttpOptions
  readonly request: Requester
  readonly clock: Clock
}

/** openapi-fetch's `request`, as far as it is used: everything reaches it serialised. */
export type Requester = (method: string, path: string, init: RequesterInit) => Promise<RawAnswer>

type RequesterInit = {
  readonly headers: Readonly<Record<string, string>>
  readonly duplex?: 'half'
  readonly deadline: Deadline
  readonly baseUrl: string
  readonly params: { readonly path: object }
  readonly pathSerializer: (template: string) => string
  readonly querySerializer: () => string
  readonly bodySerializer: (body: BodyInit) => BodyInit
  readonly body?: BodyInit | undefined
  readonly parseAs: 'stream'
  /** Called when the request is made and about to go out. */
  readonly sent: () => void
}

type Prepared = { readonly baseUrl: string; readonly request: WrittenRequest }
type Running = { readonly deadline: Deadline; readonly fail: Failures }

const prepare = async (
  context: CallContext,
  input: AnyInput,
  options: CallOptions,
  { deadline, fail, secrets }: Running & { readonly secrets: Set<string> },
): Promise<Prepared> => {
  const { service, operation, validators } = context
  const client = context.options
  const servers = serversOf(context)
  const server = orInvalid(fail, () => chooseServer(servers, client.server?.toString()))
  const names = secretNames(operation, server)
  const credentials = await readCredentials(client.auth, names, deadline).catch((cause) => {
    if (deadline.ended() !== undefined) throw cause
    throw fail.call('invalid-input', 'the credentials cannot be had', { cause })
  })
  const variables = names.flatMap((name) => client.variables?.[name] ?? [])
  for (const text of [...secretTexts(credentials), ...variables]) secrets.add(text)
  const baseUrl = orInvalid(fail, () =>
    resolveServer(servers, client.server?.toString(), client.variables, textSecrets(credentials)),
  )
  if (!servers.includes(server)) for (const text of addressSecrets(baseUrl)) secrets.add(text)
  const written = writeRequest(operation, validators, input, {
    credentials,
    limits: service.limits,
    headers: { ...client.headers, ...options.headers },
    checks: options.validate?.input ?? client.validate?.input ?? true,
  })
  if ('faults' in written)
    throw fail.call('invalid-input', 'the input does not fit', { faults: written.faults })
  return { baseUrl, request: written.request }
}

const repeat = async (
  context: CallContext,
  options: CallOptions,
  prepared: Prepared,
  running: Running,
): Promise<ReadAnswer> => {
  const { operation } = context
  const { deadline } = running
  const retry = { ...context.options.retry, ...options.retry }
  const clock = { ...context.clock, ...options.retry?.clock }
  // A stream is spent by its first sending.
  const repeatable =
    operation.idempotent === true && !(prepared.request.body instanceof ReadableStream)
  const waitAfter = (attempt: number, retryAfter: string | null): number | undefined => {
    const wait = repeatable ? waitBefore(attempt + 1, retryAfter, retry, clock) : undefined
    return wait !== undefined && wait < deadline.remaining() ? wait : undefined
  }
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(context, options, prepared, running)
    if (!(outcome instanceof CallError) && !BUSY.has(outcome.status)) return outcome
    const wait =
      outcome instanceof CallError
        ? waitAfter(attempt, null)
        : waitAfter(attempt, outcome.headers.get('retry-after'))
    if (wait === undefined && outcome instanceof CallError) throw outcome
    if (wait === undefined) return outcome as ReadAnswer
    await deadline.race(clock.sleep(wait, deadline.signal))
  }
}

/** Too many requests, and unavailable for now: the statuses that `Retry-After` was made for. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/** An answer, or the failure of the network as a value: every other failure is thrown. */
const tryOnce = async (
  context: CallContext,
  options: CallOptions,
  { baseUrl, request }: Prepared,
  { deadline, fail }: Running,
): Promise<ReadAnswer | CallError> => {
  const { operation, validators } = context
  const checks = options.validate?.answer ?? context.options.validate?.answer ?? true
  let sent = false
  try {
    const work = context.request(operation.method, operation.path, {
      baseUrl,
      params: { path: request.path },
      pathSerializer: (template) => fillPath(template, request.path),
      querySerializer: () => request.query,
      bodySerializer: (body) => body,
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.body instanceof ReadableStream ? { duplex: 'half' } : {}),
      headers: request.headers,
      parseAs: 'stream',
      deadline,
      sent: () => {
        sent = true
      },
    })
    const how = { form: request.form, checks, fail }
    const read = work.then((raw) => readAnswer(operation, validators, raw, how))
    return await deadline.race(read)
  } catch (cause) {
    if (cause instanceof CallError || deadline.ended() !== undefined) throw cause
    if (!sent) throw fail.call('invalid-input', 'no request can be made of the input', { cause })
    return fail.call('network', `no answer: ${messageOf(cause)}`, { cause })
  }
}

const secretNames = (operation: HttpOperation, server: Server): readonly string[] => [
  ...operation.parameters.filter((parameter) => parameter.secret === true).map(({ name }) => name),
  ...operation.security.flat(),
  ...secretVariables(server),
]

const serversOf = ({ operation, service }: CallContext): readonly Server[] =>
  operation.servers.length > 0 ? operation.servers : service.servers

const givenSecrets = (operation: HttpOperation, input: AnyInput): readonly string[] =>
  operation.parameters
    .filter((parameter) => parameter.secret === true)
    .map((parameter) => input[parameter.in]?.[parameter.name])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)

/** What the caller wrote into an address or a header of their own. */
const optionSecrets = (context: CallContext, options: CallOptions): readonly string[] => {
  const client = context.options
  const servers = serversOf(context)
  const paths = servers.map(({ url }) => url.replace(/^[^/]*\/\/[^/]*/, ''))
  const headers = [client.headers, options.headers].flatMap((given) => Object.entries(given ?? {}))
  const inUrl = urlSecrets(client.server?.toString() ?? '', servers, paths)
  return [...inUrl, ...headerSecrets(headers)]
}

const orInvalid = <T>(fail: Failures, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw fail.call('invalid-input', message, { cause: error })
  }
}
