import type { Api, Operation } from '../model/api.js'
import type { Day } from '../model/day.js'
import type { Finding, Location } from '../model/finding.js'
import { cached } from '../runtime/shared/cached.js'
import type { Path } from '../schema/contain/gap.js'
import type { Node } from '../schema/node.js'
import type { Schema } from '../schema/schema.js'
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

/** What is gone is located where it would be now, and what is new where it would have been. */
export type Places = { readonly before: Location | undefined; readonly after: Location | undefined }

/** One operation in two versions, with what every rule needs beside it. */
export type Comparison<O extends Operation = Operation> = {
  readonly context: DiffContext
  readonly before: O
  readonly after: O
  /** What people call it: `GET /orders`, `eth_getBalance`. */
  readonly name: string
  readonly today: Day
}

/** The same member of an operation, or of anything else with a source, in both versions. */
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

/** The document of an operation. */
export const documentOf = (api: Api, { kind }: Operation) => (kind === 'http' ? api.http : api.rpc)

/** What is experimental may change, and is reported; what is nearly stable warns. */
export function weighed<F extends Finding>(
  finding: F,
  { stability }: Pick<Operation, 'stability'>,
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

/** Collects findings, each reported once however many operations it is found in. */
export function createGathering(judge?: Judge): Gathering {
  const groups = new Map<string, Group>()
  const seen = new Map<string, number>()
  // One operation may have two findings at one place; another that shares the place has the same two.
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
      const evidence = judge?.evidenceOf(change, operation)
      if (evidence && operation !== undefined) group.evidence.set(operation, evidence)
      if (RANK[finding.level] > RANK[group.finding.level]) group.finding = finding
      if (operation !== undefined) group.operations.add(operation)
      if (subject !== undefined) group.subjects.add(subject)
    },
    findings: () =>
      [...groups.values()]
        .map((group) => {
          if (!judge || group.evidence.size === 0) return findingOf(group)
          // What an operation of several says nothing of may be met there.
          const isWhole = group.evidence.size === group.operations.size
          const all = [...group.evidence.values()]
          return findingOf({
            ...group,
            finding: judge.judged(group.finding, all, { isWhole, sentence: group.sentence }),
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

/** What recorded requests say of changes. */
export type Judge = {
  readonly evidenceOf: (change: Change, operation: string | undefined) => Evidence | undefined
  readonly judged: (
    finding: Finding,
    evidence: readonly Evidence[],
    group: { readonly isWhole: boolean; readonly sentence: string | undefined },
  ) => Finding
}

export type Change = Finding & {
  /** Undefined where the change is about no value. */
  readonly met?: Met
  /** The way in which params can no longer be sent. */
  readonly lost?: 'by name' | 'by position'
  /** The part of an operation that it is of, where operations have several of a kind: the response `415`. */
  readonly part?: string
  /** Which of several uses of a shared response within an operation it is found in: that of `415`. */
  readonly place?: string
  /** The same for the same change of a shared schema, wherever the schema is used; then no part is needed. */
  readonly cause?: string
  /** Where the schema is used, as messages say it. */
  readonly subject?: string
  /** The message without what it means to others, for a consequence of another change. */
  readonly sentence?: string
}

/** What a value has to be to meet a change, and where: counts of recorded requests are read by it. */
export type Met = {
  /** The schema before of a parameter, a body or a result, and the place within it. */
  readonly root: Schema
  readonly path: Path
  /** A kind of gap, or of what is declared. */
  readonly kind: string
  /** What was accepted and is not any more, and what is accepted now. */
  readonly was: unknown
  readonly is: unknown
  /** The schema now. */
  readonly after: Node | undefined
  /** Only values of one of several alternatives meet it. */
  readonly isPartial: boolean
  /** The change is about a property that the version before declares by its name. */
  readonly isDeclared: boolean
}

/** How many requests met something, as far as counts decide it: at least and at most. */
export type Range = { readonly least: number; readonly most: number }

/** How many requests of one consumer met something, and when. */
export type Use = { readonly range: Range; readonly first?: string; readonly last?: string }

/** What recorded requests say of a change in one operation. */
export type Evidence = {
  /** Of responses nobody knows who reads them: such a change is never lowered. */
  readonly direction: 'request' | 'response'
  /** By consumer, of those that call the operation. */
  readonly uses: ReadonlyMap<string, Use>
  /** All requests of the operation. */
  readonly of: number
  /** A recorded request that meets it, as JSON with types in place of values. */
  readonly shape: string | undefined
}

/** The same findings, of one use of a shared object. */
export function* atPlace(place: string, changes: Iterable<Change>): Generator<Change> {
  for (const change of changes) yield { ...change, place }
}

/** The same findings, of a part; those that know a part within it keep theirs. */
export function* ofPart(part: string, changes: Iterable<Change>): Generator<Change> {
  for (const change of changes) {
    yield { ...change, part: change.part === undefined ? part : `${part} ${change.part}` }
  }
}

type Gathering = {
  readonly add: (change: Change, operation?: string) => void
  /** What matters most first, then by place. */
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
    // Somebody has to look at each of them, so that each has to be named.
    ...(others > 0 &&
      isUndecided(finding) && {
        details: [...details, { label: 'undecided in:', words: names.join(', ') }],
      }),
  }
}

/** Whether a finding says that diff cannot decide what a change means. */
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
