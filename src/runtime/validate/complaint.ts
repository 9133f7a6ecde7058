import { pointerStep } from '../ground/pointer.js'
import type { Fault, Reading, ValidatorSchema } from '../validate.js'
import { runCheck } from './check-run.js'
import { compile } from './check-value.js'

/** A fault before its sentence is put together, so that a union can join what its branches ask for. */
export type Complaint = {
  readonly place: Place
  readonly keyword: string
  /** What must be, without the `must`: `be a string`. */
  readonly need: string
  /** What is instead: `is the number 3`. */
  readonly actual?: string
}

/** Where in the value, as a pointer and as positions to sort by; `unions` counts the unions on the way. */
export type Place = {
  readonly pointer: string
  readonly path: readonly number[]
  readonly unions: number
}

export type Complaints = Generator<Complaint, void>

/** The explanation of one subschema, handed on so that the parts of the explainer need not know each other. */
export type Explain = (
  schema: ValidatorSchema,
  reading: Reading,
  value: unknown,
  place: Place,
) => Complaints

export const root: Place = { pointer: '', path: [], unions: 0 }

export const inside = (place: Place, key: string | number, position: number): Place => ({
  pointer: place.pointer + pointerStep(key),
  path: [...place.path, position],
  unions: place.unions,
})

export const holds = (schema: ValidatorSchema, reading: Reading, value: unknown): boolean =>
  runCheck(compile(schema, reading), value)

export const toFault = ({ place, keyword, need, actual }: Complaint): Fault => ({
  pointer: place.pointer,
  keyword,
  message: actual === undefined ? `must ${need}` : `must ${need}, ${actual}`,
})

/** Document order: a value before what is inside it, and its parts as they stand in it. */
export const compareComplaints = (a: Complaint, b: Complaint): number => {
  const [left, right] = [a.place.path, b.place.path]
  const shared = Math.min(left.length, right.length)
  for (let at = 0; at < shared; at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** The first complaints that say different things. */
export const takeDistinct = (complaints: Complaints, most: number): readonly Complaint[] => {
  const taken = new Map<string, Complaint>()
  for (const complaint of complaints) {
    const { pointer, keyword, message } = toFault(complaint)
    const key = `${pointer} ${keyword} ${message}`
    if (!taken.has(key)) taken.set(key, complaint)
    if (taken.size === most) break
  }
  return [...taken.values()]
}
