import { CallError, RpcError } from 'twinspec/runtime/errors'
import type { RpcClient, RpcMethods } from '../../../generated/rpc.client.js'
import { type Caller, createTurns, NoTurn, type Turns } from '../turns.js'
import { ResponseTooLarge } from './kept-fetch.js'

/**
 * Makes the function that all calls to the node go through. Small calls of one turn share a batch. Calls that run
 * code are sent alone, so they share no error. Traces and calls with large responses are sent alone too, a few at a
 * time, so that no other call waits for them.
 * Rejects as the client does, and with a RefusedHere if this service does not read the response or does not send the
 * call.
 */
export function createAsk({ shared, sending, lone, measuring, isOurs }: Clients): Asking {
  const atOnce = isOurs ? 1 : LARGE_AT_ONCE
  const rest = isOurs ? REST : 0
  const turns = createTurns({ ...QUEUE, atOnce, rest })
  const reading = createTurns({ ...QUEUE, atOnce, rest })

  const request = (method: string, params: readonly unknown[], options: AskOptions) => {
    const call = { method, params } as { method: 'eth_chainId' }
    const alone = (settings = options) =>
      (settings.isMeasuring ? measuring : lone).request(call, settings)
    const inTurn = () => alone(untilDone(options))
    if (TRACES.test(method)) return options.hasTurn ? alone() : turns(inTurn, options)
    if (LARGE.test(method)) return reading(inTurn, options)
    if (options.alone || WAITS.test(method) || RUNS_CODE.test(method)) return alone()
    if (method === SEND) return sending.request(call, options)
    return shared.request(call, options).catch((error: unknown) => {
      if (!isUnread(error)) throw error
      // The batch was too large as a whole. Which call made it so, each shows by itself.
      return reading(inTurn, options)
    })
  }
  const ask = (method: string, params: readonly unknown[], options: AskOptions = {}) =>
    request(method, params, options).catch(refuse)
  return {
    // What the methods take and return is stated by generated code.
    ask: ask as Ask,
    tracing: (work, options) => turns(work, options).catch(refuse),
  }
}

/**
 * Options of a call that has a turn: it is not aborted when its caller leaves. The node would go on with it nevertheless, and
 * the next turn would begin beside it.
 */
export const untilDone = ({ signal: _, ...options }: AskOptions): AskOptions => options

const refuse = (error: unknown): never => {
  if (isUnread(error)) throw tooLarge(error)
  if (error instanceof NoTurn) throw busy()
  throw error
}

/** The response has more bytes than this service reads. */
export const tooLarge = (cause?: unknown): RefusedHere =>
  new RefusedHere(TOO_LARGE, 'response too large', cause)

/** Too many calls wait for their turn. */
export const busy = (): RefusedHere =>
  new RefusedHere(BUSY, 'too many requests of this kind are waiting, try again later')

export type Asking = {
  readonly ask: Ask
  /** A turn among the traces, for work of several calls: these have `hasTurn`. */
  readonly tracing: Turns
}

export type Ask = <Name extends keyof RpcMethods & string>(
  method: Name,
  params: Readonly<RpcMethods[Name]['params']>,
  options?: AskOptions,
) => Promise<RpcMethods[Name]['result']>

export type CallOptions = {
  readonly signal?: AbortSignal
  readonly timeout?: number
  /** The call goes by itself: what the node says is of nothing else. */
  readonly alone?: boolean
  /** Of an estimate: is given the bytes of inner calls that our own chain would keep. */
  readonly onInnerBytes?: (bytes: number) => void
}

export type AskOptions = CallOptions & {
  /** Whose turn it takes where calls wait for each other; the service's own where absent. */
  readonly caller?: Caller | undefined
  /** The result is the number of bytes of the response, if these are more than 10,000. */
  readonly isMeasuring?: boolean
  /** The call is part of work that has its turn. */
  readonly hasTurn?: boolean
}

type Clients = {
  /** Sends the calls of one turn together. */
  readonly shared: RpcClient
  /** The same, for signed transactions. */
  readonly sending: RpcClient
  /** Sends each call by itself. */
  readonly lone: RpcClient
  /** The same, and only the size of a large response is returned. */
  readonly measuring: RpcClient
  /** The node is the chain of our own: traces run one at a time, and so do calls with large responses. */
  readonly isOurs: boolean
}

/** A refusal by this service, not by the node: its code and its message are meant for callers. */
export class RefusedHere extends RpcError {
  constructor(code: number, message: string, cause?: unknown) {
    super({ code, message }, cause === undefined ? {} : { cause })
  }
}

/** A response of the node that is larger than this service reads. */
export const isTooLarge = (error: unknown): error is RefusedHere =>
  error instanceof RefusedHere && error.code === TOO_LARGE

/** At most as many times MOST_RESPONSE_BYTES are read of large responses at a time. */
const LARGE_AT_ONCE = 2

/**
 * On our own chain, traces and large reads of callers without a key take at most a third of the time each. The rest
 * is for mining and for callers with a key, which the same process serves.
 */
const REST = 2

/** A batch of a caller runs 16 calls at a time. */
const QUEUE = { waiting: 64, share: 20, milliseconds: 20_000 }

/** geth's code and words for a response past its bound (rpc/errors.go: errcodeResponseTooLarge). */
const TOO_LARGE = -32003

/** A limit is exceeded (EIP-1474). */
const BUSY = -32005

const SEND = 'eth_sendRawTransaction'

/** The node answers when the transaction is mined. */
const WAITS = /Sync$/

/** They take as long as the code that they run: a batch has no response before its slowest call has. */
const RUNS_CODE = /^eth_(call|estimateGas|createAccessList)$/

const TRACES = /^debug_trace|^eth_simulate/

/** Nothing in their params bounds what they return. */
const LARGE = /^debug_|^eth_get(Logs|FilterLogs|FilterChanges|BlockReceipts)$|^txpool_content/

const isUnread = (error: unknown): boolean =>
  error instanceof CallError && error.cause instanceof ResponseTooLarge
