import type { Api, Operation } from '../model/api.js'
import type { Checker } from '../schema/check.js'
import type { Schema } from '../schema/schema.js'
import type { Source } from '../schema/source.js'
import type { Exchange, Sent } from '../traffic/exchange.js'
import type { Profile } from './profile-list.js'
import type { KeywordRecord } from './report/keywords.js'
import type { Fixtures } from './state/resources.js'
import type { Target } from './target.js'
import type { Wire } from './wire/exchange.js'

/** One test of a server: a request, or a few that belong together. */
export type Case = {
  /** The same in all runs with the same documents: `eth_getBalance, example 2, by position`. */
  readonly name: string
  /** The operation under test, to which findings belong; undefined for a case of the protocol itself. */
  readonly operation?: Operation | undefined
  /** The maximum number of requests, as a server counts them: each member of a batch. */
  readonly cost: number
  /** Disturbs other callers of the server; only run with `--disruptive`. */
  readonly isDisruptive?: boolean
  /** Needs state that a server keeps between requests, and a mock does not. */
  readonly needsState?: boolean
  /** Sends its requests and reports findings. Rejects with NotTested if nothing can be concluded. */
  readonly run: (session: Session) => Promise<void>
}

/** Makes the cases of an operation. */
export type CasesOf = (operation: Operation) => readonly Case[]

/** What cases use: the documents, what sends requests, what records findings, and the checks of every response. */
export type Session = Sender &
  Recorder & {
    readonly api: Api
    readonly target: Target
    readonly checker: Checker
    /** The dialect that the server is expected to implement. */
    readonly profile: Profile | undefined
    readonly seed: number
    /** What is wrong with a response to any request: the checks of every response. */
    readonly check: (exchange: Exchange) => readonly ExchangeFinding[]
    /** Returns what `make` returned for this key the first time in a run. */
    readonly once: <T>(key: object, make: () => Promise<T>) => Promise<T>
  }

/** Sends requests at the pace of the run. */
export type Sender = {
  /** Sends one request, and reports what `check` finds in its response. */
  readonly ask: (sent: Sent, options?: AskOptions) => Promise<Exchange>
  /** Like `ask`, without a report. */
  readonly probe: (sent: Sent, options?: AskOptions) => Promise<Exchange>
  /** Sends without rate limit and checks, for cases that open their own sockets. */
  readonly wire: Wire
  /** Resolves when this many requests may be sent by `wire` or a socket, and counts them. */
  readonly take: (cost: number) => Promise<void>
  /** The resources behind path parameters. */
  readonly fixtures: Fixtures
  readonly now: () => number
  /** The value of `now` after which nothing new starts; undefined if the run has no time limit. */
  readonly deadline?: number | undefined
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly signal: AbortSignal
}

/** Records what a run finds and leaves out. */
export type Recorder = {
  /** Reports a finding, about the operation of the case unless `words` names another. */
  readonly report: (rule: string, exchange: Exchange, words: FindingWords) => void
  readonly reportAll: (findings: readonly ExchangeFinding[]) => void
  /** Records the behaviour of a server if a clause leaves the choice: `observe('params-null', 'rejected', exchange)`. */
  readonly observe: (choice: string, way: string, exchange: Exchange) => void
  /** Reports what could not be tested, and why; it is never reported as passed. */
  readonly skip: (what: string, why: string) => void
  /** Reports a value that was taken from a response because no document has an example. */
  readonly infer: (inferred: Inferred) => void
  /** Reports an operation that the server does not have: it is counted separately, and named once. */
  readonly notOffered: (operation: Operation) => void
  /** Whether more may be concluded from requests of an operation: `close` was not called for it. */
  readonly isOpen: (operation: Operation) => boolean
  /** Records that the server rejects every request of an operation, so that no more values are tried. */
  readonly close: (operation: Operation) => void
  /** Records that something declared was tested, for the coverage figure. */
  readonly cover: (kind: CoverageKind, name: string) => void
  /** Records that a keyword of a request was tried, and how the server responded. */
  readonly tryKeyword: KeywordRecord['note']
  /** Records the response to a request that the document allows. */
  readonly noteValid: KeywordRecord['noteValid']
  readonly isOfValid: KeywordRecord['isOfValid']
}

/** `getOrder`, `path.id` and `listOrders`. */
export type Inferred = {
  readonly operation: string
  readonly parameter: string
  readonly from: string
}

