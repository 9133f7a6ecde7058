import type { HttpOperation, Server } from '../operation.js'
import { CallError } from '../shared/call-error.js'
import {
  type Credentials,
  readCredentials,
  secretTexts,
  textSecrets,
} from '../shared/credentials.js'
import type { Deadline } from '../shared/deadline.js'
import { messageOf } from '../shared/message-of.js'
import { redactor } from '../shared/redact.js'
import { type Clock, systemClock, waitBefore } from '../shared/retry.js'
import { chooseServer, resolveServer, secretVariables } from '../shared/server-url.js'
import { addressSecrets, headerSecrets, urlSecrets } from '../shared/written-secrets.js'
import { ask } from './ask.js'
import type { CallOptions } from './call.js'
import { explainBy } from './explain.js'
import { createFailures, type Failures } from './failure.js'
import type { HttpOptions } from './options.js'
import { type AnyInput, type WrittenRequest, writeRequest } from './request.js'
import { type ReadResponse, readResponse } from './response.js'
import { attempt, type CallContext, isChecked, serversOf, type Tried } from './send.js'

/**
 * A call of which something is not ordinary: its input, its answer, or that there is none. What was tried so far counts as
 * the first attempt. Throws a CallError that holds no secret; an answer that says no is returned with its `error`.
 */
export const sendCarefully = async (
  context: CallContext,
  input: AnyInput,
  options: CallOptions,
  { deadline, timeout, tried }: Begun,
): Promise<ReadResponse> => {
  const { operation } = context
  const secrets = [givenSecrets(operation, input), optionSecrets(context, options)]
  const fail = createFailures(operation.id, () => redactor(new Set(secrets.flatMap((of) => of()))))
  try {
    const { baseUrl, credentials } = await locate(context, { deadline, fail, secrets })
    const request = tried?.request ?? (await write(context, input, options, { credentials, fail }))
    return await repeat(context, options, { baseUrl, request, tried }, { deadline, fail })
  } catch (error) {
    const ended = deadline.ended()
    if (error instanceof CallError || ended === undefined) throw error
    if (ended === 'timeout') throw fail.call('timeout', `no answer within ${timeout} ms`)
    throw fail.call('aborted', 'aborted by the caller', { cause: deadline.reason() })
  }
}

type Begun = {
  readonly deadline: Deadline
  readonly timeout: number
  readonly tried: Tried | undefined
}

type Prepared = {
  readonly baseUrl: string
  readonly request: WrittenRequest
  readonly tried: Tried | undefined
}
type Running = { readonly deadline: Deadline; readonly fail: Failures }

type Located = { readonly baseUrl: string; readonly credentials: Credentials }

/** Where the call goes and what it carries; all that must not be told of it joins the secrets. */
const locate = async (
  context: CallContext,
  { deadline, fail, secrets }: Running & { readonly secrets: Secrets[] },
): Promise<Located> => {
  const { operation } = context
  const client = context.options
  const servers = serversOf(context)
  const server = orInvalid(fail, () => chooseServer(servers, client.server?.toString()))
  const names = secretNames(operation, server)
  const credentials = await readCredentials(client.auth, names, deadline).catch((cause) => {
    if (deadline.ended() !== undefined) throw cause
    throw fail.call('invalid-input', 'the credentials cannot be had', { cause })
  })
  const variables = names.flatMap((name) => client.variables?.[name] ?? [])
  secrets.push(() => [...secretTexts(credentials), ...variables])
  const baseUrl = orInvalid(fail, () =>
    resolveServer(servers, client.server?.toString(), client.variables, textSecrets(credentials)),
  )
  if (!servers.includes(server)) secrets.push(() => addressSecrets(baseUrl))
  return { baseUrl, credentials }
}

const write = async (
  context: CallContext,
  input: AnyInput,
  options: CallOptions,
  { credentials, fail }: { readonly credentials: Credentials; readonly fail: Failures },
): Promise<WrittenRequest> => {
  const { service, operation, validators, why } = context
  const written = await writeRequest(operation, validators, input, {
    credentials,
    limits: service.limits,
    headers: { ...context.options.headers, ...options.headers },
    accept: context.accept,
    checks: isChecked(context, options, 'input'),
    explain: explainBy(operation.id, 'strict', why),
  })
  if ('faults' in written)
    throw fail.call('invalid-input', 'the input does not fit', { faults: written.faults })
  return written.request
}

