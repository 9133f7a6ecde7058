import type { Logger } from 'pino'
import { HttpError, RpcError } from 'twinspec/runtime/errors'
import type { HttpOperation } from 'twinspec/runtime/operation'
import type { AdmittedRequest, AuthorizedCall, Context, ServerReply } from 'twinspec/runtime/server'
import { httpService } from '../../../generated/operations.js'
import type { KeyRecord, Keys } from '../access/keys.js'
import {
  CHAIN_FULL,
  countedAddress,
  type LimitResult,
  type Policy,
  RETRY_SECONDS,
  type RequestCounters,
  WINDOW_SECONDS,
} from '../access/limits.js'
import type { Caller } from '../turns.js'
import { type Endpoint, POLICIES } from './endpoints.js'
import {
  describeLimit,
  formatError,
  jsonReply,
  STORE_TROUBLE,
  UNKNOWN_KEY,
} from './error-responses.js'

/**
 * One HTTP request: its caller and its limits. A batch counts by its members. A request without a valid call counts as one. It
 * has a body that is not JSON, an empty or too large batch, an unknown key, or an HTTP error.
 */
export const createRequestContexts =
  ({
    keys,
    limits,
    log,
    onLimited,
    isChainFull,
  }: RequestContextOptions): ((
    id: string,
    address: string,
    endpoint: Endpoint | undefined,
  ) => RequestContext) =>
  (id, address, endpoint) => {
    let policy = endpoint?.policy
    let key: KeyRecord | undefined
    let isLost = false
    let counting: Promise<LimitResult> | undefined
    let left: number | undefined

    const count = (points: number): Promise<LimitResult> => {
      counting ??= take(limits, policy ?? 'rpc', key, address, points)
      return counting
    }
    const limited = (spent: LimitResult): string => {
      onLimited(policy ?? 'rpc')
      return describeLimit(policy ?? 'rpc', spent)
    }
    const find = async (text: string): Promise<KeyRecord | undefined> => {
      try {
        return await keys.find(text)
      } catch (error) {
        log.warn({ request: id, err: error }, 'cannot look up a key')
        isLost = true
        return undefined
      }
    }
    const rejectUnknown = async (operation: string): Promise<never> => {
      const spent = await count(1)
      if (spent.granted === 0) throw tooMany(operation, limited(spent))
      throw rejection(operation, 401, UNKNOWN_KEY, rpcBody(policy, KEY_NEEDED, UNKNOWN_KEY))
    }

    return {
      id,
      wallet: () => key?.wallet ?? 0,
      caller: () =>
        key?.kind === 'private'
          ? { name: `key ${key.id}`, isKeyed: true }
          : { name: `address ${countedAddress(address)}`, isKeyed: false },
      admit: async ({ operation, auth }) => {
        const name = operation?.id ?? 'rpc'
        policy = operation ? POLICIES[operation.id] : 'rpc'
        const text = auth.apiKey ?? KEYLESS
        // Only JSON-RPC accepts calls without a key at a path with a key parameter.
        const needsKey = operation ? operation.access === 'key' : text !== KEYLESS
        if (needsKey) key = await find(text)
        // JSON-RPC responds to each member with its id, which is in the body.
        if (isLost && operation) throw rejection(name, 503, STORE_TROUBLE, undefined, RETRY)
        if (needsKey && !isLost && key === undefined) return rejectUnknown(name)
        if (!operation) {
          // The number of calls in the body is not known yet, but none of them can be granted.
          const spent = isLost ? undefined : knownSpent(limits, 'rpc', key, address)
          if (spent === undefined) return
          counting = Promise.resolve(spent)
          const words = limited(spent)
          throw tooMany(name, words, rpcBody(policy, -32005, words))
        }
        const spent = await count(1)
        if (spent.granted === 0) throw tooMany(name, limited(spent))
      },
      authorize: async ({ operation, method, members }) => {
        if (operation?.kind === 'http') return
        if (isLost) throw new RpcError({ code: -32603, message: STORE_TROUBLE })
        const spent = await count(members)
        left ??= spent.granted
        left -= 1
        if (left < 0) {
          const words = limited(spent)
          throw tooMany(method, words, { code: -32005, message: words })
        }
        if (operation?.access === 'key' && key === undefined) {
          const words = `${method} needs an API key in the path: ask the operator for one, keys are free`
          throw rejection(method, 401, words, { code: KEY_NEEDED, message: words })
        }
        if (key?.kind !== 'private' && READS_MUCH.test(method) && isChainFull?.())
          throw rejection(method, 503, CHAIN_FULL, { code: -32005, message: CHAIN_FULL }, RETRY)
      },
      settle: async (reply) => {
        if (endpoint === undefined) return reply
        const isCounted = counting !== undefined
        const spent = await count(1)
        const isSpent = !isCounted && spent.granted === 0
        // A notification has no response, but the HTTP status reports that it was dropped.
        const result =
          spent.granted === 0 && reply.status === 204 ? { ...reply, status: 429 } : reply
        const answer = isSpent ? limitReply(endpoint, limited(spent)) : result
        const isOfBudget = answer.headers?.['retry-after'] !== undefined
        const more =
          answer.status === 429 && !isOfBudget ? { 'retry-after': String(spent.reset) } : {}
        return {
          ...answer,
          headers: { ...answer.headers, ...limitHeaders(policy, spent), ...more },
        }
      },
    }
  }

