import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import type { Settings } from '../setting-rows.js'
import type { Store } from '../store/store.js'
import { createMemory, createSharedCounters, type Take } from './counters.js'

/**
 * Counters of the last minute for the documented limits, which hold in every interval of 60 seconds. All processes on one
 * PostgreSQL share them. While it does not respond, each process continues from the last known state; on an embedded store, each
 * process counts separately.
 */
export const createLimits = ({
  settings,
  store,
  log,
  windowSeconds = WINDOW_SECONDS,
  mostCounters = MOST_COUNTERS,
}: LimitsOptions): RequestCounters => {
  const policies: Readonly<Record<Policy | SubmissionBudget, number>> = {
    rpc: settings.rpcLimit,
    zkt: settings.zktLimit,
    'try-it-out': settings.tryItOutLimit,
    status: settings.statusLimit,
    'try-it-out-gas': settings.tryItOutGas ?? 0,
    'try-it-out-bytes': settings.tryItOutBytes ?? 0,
  }
  const shared = store?.kind === 'postgres' ? createSharedCounters(store, log) : undefined
  const counters = new Map<Policy | SubmissionBudget, Take>()
  for (const [name, points] of Object.entries(policies)) {
    if (points === 0) continue
    const options = {
      name,
      limit: points,
      milliseconds: windowSeconds * 1000,
      grantsWhole: BUDGETS.has(name),
    }
    const own = createMemory(options, mostCounters)
    counters.set(name as Policy | SubmissionBudget, shared ? shared(options, own) : own.take)
  }
  const spentFor = new Map<string, { readonly at: number; readonly milliseconds: number }>()
  const remember = (counter: string, milliseconds: number): void => {
    spentFor.delete(counter)
    spentFor.set(counter, { at: performance.now(), milliseconds })
    const [eldest] = spentFor.keys()
    if (spentFor.size > mostCounters && eldest !== undefined) spentFor.delete(eldest)
  }
  const knownSpent = (policy: Policy | SubmissionBudget, who: string): LimitResult | undefined => {
    const { at, milliseconds } = spentFor.get(`${policy} ${who}`) ?? NOT_SPENT
    // The order matters, as in counters.ts: `at + milliseconds` is rounded, and 60 seconds must not become 61.
    const left = milliseconds - (performance.now() - at)
    if (left <= 0) return undefined
    return { granted: 0, limit: policies[policy], remaining: 0, reset: wholeSeconds(left) }
  }
  return {
    take: async (policy, who, points = 1) => {
      // The store is not queried for a counter that is known to be exhausted.
      const known = shared && knownSpent(policy, who)
      if (known) return known
      const spent = await counters.get(policy)?.(who, points)
      if (spent === undefined)
        return { granted: points, limit: Number.POSITIVE_INFINITY, remaining: points, reset: 0 }
      const { granted, remaining, milliseconds } = spent
      if (remaining === 0) remember(`${policy} ${who}`, milliseconds)
      return { granted, limit: policies[policy], remaining, reset: wholeSeconds(milliseconds) }
    },
    spent: knownSpent,
  }
}

const NOT_SPENT = { at: 0, milliseconds: 0 }

const wholeSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)

/** Counts the requests of the last minute, for one process or for all that share a store. */
export type RequestCounters = {
  /**
   * Takes `points` from one counter. A batch gets as many as are left; a budget grants all while any are left. Only
   * granted points count. Never rejects.
   */
  readonly take: (
    policy: Policy | SubmissionBudget,
    who: string,
    points?: number,
  ) => Promise<LimitResult>
  /** Set if this process knows that the counter is exhausted; it neither counts nor queries the store. */
  readonly spent: (policy: Policy, who: string) => LimitResult | undefined
}

export type Policy = 'rpc' | 'zkt' | 'try-it-out' | 'status'

/** The cost of submissions for the chain, in units of gas and in bytes. */
export type SubmissionBudget = 'try-it-out-gas' | 'try-it-out-bytes'

export type LimitResult = {
  /** The number of granted points. */
  readonly granted: number
  /** Infinity if the settings have no limit. */
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until more points are available; if none are left, until the next request is granted. */
  readonly reset: number
}

export type LimitsOptions = {
  readonly settings: Pick<Settings, 'rpcLimit' | 'zktLimit' | 'tryItOutLimit' | 'statusLimit'> &
    Partial<Pick<Settings, 'tryItOutGas' | 'tryItOutBytes'>>
  readonly store?: Store
  readonly log?: Logger
  /** For tests. */
  readonly windowSeconds?: number
  /** The maximum number of counters of one policy in a process. */
  readonly mostCounters?: number
}

export const WINDOW_SECONDS = 60

const MOST_COUNTERS = 50_000

const BUDGETS: ReadonlySet<string> = new Set<SubmissionBudget>([
  'try-it-out-gas',
  'try-it-out-bytes',
])

/**
 * The address that identifies a caller for limits. It is an IPv4 address, even if it is mapped into IPv6, or the first 64 bits
 * of an IPv6 address. One subscriber has all addresses with the same 64 bits.
 */
export const countedAddress = (text: string): string => {
  if (isIP(text) === 0) return 'unknown'
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** The `Retry-After`, in seconds, of a response to a request for which a part of the service was unavailable. */
export const RETRY_SECONDS = 5

/** The message for callers without a key while the embedded chain uses too much memory. */
export const CHAIN_FULL =
  'the chain has little memory left, and takes this from callers with an API key only: try again later, or use a key'
