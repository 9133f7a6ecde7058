import type { Api, Operation } from '../model/api.js'
import type { Day } from '../model/day.js'
import type { Finding, Location } from '../model/finding.js'
import { cached } from '../runtime/shared/cached.js'
import type { Path } from '../schema/contain/gap.js'
import type { Node } from '../schema/node.js'
import type { Schema } from '../schema/schema.js'
import type { Unread } from '../usage/usage.js'
import { type DiffRuleId, ruleOf } from './rules.js'
import type { DiffContext } from './subject.js'

/** A finding of one rule about one place; at least one of the two versions has the place. */
export function change(rule: DiffRuleId, places: Places, message: string): Finding {
  const { level, advice } = ruleOf(rule)
  const { before, after } = places
  const location = after ?? before
  if (!location) throw new Error(`${rule} has no place`)
  return {
    rule,
    level,
    location,
    message,
    ...(after && before && { before }),
    ...(advice !== undefined && { advice }),
  }
}

/** A removed object is located where it would be now, and a new one where it would have been. */
export type Places = { readonly before: Location | undefined; readonly after: Location | undefined }

/** One operation in two versions, with the context that every rule needs. */
export type Comparison<O extends Operation = Operation> = {
  readonly context: DiffContext
  readonly before: O
  readonly after: O
  /** The name in messages: `GET /orders`, `eth_getBalance`. */
  readonly name: string
  readonly today: Day
}

/** The locations of the same member in both versions of an operation, or of any other object with a source. */
export const both = (
  { before, after }: Sourced,
  ...members: readonly (string | number)[]
): Places => ({
  before: before.source.locate(...members),
  after: after.source.locate(...members),
})

type Sourced = {
  readonly before: Pick<Operation, 'source'>
  readonly after: Pick<Operation, 'source'>
}

/** The document that declares an operation. */
export const documentOf = (api: Api, { kind }: Operation) => (kind === 'http' ? api.http : api.rpc)

/** Limits the level of a finding by stability: a note for draft and alpha, a warning for beta. */
export function weighed<F extends Finding>(
  finding: F,
  { stability }: { readonly stability?: Operation['stability'] },
): F {
  const level = stability === undefined || stability === 'stable' ? 'error' : HIGHEST[stability]
  if (RANK[finding.level] <= RANK[level]) return finding
  return {
    ...finding,
    level,
    message: `${finding.message} (its stability is ${stability}, so it may change)`,
  }
}

const HIGHEST = { draft: 'note', alpha: 'note', beta: 'warning' } as const

const RANK = { note: 0, warning: 1, error: 2 } as const

/** Collects findings; a finding of several operations is reported once. */
export function createGathering(usage?: ChangeEvaluator): Gathering {
  const groups = new Map<string, Group>()
  const seen = new Map<string, number>()
  // One operation may have two findings at one place; another operation that shares the place has the same two.
  const numbered = (key: string, operation: string) => {
    const times = seen.get(`${operation}\n${key}`) ?? 0
    seen.set(`${operation}\n${key}`, times + 1)
    return `${key}\n${times}`
  }
  return {
    add: (change, operation) => {
      const {
        part = '',
        place = '',
        cause,
        subject,
        sentence,
        met: _,
        lost: __,
        sender: ___,
        ...finding
      } = change
      const key =
        cause === undefined
          ? numbered(`${part}\n${keyOf(finding)}`, `${operation} ${place}`)
          : `${cause}\n${keyOf({ ...finding, before: undefined })}`
      const group = cached(groups, key, (): Group => {
        const sets = { operations: new Set<string>(), subjects: new Set<string>() }
        return { finding, ...sets, evidence: new Map(), sentence }
      })
      const evidence = usage?.evidenceOf(change, operation)
      if (evidence && operation !== undefined) group.evidence.set(operation, evidence)
      if (RANK[finding.level] > RANK[group.finding.level]) group.finding = finding
      if (operation !== undefined) group.operations.add(operation)
      if (subject !== undefined) group.subjects.add(subject)
    },
    findings: () =>
      [...groups.values()]
        .map((group) => {
          if (!usage || group.evidence.size === 0) return findingOf(group)
          // An operation without evidence may still be affected.
          const isWhole = group.evidence.size === group.operations.size
          const all = [...group.evidence.values()]
          return findingOf({
            ...group,
            finding: usage.withEvidence(group.finding, all, { isWhole, sentence: group.sentence }),
          })
        })
        .sort(byWeight),
  }
}

type Group = {
  finding: Finding
  readonly operations: Set<string>
  readonly subjects: Set<string>
  readonly evidence: Map<string, Evidence>
  readonly sentence: string | undefined
}

/** Evaluates changes against recorded requests. */
export type ChangeEvaluator = {
  readonly evidenceOf: (change: Change, operation: string | undefined) => Evidence | undefined
  readonly withEvidence: (
    finding: Finding,
    evidence: readonly Evidence[],
    group: { readonly isWhole: boolean; readonly sentence: string | undefined },
  ) => Finding
}

