import type { Api, Operation } from '../model/api.js'
import { type Checker, createChecker } from '../schema/check.js'
import {
  type AskOptions,
  CaseStopped,
  type CoverageKind,
  type Finding,
  type Inferred,
  type Session,
  TIME_UP,
} from './case.js'
import { isRead, NOT_OFFERED, ownName } from './operations.js'
import type { Profile } from './profile-list.js'
import { keyHider } from './report/shown.js'
import { checkExchange } from './responses/check-response.js'
import { operationCalled } from './responses/read.js'
import { couldWrite } from './selection.js'
import type { Target } from './target.js'
import {
  type Exchange,
  isBroken,
  isLate,
  retryAfter,
  type Sent,
  type Wire,
} from './wire/exchange.js'
import type { Pace } from './wire/pace.js'
import { type Silence, watchLateness, watchServer, watchSilence } from './wire/watch.js'

export type SessionParts = {
  readonly api: Api
  readonly target: Target
  readonly wire: Wire
  readonly pace: Pick<Pace, 'take'>
  readonly profile: Profile | undefined
  readonly seed: number
  /** How long one response may take. */
  readonly milliseconds: number
  readonly now: () => number
  readonly deadline?: number | undefined
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly signal: AbortSignal
  readonly note?: ((exchange: Exchange, options: AskOptions) => void) | undefined
  readonly assertSendable?: ((sent: Sent) => void) | undefined
}

/** Creates the session of a run, and the record of what it finds. */
export const createSession = (parts: SessionParts): WholeSession => {
  const { api, target, pace, profile, seed, now, sleep, signal, deadline } = parts
  const { note, assertSendable } = parts
  const silence = watchSilence(originsOf(target), {
    nameOf: (exchange) => subjectOf(api, target, exchange),
    hide: keyHider(target.secrets),
  })
  let order = 0
  const wire: Wire = async (sent, options) => {
    assertSendable?.(sent)
    order += 1
    const place = order
    const exchange: Exchange = { ...(await parts.wire(sent, options)), order: place }
    watch.note(exchange)
    await silence.note(exchange)
    return exchange
  }
  const checker = checkerOf(api)
  const findings: Finding[] = []
  // A case may continue briefly after the run was ended.
  const reportAll = (more: readonly Finding[]) => {
    if (!signal.aborted) for (const one of more) findings.push(one)
  }
  const ways = new Map<string, { readonly way: string; readonly exchange: Exchange }[]>()
  const { cover, skip, notOffered, ...record } = createRecord()
  const closed = new Set<Operation>()
  const count = { requests: 0, waits: 0, waitsFor: undefined as string | undefined }

  const take = async (cost: number): Promise<void> => {
    count.waitsFor = 'its turn under the rate limit'
    await pace.take(cost)
    count.waitsFor = undefined
    signal.throwIfAborted()
    if (deadline !== undefined && now() >= deadline) throw new CaseStopped(TIME_UP)
    count.requests += cost
  }
  const lateness = watchLateness(api, target)
  const controls = new Map<string, Map<string, Sent>>()
  const noteControl = (exchange: Exchange) => {
    const { origin } = new URL(exchange.sent.url)
    const known = controls.get(origin) ?? new Map<string, Sent>()
    const name = subjectOf(api, target, exchange)
    if (!exchange.answer || known.has(name) || known.size >= MOST_CONTROLS) return
    if (isRepeatable(api, target, exchange)) controls.set(origin, known.set(name, exchange.sent))
  }
  const watch = watchServer({
    sleep,
    controls: ({ url }) =>
      [...(controls.get(new URL(url).origin)?.values() ?? [])].map((sent) => async () => {
        await take(1)
        const exchange = await wire(sent, { milliseconds: parts.milliseconds, signal })
        signal.throwIfAborted()
        return exchange
      }),
  })
  /** Requests in succession whose pauses did not help. */
  let limited = 0
  const send = async (sent: Sent, { cost = 1, ...options }: AskOptions): Promise<Exchange> => {
    assertSendable?.(sent)
    if (!options.isOdd) lateness.assertPatient(sent)
    const milliseconds = options.milliseconds ?? parts.milliseconds
    let isRepeated = false
    let broken: Exchange | undefined
    for (let attempt = 0; ; attempt++) {
      const exchange = await watch.watched(async () => {
        await take(cost)
        count.waitsFor = 'a response'
        const received = await wire(sent, { milliseconds, signal })
        count.waitsFor = undefined
        // A request that the run itself aborted is no failure of the server.
        signal.throwIfAborted()
        return received
      })
      // A connection that breaks only occasionally proves nothing about the request.
      if (!isRepeated && isBroken(exchange) && !couldWrite(api, target, sent)) {
        isRepeated = true
        broken = exchange
        continue
      }
      if (broken !== undefined && exchange.answer !== undefined)
        reportAll(check(broken).map(asPassing))
      const isSilent = isLate(exchange) || (isBroken(exchange) && !options.isOdd)
      if (isSilent && !options.isBusy) await watch.assertResponds(exchange)
      broken = undefined
      // Others may be using the same server, so a rate limit is no response to this request.
      const pause = pauseOf(exchange)
      if (pause === undefined) limited = 0
      else if (attempt === MOST_PAUSES) limited += 1
      if (pause === undefined || attempt >= MOST_PAUSES || limited >= MOST_LIMITED) {
        if (!options.isOdd) {
          lateness.note(exchange)
          noteControl(exchange)
        }
        note?.(exchange, options)
        return exchange
      }
      count.waits += 1
      count.waitsFor = 'the end of the minute, as the server requests'
      await sleep(Math.max(0, Math.min(pause, (deadline ?? Number.POSITIVE_INFINITY) - now())))
      count.waitsFor = undefined
      if (deadline !== undefined && now() >= deadline) throw new CaseStopped(TIME_UP)
    }
  }
  const inferred: Inferred[] = []
  const context = { api, target, checker, cover, skip, notOffered }
  const check = (exchange: Exchange) => checkExchange(context, exchange)
  const made = new Map<object, Promise<unknown>>()
  return {
    ...{ api, target, checker, profile, seed, wire, take, now, sleep, signal, cover, check },
    ...{ deadline, skip, notOffered, reportAll },
    report: (rule, exchange, words) => reportAll([{ rule, exchange, ...words }]),
    once: <T>(key: object, make: () => Promise<T>) => {
      const known = (made.get(key) as Promise<T> | undefined) ?? make()
      made.set(key, known)
      return known
    },
    infer: (one) => void inferred.push(one),
    isOpen: (operation) => !closed.has(operation),
    close: (operation) => void closed.add(operation),
    knock: async (url) => {
      const sent = { method: 'GET', url, headers: { accept: '*/*' } }
      const exchange = await wire(sent, { milliseconds: parts.milliseconds, signal })
      noteControl(exchange)
      return exchange
    },
    assertResponded: silence.assertResponded,
    probe: (sent, options = {}) => send(sent, options),
    ask: async (sent, options = {}) => {
      const exchange = await send(sent, options)
      reportAll(check(exchange))
      return exchange
    },
    observe: (choice, way, exchange) =>
      void ways.set(choice, [...(ways.get(choice) ?? []), { way, exchange }]),
    seen: { findings, ways, ...record, inferred, count },
  }
}

