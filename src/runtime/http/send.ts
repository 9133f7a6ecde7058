import { CallError } from '../ground/call-error.js'
import { chooseServer } from '../ground/choose-server.js'
import { startDeadline } from '../ground/deadline.js'
import { fillTemplate } from '../ground/template.js'
import type { Why } from '../ground/why.js'
import type { HttpOperation, Server } from '../operation.js'
import type { PlainResponse } from '../transport/plain-fetch.js'
import type { ReadAnswer } from './answer.js'
import type { CallOptions, Validation } from './call.js'
import type { HttpOptions, HttpService } from './options.js'
import { ordinaryAnswer } from './ordinary-answer.js'
import { fillPath, ordinaryRequest } from './ordinary-request.js'
import type { AnyInput, HttpChecks, WrittenRequest } from './request.js'
import type { Transport } from './transport.js'

/**
 * One call, from input to read answer. What is ordinary is done here; for all else `careful.ts` is loaded, which goes on
 * where this has come to. Throws a CallError that holds no secret; an answer that says no is returned with its `error`.
 */
export const sendCall = async (
  context: CallContext,
  input: AnyInput = {},
  options: CallOptions = {},
): Promise<ReadAnswer> => {
  const { operation, validators, now } = context
  const timeout = options.timeout ?? context.options.timeout ?? 60_000
  const deadline = startDeadline({ signal: options.signal, timeout, now })
  try {
    const prepared = deadline.ended() ? undefined : prepare(context, input, options)
    let tried: Tried | undefined
    if (prepared !== undefined) {
      const { url, request } = prepared
      const { Request, send } = context.transport
      let sent = false
      try {
        const { method } = operation
        const headers = new Headers(request.headers)
        const made = new Request(url, { method, headers, body: request.body, deadline })
        sent = true
        const how = { form: request.form, checks: checksOf(context, options).answer }
        const work = send(made).then((answer) => ordinaryAnswer(operation, validators, answer, how))
        const answered = await deadline.race(work)
        if ('error' in answered) return answered
        tried = { request, sent, answered }
      } catch (cause) {
        tried = { request, sent, cause }
      }
    }
    const { rest } = await import('./rest.js').catch((cause) => {
      const message = `${operation.id}: failed, and what tells why cannot be loaded`
      const reason = deadline.ended() ?? 'network'
      throw new CallError({ reason, operation: operation.id, message }, { cause })
    })
    return await rest.sendCarefully(context, input, options, { deadline, timeout, tried })
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
  readonly transport: Transport
  /** Milliseconds since 1970, where it is not the system that tells. */
  readonly now: (() => number) | undefined
  /** What every call of the operation accepts, and the media type that it sends JSON as. */
  readonly accept: string
  readonly json: string | undefined
}

/** A first attempt: what was sent, and what came of it. */
export type Tried = {
  readonly request: WrittenRequest
  readonly sent: boolean
} & ({ readonly answered: PlainResponse } | { readonly answered?: never; readonly cause: unknown })

/** Undefined where something is not ordinary, or wrong. */
const prepare = (context: CallContext, input: AnyInput, options: CallOptions) => {
  const { operation, service, validators, accept, json } = context
  const { server, auth = {} } = context.options
  try {
    const url = fillServer(chooseServer(serversOf(context), server?.toString()), context.options)
    if (url.includes('{') || !URL.canParse(url)) return undefined
    const headers = headersOf(context, options)
    const { limits } = service
    const settings = { limits, headers, checks: checksOf(context, options).input }
    const own = { ...settings, auth, accept, json }
    const request = ordinaryRequest(operation, validators, input, own)
    if (request === undefined) return undefined
    const { query } = request
    const path = `${url.replace(/\/+$/, '')}${fillPath(operation.path, request.path)}`
    return { url: query === '' ? path : `${path}?${query}`, request }
  } catch {
    // It is told by the careful way, which comes to the same.
    return undefined
  }
}

/** With what is no secret in its place; what remains in braces is left to the careful way. */
const fillServer = (server: Server, { variables = {} }: HttpOptions): string =>
  fillTemplate(server.url, (name, whole) => {
    const declared = server.variables[name]
    const value = variables[name] ?? declared?.default
    const isPlain = declared?.secret !== true && declared?.enum?.includes(value ?? '') !== false
    return isPlain && declared !== undefined && typeof value === 'string' ? value : whole
  })

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
