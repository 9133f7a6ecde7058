import { CallError } from '../errors.js'
import { chooseServer } from '../ground/choose-server.js'
import { type Deadline, startDeadline } from '../ground/deadline.js'
import type { Clock } from '../ground/retry.js'
import type { Why } from '../ground/why.js'
import type { HttpOperation, Server } from '../operation.js'
import type { RawAnswer, ReadAnswer } from './answer.js'
import type { CallOptions, Validation } from './call.js'
import type { HttpOptions, HttpService } from './options.js'
import { ordinaryAnswer } from './ordinary-answer.js'
import { fillPath, ordinaryRequest } from './ordinary-request.js'
import type { AnyInput, HttpChecks, WrittenRequest } from './request.js'

/**
 * One call, from input to read answer. What is ordinary is done here; for all else `careful.ts` is loaded, which goes on
 * where this has come to. Throws a CallError that holds no secret; an answer that says no is returned with its `error`.
 */
export const sendCall = async (
  context: CallContext,
  input: AnyInput = {},
  options: CallOptions = {},
): Promise<ReadAnswer> => {
  const { operation, validators, clock } = context
  const timeout = options.timeout ?? context.options.timeout ?? 60_000
  const deadline = startDeadline({ signal: options.signal, timeout, now: clock.now })
  try {
    const prepared = prepare(context, input, options)
    let tried: Tried | undefined
    if (prepared !== undefined) {
      const { request } = prepared
      let sent = false
      const onSent = () => {
        sent = true
      }
      const how = { form: request.form, checks: checksOf(context, options).answer }
      try {
        const work = ask(context, { ...prepared, deadline, sent: onSent }).then(async (raw) => {
          const read = await ordinaryAnswer(operation, validators, raw.response, how)
          return 'error' in read ? read : { ...raw, response: read }
        })
        const outcome = await deadline.race(work)
        if ('status' in outcome) return outcome
        tried = { request, sent, raw: outcome }
      } catch (cause) {
        tried = { request, sent, cause }
      }
    }
    const { sendCarefully } = await import('./careful.js').catch((cause) => {
      const message = `${operation.id}: failed, and what tells why cannot be loaded`
      const reason = deadline.ended() ?? 'network'
      throw new CallError({ reason, operation: operation.id, message }, { cause })
    })
    return await sendCarefully(context, input, options, { deadline, timeout, tried })
  } finally {
    deadline.end()
  }
}

/** What one operation's calls need, client and document together. */
export type CallContext = {
  readonly service: HttpService
  readonly operation: HttpOperation
  readonly validators: HttpChecks | undefined
  readonly why: Why | undefined
  readonly options: HttpOptions
  readonly request: Requester
  readonly clock: Clock
  /** What every call of the operation accepts, and the media type that it sends JSON as. */
  readonly accept: string
  readonly json: string | undefined
}

/** A first attempt: what was sent, and what came of it. */
export type Tried = {
  readonly request: WrittenRequest
  readonly sent: boolean
} & ({ readonly raw: RawAnswer } | { readonly raw?: never; readonly cause: unknown })

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

/** Sends a written request. */
export const ask = (
  { operation, request: send }: CallContext,
  { baseUrl, request, deadline, sent }: Asked,
): Promise<RawAnswer> =>
  send(operation.method, operation.path, {
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
    sent,
  })

type Asked = {
  readonly baseUrl: string
  readonly request: WrittenRequest
  readonly deadline: Deadline
  readonly sent: () => void
}

/** Undefined where something is not ordinary, or wrong. */
const prepare = (context: CallContext, input: AnyInput, options: CallOptions) => {
  const { operation, service, validators, accept, json } = context
  const { server, auth = {} } = context.options
  const credentials: Record<string, string> = {}
  for (const { name, secret } of operation.parameters) {
    const given: unknown = secret === true && Object.hasOwn(auth, name) ? auth[name] : undefined
    if (typeof given === 'function') return undefined
    if (typeof given === 'string') credentials[name] = given
  }
  try {
    const { url } = chooseServer(serversOf(context), server?.toString())
    if (url.includes('{') || url.startsWith('/') || !URL.canParse(url)) return undefined
    const headers = headersOf(context, options)
    const { limits } = service
    const settings = { limits, headers, checks: checksOf(context, options).input }
    const own = { ...settings, credentials, accept, json }
    const request = ordinaryRequest(operation, validators, input, own)
    return request && { baseUrl: url.replace(/\/+$/, ''), request }
  } catch {
    // It is told by the careful way, which comes to the same.
    return undefined
  }
}

export const serversOf = ({ operation, service }: CallContext): readonly Server[] =>
  operation.servers.length > 0 ? operation.servers : service.servers

export const checksOf = (
  { options: { validate } }: CallContext,
  options: CallOptions,
): Required<{ readonly [Key in keyof Validation]: boolean }> => ({
  input: options.validate?.input ?? validate?.input ?? true,
  answer: options.validate?.answer ?? validate?.answer ?? true,
})

export const headersOf = (
  { options: { headers } }: CallContext,
  options: CallOptions,
): Readonly<Record<string, string>> => ({ ...headers, ...options.headers })
