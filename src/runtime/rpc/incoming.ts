import type { ClientSettings } from '../client-options.js'
import { RpcError } from '../errors.js'
import type { RpcOperation } from '../operation.js'
import { createMarkedReader, readBigints } from '../shared/bigints.js'
import { runHooks } from '../shared/hooks.js'
import { type Redact, redactor } from '../shared/redact.js'
import { shapedParams } from '../shared/sent-params.js'
import { validatorsFor } from '../shared/validators.js'
import { type RpcChecks, type RpcMethod, type RpcService, readSentParams } from './call.js'
import {
  type Incoming,
  type IncomingCall,
  type IncomingText,
  notFoundText,
  unmatched,
} from './duplex.js'
import { callError } from './match.js'

/** Receives the params of one method before its handler does, which gets those that the listener ignores. */
export type Listener = (sent: SentParams, ignore: () => void) => void

/** The params of a message of the server: validated, or with the error that rejects them. */
export type SentParams = {
  readonly raw: unknown
  readonly value?: unknown
  readonly error?: unknown
}

/** The side of a client that the server calls, and its listeners. */
export type IncomingSide = Incoming & {
  /** By method, of notifications. */
  readonly listeners: Map<string, Listener>
  /** Called when a connection ends. */
  readonly onEnd: Set<() => void>
}

/** The context of a handler of what the server sends. */
export type ServerMethodContext = { readonly operation: RpcOperation }

/**
 * Handles a notification or a request of the server. Params by position are a list, also if the server sent their names. A
 * request is responded to with the result; throw an RpcError to send an error.
 */
export type ServerMethodHandler<M extends { readonly params: unknown }> = (
  params: M['params'],
  context: ServerMethodContext,
) => M extends { readonly result: infer Result } ? Result | Promise<Result> : unknown

/**
 * Creates the side of a client that the server calls. Messages are validated as responses are, and are handled in their order. A
 * notification without a handler is reported to `onWarning`; a request without one gets the error -32601. Generated clients of
 * documents in which the server sends methods pass it to `createRpc`. Throws a TypeError for a handler of another method.
 */
