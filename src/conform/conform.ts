import { setMaxListeners } from 'node:events'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { Api } from '../model/api.js'
import { loadCodecs } from '../model/load-codecs.js'
import type { Case, Inferred, Plan } from './case.js'
import { boundaryCasesOf } from './cases/boundaries.js'
import { exampleCases } from './cases/examples.js'
import { generatedCasesOf } from './cases/generated.js'
import { createSharing } from './cases/sharing.js'
import { originOf } from './duplex/address.js'
import { duplexCases } from './duplex/cases.js'
import { withSockets } from './duplex/socket-wire.js'
import { httpCases } from './http/cases.js'
import {
  neverResponded,
  type RejectedPart,
  rejectedParts,
  whyNotChecked,
  withoutSilence,
} from './not-checked.js'
import { ownName } from './operations.js'
import type { Profile } from './profile-list.js'
import { type Coverage, coverageOf, createTally } from './report/coverage.js'
import { type ConformFinding, findingsOf, withoutEchoes } from './report/findings.js'
import { keyHider } from './report/shown.js'
import { rpcCases } from './rpc/cases.js'
import { type CutShort, type RunOptions, runCases } from './run-cases.js'
import {
  assertReads,
  casesNamed,
  excludedOperations,
  isCounted,
  isTried,
  reportSkipped,
  type Skipping,
} from './selection.js'
import { createSession, type RunState, type WholeSession } from './session.js'
import { stateCases } from './state/cases.js'
import { deletionCases } from './state/deletions.js'
import { idempotencyCases } from './state/idempotency.js'
import { inferredCases } from './state/inferred.js'
import { listCases } from './state/lists.js'
import { pageCases } from './state/pages.js'
import { writeCases } from './state/writes.js'
import { createTarget, type Target, TargetError, type TargetOptions } from './target.js'
import { withBodies } from './values/bodies.js'
import { isUnreachable, type Wire } from './wire/exchange.js'
import { createPace, limitOf } from './wire/pace.js'
import { createWire } from './wire/wire.js'
import { workflowsCases } from './workflows/cases.js'

/**
 * Tests whether a live server conforms to an Api. All requests and expectations are derived from the documents. Rejects with
 * TargetError if the server is named incorrectly, does not respond, or `only` selects nothing.
 */
