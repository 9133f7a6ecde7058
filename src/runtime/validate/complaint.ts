import { pointerStep } from '../shared/pointer.js'
import type { ExplainOptions, Fault, FaultParams } from '../validate.js'
import { isObject } from './json-value.js'

/** A fault before its sentence is put together, so that a union can join what its branches ask for. */
export type Complaint = {
  readonly place: Place
  readonly keyword: string
  /** What must be, without the `must`: `be a string`. */
  readonly need: string
  /** What is instead: `has 3`. */
  readonly actual?: string | undefined
  /** Or the value that is there, and how it is put into words, for those complaints alone that are reported. */
  readonly shown?: unknown
  readonly show?: (value: unknown) => string
  /** The sentence, without the value that is shown, where it was put together before any value was seen. */
  readonly said?: string
  /** Several alternatives of a `oneOf` match, and only one may. */
  readonly isAmbiguous?: true
  readonly params?: FaultParams
}

/** Where in the value, as the way there, which becomes a pointer only where something is reported of it. */
export type Place = {
  readonly from: Place | undefined
  /** What the key is one of. */
  readonly container: unknown
  readonly key: string | number
  readonly depth: number
  /** The unions on the way. */
  readonly unions: number
  /** The rest of the pointer, where another validator reported it. */
  readonly rest: string
}

/** The first different complaints, so many at most. `count` counts the others, too. */
export type Complaints = {
  found: readonly Complaint[]
  readonly most: number
  /** What messages may show, for validators that were written by hand. */
  readonly options: ExplainOptions
  count: number
  /** Whether what is inherited is distinguished from what is an object's own. */
  isCareful: boolean
}

/** What is wrong with a value, if anything, is added to what is known. */
export type Explain = (value: unknown, place: Place, out: Complaints) => void

export const root: Place = {
  from: undefined,
  container: undefined,
  key: '',
  depth: 0,
  unions: 0,
  rest: '',
}

export const inside = (from: Place, container: unknown, key: string | number): Place => ({
  from,
  container,
  key,
  depth: from.depth + 1,
  unions: from.unions,
  rest: '',
})

/** The same place, as a branch of a union speaks of it. Written out, as it is in the way of every choice. */
export const inUnion = ({ from, container, key, depth, unions, rest }: Place): Place => ({
  from,
  container,
  key,
  depth,
  unions: unions + 1,
  rest,
})

export const atMost = (most: number, options: ExplainOptions): Complaints => ({
  found: NONE,
  most,
  options,
  count: 0,
  isCareful: false,
})

export const isFull = ({ found, most }: Complaints): boolean => found.length >= most

export const complain = (out: Complaints, complaint: Complaint): void => {
  out.count++
  if (isFull(out)) return
  const { found } = out
  for (let at = 0; at < found.length; at++) {
    const one = found[at]
    if (one !== undefined && isSame(one, complaint)) return
  }
  const first = found[0]
  // Arrays that grow are made with space for sixteen.
  if (first === undefined) out.found = [complaint]
  else if (found.length === 1) out.found = [first, complaint]
  else out.found = found.concat(complaint)
}

/** All that there is to say, and no two the same. */
export const complainOf = (out: Complaints, complaints: readonly Complaint[]): void => {
  if (out.found.length === 0 && complaints.length <= out.most) {
    out.count += complaints.length
    out.found = complaints
  } else for (const complaint of complaints) complain(out, complaint)
}

const NONE: readonly Complaint[] = []

export const toFault = (complaint: Complaint, options: ExplainOptions): Fault => ({
  pointer: pointerOf(complaint.place),
  keyword: complaint.keyword,
  message: messageOf(complaint, options),
  ...(complaint.isAmbiguous && { isAmbiguous: true }),
  ...(complaint.params && { params: complaint.params }),
})

const messageOf = (complaint: Complaint, { hideValues }: ExplainOptions): string => {
  const { need, said, shown, show } = complaint
  if (hideValues && show !== undefined) return `must ${need}`
  if (said !== undefined) return show === undefined ? said : said + show(shown)
  const actual = actualOf(complaint)
  return actual === undefined ? `must ${need}` : `must ${need}, ${actual}`
}

/** In document order: a value before what is inside it, and its parts as they stand in it. */
export const inOrder = (complaints: readonly Complaint[]): readonly Complaint[] => {
  if (complaints.length < 2 || isOneWay(complaints)) return complaints
  const positions = positionsOf(complaints)
  return complaints
    .map((complaint) => ({ complaint, path: pathOf(complaint.place, positions) }))
    .sort((a, b) => comparePaths(a.path, b.path))
    .map(({ complaint }) => complaint)
}

/** Whether each place is around the next, or the same, so that nothing need be sorted. */
const isOneWay = (complaints: readonly Complaint[]): boolean => {
  for (let next = 1; next < complaints.length; next++) {
    const outer = complaints[next - 1]
    const inner = complaints[next]
    if (outer && inner && !leadsTo(outer.place, inner.place)) return false
  }
  return true
}

const leadsTo = (outer: Place, place: Place): boolean => {
  if (outer.depth === 0) return true
  let at: Place | undefined = place
  while (at !== undefined && at.depth > outer.depth) at = at.from
  return at !== undefined && isSameWay(at, outer)
}

const actualOf = ({ actual, shown, show }: Complaint): string | undefined =>
  show === undefined ? actual : `is ${show(shown)}`

const isSame = (a: Complaint, b: Complaint): boolean =>
  a.keyword === b.keyword &&
  a.need === b.need &&
  isSamePlace(a.place, b.place) &&
  actualOf(a) === actualOf(b)

const isSamePlace = (a: Place, b: Place): boolean => {
  return a.depth === b.depth && a.rest === b.rest && isSameWay(a, b)
}

const isSameWay = (a: Place, b: Place): boolean => {
  let [one, other]: [Place | undefined, Place | undefined] = [a, b]
  while (one !== other && one && other) {
    if (one.key !== other.key) return false
    one = one.from
    other = other.from
  }
  return true
}

const pointerOf = (place: Place): string => {
  let pointer = place.rest
  for (let at = place; at.from !== undefined; at = at.from) {
    const step = pointerStep(at.key)
    pointer = pointer === '' ? step : step + pointer
    if (at.from.rest !== '') pointer = at.from.rest + pointer
  }
  return pointer
}

/** The positions of the parts that lead there. */
const pathOf = (place: Place, positions: Positions): readonly number[] => {
  const path: number[] = []
  for (let at = place; at.from !== undefined; at = at.from) {
    const { container, key } = at
    path.push(positions.get(container)?.get(String(key)) ?? Number(key))
  }
  return path.reverse()
}

/** Where the properties that complaints name stand in their objects. */
type Positions = ReadonlyMap<unknown, ReadonlyMap<string, number>>

/** The names of each object are listed once: an object may have 100,000 of them, and as many complaints as are shown. */
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

const comparePaths = (left: readonly number[], right: readonly number[]): number => {
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
