import type { ClientSettings } from '../client-options.js'
import { CallError } from '../errors.js'
import type { RpcOperation } from '../operation.js'
import { cached } from '../shared/cached.js'
import { createQueue, type Queue } from '../shared/queue.js'
import { redactor } from '../shared/redact.js'
import { backOff } from '../shared/retry.js'
import { readerAtParams, variantOf } from '../shared/sent-params.js'
import { listedParams, type RpcMethod, readSentItem } from './call.js'
import type { Intersection, MethodType } from './caller.js'
import { unmatched } from './duplex.js'
import type { IncomingSide, SentParams } from './incoming.js'
import { callError } from './match.js'

/** A method with `x-subscription` as a function. Its last argument, after all params, has the options. */
export type Subscribe<M extends MethodType, Item> = M['params'] extends readonly unknown[]
  ? (
      ...args: [...params: M['params'], options?: SubscribeOptions | undefined]
    ) => AsyncIterableIterator<Item>
  : (params: M['params'], options?: SubscribeOptions) => AsyncIterableIterator<Item>

/** A method with `x-variants` as such a function: the variant of the params decides the type of the items. */
export type SubscribeVariants<M extends MethodType, Variants, Item> = Intersection<
  {
    readonly [Name in keyof Variants]: Variants[Name] extends MethodType & {
      readonly item: infer Own
    }
      ? Subscribe<Variants[Name], Own>
      : never
  }[keyof Variants]
> &
  Subscribe<M, Item>

export type SubscribeOptions = {
  /** Ends the subscription: the loop throws a CallError of the reason `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** The maximum number of items that wait for the loop; 1,000 by default. */
  readonly buffer?: number | undefined
  /** What happens with one more: `error`, the default, ends the loop with a CallError; `drop-oldest` drops the oldest one. */
  readonly overflow?: 'error' | 'drop-oldest' | undefined
  /** Called between the items between which others may be missing. */
  readonly onGap?: ((gap: SubscriptionGap) => void) | undefined
  /** How often a broken subscription is renewed in succession before the loop throws; 10 by default. */
  readonly attempts?: number | undefined
}

/** Items that may be missing, because the connection broke, or that were dropped, because the buffer was full. */
export type SubscriptionGap =
  | { readonly reason: 'reconnect' }
  | { readonly reason: 'overflow'; readonly dropped: number }

type Call = (method: RpcMethod, params: unknown) => Promise<unknown>

/** One loop over a subscription. */
type Live = {
  /** With the variant of the params. */
  readonly method: RpcMethod
  readonly params: unknown
  readonly options: SubscribeOptions
  readonly call: Call
  readonly waiting: Queue<readonly [item: unknown] | SubscriptionGap>
  /** Items among those that wait. */
  items: number
  dropped: number
  /** Of the id on the current connection. */
  key: string | undefined
  id: unknown
  wasOpen: boolean
  /** The connection of the current id, or of the running call, ended. */
  isStale: boolean
  isOver: boolean
  failure: unknown
  wake: (() => void) | undefined
  reading: Promise<void> | undefined
}

/**
 * Creates the functions of `subscribe`: they subscribe when their loop begins, renew the subscription after each reconnection, and
 * end it when the loop is left. Generated clients of documents with `x-subscription` pass it to `createRpc`. Without a duplex
 * link, `side` is undefined, and each loop throws.
 */