/** Creates the record of what the checks of responses store besides findings. */
export const createRecord = (): ResponseRecord => {
  const skipped = new Map<string, Set<string>>()
  const covered = new Map<CoverageKind, Set<string>>()
  const absent = new Set<Operation>()
  const skip = (what: string, why: string) =>
    void skipped.set(why, (skipped.get(why) ?? new Set()).add(what))
  return {
    ...{ skipped, covered, absent, skip },
    cover: (kind, name) => void covered.set(kind, (covered.get(kind) ?? new Set()).add(name)),
    notOffered: (operation) => {
      absent.add(operation)
      skip(ownName(operation), NOT_OFFERED)
    },
  }
}

type ResponseRecord = Pick<Session, 'cover' | 'skip' | 'notOffered'> &
  Pick<RunState, 'skipped' | 'covered' | 'absent'>

/** A session with members for the run only. */
export type WholeSession = Session &
  Pick<Silence, 'assertResponded'> & {
    readonly seen: RunState
    /** Sends a plain GET, to find out whether the server is reachable. */
    readonly knock: (url: string) => Promise<Exchange>
  }

export type RunState = {
  readonly findings: readonly Finding[]
  /** Choice -> the behaviours of the server, in the order observed. */
  readonly ways: ReadonlyMap<
    string,
    readonly { readonly way: string; readonly exchange: Exchange }[]
  >
  /** Why -> what was not tested for this reason. */
  readonly skipped: ReadonlyMap<string, ReadonlySet<string>>
  readonly covered: ReadonlyMap<CoverageKind, ReadonlySet<string>>
  readonly inferred: readonly Inferred[]
  readonly absent: ReadonlySet<Operation>
  readonly count: {
    readonly requests: number
    readonly waits: number
    readonly waitsFor: string | undefined
  }
}

/** A response that broke off, although the repeated request got a response. */
const asPassing = (finding: Finding): Finding => ({
  ...finding,
  message: `${finding.message}, but not when the same request was sent again`,
  ...{ aspect: 'now and then', cause: 'now and then' },
})

/** The hosts of the two documents. Operations with their own servers are reported individually. */
const originsOf = ({ http, rpc }: Target): ReadonlySet<string> =>
  new Set([http, rpc].flatMap((url) => (url === undefined ? [] : [new URL(url).origin])))

/** The operation of a request, or its method and URL, to distinguish requests. */
const subjectOf = (api: Api, target: Target, exchange: Exchange): string => {
  const operation = operationCalled(api, target, exchange)
  const { method, url } = exchange.sent
  return operation === undefined ? `${method} ${url}` : ownName(operation)
}

/** The number of requests of different operations that are kept per host, to be repeated if it stops responding. */
const MOST_CONTROLS = 4

/** Whether a request only reads, so that it may be repeated at any time. */
const isRepeatable = (api: Api, target: Target, exchange: Exchange): boolean => {
  const operation = operationCalled(api, target, exchange)
  return operation === undefined ? exchange.sent.method === 'GET' : isRead(operation)
}

/** How often one request waits, and after how many such requests none waits: the server rejects every request. */
const MOST_PAUSES = 2
const MOST_LIMITED = 3

/** Milliseconds to wait before a retry after 429. */
const pauseOf = ({ answer }: Exchange): number | undefined => {
  if (answer?.status !== 429) return undefined
  return 1_000 * Math.min(Math.max(retryAfter(answer).seconds ?? 5, 1), 61)
}

/** One checker for all runs of an Api, so that its validators and values are reused. */
const checkerOf = ({ schemas }: Api): Checker => {
  const checker = checkers.get(schemas) ?? createChecker(schemas)
  checkers.set(schemas, checker)
  return checker
}

const checkers = new WeakMap<Api['schemas'], Checker>()