export const conform = async (input: Api, options: ConformOptions): Promise<Verdict> => {
  const api = withBodies(input)
  const { seed = 1, rate, profile, only, milliseconds = 10_000, maxExamples = 20 } = options
  const { now = () => performance.now() } = options
  const target = { ...createTarget(api, options), codecs: await loadCodecs(api) }
  const own = options.wire === undefined ? createWire() : undefined
  const http = options.wire ?? (own as { readonly wire: Wire }).wire
  const sockets = withSockets(http, target.stdio)
  const { wire } = sockets
  const ending = new AbortController()
  // Each pending request listens to it, and so does each wait.
  setMaxListeners(0, ending.signal)
  const end = () => ending.abort(options.signal?.reason)
  options.signal?.addEventListener('abort', end, { once: true })
  if (options.signal?.aborted) end()
  const { signal } = ending
  const sleep = options.sleep ?? sleeper(signal)
  try {
    const began = now()
    const { maxSeconds } = options
    const deadline = maxSeconds === undefined ? undefined : began + 1_000 * maxSeconds
    const clock = { now, sleep, signal, deadline }
    const pace = createPace(rate === undefined ? limitOf(api) : (rate ?? undefined), clock)
    const parts = { api, target, wire, pace, profile, seed, milliseconds, now, sleep }
    const tally = createTally(api, target)
    const { note } = tally
    const assertSendable = options.readOnly ? assertReads(api, target) : undefined
    const isStateless = options.stateless
    const session = createSession({ ...parts, deadline, signal, note, assertSendable, isStateless })
    const { checker } = session
    const left: (readonly [what: string, why: string])[] = []
    const skip: Plan['skip'] = (what, why) => void left.push([what, why])
    const plan: Plan = { api, target, checker, seed, maxExamples, skip }
    const isOver = () =>
      signal.aborted || (deadline !== undefined && now() - began >= (deadline - began) / 2)
    const { cases: planned, unplanned } = await planCases(plan, isOver)
    const wanted = only === undefined ? planned : casesNamed(planned, only, api)
    const excluded = only === undefined ? [] : excludedOperations(wanted, only, api)
    const isExcluded = (what: string) =>
      excluded.some((one) => `${what}, `.startsWith(`${ownName(one)}, `))
    for (const [what, why] of left) if (!isExcluded(what)) session.skip(what, why)
    reportSkipped(planned, wanted, session.skip)
    const cases = deletionsLast(wanted.filter((one) => isTried(one, options, session.skip)))
    if (!signal.aborted) await assertReachable(session, target)
    const requests = cases.reduce((sum, { cost }) => sum + cost, 0)
    pace.expect(requests)
    const addresses = [...new Set([target.http, target.rpc].flatMap((one) => one ?? []))]
    options.onPlan?.({
      cases: cases.length,
      requests,
      seconds: pace.secondsFor(requests),
      addresses: addresses.map(keyHider(target.secrets)),
      isOfDocument: target.isOfDocument === true,
    })
    const ran = await runCases(cases, session, options)
    const { findings, tried } = ran
    const by: CutShort['by'] = signal.aborted ? 'ended' : 'time'
    const cut =
      unplanned === 0 ? ran.cut : { by, ...ran.cut, cases: (ran.cut?.cases ?? 0) + unplanned }
    if (!signal.aborted) await session.assertResponded()
    const counted = findings.filter((one) => isCounted(one, options, session.skip))
    const remaining = withoutSilence(tally, withoutEchoes(counted))
    const all = [...remaining, ...neverResponded(tally, remaining, session.seen.absent)]
    const isCut = cut?.by === 'time'
    const run = { api, target, tally, seen: session.seen, findings: all, isCut }
    for (const { name, why } of session.seen.keywords.unproven())
      session.skip(`${name}, its keywords`, why)
    const unjudged = signal.aborted ? undefined : whyNotChecked(run)
    return {
      ...(unjudged === undefined ? {} : { unjudged: keyHider(target.secrets)(unjudged) }),
      findings: findingsOf(api, target, profile, all, session.seen),
      coverage: coverageOf(only === undefined ? api : narrowed(api, wanted), session.seen),
      notOffered: [...session.seen.absent].map(ownName),
      inferred: session.seen.inferred,
      ...reported(session.seen, rejectedParts({ tally, target }), target),
      ...(cut && { cutShort: cut }),
      cases: tried,
      requests: session.seen.count.requests,
      seconds: (now() - began) / 1_000,
      seed,
    }
  } finally {
    options.signal?.removeEventListener('abort', end)
    // Closes every connection that a failed run still has.
    ending.abort()
    await sockets.close()
    own?.close()
  }
}

export type ConformOptions = TargetOptions &
  Skipping & {
    /** Names of the cases to run, as `casesNamed` accepts them; all by default. */
    readonly only?: readonly string[] | undefined
    readonly seed?: number | undefined
    /** Seconds after which nothing new starts. */
    readonly maxSeconds?: number | undefined
    /** Requests per minute; null for no limit. The default is the limit of the documents. */
    readonly rate?: number | null | undefined
    readonly profile?: Profile | undefined
    /** The number of generated values for each operation. */
    readonly maxExamples?: number | undefined
    /** How long one response may take. */
    readonly milliseconds?: number | undefined
    readonly signal?: AbortSignal | undefined
    readonly onPlan?: (plan: RunPlan) => void
    readonly onProgress?: NonNullable<RunOptions['onProgress']>
    readonly wire?: Wire | undefined
    readonly now?: () => number
    readonly sleep?: (milliseconds: number) => Promise<void>
  }

type RunPlan = {
  readonly cases: number
  readonly requests: number
  /** The minimum duration under the rate limit. */
  readonly seconds: number
  /** The addresses of the server, without the key. */
  readonly addresses: readonly string[]
  /** No server was named: the local server of the documents is tested. */
  readonly isOfDocument: boolean
}

export type Verdict = {
  readonly findings: readonly ConformFinding[]
  readonly coverage: Coverage
  /** Choice -> the behaviour of the server. */
  readonly choices: Readonly<Record<string, string>>
  readonly cutShort?: CutShort
  /** `isPart`: whole operations, and not details of them. */
  readonly notTested: readonly {
    readonly what: readonly string[]
    readonly why: string
    readonly isPart?: true
  }[]
  /** Operations that the server does not have, by method or operationId. */
  readonly notOffered: readonly string[]
  /** Parameter values without an example, and the operation whose response they were taken from. */
  readonly inferred: readonly Inferred[]
  /** Nothing was sent: the exchanges come from a recording. */
  readonly isRecorded?: true
  /** Why nothing is known of the server, in a sentence: no operation returned a documented success. */
  readonly unjudged?: string
  /** The number of cases that sent requests. */
  readonly cases: number
  readonly requests: number
  readonly seconds: number
  readonly seed: number
}

