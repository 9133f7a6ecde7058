import { isObject } from '../runtime/validate/json-value.js'
import type { Plan } from './plan.js'

/** A place while requests are counted. There is one for each consumer, so what it does not need is not made. */
export type Spot = {
  readonly plan: Plan | undefined
  readonly parent: Spot | undefined
  readonly tally: Tally
  always: number
  unlisted: number
  /** By the index of a type in `TYPES`. */
  readonly types: number[]
  values: Map<string, Tally> | undefined
  /** By digits; those of negative numbers after them. */
  digits: number[] | undefined
  lengths: MutableSizes | undefined
  sizes: MutableSizes | undefined
  members: MutableSizes | undefined
  properties: Map<string, Spot> | undefined
  prefix: Map<number, Spot> | undefined
  items: Spot | undefined
  others: Spot | undefined
  /** Of the request that is counted: its number, how often it has the place, and how many objects are there. */
  stamp: number
  times: number
  objects: number
  /** What it was counted for already: bits of types and digits, and the listed values. */
  typeBits: number
  digitBits: number
  metValues: string[] | undefined
}

export type Tally = { requests: number; first: string | undefined; last: string | undefined }

/**
 * `upTo` by the exponent of the power of two, from 1 on; 0 for a size of 0. `bits` are the exponents that the request with the
 * number `stamp` was counted for.
 */
export type MutableSizes = {
  least: number
  most: number
  readonly upTo: number[]
  stamp: number
  bits: number
}

export const createTally = (): Tally => ({ requests: 0, first: undefined, last: undefined })

export const createSpot = (plan: Plan | undefined, parent?: Spot): Spot => ({
  plan,
  parent,
  tally: createTally(),
  always: 0,
  unlisted: 0,
  types: [],
  values: undefined,
  digits: undefined,
  lengths: undefined,
  sizes: undefined,
  members: undefined,
  properties: undefined,
  prefix: undefined,
  items: undefined,
  others: undefined,
  stamp: 0,
  times: 0,
  objects: 0,
  typeBits: 0,
  digitBits: 0,
  metValues: undefined,
})

export const TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'] as const
const [STRING, INTEGER, NUMBER, BOOLEAN, NULL, ARRAY, OBJECT] = [0, 1, 2, 3, 4, 5, 6] as const

const UNLISTED_BIT = 1 << 7

export const countIn = (tally: Tally, day: string | undefined): void => {
  tally.requests += 1
  if (day === undefined) return
  if (tally.first === undefined || day < tally.first) tally.first = day
  if (tally.last === undefined || day > tally.last) tally.last = day
}