export const serveHandlers = (
  { sent = {} }: RpcService,
  validators: object,
  settings: ClientSettings,
  handlers: Readonly<Record<string, unknown>> = {},
  secrets: () => readonly string[] = () => [],
): IncomingSide => {
  const { onWarning, onError } = settings.options
  const redact = (): Redact => redactor(secrets())
  const isChecked = settings.validate.response !== 'off' || settings.validate.request !== 'off'
  const methods = new Map(
    Object.values(sent).map((operation): [string, RpcMethod] => {
      const checks = isChecked ? validatorsFor<RpcChecks>(validators, operation.id) : {}
      return [operation.method, { operation, checks }]
    }),
  )
  for (const [id, handler] of Object.entries(handlers)) {
    if (handler === undefined) continue
    if (!Object.hasOwn(sent, id))
      throw new TypeError(
        `options.handlers takes no '${id}'; it takes ${Object.keys(sent).join(', ')}`,
      )
    if (typeof handler !== 'function')
      throw new TypeError(`options.handlers.${id} must be a function`)
  }
  const listeners = new Map<string, Listener>()
  const onEnd = new Set<() => void>()
  let running = 0
  /** Set while params are explained: later messages wait for them. */
  let waiting: Promise<void> | undefined

  /** The text of the response to a request; undefined for a notification. */
  const handle = async (
    { id, method }: IncomingCall,
    found: RpcMethod,
    { value, error }: SentParams,
  ): Promise<string | undefined> => {
    const { operation, checks } = found
    const handler = handlers[operation.id] as (params: unknown, context: object) => unknown
    const isCall = id !== undefined
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
    const fail = (code: number, message: string, data?: unknown): string =>
      `${head}"error":${JSON.stringify({ code, message, data })}}`
    if (error !== undefined) {
      const { message, issues = [] } = Object(error)
      if (isCall) return fail(-32602, 'Invalid params')
      await onWarning?.({ kind: 'response', operation: method, message, issues })
      return undefined
    }
    try {
      const result = (await handler(value, { operation })) ?? null
      if (!isCall) return undefined
      const text = JSON.stringify(result)
      const check = settings.validate.request === 'off' ? undefined : checks.result
      if (check?.check(JSON.parse(text)) === false)
        throw callError(
          { method: found },
          'invalid-input',
          ": the handler's result does not match its schema",
        )
      return `${head}"result":${text}}`
    } catch (thrown) {
      if (isCall && thrown instanceof RpcError)
        return fail(thrown.code, thrown.message, thrown.data)
      if (onError === undefined) console.error(thrown)
      else await runHooks(onError, 'out', thrown, method)
      return isCall ? fail(-32603, 'Internal error') : undefined
    }
  }

  const serveOne = (
    call: IncomingCall,
    read: () => ReturnType<typeof readSentParams>,
  ): Promise<string | undefined> => {
    const { id, method, params: raw } = call
    const found = methods.get(method)
    const listener = listeners.get(method)
    const hasHandler = found !== undefined && handlers[found.operation.id] !== undefined
    const ignore = (): Promise<undefined> => {
      if (id === undefined) void onWarning?.(unmatched(method, 'a call of the server'))
      return Promise.resolve(undefined)
    }
    const use = (sentParams: SentParams): Promise<string | undefined> | undefined => {
      const pass = () => (hasHandler ? handle(call, found, sentParams) : ignore())
      if (!listener || id !== undefined) return pass()
      listener(sentParams, () => void pass())
      return undefined
    }
    if (!(hasHandler || (listener && id === undefined)))
      return id === undefined ? ignore() : Promise.resolve(notFoundText(id))
    const params = read()
    if (waiting === undefined && !(params instanceof Promise))
      return Promise.resolve(use({ raw, value: params.value }))
    const ready = Promise.resolve(params).then(
      (value): SentParams => ({ raw, value: params instanceof Promise ? value : params.value }),
      (error): SentParams => ({ raw, error }),
    )
    let used: Promise<string | undefined> | undefined
    const turn = Promise.all([ready, waiting]).then(([one]) => {
      used = use(one)
      if (waiting === turn) waiting = undefined
    })
    waiting = turn
    return turn.then(() => used)
  }

  const serve = async (
    calls: readonly IncomingCall[],
    { text, isBatch, send }: IncomingText,
  ): Promise<void> => {
    if (running >= MOST_RUNNING) {
      for (const { id, method } of calls)
        if (id === undefined)
          void onWarning?.(unmatched(method, 'one call of too many of the server'))
        else void send(busyText(id)).catch(() => undefined)
      return
    }
    running += calls.length
    try {
      const marked = createMarkedReader(text)
      const all = calls.map((call, index) =>
        serveOne(call, () =>
          readParams(settings, methods.get(call.method), call, redact, () => {
            const whole = marked()
            const own = isBatch
              ? (whole?.value as readonly unknown[] | undefined)?.[index]
              : whole?.value
            return whole && { value: Object(own).params, mark: whole.mark }
          }),
        ),
      )
      const responses = (await Promise.all(all)).filter((one) => one !== undefined)
      if (responses.length > 0) await send(isBatch ? `[${responses.join()}]` : responses.join())
    } catch {
      // The connection ended, so nobody waits for the response.
    } finally {
      running -= calls.length
    }
  }

  return {
    serve: (calls, text) => void serve(calls, text),
    ended: () => {
      for (const one of onEnd) one()
    },
    listeners,
    onEnd,
  }
}

/** Calls of the server that are handled at once. */
const MOST_RUNNING = 1_000

const busyText = (id: unknown): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32005,"message":"Too many calls at once"}}`

/** The params of a call of the server: a list or an object, as the method takes them, with its bigints. */
const readParams = (
  settings: ClientSettings,
  found: RpcMethod | undefined,
  { params: sent }: IncomingCall,
  redact: () => Redact,
  marked: () => { readonly value: unknown; readonly mark: string } | undefined,
): ReturnType<typeof readSentParams> => {
  if (found === undefined) return { value: sent }
  const { operation } = found
  const shaped = shapedParams(operation, sent)
  if (shaped === undefined) return rejectShape(found)
  const { bigints } = operation
  if (bigints?.params === undefined) return readSentParams(settings, found, shaped, redact)
  // Validators know numbers only, so the bigints are read after them.
  const read = readSentParams(settings, found, shaped, redact)
  const exact = (value: unknown): unknown => {
    const whole = marked()
    const source = whole ? shapedParams(operation, whole.value) : value
    return readBigints(source, {
      named: bigints.named,
      places: bigints.params,
      ...(whole && { mark: whole.mark }),
    }).value
  }
  return read instanceof Promise ? read.then(exact) : { value: exact(read.value) }
}

const rejectShape = async (method: RpcMethod): Promise<never> => {
  const by = method.operation.paramStructure === 'by-name' ? 'an object' : 'an array'
  throw callError({ method }, 'invalid-answer', `: the params of the message must be ${by}`)
}
