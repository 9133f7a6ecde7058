import { cached } from '../shared/cached.js'
import { pointerStep } from '../shared/pointer.js'
import { shareAnswers } from './check-run.js'
import { isObject } from './json-value.js'
import type { ExplainOptions, Fault, FaultParams } from './validator.js'
import { quote } from './wording.js'

/** The place of a check in the value, and the list to which it adds its faults. */
export type Report = {
  readonly sink: ComplaintSink
  readonly from: Report | undefined
  /** The object or array that `key` is in. */
  readonly container: unknown
  readonly key: string | number
  readonly depth: number
  /** The number of unions that enclose the place. */
  readonly unions: number
  /** The rest of the pointer, from a handwritten validator. */
  readonly rest: string
}

/** The first different complaints, at most `most` of them. */
export type ComplaintSink = {
  readonly found: Complaint[]
  /** The same, grouped by place, because a value may have 10,000 complaints. */
  readonly groups: Map<string, Complaint[]>
  readonly most: number
  readonly options: ExplainOptions
  /** The number of all complaints, including repeated ones. */
  count: number
}

/** A fault before its message is composed, so that a union can combine those of its branches. */
export type Complaint = {
  readonly place: Report
  readonly keyword: string
  /** The requirement, without `must`: `be a string`. */
  readonly need: string
  /** The actual state: `has 3`. */
  readonly actual?: string | undefined
  /** Or the actual value as text; `hideValues` omits it. */
  readonly shown?: string | undefined
  readonly isAmbiguous?: true
  readonly params?: FaultParams
}

/** A check that explains an invalid value if it receives a report. */
type Reporting = (value: unknown, report?: Report) => boolean

/** The faults of a value that a check has rejected, in document order. */
export const faultsOf = (
  check: Reporting,
  value: unknown,
  most = 100,
  options: ExplainOptions = {},
): readonly Fault[] => {
  const root = reportOf(createSink(most, options))
  try {
    shareAnswers(() => reportWrong(check, value, root))
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    root.sink.found.splice(0, most, unbounded(root))
  }
  return inOrder(root.sink.found).map((complaint) => toFault(complaint, options))
}

/** Explains a rejected part of a value: at least one complaint is always reported. Returns false. */
export const reportWrong = (check: Reporting, value: unknown, report: Report): false => {
  const { sink } = report
  const { count } = sink
  // Several paths through `allOf` may lead to one schema, which repeats its complaints each time.
  if (count - sink.found.length >= MOST_REPEATED) return false
  if (value === undefined)
    complain(report, { keyword: 'type', need: 'be a JSON value', shown: quote(value) })
  else if (report.depth <= DEEPEST) check(value, report)
  else {
    const actual = 'has an error too deep to be shown'
    complain(report, { keyword: '', need: 'be valid at every depth', actual })
  }
  if (sink.count === count) add(sink, unbounded(report))
  return false
}

/** The first complaints about a rejected value, in a separate list. */
export const explore = (
  check: Reporting,
  value: unknown,
  report: Report,
  most: number,
): readonly Complaint[] => {
  const sink = createSink(most, report.sink.options)
  reportWrong(check, value, { ...report, sink })
  return sink.found
}

/** Adds a complaint about the value at this place. Returns false, like the calling check. */
export const complain = (report: Report, complaint: Omit<Complaint, 'place'>): false =>
  add(report.sink, { place: report, ...complaint })

export const add = (sink: ComplaintSink, complaint: Complaint): false => {
  sink.count++
  const { found, groups, most } = sink
  if (found.length >= most) return false
  const { place, keyword, need } = complaint
  const group = cached(groups, `${keyword} ${need} ${pointerOf(place)}`, () => [])
  if (group.some((one) => isSame(one, complaint))) return false
  group.push(complaint)
  found.push(complaint)
  return false
}

export const isFull = ({ sink }: Report): boolean => sink.found.length >= sink.most

export const inside = (from: Report, container: unknown, key: string | number): Report => {
  const { sink, depth, unions } = from
  return { sink, from, container, key, depth: depth + 1, unions, rest: '' }
}

const createSink = (most: number, options: ExplainOptions): ComplaintSink => ({
  found: [],
  groups: new Map(),
  most,
  options,
  count: 0,
})

const reportOf = (sink: ComplaintSink): Report => ({
  sink,
  from: undefined,
  container: undefined,
  key: '',
  depth: 0,
  unions: 0,
  rest: '',
})

const DEEPEST = 100

const MOST_REPEATED = 1_000

/** For a value on which the check exhausted the stack or followed a cycle. */
const unbounded = (place: Report): Complaint => ({
  place,
  keyword: '',
  need: 'not contain itself, nor be nested as deeply as this',
})

const toFault = (
  { place, keyword, need, actual, shown, isAmbiguous, params }: Complaint,
  { hideValues }: ExplainOptions,
): Fault => {
  const found = shown === undefined ? actual : hideValues ? undefined : `is ${shown}`
  return {
    pointer: pointerOf(place),
    keyword,
    message: found === undefined ? `must ${need}` : `must ${need}, ${found}`,
    ...(isAmbiguous && { isAmbiguous }),
    ...(params && { params }),
  }
}

/** Whether two complaints about one place are the same. */
const isSame = (a: Complaint, b: Complaint): boolean =>
  a.keyword === b.keyword && a.need === b.need && a.actual === b.actual && a.shown === b.shown

const pointerOf = (place: Report): string => {
  let pointer = place.rest
  for (let at = place; at.from !== undefined; at = at.from)
    pointer = at.from.rest + pointerStep(at.key) + pointer
  return pointer
}

/** In document order: a value before its parts, and the parts in their order. */
const inOrder = (complaints: readonly Complaint[]): readonly Complaint[] => {
  if (complaints.length < 2) return complaints
  const positions = positionsOf(complaints)
  return complaints
    .map((complaint) => ({ complaint, path: pathOf(complaint.place, positions) }))
    .sort((a, b) => comparePaths(a.path, b.path))
    .map(({ complaint }) => complaint)
}

/** Object -> position of each property with a complaint. */
type Positions = ReadonlyMap<unknown, ReadonlyMap<string, number>>

/** The names of each object are listed once, because an object may have 100,000 of them and many complaints. */
const positionsOf = (complaints: readonly Complaint[]): Positions => {
  const positions = new Map<unknown, Map<string, number>>()
  for (const { place } of complaints)
    for (let at = place; at.from !== undefined; at = at.from) {
      if (!isObject(at.container)) continue
      const named = positions.get(at.container) ?? new Map<string, number>()
      positions.set(at.container, named.set(String(at.key), -1))
    }
  for (const [container, named] of positions) {
    let left = named.size
    for (const [position, name] of Object.keys(container as object).entries()) {
      if (!named.has(name)) continue
      named.set(name, position)
      left -= 1
      if (left === 0) break
    }
  }
  return positions
}

const pathOf = (place: Report, positions: Positions): readonly number[] => {
  const path: number[] = []
  for (let at = place; at.from !== undefined; at = at.from) {
    const { container, key } = at
    path.push(positions.get(container)?.get(String(key)) ?? Number(key))
  }
  return path.reverse()
}

const comparePaths = (left: readonly number[], right: readonly number[]): number => {
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
