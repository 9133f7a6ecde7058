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
import {
  createRunningCalls,
  operationNamed,
  type ProgressEnd,
  progressSender,
} from './running-calls.js'

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
export type ServerMethodContext = {
  readonly operation: RpcOperation
  /** Of a request: aborted when the server cancels it (`x-cancel`), and when the connection ends. */
  readonly signal: AbortSignal
}

/** The member of a handler's context in documents with `x-progress`. */
export type ProgressContext<Value> = {
  /**
   * Sends the progress of the request, if it has a token; otherwise nothing. Resolves when it was sent, and never rejects: an
   * invalid value is reported as an error of the handler is.
   */
  readonly progress: (value: Value) => Promise<void>
}

/**
 * Handles a notification or a request of the server. Params by position are a list, also if the server sent their names. A
 * request is responded to with the result; throw an RpcError to send an error.
 */
export type ServerMethodHandler<M extends { readonly params: unknown }, More = unknown> = (
  params: M['params'],
  context: ServerMethodContext & More,
) => M extends { readonly result: infer Result } ? Result | Promise<Result> : unknown

/**
 * Creates the side of a client that the server calls. Messages are validated as responses are, and are handled in their order. A
 * notification without a handler is reported to `onWarning`; a request without one gets the error -32601. Generated clients of
 * documents in which the server sends methods pass it to `createRpc`. Throws a TypeError for a handler of another method.
 */
export const serveHandlers = (
  service: RpcService,
  validators: object,
  settings: ClientSettings,
  passed: object = {},
  secrets: () => readonly string[] = () => [],
): IncomingSide => {
  const { sent = {}, cancel, progress } = service
  const handlers: Readonly<Record<string, unknown>> = { ...passed }
  const { onWarning } = settings.options
  const redact = (): Redact => redactor(secrets())
  const isChecked = settings.validate.response !== 'off' || settings.validate.request !== 'off'
  const methodOf = (operation: RpcOperation): RpcMethod => {
    const checks = isChecked ? validatorsFor<RpcChecks>(validators, operation.id) : {}
    return { operation, checks }
  }
  const methods = new Map(Object.values(sent).map((one) => [one.method, methodOf(one)]))
  const progressOperation = operationNamed(service.operations, progress?.notification)
  const ownProgress = progressOperation && methodOf(progressOperation)
  const running = createRunningCalls(service)
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
  let count = 0
  /** Set while params are explained: later messages wait for them. */
  let waiting: Promise<void> | undefined

  /** The text of the response to a request; undefined for a notification. */
  const handle = async (
    { id, method }: IncomingCall,
    found: RpcMethod,
    { value, error }: SentParams,
    send: IncomingText['send'],
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
    const call = running.begin(isCall ? JSON.stringify(id) : undefined)
    const end: ProgressEnd = {
      notification: ownProgress?.operation,
      accepts: (params) =>
        settings.validate.request === 'off' || ownProgress?.checks.params?.check(params) !== false,
      send,
      report: (thrown) => reportThrown(settings, thrown, method),
    }
    const context = {
      operation,
      signal: call.signal,
      ...(progress && {
        progress: progressSender(progress, end, { operation, params: value, call }),
      }),
    }
    try {
      const result = (await handler(value, context)) ?? null
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
      const error = thrown instanceof RpcError ? thrown : call.cancelled()
      if (isCall && error) return fail(error.code, error.message, error.data)
      await reportThrown(settings, thrown, method)
      return isCall ? fail(-32603, 'Internal error') : undefined
    } finally {
      call.end()
    }
  }

  const serveOne = (
    call: IncomingCall,
    send: IncomingText['send'],
    read: () => ReturnType<typeof readSentParams>,
  ): Promise<string | undefined> | string | undefined => {
    const { id, method, params: raw } = call
    const found = methods.get(method)
    const listener = listeners.get(method)
    const hasHandler = found !== undefined && handlers[found.operation.id] !== undefined
    const ignore = (): undefined => {
      if (id === undefined) void onWarning?.(unmatched(method, 'a call of the server'))
    }
    const use = (sentParams: SentParams): Promise<string | undefined> | undefined => {
      const pass = () => (hasHandler ? handle(call, found, sentParams, send) : ignore())
      if (!listener || id !== undefined) return pass()
      listener(sentParams, () => void pass())
      return undefined
    }
    if (!(hasHandler || (listener && id === undefined)))
      return id === undefined ? ignore() : notFoundText(id)
    const params = read()
    if (waiting === undefined && !(params instanceof Promise))
      return use({ raw, value: params.value })
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
    if (count >= MOST_RUNNING) {
      for (const { id, method } of calls)
        if (id === undefined)
          void onWarning?.(unmatched(method, 'one call of too many of the server'))
        else void send(busyText(id)).catch(() => undefined)
      return
    }
    count += calls.length
    try {
      const marked = createMarkedReader(text)
      const all = calls.map((call, index) =>
        serveOne(call, send, () =>
          readParams(settings, methods.get(call.method), call, redact, () => {
            const whole = marked()
            const own = isBatch
              ? (whole?.value as readonly unknown[] | undefined)?.[index]
              : whole?.value
            return whole && { value: Object(own).params, mark: whole.mark }
          }),
        ),
      )
      // Items of subscriptions are many, and each promise costs.
      const pending = all.filter((one) => one !== undefined)
      if (pending.length === 0) return
      const responses = (await Promise.all(pending)).filter((one) => one !== undefined)
      if (responses.length > 0) await send(isBatch ? `[${responses.join()}]` : responses.join())
    } catch {
      // The connection ended, so nobody waits for the response.
    } finally {
      count -= calls.length
    }
  }

  const cancelling = operationNamed(sent, cancel?.notification)
  if (cancelling)
    listeners.set(cancelling.method, (message, ignore) => {
      if (message.error === undefined) running.cancel(cancelling, message.value)
      // Its own handler is called as well.
      if (message.error !== undefined || handlers[cancelling.id] !== undefined) ignore()
    })

  return {
    serve: (calls, text) => void serve(calls, text),
    ended: () => {
      running.endAll(new DOMException('The connection ended', 'AbortError'))
      for (const one of onEnd) one()
    },
    listeners,
    onEnd,
  }
}

/** Reports what a function of the caller threw. */
export const reportThrown = async (
  { options: { onError } }: ClientSettings,
  thrown: unknown,
  method: string,
): Promise<void> => {
  if (onError === undefined) console.error(thrown)
  else await runHooks(onError, 'out', thrown, method)
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
