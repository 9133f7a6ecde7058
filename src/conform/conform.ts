import type { Api, Operation } from '../model/api.js'
import { createChecker } from '../model/check.js'
import type { Case } from './case.js'
import { type Coverage, coverageOf } from './coverage.js'
import type { Exchange, Wire } from './exchange.js'
import { type ConformFinding, findingsOf } from './findings.js'
import { createPace } from './pace.js'
import { type Plan, planCases } from './plan.js'
import type { Profile } from './profile.js'
import { createSession, type Seen } from './session.js'
import { createTarget, TargetError, type TargetOptions } from './target.js'
import { createWire, isUnreachable } from './wire.js'

/**
 * Judges whether a live server keeps the contract of an Api: everything that is sent and asked follows from the documents alone.
 * Rejects with TargetError where the server is named wrongly or nobody answers.
 */
export const conform = async (api: Api, options: ConformOptions): Promise<Verdict> => {
  const { seed = 1, rate, profile, only, milliseconds = 10_000, runs = 20 } = options
  const { now = () => performance.now() } = options
  const target = createTarget(api, options)
  const own = options.wire === undefined ? createWire() : undefined
  const wire = options.wire ?? (own as { readonly wire: Wire }).wire
  const ending = new AbortController()
  const end = () => ending.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', end, { once: true })
  if (options.signal?.aborted) end()
  const sleep = options.sleep ?? sleeper(ending.signal)
  const ended = new Promise<readonly never[]>((resolve) =>
    ending.signal.addEventListener('abort', () => resolve([]), { once: true }),
  )
  try {
    await assertReachable(wire, target.rpc ?? target.http ?? '', ending.signal)
    const pace = createPace(rate === undefined ? limitOf(api) : (rate ?? undefined), { now, sleep })
    const parts = { api, target, wire, pace, profile, seed, milliseconds, now, sleep }
    const began = now()
    const { maxSeconds } = options
    const deadline = maxSeconds === undefined ? undefined : began + 1_000 * maxSeconds
    const session = createSession({ ...parts, deadline, signal: ending.signal })
    const checker = createChecker(api.schemas)
    const plan: Plan = { api, target, checker, profile, seed, runs, skip: session.skip }
    const cases = planCases(plan).filter(
      (one) => wanted(one, only) && tried(one, options, session.skip),
    )
    const requests = cases.reduce((sum, { cost }) => sum + cost, 0)
    options.onPlan?.({ cases: cases.length, requests, seconds: pace.secondsFor(requests) })
    const complaints = []
    for (const [index, one] of cases.entries()) {
      const isLate = deadline !== undefined && now() >= deadline
      if (ending.signal.aborted || isLate) {
        const why = ending.signal.aborted ? WAS_ENDED : TIME_WAS_UP
        for (const left of cases.slice(index)) session.skip(left.name, why)
        break
      }
      options.onProgress?.({ done: index, cases: cases.length, name: one.name })
      const running = one.run(session)
      // Once the run has ended nobody waits for it any more.
      running.catch(() => undefined)
      complaints.push(...(await Promise.race([running, ended])))
      if (ending.signal.aborted) session.skip(one.name, WAS_ENDED)
    }
    const all = [...session.seen.complaints, ...complaints]
    return {
      findings: findingsOf(api, target, profile, all, session.seen),
      coverage: coverageOf(api, session.seen),
      ...told(session.seen),
      cases: cases.length,
      requests: session.seen.count.requests,
      seconds: (now() - began) / 1_000,
      seed,
    }
  } finally {
    options.signal?.removeEventListener('abort', end)
    own?.close()
  }
}

/** Why something was not tested, where a run came to no end of its own. */
export const TIME_WAS_UP = 'the time was up'
export const WAS_ENDED = 'the run was ended before'

export type ConformOptions = TargetOptions & {
  /** Ids, names, paths or tags of operations, and names of cases or how they begin, up to a comma: `JSON-RPC`. All where it is left out. */
  readonly only?: readonly string[] | undefined
  readonly seed?: number | undefined
  /** Seconds after which nothing more is begun. */
  readonly maxSeconds?: number | undefined
  /** Requests a minute; null for as many as can be. That of the documents where it is left out. */
  readonly rate?: number | null | undefined
  readonly profile?: Profile | undefined
  readonly disruptive?: boolean | undefined
  /** Whatever needs a server that remembers is not tried. */
  readonly stateless?: boolean | undefined
  /** Values generated for each operation. */
  readonly runs?: number | undefined
  /** How long one answer may take. */
  readonly milliseconds?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onPlan?: (plan: { cases: number; requests: number; seconds: number }) => void
  readonly onProgress?: (progress: { done: number; cases: number; name: string }) => void
  readonly wire?: Wire | undefined
  readonly now?: () => number
  readonly sleep?: (milliseconds: number) => Promise<void>
}

export type Verdict = {
  readonly findings: readonly ConformFinding[]
  readonly coverage: Coverage
  /** Choice -> the way that the server goes. */
  readonly choices: Readonly<Record<string, string>>
  readonly notTested: readonly { readonly what: readonly string[]; readonly why: string }[]
  readonly cases: number
  readonly requests: number
  readonly seconds: number
  readonly seed: number
}

const told = ({ ways, skipped }: Seen): Pick<Verdict, 'choices' | 'notTested'> => ({
  choices: Object.fromEntries([...ways].map(([choice, seen]) => [choice, seen[0]?.way ?? ''])),
  notTested: [...skipped].map(([why, what]) => ({ what: [...what], why })),
})

const assertReachable = async (wire: Wire, url: string, signal: AbortSignal): Promise<void> => {
  const sent = { method: 'GET', url, headers: { accept: '*/*' } }
  const exchange: Exchange = await wire(sent, { milliseconds: 10_000, signal })
  if (!isUnreachable(exchange)) return
  throw new TargetError(`${new URL(url).origin} cannot be reached: ${exchange.failure}`)
}

/** The slowest that the documents ask for. */
const limitOf = (api: Api): number | undefined => {
  const limits = [api.http?.limits, api.rpc?.limits, ...api.operations.map((one) => one.limits)]
  const rates = limits.flatMap((one) => one?.requestsPerMinute ?? [])
  return rates.length === 0 ? undefined : Math.min(...rates)
}

const wanted = ({ name, operation }: Case, only: readonly string[] | undefined): boolean =>
  only === undefined ||
  only.some((one) => name === one || name.startsWith(`${one},`)) ||
  (operation !== undefined && namesOf(operation).some((one) => only.includes(one)))

/** All that a person may call it. */
export const namesOf = (operation: Operation): readonly string[] => [
  operation.id,
  ...operation.tags,
  ...(operation.kind === 'rpc'
    ? [operation.method]
    : [operation.path, `${operation.method} ${operation.path}`]),
]

const tried = (
  { name, isDisruptive, needsState }: Case,
  { disruptive, stateless }: ConformOptions,
  skip: Plan['skip'],
): boolean => {
  if (isDisruptive && !disruptive) skip(name, 'it troubles other callers: --disruptive tries it')
  else if (needsState && stateless) skip(name, 'the server is said to remember nothing')
  else return true
  return false
}

/** Wakes when the run is ended, or nothing could end before the minute that it waits for. */
const sleeper =
  (signal: AbortSignal) =>
  (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, signal.aborted ? 0 : milliseconds)
      signal.addEventListener('abort', wake, { once: true })
    })
