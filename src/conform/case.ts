import type { Api, Operation } from '../model/api.js'
import type { Checker } from '../schema/check.js'
import type { Source } from '../schema/source.js'
import type { Profile } from './profile-list.js'
import type { Target } from './target.js'
import type { Exchange, Sent, Wire } from './wire/exchange.js'

/** One thing that is tried of a server: a request, or a few that belong together. */
export type Case = {
  /** The same over all runs with the same documents: `eth_getBalance, example 2, by position`. */
  readonly name: string
  /** The operation that it is about; undefined where it is the protocol's own affair. */
  readonly operation?: Operation | undefined
  /** Requests that it sends at most, as a server counts them: each member of a batch. */
  readonly cost: number
  /** What goes first, and what is left out last where time is short. */
  readonly weight: 'example' | 'protocol' | 'workflow' | 'boundary' | 'generated'
  /** Troubles other callers of the server; only tried when that is asked for. */
  readonly isDisruptive?: boolean
  /** Needs what a server keeps from one request to the next, which a mock does not keep. */
  readonly needsState?: boolean
  readonly run: (session: Session) => Promise<readonly Complaint[]>
}

/** What a case has at hand. */
export type Session = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  /** The dialect that the server is meant to speak. */
  readonly profile: Profile | undefined
  readonly seed: number
  /** Sends one request at the pace of the run. What is always due of an answer is asked of this one too. */
  readonly ask: (sent: Sent, options?: AskOptions) => Promise<Exchange>
  /** The same without the checks of every response: for a search of which only the end is reported. */
  readonly probe: (sent: Sent, options?: AskOptions) => Promise<Exchange>
  /** What is always due of an answer: what `ask` asks. */
  readonly judge: (exchange: Exchange) => readonly Complaint[]
  /** Sends without pace and judgement, for what needs sockets of its own. */
  readonly wire: Wire
  /** Resolves when so many requests may be sent by `wire` or a socket, and counts them. */
  readonly take: (cost: number) => Promise<void>
  /** Tells which way a server went where a clause leaves the choice: `observe('params-null', 'refused', exchange)`. */
  readonly observe: (choice: string, way: string, exchange: Exchange) => void
  /** Reports what could not be tested, and why; it is never reported as passed. */
  readonly skip: (what: string, why: string) => void
  /** Reports a value that was taken from a response because no document shows one. */
  readonly infer: (inferred: Inferred) => void
  /** Reports an operation that the server says it does not have: it is counted apart, and named once. */
  readonly notOffered: (operation: Operation) => void
  /** Tells that something declared was met: for the coverage figure. */
  readonly cover: (kind: CoverageKind, name: string) => void
  readonly now: () => number
  /** What `now` reads when nothing more may be begun; undefined where the run may take its time. */
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

/** What a case says of a server: a finding in the making. */
export type Complaint = {
  /** The id of a row. */
  readonly rule: string
  /** What is wrong, in a sentence without its subject's name: `the id 1 came back as "1"`. */
  readonly message: string
  /** What would have been right: `"id":1`. */
  readonly expected: string
  readonly exchange: Exchange
  /** What the exchange was about, where the rules can know. */
  readonly operation?: Operation | undefined
  /** Tells complaints of one rule about one operation apart, the same way in each run: `400`, `/result/gasUsed`. */
  readonly aspect?: string | undefined
  /**
   * What is wrong, without where it was seen: `pattern: 0X in place of 0x`, `null gasUsed`. Complaints of one rule with one cause are one
   * kind. The aspect where it is left out; an empty text where the rule alone says it.
   */
  readonly cause?: string | undefined
  /** The line of a document that is broken; the operation's own where it is left out. */
  readonly source?: Source | undefined
}

/** What cases are made from. */
export type Plan = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  readonly profile: Profile | undefined
  readonly seed: number
  /** How many values are generated for each operation. */
  readonly maxExamples: number
  /** Tells what cannot be tried, and why. */
  readonly skip: (what: string, why: string) => void
}

export type CheckContext = {
  readonly api: Api
  readonly target: Target
  readonly checker: Checker
  readonly cover: (kind: CoverageKind, name: string) => void
  /** Reports what is not judged, and why. */
  readonly skip: (what: string, why: string) => void
  /** Reports an operation that the server says it does not have. */
  readonly notOffered: (operation: Operation) => void
}

/**
 * Why a case is stopped between two of its requests. `server gone`: the server accepts no connection any more, or answers no
 * request; `exchange` is the request that most likely ended it. `operation late`: it did not respond in time too often; its
 * first late exchange, undefined where that was reported before. `not sent`: the options of the run do not allow the request.
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
  | { readonly kind: 'not sent' | 'time up'; readonly message: string }

/** A session throws it through the case, so that no case has to pass on what it cannot do anything about. */
export class CaseStopped extends Error {
  override readonly name = 'CaseStopped'
  readonly stop: Stop

  constructor(stop: Stop) {
    super(stop.message)
    this.stop = stop
  }
}

export const TIME_UP: Stop = { kind: 'time up', message: 'the time was up' }
