import type { HttpOperation, HttpValidators } from './operation.js'
import { createPolicy, handlerContext, type ServerCall } from './server/call.js'
import { toFetchHandler } from './server/fetch-handler.js'
import type { Context, HttpInput, HttpReply } from './server/handlers.js'
import { type Input, rejectHttp } from './server/http.js'
import { checkReply, encodeReply, type LooseReply, withoutBody } from './server/reply.js'
import {
  headerRecord,
  type RequestRejection,
  readBody,
  type ServerCore,
  type ServerReply,
  type ServerRequest,
} from './server/request.js'
import { createUploads } from './server/uploads.js'
import type { ValueCodecs } from './shared/codecs.js'
import type { Fault } from './validate.js'
import { createSignatureCheck, type SignatureOptions } from './webhooks/signature.js'
import { readSent, readStrictly, type SentReading } from './webhooks/tolerance.js'
import { type HeaderRecord, headerOf } from './wire/headers.js'
import { readCookies } from './wire/parameters.js'
import { readQuery } from './wire/readings.js'
import { splitUrl } from './wire/routes.js'
import { isSuccessKey } from './wire/status.js'

export { toNodeListener } from './server/node-listener.js'
export type { SignedRequest, VerifySignature } from './webhooks/signature.js'

/**
 * Creates the receiver of the webhooks and callbacks of a service. It checks the signature, validates the payload, calls the
 * handler and writes one of the declared responses. Throws a TypeError for options without a check, and for unknown handlers.
 *
 * ```ts
 * const webhooks = createWebhooks({ orderPaid: (order) => ship(order.id) }, { secret })
 * export default { fetch: (request: Request) => webhooks.handle(request) }
 * ```
 */
export const createWebhookReceiver = (
  { webhooks, codecs = {} }: WebhookService,
  handlers: AnyWebhookHandlers,
  options: WebhookOptions,
): Webhooks => {
  const check = createSignatureCheck(options)
  const policy = createPolicy(
    {
      ...(options.onError && { onError: options.onError }),
      ...(options.payloadBytes !== undefined && { payloadBytes: options.payloadBytes }),
    },
    [],
    codecs,
  )
  const { now = Date.now, onUnhandled = warnOnce(), onWarning } = options
  const read = options.validate === 'strict' ? readStrictly : readSent
  const auth = Object.fromEntries([options.secret ?? []].flat().map((one, at) => [`${at}`, one]))
  const all = Object.entries(webhooks).map(([id, record]) => webhookOf(id, record, handlers))
  assertKnown(handlers, all)
  const reject = (rejection: RequestRejection, one?: Webhook): ServerReply =>
    rejectHttp(rejection, one?.operation, one?.validators, auth, policy)

  const receive = async (request: ServerRequest, name: string | undefined) => {
    const named = all.filter((one) => name === undefined || one.id === name || one.name === name)
    if (named.length === 0) return reject(NOT_FOUND)
    const candidates = named.filter(({ operation }) => operation.method === request.method)
    if (candidates.length === 0) {
      const allow = [...new Set(named.map(({ operation }) => operation.method))].join(', ')
      return reject({ status: 405, message: 'Method not allowed', headers: { allow } })
    }
    const headers = headerRecord(request.headers)
    const sent = await readBody(request, headers, policy.payloadBytes)
    if (sent.rejection) return reject(sent.rejection)
    const body = new Uint8Array(sent.value)
    const signed = { headers: headersOf(headers), body, now: now() }
    const invalid = await check(signed).catch((error: unknown) => {
      policy.report(error, undefined, auth, request.state)
      return 'The signature is not valid'
    })
    if (invalid !== undefined) return reject({ status: 401, message: invalid })
    const [, query] = splitUrl(request.url)
    const { remoteAddress, state } = request
    const call: ServerCall = {
      ...{ request: { ...request, body }, headers, path: {}, query, remoteAddress, state },
      signal: undefined,
    }
    return answer(candidates, call)
  }

  const answer = async (candidates: readonly Webhook[], call: ServerCall): Promise<ServerReply> => {
    const [only, ...others] = candidates
    if (only?.handler === undefined && only && others.length === 0) return unhandled(only)
    const uploads = createUploads(policy.uploads)
    const { headers, query } = call
    const wire = { path: {}, query: readQuery(query), headers, cookies: readCookies(headers) }
    try {
      const readings: Reading[] = []
      for (const one of candidates) {
        const own = await read(one.operation, one.validators, { call, policy, uploads }, wire)
        readings.push({ ...own, one })
      }
      const chosen = choose(readings)
      if ('rejection' in chosen) {
        const { rejection, one } = chosen
        if (rejection.error) policy.report(rejection.error, undefined, auth, call.state)
        return reject(rejection, one)
      }
      return await answerOne(chosen, call)
    } catch (error) {
      policy.report(error, only?.operation, auth, call.state)
      return reject({ status: 500, message: 'Internal error' })
    } finally {
      await uploads.release()
    }
  }

  const unhandled = ({ id, operation }: Webhook): ServerReply => {
    onUnhandled(id)
    return encodeReply(emptyReply(operation), operation, codecs)
  }

  const answerOne = async (
    { one, input, warnings }: Chosen,
    call: ServerCall,
  ): Promise<ServerReply> => {
    const { id, name, operation, validators, handler } = one
    if (warnings.length > 0) onWarning?.({ webhook: id, issues: warnings })
    if (handler === undefined) return unhandled(one)
    try {
      const { body, header, query, cookie } = input
      const { auth: _, ...rest } = handlerContext(operation, call, {})
      const context = Object.assign(rest, { name, parameters: { header, query, cookie } })
      const replied = await handler(body, context)
      const reply = encodeReply(replied ?? emptyReply(operation), operation, codecs)
      const fault =
        replied !== undefined &&
        policy.validateOutput &&
        checkReply(reply, operation, validators, undefined, codecs)
      if (fault) throw fault
      return withoutBody(operation.method, reply)
    } catch (error) {
      policy.report(error, operation, auth, call.state)
      return reject({ status: 500, message: 'Internal error' }, one)
    }
  }

  const core = (name?: string): ServerCore => ({ handle: (request) => receive(request, name) })
  return {
    core,
    handle: async (request, name) => {
      if (request.bodyUsed)
        throw new TypeError(
          'The body of the request was already read: call handle before anything parses it',
        )
      return toFetchHandler(core(name))(request)
    },
  }
}

