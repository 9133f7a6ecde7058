import { CallError, RpcError } from 'twinspec/runtime/errors'
import type { RpcClient } from '../../../generated/rpc.client.js'
import type { RpcMethods } from '../../../generated/rpc.types.js'
import { type Caller, createTurns, NoTurn, type Turns } from '../turns.js'
import { withShortMessage } from './failure.js'
import { ResponseTooLarge } from './kept-fetch.js'

/**
 * Creates the function for all calls to the node. Small calls of one turn of the event loop share a batch. Calls that run
 * code are sent alone, so they share no error; on our own chain, a few at a time. Traces and calls with large responses are sent alone too, a few at a time,
 * so that no other call waits for them.
 * Rejects like the client, with a short message, and with a ServiceRejection if this service does not read the response or does not send the call.
 */
export function createAsk({ shared, sending, lone, measuring, isOurs }: Clients): Asking {
  const atOnce = isOurs ? 1 : LARGE_AT_ONCE
  const rest = isOurs ? REST : 0
  const turns = createTurns({ ...QUEUE, atOnce, rest })
  const reading = createTurns({ ...QUEUE, atOnce, rest })
  const running = createTurns(CODE_QUEUE)

  const request = (method: string, params: readonly unknown[], options: NodeCallOptions) => {
    const call = { method, params } as { method: 'eth_chainId' }
    const alone = (settings = options) =>
      (settings.isMeasuring ? measuring : lone).request(call, settings)
    const inTurn = () => alone(untilDone(options))
    if (TRACES.test(method)) return options.hasTurn ? alone() : turns(inTurn, options)
    if (LARGE.test(method)) return reading(inTurn, options)
    if (isOurs && RUNS_CODE.test(method)) return running(inTurn, options)
    if (options.alone || WAITS.test(method) || RUNS_CODE.test(method)) return alone()
    if (method === SEND) return sending.request(call, options)
    return shared.request(call, options).catch((error: unknown) => {
      if (!isUnread(error)) throw error
      // The batch as a whole was too large. Sent alone, each call shows whether it is.
      return reading(inTurn, options)
    })
  }
  const ask = (method: string, params: readonly unknown[], options: NodeCallOptions = {}) =>
    request(method, params, options).catch(reject)
  return {
    // Generated code declares the types of params and results.
    ask: ask as Ask,
    tracing: (work, options) => turns(work, options).catch(reject),
  }
}

/**
 * Options of a call that has a turn: it is not aborted when its caller leaves. The node would continue with it, and the
 * next turn would run at the same time.
 */
export const untilDone = ({ signal: _, ...options }: NodeCallOptions): NodeCallOptions => options

const reject = (error: unknown): never => {
  if (isUnread(error)) throw responseTooLarge(error)
  if (error instanceof NoTurn) throw busy()
  throw error instanceof RpcError ? withShortMessage(error) : error
}

/** The response has more bytes than this service reads. */
export const responseTooLarge = (cause?: unknown): ServiceRejection =>
  new ServiceRejection(TOO_LARGE, 'response too large', cause)

/** Too many calls wait for their turn. */
export const busy = (): ServiceRejection =>
  new ServiceRejection(BUSY, 'too many requests of this kind are waiting, try again later')

export type Asking = {
  readonly ask: Ask
  /** A turn among the traces, for work of several calls, which set `hasTurn`. */
  readonly tracing: Turns
}

export type Ask = <Name extends keyof RpcMethods & string>(
  method: Name,
  params: Readonly<RpcMethods[Name]['params']>,
  options?: NodeCallOptions,
) => Promise<RpcMethods[Name]['result']>

export type NodeRequestOptions = {
  readonly signal?: AbortSignal
  readonly timeout?: number
  /** The call is sent alone, so that an error of the node is about this call only. */
  readonly alone?: boolean
  /** For an estimate: receives the bytes of inner calls that our own chain would keep. */
  readonly onInnerBytes?: (bytes: number) => void
}

export type NodeCallOptions = NodeRequestOptions & {
  /** The caller, for taking turns; the service itself by default. */
  readonly caller?: Caller | undefined
  /** The result is the number of bytes of the response, if these are more than 10,000. */
  readonly isMeasuring?: boolean
  /** The call is part of work that already has its turn. */
  readonly hasTurn?: boolean
}

type Clients = {
  /** Sends the calls of one turn of the event loop together. */
  readonly shared: RpcClient
  /** The same, for signed transactions. */
  readonly sending: RpcClient
  /** Sends each call alone. */
  readonly lone: RpcClient
  /** Sends each call alone, and returns only the size of a large response. */
  readonly measuring: RpcClient
  /** The node is our own chain: traces run one at a time, and so do calls with large responses. */
  readonly isOurs: boolean
}

/** An error of this service, not of the node: its code and its message are meant for callers. */
export class ServiceRejection extends RpcError {
  constructor(code: number, message: string, cause?: unknown) {
    super({ code, message }, cause === undefined ? {} : { cause })
  }
}

/** Whether a response of the node is larger than this service reads. */
export const isResponseTooLarge = (error: unknown): error is ServiceRejection =>
  error instanceof ServiceRejection && error.code === TOO_LARGE

/** The number of large responses, of up to MOST_RESPONSE_BYTES each, that are read at a time. */
const LARGE_AT_ONCE = 2

/**
 * On our own chain, traces and large reads of callers without a key take at most a third of the time each. The rest is for
 * mining and for callers with a key, in the same process.
 */
const REST = 2

/** A batch of a caller runs 16 calls at a time. */
const QUEUE = { waiting: 64, share: 20, milliseconds: 20_000 }

/**
 * Calls that run code on our own chain, which runs one at a time and meanwhile serves nobody else. So a read waits for few of
 * them, and not for all of several batches. No caller within the documented limit of a minute is rejected for its share.
 */
const CODE_QUEUE = {
  atOnce: 4,
  atOnceWithoutKey: 2,
  waiting: 1_000,
  share: 200,
  milliseconds: 20_000,
}

/** geth's code and message for a response above its limit (rpc/errors.go: errcodeResponseTooLarge). */
const TOO_LARGE = -32003

/** A limit is exceeded (EIP-1474). */
const BUSY = -32005

const SEND = 'eth_sendRawTransaction'

/** The node responds when the transaction is mined. */
const WAITS = /Sync$/

/** Their time depends on the code that they run, and a batch has no response before its slowest call. */
const RUNS_CODE = /^eth_(call|estimateGas|createAccessList)$/

const TRACES = /^debug_trace|^eth_simulate/

/** Their params do not limit the size of their results. */
const LARGE = /^debug_|^eth_get(Logs|FilterLogs|FilterChanges|BlockReceipts)$|^txpool_content/

const isUnread = (error: unknown): boolean =>
  error instanceof CallError && error.cause instanceof ResponseTooLarge
