import type { Finding, Location } from '../../model/finding.js'
import { RANK } from './stability.js'

/** Collects findings, each said once however many operations meet it. */
export function createGathering(): Gathering {
  const groups = new Map<string, { finding: Finding; readonly operations: Set<string> }>()
  const seen = new Map<string, number>()
  // One operation may say two things of one place; another that shares it says the same two.
  const numbered = (key: string, operation = '') => {
    const times = seen.get(`${operation}\n${key}`) ?? 0
    seen.set(`${operation}\n${key}`, times + 1)
    return `${key}\n${times}`
  }
  return {
    add: ({ part = '', ...finding }, operation) => {
      const key = numbered(`${part}\n${keyOf(finding)}`, operation)
      const group = groups.get(key) ?? { finding, operations: new Set<string>() }
      if (RANK[finding.level] > RANK[group.finding.level]) group.finding = finding
      if (operation !== undefined) group.operations.add(operation)
      groups.set(key, group)
    },
    findings: () => [...groups.values()].map(told).sort(byWeight),
  }
}

/** A finding, and the part of an operation that it is of, where operations have several of a kind: the answer `415`. */
export type Change = Finding & { readonly part?: string }

/** The same findings, of a part; those that know a part within it keep theirs. */
export function* ofPart(part: string, changes: Iterable<Change>): Generator<Change> {
  for (const change of changes) {
    yield { ...change, part: change.part === undefined ? part : `${part} ${change.part}` }
  }
}

export type Gathering = {
  readonly add: (change: Change, operation?: string) => void
  /** What matters most first, then by place. */
  readonly findings: () => readonly Finding[]
}

const told = ({
  finding,
  operations,
}: {
  readonly finding: Finding
  readonly operations: ReadonlySet<string>
}): Finding => {
  if (operations.size === 0) return finding
  const others = operations.size - 1
  const more = others === 1 ? ' (and 1 more operation)' : ` (and ${others} more operations)`
  const message = others === 0 ? finding.message : `${finding.message}${more}`
  return { ...finding, message, operations: [...operations] }
}

const keyOf = ({ rule, location, before, witness }: Finding) =>
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