export type Webhooks = {
  /**
   * Receives a request whose body nobody has read. `name` is the webhook, as in the document or in `WebhookHandlers`; without it,
   * it is the one whose schema accepts the payload. The response is 401 for a signature, 400 for a payload, 500 if a handler fails.
   */
  readonly handle: (request: Request, name?: string) => Promise<Response>
  /** The same for adapters: `createServer(toNodeListener(webhooks.core()))`. */
  readonly core: (name?: string) => ServerCore
}

/** `secret` is required, unless the scheme is a function or `none`. */
export type WebhookOptions = SignatureOptions & {
  /**
   * `tolerant`, the default: unknown properties are ignored, and the differences that clients accept in responses are reported to
   * `onWarning`. `strict`: every difference from the document is a 400.
   */
  readonly validate?: 'tolerant' | 'strict' | undefined
  /** The maximum number of bytes of a body; 1,048,576 by default. */
  readonly payloadBytes?: number | undefined
  /** Called with the errors of handlers and of signature checks, without secrets; by default `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Called for a payload that differs from the document and is passed to its handler nevertheless. */
  readonly onWarning?: ((warning: WebhookWarning) => void) | undefined
  /** Called for a webhook without a handler, which is accepted; by default `console.warn`, once for each. */
  readonly onUnhandled?: ((webhook: string) => void) | undefined
  /** The current time in milliseconds since 1970, for tests. */
  readonly now?: (() => number) | undefined
}

export type WebhookWarning = { readonly webhook: string; readonly issues: readonly Fault[] }

/** The data that generated `webhooks.ts` passes to `createWebhookReceiver`, by id. */
export type WebhookService = {
  readonly webhooks: Readonly<Record<string, WebhookRecord>>
  /** The codecs of bodies that are neither JSON, text, bytes nor forms. */
  readonly codecs?: ValueCodecs
}

export type WebhookRecord = Pick<
  HttpOperation,
  'method' | 'parameters' | 'body' | 'responses' | 'bigints'
> & {
  /** As in the document: `order.paid`. */
  readonly name: string
  readonly validators: HttpValidators
}

/**
 * Handles the requests of one webhook. Without a result, the response is the first declared 2xx, else 204; an error leads to a 500.
 * `O` has the shape of an operation of openapi-typescript.
 */
export type WebhookHandler<O, Payload = WebhookPayload<O>> = (
  payload: Payload,
  context: WebhookContext<O>,
) => Handled<O> | Promise<Handled<O>>

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing has this type
type Handled<O> = HttpReply<O> | undefined | void