export type RequestContext = {
  /** Identifies the request in logs and for its caller. */
  readonly id: string
  /** The wallet that signs for the request: the wallet of its key, 0 without a key. */
  readonly wallet: () => number
  /** The caller, for taking turns with other requests. A public key is not a secret, so it does not count as a key. */
  readonly caller: () => Caller
  readonly admit: (request: AdmittedRequest) => Promise<void>
  readonly authorize: (call: AuthorizedCall) => Promise<void>
  /** Counts the calls that are not counted yet, and adds the remaining limit to the response. */
  readonly settle: (reply: ServerReply) => Promise<ServerReply>
}

export type RequestContextOptions = {
  readonly keys: Pick<Keys, 'find'>
  readonly limits: RequestCounters
  readonly log: Logger
  readonly onLimited: (policy: Policy) => void
  readonly isChainFull?: (() => boolean) | undefined
}

/** The wallet that signs for the request of a handler: an index for `Wallets`. Throws outside the gateway. */
export const walletOf = ({ state }: Pick<Context, 'state'>): number =>
  requestContextOf(state).wallet()

/** The caller of a handler's request. Throws outside the gateway. */
export const callerOf = ({ state }: Pick<Context, 'state'>): Caller =>
  requestContextOf(state).caller()

export const requestContextOf = (state: unknown): RequestContext => {
  if (typeof state === 'object' && state !== null && 'settle' in state)
    return state as RequestContext
  throw new TypeError('The request did not come through the gateway')
}

const RETRY = { 'retry-after': String(RETRY_SECONDS) }

/** A node may need much memory for these methods. */
const READS_MUCH =
  /^debug_|^eth_simulate|^eth_get(Logs|FilterLogs|FilterChanges|BlockReceipts)$|^txpool_content/

/** The error code for a key that is unknown, or missing where a method requires one. */
const KEY_NEEDED = -32001

/** The last segment of the path of callers without a key. */
const KEYLESS = 'try-it-out'

/** Set if this process already knows that a counter of the caller is exhausted. */
const knownSpent = (
  limits: RequestCounters,
  policy: Policy,
  key: KeyRecord | undefined,
  address: string,
): LimitResult | undefined => {
  const ofKey = key && limits.spent(policy, `key:${key.id}`)
  if (key?.kind === 'private') return ofKey
  return ofKey ?? limits.spent(policy, `address:${countedAddress(address)}`)
}

/** A public key is counted per caller first, so that one visitor of a page cannot exhaust the shared limit. */
const take = async (
  limits: RequestCounters,
  policy: Policy,
  key: KeyRecord | undefined,
  address: string,
  points: number,
): Promise<LimitResult> => {
  if (key?.kind === 'private') return limits.take(policy, `key:${key.id}`, points)
  const own = await limits.take(policy, `address:${countedAddress(address)}`, points)
  if (key === undefined || own.granted === 0) return own
  const shared = await limits.take(policy, `key:${key.id}`, own.granted)
  return shared.remaining <= own.remaining || shared.granted < own.granted
    ? shared
    : { ...own, granted: shared.granted }
}

/** The syntax of the IETF draft on rate limit headers. */
const limitHeaders = (
  policy: Policy | undefined,
  { limit, remaining, reset }: LimitResult,
): Readonly<Record<string, string>> =>
  policy === undefined || !Number.isFinite(limit)
    ? {}
    : {
        'ratelimit-policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
        ratelimit: `"${policy}";r=${remaining};t=${reset}`,
      }

const rejection = (
  operation: string,
  status: number,
  message: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpError => new HttpError({ operation, status, message, body, headers: new Headers(headers) })

const tooMany = (operation: string, words: string, body?: unknown): HttpError =>
  rejection(operation, 429, words, body)

const rpcBody = (policy: Policy | undefined, code: number, message: string): unknown =>
  policy === 'rpc' ? { code, message } : undefined

const limitReply = ({ name, policy }: Endpoint, message: string): ServerReply =>
  policy === 'rpc'
    ? jsonReply(429, { jsonrpc: '2.0', id: null, error: { code: -32005, message } })
    : formatError({ status: 429, message, faults: [], operation: OPERATIONS[name] })

const OPERATIONS: Readonly<Record<string, HttpOperation>> = httpService.operations