export const createSubscriptions = (
  methods: ReadonlyMap<string, RpcMethod>,
  sent: Readonly<Record<string, RpcOperation>>,
  side: IncomingSide | undefined,
  settings: ClientSettings,
  rootCall: Call,
  secrets: () => readonly string[] = () => [],
): ((call: Call) => Readonly<Record<string, unknown>>) => {
  const { clock, retry, options } = settings
  const sources = sourcesOf(methods, sent)
  const all = new Set<Live>()
  /** Several loops may have one id: some servers respond to equal subscriptions with the same. */
  const byKey = new Map<string, Set<Live>>()
  const ending = new Set<string>()
  let starting = 0
  /** By key. */
  const early = new Map<string, Early[]>()
  let earlyCount = 0

  const keyOf = (operation: RpcOperation, id: unknown): string =>
    `${operation.id} ${JSON.stringify(id)}`

  const register = (live: Live, id: unknown): void => {
    const key = keyOf(live.method.operation, id)
    if (live.wasOpen) live.waiting.push({ reason: 'reconnect' })
    Object.assign(live, { key, id, wasOpen: true })
    byKey.set(key, (byKey.get(key) ?? new Set()).add(live))
  }

  /** Subscribes once. Early notifications are kept until the id is known. */
  const start = async (live: Live): Promise<void> => {
    starting += 1
    live.isStale = false
    try {
      const id = await live.call(live.method, live.params)
      if (!live.isStale) register(live, id)
    } finally {
      starting -= 1
      if (live.key !== undefined) takeEarly(live.key)
      if (starting === 0) for (const key of [...early.keys()]) takeEarly(key)
    }
  }

  const takeEarly = (key: string): void => {
    const found = early.get(key) ?? []
    early.delete(key)
    for (const one of found) {
      if (one.isTaken) continue
      one.isTaken = true
      earlyCount -= 1
      one.take()
    }
  }

  /** Subscribes until it succeeds, or fails for another reason than the connection. Never rejects. */
  const connect = async (live: Live): Promise<void> => {
    const { attempts = 10, signal = NEVER } = live.options
    for (let failures = 1; !live.isOver; failures += 1) {
      try {
        await start(live)
        if (!live.isStale) break
      } catch (error) {
        const isLost = error instanceof CallError && error.reason === 'network'
        if (!(isLost && live.wasOpen) || failures >= attempts) return fail(live, error)
      }
      await clock.sleep(backOff(failures, retry, clock), signal)
    }
    if (live.isOver) await release(live)
    else wake(live)
  }

  const wake = (live: Live): void => {
    live.wake?.()
    live.wake = undefined
  }

  const fail = (live: Live, error: unknown): void => {
    live.failure ??= error
    wake(live)
    void release(live)
  }

  /** Ends the subscription on the server, unless another loop has the same. Never rejects. */
  const release = async (live: Live): Promise<void> => {
    const { key, id, method } = live
    if (key === undefined) return
    live.key = undefined
    const own = byKey.get(key)
    own?.delete(live)
    if (own === undefined || own.size > 0) return
    byKey.delete(key)
    const unsubscribe = methods.get(method.operation.subscription?.unsubscribe ?? '')
    if (!unsubscribe) return
    ending.add(key)
    const { params, paramStructure } = unsubscribe.operation
    const named = () => ({ [params[0]?.name ?? 'id']: id })
    try {
      await rootCall(unsubscribe, paramStructure === 'by-name' ? named() : [id])
    } catch (error) {
      // A connection that ended has no subscriptions.
      const isLost = error instanceof CallError && error.reason === 'network'
      if (!isLost) await options.onWarning?.(unmatched(unsubscribe.operation.method, 'its error'))
    } finally {
      ending.delete(key)
    }
  }

  /** Items are delivered in their order, also after one whose errors are explained. */
  const read = (live: Live, item: unknown): void => {
    const checked = readSentItem(settings, live.method, item, () => redactor(secrets()))
    if (live.reading === undefined && !(checked instanceof Promise)) deliver(live, checked.value)
    else {
      const turn = Promise.all([checked, live.reading]).then(
        ([one]) => deliver(live, checked instanceof Promise ? one : checked.value),
        (error) => fail(live, error),
      )
      const done = turn.finally(() => {
        if (live.reading === done) live.reading = undefined
      })
      live.reading = done
    }
  }

  const deliver = (live: Live, item: unknown): void => {
    if (live.isOver || live.failure !== undefined) return
    const { buffer = 1_000, overflow = 'error' } = live.options
    if (live.items >= buffer && overflow === 'error') {
      const text = `: more than ${buffer} items wait for the loop: read faster, or set buffer or overflow`
      fail(live, callError(live, 'overflow', text))
    } else {
      live.waiting.push([item])
      live.items += 1
      if (live.items > buffer) dropOldest(live)
      wake(live)
    }
  }

  const receive = (method: string, message: SentParams, ignore: () => void): void => {
    const keys: string[] = []
    for (const { operation, idIn, itemIn } of sources.get(method) ?? []) {
      const key = keyOf(operation, idIn(message.raw))
      const lives = byKey.get(key)
      for (const live of lives ?? [])
        if (message.error === undefined) read(live, itemIn(message.value))
        else fail(live, message.error)
      if (lives || ending.has(key)) return
      keys.push(key)
    }
    if (starting === 0 || earlyCount >= MOST_EARLY) ignore()
    else {
      const one: Early = { take: () => receive(method, message, ignore), isTaken: false }
      earlyCount += 1
      for (const key of keys) cached(early, key, (): Early[] => []).push(one)
    }
  }

  const ended = (): void => {
    early.clear()
    earlyCount = 0
    ending.clear()
    for (const live of all) {
      live.isStale = true
      if (live.key === undefined) continue
      byKey.delete(live.key)
      live.key = undefined
      void connect(live)
    }
  }

  side?.onEnd.add(ended)
  for (const method of sources.keys())
    side?.listeners.set(method, (message, ignore) => receive(method, message, ignore))

  /** The loops that a signal ends. It has one listener for all: Node warns of more than ten. */
  const bySignal = new WeakMap<EventTarget, Set<Live>>()

  const listen = (live: Live, signal: AbortSignal): void => {
    const own = cached(bySignal, signal, () => new Set<Live>())
    if (own.size === 0) signal.addEventListener('abort', abort)
    own.add(live)
    if (signal.aborted) abort({ target: signal })
  }

  const abort = ({ target }: Pick<Event, 'target'>): void => {
    const { reason: cause } = target as AbortSignal
    for (const live of bySignal.get(target as AbortSignal) ?? [])
      fail(live, callError(live, 'aborted', ': aborted by its caller', { cause }))
  }

  async function* iterate(live: Live) {
    if (!side)
      throw callError(
        live,
        'invalid-input',
        ': subscriptions need a duplex link, such as a WebSocket',
      )
    const { signal, onGap } = live.options
    if (signal) listen(live, signal)
    all.add(live)
    try {
      if (live.failure === undefined) void connect(live)
      while (!live.isOver) {
        if (live.dropped > 0) {
          onGap?.({ reason: 'overflow', dropped: live.dropped })
          live.dropped = 0
        }
        const next = live.waiting.take()
        if (next && 'reason' in next) onGap?.(next)
        else if (next) {
          live.items -= 1
          yield next[0]
        } else if (live.failure === undefined)
          await new Promise<void>((resolve) => {
            live.wake = resolve
          })
        else throw live.failure
      }
    } finally {
      const others = signal && bySignal.get(signal)
      if (others?.delete(live) && others.size === 0) signal?.removeEventListener('abort', abort)
      live.isOver = true
      all.delete(live)
      await release(live)
    }
  }

  const begin = (method: RpcMethod, args: readonly unknown[], call: Call) => {
    const { params, paramStructure } = method.operation
    const isNamed = paramStructure === 'by-name'
    const at = isNamed ? 1 : params.length
    const passed = isNamed ? args[0] : args.slice(0, at)
    const variant = variantOf(
      method.checks.variants,
      isNamed ? args[0] : listedParams(params, args.slice(0, at)),
    )
    const live: Live = {
      method: variant === undefined ? method : { ...method, variant },
      params: passed,
      options: (args[at] ?? {}) as SubscribeOptions,
      call,
      waiting: createQueue(),
      items: 0,
      dropped: 0,
      key: undefined,
      id: undefined,
      wasOpen: false,
      isStale: false,
      isOver: false,
      failure: undefined,
      wake: undefined,
      reading: undefined,
    }
    const generator = iterate(live)
    const iterator: AsyncIterableIterator<unknown> = {
      [Symbol.asyncIterator]: () => iterator,
      next: () => generator.next(),
      // A generator that waits for an item returns only after it.
      return: () => {
        live.isOver = true
        wake(live)
        return generator.return(undefined)
      },
    }
    return iterator
  }

  return (call) =>
    Object.fromEntries(
      [...methods.values()]
        .filter(({ operation }) => operation.subscription)
        .map((method) => [
          method.operation.id,
          (...args: readonly unknown[]) => begin(method, args, call),
        ]),
    )
}