/** Only the operations of these cases, so that coverage does not count those that `--only` excludes. */
const narrowed = (api: Api, cases: readonly Case[]): Api => {
  const wanted = new Set(cases.flatMap(({ operation }) => operation ?? []))
  return { ...api, operations: api.operations.filter((one) => wanted.has(one)) }
}

/** Redacts keys, because a header or an error may contain one as well as a response. */
const reported = (
  { ways, skipped }: RunState,
  shut: readonly RejectedPart[],
  { secrets }: Target,
): Pick<Verdict, 'choices' | 'notTested'> => {
  const hidden = keyHider(secrets)
  const choices = [...ways].map(([choice, seen]) => [hidden(choice), hidden(seen[0]?.way ?? '')])
  return {
    choices: Object.fromEntries(choices),
    notTested: [...shut, ...[...skipped].map(([why, what]) => ({ why, what: [...what] }))].map(
      ({ what, why, ...rest }) => ({ what: what.map(hidden), why: hidden(why), ...rest }),
    ),
  }
}

/** Cases that delete come last, so that the others have something to test. */
const deletionsLast = (cases: readonly Case[]): readonly Case[] => {
  const isDeletion = ({ operation }: Case) =>
    operation?.kind === 'http' && operation.method === 'DELETE'
  return cases.toSorted((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)))
}

/** Checks each host once, because the two documents may have different hosts. */
const assertReachable = async (
  session: Pick<WholeSession, 'reach'>,
  { http, rpc, stdio, secrets }: Target,
): Promise<void> => {
  const urls = [rpc, http].filter((url) => url !== undefined)
  const hosts = new Map(urls.map((url) => [originOf(url), url]))
  const probe = async ([origin, url]: readonly [string, string]): Promise<void> => {
    const exchange = await session.reach(url)
    if (!isUnreachable(exchange)) return
    const why = keyHider(secrets)(exchange.failure ?? '')
    const what = stdio
      ? `${keyHider(secrets)(stdio.words.join(' '))} cannot be tested`
      : `${origin} cannot be reached`
    throw new TargetError(`${what}: ${why}`)
  }
  await Promise.all([...hosts].map(probe))
}

/** A sleeper that wakes when the run is ended. */
const sleeper =
  (signal: AbortSignal) =>
  (milliseconds: number): Promise<void> =>
    delay(milliseconds, undefined, { signal }).catch(() => undefined)

/**
 * Plans all cases, the most useful first. Values for a large document can take minutes to make, so this returns to the event
 * loop after each operation. It ends when the run is ended or half of its time is up; the rest is for sending. Cases that are
 * omitted are skipped by name; `unplanned` is the number of operations without cases of a kind.
 */
const planCases = async (plan: Plan, isOver: () => boolean) => {
  const cases: Case[] = []
  let unplanned = 0
  for (const casesOf of FIRST) {
    // System signals are only received here.
    await setImmediate()
    if (isOver()) break
    cases.push(...casesOf(plan))
  }
  const sharing = createSharing()
  const kinds = [
    ['bounds', boundaryCasesOf(plan, sharing)],
    ['generated values', generatedCasesOf(plan, sharing)],
  ] as const
  for (const [kind, casesOf] of kinds) {
    for (const operation of plan.api.operations) {
      await setImmediate()
      if (isOver()) {
        plan.skip(`${ownName(operation)}, ${kind}`, LEFT_OUT)
        unplanned++
      } else cases.push(...casesOf(operation))
    }
  }
  return { cases, unplanned }
}

const FIRST = [
  exampleCases,
  rpcCases,
  duplexCases,
  httpCases,
  stateCases,
  pageCases,
  listCases,
  writeCases,
  idempotencyCases,
  deletionCases,
  inferredCases,
  workflowsCases,
]

const LEFT_OUT =
  'the time limit was reached, or the run was stopped, before its cases were generated'