export type Change = Finding & {
  /** The affected values; undefined if the change does not affect values. */
  readonly met?: Met
  /** The way in which params can no longer be sent. */
  readonly lost?: 'by name' | 'by position'
  /** The change is about what the server sends, and not about calls of clients. */
  readonly sender?: 'server'
  /** The part of the operation that changed, if operations have several of a kind: the response `415`. */
  readonly part?: string
  /** The use of a shared response within the operation, if it is used several times: that of `415`. */
  readonly place?: string
  /** Equal for the same change of a shared schema wherever the schema is used; `part` is then ignored. */
  readonly cause?: string
  /** The place where the schema is used, as in messages. */
  readonly subject?: string
  /** The message without the consequence for others, for a consequence of another change. */
  readonly sentence?: string
}

/** The values that a change affects, and their place; counts of recorded requests are evaluated against it. */
export type Met = {
  /** The old schema of a parameter, a body or a result; `path` is the place within it. */
  readonly root: Schema
  readonly path: Path
  /** A kind of gap or of declaration. */
  readonly kind: string
  /** The value that is no longer accepted, and the value that is accepted now. */
  readonly was: unknown
  readonly is: unknown
  /** The new schema. */
  readonly after: Node | undefined
  /** The change affects only values of one of several alternatives. */
  readonly isPartial: boolean
  /** The change is about a property that the old version declares by name. */
  readonly isDeclared: boolean
}

/** The number of affected requests, as far as counts decide it: minimum and maximum. */
export type Range = { readonly least: number; readonly most: number }

/** How many requests of one consumer are affected, and when they were sent. */
export type Use = {
  readonly range: Range
  /** The affected place of these requests could not be read; they are in the greatest number of `range`. */
  readonly unread?: Unread
  readonly first?: string
  readonly last?: string
}

/** The recorded use of a change in one operation. */
export type Evidence = {
  /** The requests are messages of the server. */
  readonly sender?: 'server' | undefined
  /** Counts do not show who reads responses, so the level of a response change is never lowered. */
  readonly direction: 'request' | 'response'
  /** By consumer, for those that call the operation. */
  readonly uses: ReadonlyMap<string, Use>
  /** The number of all requests of the operation. */
  readonly of: number
  /** An affected recorded request, as JSON with types in place of values. */
  readonly shape: string | undefined
  /** Requests that could not be read, and may be of this operation. */
  readonly unread: Unread
}

/** The same findings for one use of a shared object. */
export function* atPlace(place: string, changes: Iterable<Change>): Generator<Change> {
  for (const change of changes) yield { ...change, place }
}

/** The same findings for a part; a part within it is appended. */
export function* ofPart(part: string, changes: Iterable<Change>): Generator<Change> {
  for (const change of changes) {
    yield { ...change, part: change.part === undefined ? part : `${part} ${change.part}` }
  }
}

type Gathering = {
  readonly add: (change: Change, operation?: string) => void
  /** The most important findings first, then by place. */
  readonly findings: () => readonly Finding[]
}

function findingOf({ finding, operations, subjects }: Group): Finding {
  if (operations.size === 0) return finding
  const others = operations.size - 1
  const places = subjects.size - 1
  const more =
    others > 0
      ? ` (and ${others} more ${others === 1 ? 'operation' : 'operations'})`
      : places > 0
        ? ` (and ${places} more ${places === 1 ? 'place' : 'places'} of it)`
        : ''
  const message = `${finding.message}${more}`
  const { details = [] } = finding
  const names = [...operations]
  return {
    ...{ ...finding, message, operations: names },
    // Each operation needs a manual check, so each is named.
    ...(others > 0 &&
      isUndecided(finding) && {
        details: [...details, { label: 'undecided in:', words: names.join(', ') }],
      }),
  }
}

/** Whether a finding reports a change whose effect diff cannot decide. */
export const isUndecided = ({ rule, usage }: Pick<Finding, 'rule' | 'usage'>): boolean =>
  UNDECIDED.has(rule) && usage?.verdict !== 'used' && usage?.verdict !== 'unused'

const UNDECIDED: ReadonlySet<string> = new Set([
  'request-change-is-undecided',
  'response-change-is-undecided',
])

const keyOf = ({
  rule,
  location,
  before,
  witness,
}: Omit<Finding, 'before'> & { readonly before?: Location | undefined }) =>
  [rule, placeOf(location), before ? placeOf(before) : '', witness ? 'shown' : ''].join('\n')

const placeOf = ({ file, line, column, pointer }: Location) => `${file}:${line}:${column}${pointer}`

const byWeight = (one: Finding, other: Finding) =>
  RANK[other.level] - RANK[one.level] ||
  compare(one.location.file, other.location.file) ||
  one.location.line - other.location.line ||
  one.location.column - other.location.column ||
  compare(one.rule, other.rule) ||
  compare(one.message, other.message)

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
