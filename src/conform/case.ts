import type { Api, Operation } from '../model/api.js'
import type { Checker } from '../schema/check.js'
import type { Schema } from '../schema/schema.js'
import type { Source } from '../schema/source.js'
import type { Profile } from './profile-list.js'
import type { Target } from './target.js'
import type { Exchange, Sent, Wire } from './wire/exchange.js'

/** One thing that is tried of a server: a request, or a few that belong together. */
export type Case = {
  /** The same over all runs with the same documents: `eth_getBalance, example 2, by position`. */
  readonly name: string
  /** The operation that it is about; undefined for a case of the protocol itself. Its findings are about this operation. */
  readonly operation?: Operation | undefined
  /** Requests that it sends at most, as a server counts them: each member of a batch. */
  readonly cost: number
  /** Disturbs other callers of the server; only run with `--disruptive`. */
  readonly isDisruptive?: boolean
  /** Needs what a server keeps from one request to the next, which a mock does not keep. */
  readonly needsState?: boolean
  /** Sends its requests and reports findings. Rejects with NotTested where nothing can be concluded. */
  readonly run: (session: Session) => Promise<void>
}

/** Makes the cases of an operation. */
export type CasesOf = (operation: Operation) => readonly Case[]

/** What a case uses. */
export type Session = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  /** The dialect that the server is meant to speak. */
  readonly profile: Profile | undefined
  readonly seed: number
  /** Sends one request at the pace of the run, and reports what `check` finds in its response. */
  readonly ask: (sent: Sent, options?: AskOptions) => Promise<Exchange>
  /** The same without a report. */
  readonly probe: (sent: Sent, options?: AskOptions) => Promise<Exchange>
  /** What is wrong with a response to any request: the checks of every response. */
  readonly check: (exchange: Exchange) => readonly Finding[]
  /** Reports a finding, about the operation of the case unless `words` names another. */
  readonly report: (rule: string, exchange: Exchange, words: FindingWords) => void
  readonly reportAll: (findings: readonly Finding[]) => void
  /** Sends without pace and checks, for cases that open sockets of their own. */
  readonly wire: Wire
  /** Resolves when so many requests may be sent by `wire` or a socket, and counts them. */
  readonly take: (cost: number) => Promise<void>
  /** Returns what `make` returned for this key the first time in a run. */
  readonly once: <T>(key: object, make: () => Promise<T>) => Promise<T>
  /** Records what a server does where a clause leaves the choice: `observe('params-null', 'refused', exchange)`. */
  readonly observe: (choice: string, way: string, exchange: Exchange) => void
  /** Reports what could not be tested, and why; it is never reported as passed. */
  readonly skip: (what: string, why: string) => void
  /** Reports a value that was taken from a response because no document shows one. */
  readonly infer: (inferred: Inferred) => void
  /** Reports an operation that the server says it does not have: it is counted apart, and named once. */
  readonly notOffered: (operation: Operation) => void
  /** Whether more may be concluded from requests of an operation: `close` was not called for it. */
  readonly isOpen: (operation: Operation) => boolean
  /** Records that the server rejects every request of an operation, so that no more values are tried. */
  readonly close: (operation: Operation) => void
  /** Records that something declared was met, for the coverage figure. */
  readonly cover: (kind: CoverageKind, name: string) => void
  readonly now: () => number
  /** What `now` reads when nothing more may be begun; undefined where the run has no time limit. */
  readonly deadline?: number | undefined
  readonly sleep: (milliseconds: number) => Promise<void>
  readonly signal: AbortSignal
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
  /** How long an answer may take; that of the run by default. */
  readonly milliseconds?: number
  /** What is sent is no plain request of its operation, of which it says nothing that no answer comes. */
  readonly isOdd?: boolean
  /** It is what the document shows for its operation. */
  readonly isExample?: boolean
  /** The server is kept busy meanwhile, so that a late response does not mean that it hangs. */
  readonly isBusy?: boolean
}

export type CoverageKind =
  | 'operation'
  | 'variant'
  | 'status'
  | 'error code'
  | 'keyword'
  | 'workflow'

/** What is wrong in one exchange. Findings with one identity are reported as one. */
export type Finding = FindingWords & {
  /** The id of a rule. */
  readonly rule: string
  readonly exchange: Exchange
}

export type FindingWords = {
  /** What is wrong, in a sentence without its subject's name: `the id 1 came back as "1"`. */
  readonly message: string
  /** What would have been right: `"id":1`. */
  readonly expected: string
  /** What the exchange was about, where the rules can know. */
  readonly operation?: Operation | undefined
  /** Distinguishes findings of one rule about one operation, the same way in each run: `400`, `/result/gasUsed`. */
  readonly aspect?: string | undefined
  /**
   * What is wrong, without where it was seen: `pattern: 0X in place of 0x`, `null gasUsed`. Findings of one rule with one cause are one
   * kind. The aspect where it is left out; an empty text where the rule alone says it.
   */
  readonly cause?: string | undefined
  /** The line of a document that is broken; the operation's own where it is left out. */
  readonly source?: Source | undefined
}

/** What cases are made from. `maxExamples`: how many values are generated for each operation. */
export type Plan = Pick<Session, 'api' | 'target' | 'checker' | 'seed' | 'skip'> & {
  readonly maxExamples: number
}

/** What the checks of every response use. */
export type CheckContext = Pick<
  Session,
  'api' | 'target' | 'checker' | 'cover' | 'skip' | 'notOffered'
>

/** The checks of one response. `found` is what they have reported. */
export type ResponseCheck = CheckContext & {
  readonly exchange: Exchange
  readonly found: readonly Finding[]
  /** Reports a finding, about the operation that was called unless `more` names another. */
  readonly report: (
    rule: string,
    message: string,
    expected: string,
    more?: Omit<FindingWords, 'message' | 'expected'>,
  ) => void
}

/**
 * Why a case is stopped between two of its requests. `server gone`: the server accepts no connection any more, or answers no
 * request; `exchange` is the request that most likely ended it. `operation late`: it did not respond in time too often; its
 * first late exchange, undefined where that was reported before.
 */
export type Stop =
  | {
      readonly kind: 'server gone'
      readonly message: string
      readonly rule: 'server-unreachable' | 'server-stopped-responding'
      readonly exchange: Exchange
    }
  | {
      readonly kind: 'operation late'
      readonly message: string
      readonly exchange: Exchange | undefined
    }
  | { readonly kind: 'time up'; readonly message: string }

/** Thrown by a session through the case: the run or the operation is given up. */
export class CaseStopped extends Error {
  override readonly name = 'CaseStopped'
  readonly stop: Stop

  constructor(stop: Stop) {
    super(stop.message)
    this.stop = stop
  }
}

export const TIME_UP: Stop = { kind: 'time up', message: 'the time was up' }

/** Thrown where a case cannot be run, or nothing can be concluded from it: the case is reported as not tested. */
export class NotTested extends Error {
  override readonly name = 'NotTested'
}

/** One part of an operation's requests that values are tried in, the rest of a request as it should be. */
export type Input = {
  readonly operation: Operation
  /** `params`, `params by name`, `body application/json`, `query.limit`. */
  readonly part: string
  readonly schema: Schema
  /** Values that the document shows, the best first; each is right. */
  readonly bases: readonly unknown[]
  readonly takes: (value: unknown) => boolean
  /** Whether a server must reject it, however it reads a text. */
  readonly refuses: (value: unknown) => boolean
  /** `undefined` leaves the part out. */
  readonly write: (value: unknown) => Sent | undefined
  readonly isRequired: boolean
}