/** Counts the values of one request after the other. Nothing of a value is kept but its shape. */
export const createCounter = () => {
  let stamp = 0
  let day: string | undefined
  let touched: Spot[] = []

  const touch = (spot: Spot): void => {
    if (spot.stamp === stamp) return
    spot.stamp = stamp
    spot.times = 0
    spot.objects = 0
    spot.typeBits = 0
    spot.digitBits = 0
    if (spot.metValues !== undefined && spot.metValues.length > 0) spot.metValues = []
    touched.push(spot)
    countIn(spot.tally, day)
  }

  const size = (before: MutableSizes | undefined, value: number): MutableSizes => {
    const known = before ?? { least: value, most: value, upTo: [], stamp, bits: 0 }
    if (known.stamp !== stamp) {
      known.stamp = stamp
      known.bits = 0
    }
    if (value < known.least) known.least = value
    if (value > known.most) known.most = value
    const exponent = Math.min(exponentOf(value), MOST_EXPONENT)
    const bit = 1 << exponent
    if ((known.bits & bit) === 0) {
      known.bits |= bit
      increase(known.upTo, exponent)
    }
    return known
  }

  const type = (spot: Spot, index: number): void => {
    const bit = 1 << index
    if ((spot.typeBits & bit) !== 0) return
    spot.typeBits |= bit
    increase(spot.types, index)
  }

  const number = (spot: Spot, value: number): void => {
    if (!isDeclared(spot)) return
    const whole = Math.trunc(Math.abs(value))
    const digits = whole === 0 ? 0 : Math.min(Math.floor(Math.log10(whole)) + 1, MOST_DIGITS)
    const index = value < 0 ? digits + MOST_DIGITS + 1 : digits
    const bit = 1 << index
    if ((spot.digitBits & bit) !== 0) return
    spot.digitBits |= bit
    spot.digits ??= []
    increase(spot.digits, index)
  }

  const listed = (spot: Spot, value: unknown): void => {
    const { plan } = spot
    if (!plan || plan.listed.size === 0) return
    const json = plan.listed.get(value)
    if (json === undefined) {
      if ((spot.typeBits & UNLISTED_BIT) === 0) spot.unlisted += 1
      spot.typeBits |= UNLISTED_BIT
      return
    }
    spot.metValues ??= []
    if (spot.metValues.includes(json)) return
    spot.metValues.push(json)
    spot.values ??= new Map()
    const tally = spot.values.get(json) ?? createTally()
    spot.values.set(json, tally)
    countIn(tally, day)
  }

  const visit = (spot: Spot, value: unknown, isText: boolean): void => {
    touch(spot)
    if (typeof value === 'string') {
      const text = isText ? scalarIn(value) : value
      type(spot, typeIndex(text))
      if (isDeclared(spot)) spot.lengths = size(spot.lengths, charactersIn(value))
      if (typeof text === 'number') number(spot, text)
      listed(spot, spot.plan?.listed.has(value) ? value : text)
    } else if (typeof value === 'number') {
      type(spot, typeIndex(value))
      number(spot, value)
      listed(spot, value)
    } else if (Array.isArray(value)) {
      type(spot, ARRAY)
      if (!spot.plan || !isDeclared(spot)) return
      spot.sizes = size(spot.sizes, value.length)
      for (let index = 0; index < value.length; index += 1) {
        enter(itemAt(spot, spot.plan, index), spot, value[index], isText)
      }
    } else if (isObject(value)) {
      type(spot, OBJECT)
      spot.objects += 1
      if (!spot.plan || !isDeclared(spot)) return
      const names = Object.keys(value)
      spot.members = size(spot.members, names.length)
      for (const name of names) {
        enter(propertyAt(spot, spot.plan, name), spot, value[name], isText)
      }
    } else {
      type(spot, typeIndex(value))
      listed(spot, value)
    }
  }

  const enter = (child: Spot, parent: Spot, value: unknown, isText: boolean): void => {
    visit(child, value, isText)
    // A schema within itself is counted at its first place, which its own parent leads to.
    if (child.parent === parent) child.times += 1
  }

  return {
    /** Begins a request, of a day in UTC. */
    begin: (of: string | undefined): void => {
      stamp += 1
      day = of
      touched = []
    },
    /** Counts a place that is there in every request. */
    root: touch,
    visit,
    /** Counts a member of a place that is no value of JSON, such as the query of a request. */
    member: (parent: Spot, name: string, plan: () => Plan | undefined): Spot => {
      touch(parent)
      parent.properties ??= new Map()
      const child = parent.properties.get(name) ?? createSpot(plan(), parent)
      parent.properties.set(name, child)
      touch(child)
      child.times = 1
      parent.objects = 1
      return child
    },
    end: (): void => {
      for (const spot of touched) {
        if (!spot.parent || spot.times === spot.parent.objects) spot.always += 1
      }
    },
  }
}

/** Of what no document declares, nothing is kept but that it was there, and its type. */
const isDeclared = ({ plan }: Spot): boolean => plan !== undefined && plan.terms.length > 0

const propertyAt = (spot: Spot, plan: Plan, name: string): Spot => {
  const known = spot.properties?.get(name)
  if (known) return known
  const declared = plan.property(name)
  if (!declared) {
    spot.others ??= within(spot, plan.others())
    return spot.others
  }
  const made = within(spot, declared)
  spot.properties ??= new Map()
  spot.properties.set(name, made)
  return made
}

const itemAt = (spot: Spot, plan: Plan, index: number): Spot => {
  if (index >= plan.prefix) {
    spot.items ??= within(spot, plan.item(index))
    return spot.items
  }
  spot.prefix ??= new Map()
  const known = spot.prefix.get(index) ?? within(spot, plan.item(index))
  spot.prefix.set(index, known)
  return known
}

/** A schema within itself is counted where it is met first, so that no file grows with the depth of values. */
const within = (parent: Spot, plan: Plan): Spot => {
  for (let up: Spot | undefined = parent; up && plan.terms.length > 0; up = up.parent) {
    if (up.plan?.key === plan.key) return up
  }
  return createSpot(plan, parent)
}

/** Text of a parameter by what it reads as: a parameter that is declared as a number is text on the wire as well. */
const scalarIn = (text: string): unknown => {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text
}

const typeIndex = (value: unknown): number => {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'number':
      return Number.isInteger(value) ? INTEGER : NUMBER
    case 'boolean':
      return BOOLEAN
    default:
      return value === null ? NULL : OBJECT
  }
}

const charactersIn = (text: string): number => {
  let count = text.length
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800) count -= 1
  }
  return count
}

/** 0 for 0, 1 for 1, 2 for 2, 3 for 3 and 4, 4 for 5 to 8. */
const exponentOf = (value: number): number => (value <= 1 ? value : 33 - Math.clz32(value - 1))

const MOST_EXPONENT = 30

/** Larger numbers are counted as those with so many digits. */
export const MOST_DIGITS = 15

const increase = (counts: number[], index: number): void => {
  while (counts.length <= index) counts.push(0)
  counts[index] = (counts[index] ?? 0) + 1
}