/** The body of a request as a handler gets it. */
export type WebhookPayload<O> = HttpInput<O>['body']

export type WebhookContext<O> = Omit<Context, 'auth'> & {
  /** As in the document. */
  readonly name: string
  /** The declared parameters, validated. */
  readonly parameters: Pick<HttpInput<O>, 'header' | 'query' | 'cookie'>
}

type AnyWebhookHandlers = Readonly<Record<string, AnyWebhookHandler | undefined>>

type AnyWebhookHandler = (payload: never, context: never) => unknown

type Webhook = {
  readonly id: string
  readonly name: string
  readonly operation: HttpOperation
  readonly validators: HttpValidators
  readonly handler:
    | ((payload: unknown, context: object) => Promise<LooseReply | undefined>)
    | undefined
}

const headersOf = (headers: HeaderRecord): Headers => {
  const pairs = Object.keys(headers).map((name): [string, string | undefined] => [
    name,
    headerOf(headers, name),
  ])
  return new Headers(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

const webhookOf = (
  id: string,
  { name, validators, ...record }: WebhookRecord,
  handlers: AnyWebhookHandlers,
): Webhook => {
  const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined
  if (handler !== undefined && typeof handler !== 'function')
    throw new TypeError(`The handler of ${id} must be a function`)
  return {
    ...{ id, name, validators },
    operation: { kind: 'http', id, path: '', servers: [], security: [], schemes: {}, ...record },
    // The generated types of the handlers guarantee this cast.
    handler:
      handler &&
      (async (payload, context) =>
        (handler as (...given: unknown[]) => LooseReply | undefined)(payload, context)),
  }
}

const assertKnown = (handlers: AnyWebhookHandlers, all: readonly Webhook[]): void => {
  const unknown = Object.keys(handlers).find((name) => all.every(({ id }) => id !== name))
  if (unknown !== undefined)
    throw new TypeError(
      `There is no webhook ${unknown}: handlers are for ${all.map(({ id }) => id).join(', ')}`,
    )
}

type Reading = SentReading & { readonly one: Webhook }

type Chosen = {
  readonly one: Webhook
  readonly input: Input
  readonly warnings: readonly Fault[]
}

/**
 * The webhook whose schema accepts a payload with the fewest differences. Without any, and for several, the rejection of the
 * request; that of several has an error for the developer, who can pass the name.
 */
const choose = (
  readings: readonly Reading[],
):
  | Chosen
  | {
      readonly rejection: RequestRejection & { readonly error?: Error }
      readonly one?: Webhook
    } => {
  const accepted = readings.flatMap(({ one, read, warnings, distance }) =>
    read.rejection ? [] : [{ one, input: read.value, warnings, distance }],
  )
  const least = Math.min(...accepted.map(({ distance }) => distance))
  const [chosen, ...others] = accepted.filter(({ distance }) => distance === least)
  if (chosen && others.length === 0) return chosen
  if (chosen) {
    const names = [chosen, ...others].map(({ one }) => one.id).join(', ')
    const message = `The payload matches several webhooks: ${names}`
    const error = new TypeError(`${message}; pass the name of the webhook to handle`)
    return { rejection: { status: 400, message, error } }
  }
  const rejections = readings.flatMap(({ one, read }) =>
    read.rejection ? [{ rejection: read.rejection, one }] : [],
  )
  const [first, ...more] = rejections
  const isShared = more.every(({ rejection }) => rejection.status === first?.rejection.status)
  // What is wrong with the body itself, such as its media type, is wrong for each of them.
  if (first && isShared && (more.length === 0 || first.rejection.cause !== undefined)) return first
  return { rejection: { status: 400, message: 'The payload matches no webhook of the document' } }
}

/** The response without a body: the first declared 2xx, those without content before others; 204 without any. */
const emptyReply = ({ responses }: HttpOperation): LooseReply => {
  const successes = responses.filter(({ status }) => isSuccessKey(status))
  const { status = '204' } =
    successes.find(({ content }) => content.length === 0) ?? successes[0] ?? {}
  return { status: status === '2XX' ? 204 : Number(status) }
}

const warnOnce = (): ((webhook: string) => void) => {
  const seen = new Set<string>()
  return (webhook) => {
    if (seen.has(webhook)) return
    seen.add(webhook)
    console.warn(`The webhook ${webhook} has no handler: it is accepted and ignored`)
  }
}

const NOT_FOUND: RequestRejection = { status: 404, message: 'Not found' }