export type AskOptions = {
  /** How many requests a server counts; 1 by default. */
  readonly cost?: number
  /** How long a response may take; by default, the limit of the run. */
  readonly milliseconds?: number
  /** The request is not a normal one of its operation, so that a missing response does not count against it. */
  readonly isOdd?: boolean
  /** The request is an example of the document. */
  readonly isExample?: boolean
  /** The server is busy with other requests, so that a late response does not mean that it hangs. */
  readonly isBusy?: boolean
  /** The request is for this resource, even if it is known to be gone. */
  readonly isFinal?: boolean
}

export type CoverageKind =
  | 'operation'
  | 'variant'
  | 'status'
  | 'error code'
  | 'keyword'
  | 'workflow'

/** An error in one exchange. Findings with the same identity are reported as one. */
export type ExchangeFinding = FindingWords & {
  /** The id of a rule. */
  readonly rule: string
  readonly exchange: Exchange
}

export type FindingWords = {
  /** What is wrong, in a sentence that does not name the operation: `the id 1 came back as "1"`. */
  readonly message: string
  /** What would be right: `"id":1`. */
  readonly expected: string
  /** The operation of the exchange, if the rules know it. */
  readonly operation?: Operation | undefined
  /** Distinguishes findings of one rule about one operation, the same way in each run: `400`, `/result/gasUsed`. */
  readonly aspect?: string | undefined
  /**
   * What is wrong, without the place: `pattern: 0X in place of 0x`, `null gasUsed`. Findings of one rule with one cause are one
   * kind. The default is the aspect; an empty text if the rule alone describes it.
   */
  readonly cause?: string | undefined
  /** The line of a document that is violated; by default, that of the operation. */
  readonly source?: Source | undefined
}

/** The inputs of case factories. `maxExamples`: how many values are generated for each operation. */
export type Plan = Pick<Session, 'api' | 'target' | 'checker' | 'seed' | 'skip'> & {
  readonly maxExamples: number
}

/** The inputs of the checks of every response. */
export type CheckContext = Pick<
  Session,
  'api' | 'target' | 'checker' | 'cover' | 'skip' | 'notOffered'
>

/** The checks of one response. `found` has their findings. */
export type ResponseCheck = CheckContext & {
  readonly exchange: Exchange
  readonly found: readonly ExchangeFinding[]
  /** Reports a finding, about the called operation unless `more` names another. */
  readonly report: (
    rule: string,
    message: string,
    expected: string,
    more?: Omit<FindingWords, 'message' | 'expected'>,
  ) => void
}

/**
 * Why a case is stopped between two of its requests. `server gone`: the server accepts no more connections, or no longer
 * responds; `exchange` is the request that most likely caused it. `operation late`: its responses were late too often;
 * `exchange` is the first late one, undefined if it was reported before. `operation limited`: the server rejects the operation
 * with 429; `exchange` is that response, undefined if nothing was sent.
 */
export type Stop =
  | {
      readonly kind: 'server gone'
      readonly message: string
      readonly rule: 'server-unreachable' | 'server-stopped-responding'
      readonly exchange: Exchange
    }
  | {
      readonly kind: 'operation late' | 'operation limited'
      readonly message: string
      readonly exchange: Exchange | undefined
    }
  | { readonly kind: 'time up'; readonly message: string }

/** Thrown by a session through the case: the run or the operation is aborted. */
export class CaseStopped extends Error {
  override readonly name = 'CaseStopped'
  readonly stop: Stop

  constructor(stop: Stop) {
    super(stop.message)
    this.stop = stop
  }
}

export const TIME_UP: Stop = { kind: 'time up', message: 'the time limit was reached' }

/** Thrown if a case cannot be run, or nothing can be concluded from it: the case is reported as not tested. */
export class NotTested extends Error {
  override readonly name = 'NotTested'
}

/** One part of an operation's requests that is varied, while the rest of the request stays valid. */
export type VariedInput = {
  readonly operation: Operation
  /** `params`, `params by name`, `body application/json`, `query.limit`. */
  readonly part: string
  readonly schema: Schema
  /** Documented values, the best first; all are valid. */
  readonly bases: readonly unknown[]
  readonly accepts: (value: unknown) => boolean
  /** Whether a server must reject it, in every reading of its text. */
  readonly rejects: (value: unknown) => boolean
  /** Writes the request; `undefined` omits the part. */
  readonly write: (value: unknown) => Sent | undefined
  readonly isRequired: boolean
}