type Source = {
  /** The method that begins the subscription. */
  readonly operation: RpcOperation
  /** The id and the item in the params of a notification. */
  readonly idIn: (params: unknown) => unknown
  readonly itemIn: (params: unknown) => unknown
}

/** Where the items of subscriptions are, by the method of their notifications. */
const sourcesOf = (
  methods: ReadonlyMap<string, RpcMethod>,
  sent: Readonly<Record<string, RpcOperation>>,
): ReadonlyMap<string, readonly Source[]> => {
  const sources = new Map<string, Source[]>()
  for (const notification of Object.values(sent))
    for (const { operation } of methods.values()) {
      const { id = '', notifications = [] } = operation.subscription ?? {}
      const own = notifications.find(({ method }) => method === notification.method)
      if (!own) continue
      const idIn = readerAtParams(notification, id)
      const itemIn = readerAtParams(notification, own.item)
      cached(sources, own.method, (): Source[] => []).push({ operation, idIn, itemIn })
    }
  return sources
}

type Early = { readonly take: () => void; isTaken: boolean }

/** Notifications that arrive before the id of their subscription. */
const MOST_EARLY = 10_000

const NEVER = new AbortController().signal

/** Gaps among the waiting items are kept. */
const dropOldest = (live: Live): void => {
  live.waiting.take((one) => !('reason' in one))
  live.items -= 1
  live.dropped += 1
}