const repeat = async (
  context: CallContext,
  options: CallOptions,
  prepared: Prepared,
  running: Running,
): Promise<ReadResponse> => {
  const { operation } = context
  const { deadline } = running
  const retry = { ...context.options.retry, ...options.retry }
  const clock = { ...clockOf(context.options), ...options.retry?.clock }
  // A stream is spent by its first sending.
  const repeatable =
    operation.idempotent === true && !(prepared.request.body instanceof ReadableStream)
  const waitAfter = (attempt: number, retryAfter: string | null): number | undefined => {
    const wait = repeatable ? waitBefore(attempt + 1, retryAfter, retry, clock) : undefined
    return wait !== undefined && wait < deadline.remaining() ? wait : undefined
  }
  for (let attempt = 1; ; attempt += 1) {
    const again = attempt > 1
    const once = again ? { ...prepared, tried: undefined } : prepared
    const outcome = await tryOnce(context, options, once, running)
    if (!(outcome instanceof CallError) && !BUSY.has(outcome.status)) return outcome
    const wait =
      outcome instanceof CallError
        ? waitAfter(attempt, null)
        : waitAfter(attempt, outcome.headers.get('retry-after'))
    if (wait === undefined && outcome instanceof CallError) throw outcome
    if (wait === undefined) return outcome as ReadResponse
    await deadline.race(clock.sleep(wait, deadline.signal))
  }
}

export const clockOf = ({ retry, clock }: HttpOptions): Clock => ({
  ...systemClock,
  ...retry?.clock,
  ...clock,
})

/** Too many requests, and unavailable for now: the statuses that `Retry-After` was made for. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

/** An answer, or the failure of the network as a value: every other failure is thrown. */
const tryOnce = async (
  context: CallContext,
  options: CallOptions,
  prepared: Prepared,
  { deadline, fail }: Running,
): Promise<ReadResponse | CallError> => {
  const { operation, validators, why } = context
  const { baseUrl, request, tried } = prepared
  const how = {
    variant: request.variant,
    checks: isChecked(context, options, 'answer'),
    fail,
    explain: explainBy(operation.id, 'open', why),
  }
  const first =
    tried ?? (isPlain(request) ? await attempt(context, options, prepared, deadline) : undefined)
  if (first !== undefined && 'error' in first) return first
  let sent = first?.sent ?? false
  try {
    if (first !== undefined && 'cause' in first) throw first.cause
    const answered = first?.answered
    const onSent = () => {
      sent = true
    }
    const asked = { baseUrl, request, deadline, answered, onSent }
    const raw = answered?.ok
      ? Promise.resolve({ response: answered })
      : ask(operation, context.transport, asked)
    const read = raw.then((one) => readResponse(operation, validators, one, how))
    return await deadline.race(read)
  } catch (cause) {
    if (cause instanceof CallError || deadline.ended() !== undefined) throw cause
    if (!sent) throw fail.call('invalid-input', 'no request can be made of the input', { cause })
    return fail.call('network', `no answer: ${messageOf(cause)}`, { cause })
  }
}

/** What needs nothing that openapi-fetch does: text, and headers that are text. */
const isPlain = ({ body, headers }: WrittenRequest): boolean =>
  (body === undefined || typeof body === 'string') &&
  Object.values(headers).every((value) => typeof value === 'string')

const secretNames = (operation: HttpOperation, server: Server): readonly string[] => [
  ...operation.parameters.filter((parameter) => parameter.secret === true).map(({ name }) => name),
  ...operation.security.flat(),
  ...secretVariables(server),
]

/** What a message must not tell, found out when there is one; of values as they are now. */
type Secrets = () => readonly string[]

const givenSecrets = (operation: HttpOperation, input: AnyInput): Secrets => {
  const values = operation.parameters
    .filter((parameter) => parameter.secret === true)
    .map((parameter) => input[parameter.in]?.[parameter.name])
  return () =>
    values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String)
}

/** What the caller wrote into an address or a header of their own. */
const optionSecrets = (context: CallContext, options: CallOptions): Secrets => {
  const client = context.options
  const url = client.server?.toString() ?? ''
  const headers = [client.headers, options.headers].flatMap((given) => Object.entries(given ?? {}))
  return () => {
    const servers = serversOf(context)
    const paths = servers.map((server) => server.url.replace(/^[^/]*\/\/[^/]*/, ''))
    return [...urlSecrets(url, servers, paths), ...headerSecrets(headers)]
  }
}

const orInvalid = <T>(fail: Failures, work: () => T): T => {
  try {
    return work()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw fail.call('invalid-input', message, { cause: error })
  }
}
