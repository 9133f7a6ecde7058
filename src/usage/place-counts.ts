import { cached } from '../runtime/shared/cached.js'
import { isObject } from '../runtime/validate/json-value.js'
import { countCharacters } from '../runtime/validate/text-length.js'
import { unreadReason } from '../runtime/wire/read-body.js'
import type { UnreadReason } from '../runtime/wire/unread.js'
import type { UsagePlan } from './plan.js'

/** The counts of a place. Each consumer has its own, so members are created only when needed. */
export type PlaceCounts = {
  readonly plan: UsagePlan | undefined
  readonly parent: PlaceCounts | undefined
  readonly tally: UsageTally
  always: number
  unlisted: number
  /** By the index of a type in `COUNTED_TYPES`. */
  readonly types: number[]
  values: Map<string, UsageTally> | undefined
  /** By number of digits; the entries of negative numbers follow. */
  digits: number[] | undefined
  lengths: MutableSizes | undefined
  sizes: MutableSizes | undefined
  members: MutableSizes | undefined
  properties: Map<string, PlaceCounts> | undefined
  prefix: Map<number, PlaceCounts> | undefined
  items: PlaceCounts | undefined
  others: PlaceCounts | undefined
  /** Requests in which the place could not be read. */
  unread: Map<UnreadReason, number> | undefined
  /** For the current request: its number, how often the place occurs, and how many objects are there. */
  stamp: number
  times: number
  objects: number
  /** Already counted for the current request: bits of types and digits, and the listed values. */
  typeBits: number
  digitBits: number
  metValues: string[] | undefined
  isUnread: boolean
}

export type UsageTally = { requests: number; first: string | undefined; last: string | undefined }

/**
 * `upTo` is indexed by the exponent of the power of two, from 1 on; 0 is a size of 0. `bits` are the exponents already counted
 * for the request with the number `stamp`.
 */
export type MutableSizes = {
  least: number
  most: number
  readonly upTo: number[]
  stamp: number
  bits: number
}

export const createUsageTally = (): UsageTally => ({
  requests: 0,
  first: undefined,
  last: undefined,
})

export const createPlaceCounts = (
  plan: UsagePlan | undefined,
  parent?: PlaceCounts,
): PlaceCounts => ({
  plan,
  parent,
  tally: createUsageTally(),
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
  unread: undefined,
  stamp: 0,
  times: 0,
  objects: 0,
  typeBits: 0,
  digitBits: 0,
  metValues: undefined,
  isUnread: false,
})

export const COUNTED_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'null',
  'array',
  'object',
] as const
const [STRING, INTEGER, NUMBER, BOOLEAN, NULL, ARRAY, OBJECT] = [0, 1, 2, 3, 4, 5, 6] as const

const UNLISTED_BIT = 1 << 7

export const countIn = (tally: UsageTally, day: string | undefined): void => {
  tally.requests += 1
  if (day === undefined) return
  if (tally.first === undefined || day < tally.first) tally.first = day
  if (tally.last === undefined || day > tally.last) tally.last = day
}

/** Counts the values of requests, one request after another. Only the shapes of values are kept. */
export const createPlaceCounter = () => {
  let stamp = 0
  let day: string | undefined
  let touched: PlaceCounts[] = []

  const touch = (place: PlaceCounts): void => {
    if (place.stamp === stamp) return
    place.stamp = stamp
    place.times = 0
    place.objects = 0
    place.typeBits = 0
    place.digitBits = 0
    place.isUnread = false
    if (place.metValues !== undefined && place.metValues.length > 0) place.metValues = []
    touched.push(place)
    countIn(place.tally, day)
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

  const type = (place: PlaceCounts, index: number): void => {
    const bit = 1 << index
    if ((place.typeBits & bit) !== 0) return
    place.typeBits |= bit
    increase(place.types, index)
  }

  const number = (place: PlaceCounts, value: number): void => {
    if (!isDeclared(place)) return
    const whole = Math.trunc(Math.abs(value))
    const digits =
      whole === 0 ? 0 : Math.min(Math.floor(Math.log10(whole)) + 1, MOST_COUNTED_DIGITS)
    const index = value < 0 ? digits + MOST_COUNTED_DIGITS + 1 : digits
    const bit = 1 << index
    if ((place.digitBits & bit) !== 0) return
    place.digitBits |= bit
    place.digits ??= []
    increase(place.digits, index)
  }

  const listed = (place: PlaceCounts, value: unknown): void => {
    const { plan } = place
    if (!plan || plan.listed.size === 0) return
    const json = plan.listed.get(value)
    if (json === undefined) {
      if ((place.typeBits & UNLISTED_BIT) === 0) place.unlisted += 1
      place.typeBits |= UNLISTED_BIT
      return
    }
    place.metValues ??= []
    if (place.metValues.includes(json)) return
    place.metValues.push(json)
    place.values ??= new Map()
    countIn(cached(place.values, json, createUsageTally), day)
  }

  const scalar = (place: PlaceCounts, value: unknown, isText: boolean): void => {
    if (typeof value === 'string') {
      const text = isText ? scalarIn(value) : value
      type(place, typeIndex(text))
      if (isDeclared(place)) place.lengths = size(place.lengths, countCharacters(value))
      if (typeof text === 'number') number(place, text)
      listed(place, place.plan?.listed.has(value) ? value : text)
      return
    }
    type(place, typeIndex(value))
    if (typeof value === 'number') number(place, value)
    listed(place, value)
  }

  const unread = (place: PlaceCounts, reason: UnreadReason): void => {
    if (place.isUnread) return
    place.isUnread = true
    place.unread ??= new Map()
    place.unread.set(reason, (place.unread.get(reason) ?? 0) + 1)
  }

  const visit = (root: PlaceCounts, first: unknown, texts: Texts): void => {
    // Without recursion, because a recorded body may be nested deeper than the stack is.
    const containers: {
      readonly place: PlaceCounts
      readonly value: object
      readonly isText: boolean
    }[] = []
    const count = (place: PlaceCounts, value: unknown, isText: boolean): void => {
      touch(place)
      const reason = unreadReason(value)
      if (reason !== undefined) unread(place, reason)
      else if (typeof value === 'object' && value !== null)
        containers.push({ place, value, isText })
      else scalar(place, value, isText)
    }
    const member = (
      parent: PlaceCounts,
      child: PlaceCounts,
      value: unknown,
      isText: boolean,
    ): void => {
      count(child, value, isText)
      // A recursive schema is counted at its first place, which belongs to its own parent.
      if (child.parent === parent) child.times += 1
    }
    count(root, first, texts !== 'none')
    for (let next = containers.pop(); next !== undefined; next = containers.pop()) {
      const { place, value, isText } = next
      const { plan } = place
      if (Array.isArray(value)) {
        type(place, ARRAY)
        if (!plan || !isDeclared(place)) continue
        place.sizes = size(place.sizes, value.length)
        for (const [index, item] of value.entries())
          member(place, itemAt(place, plan, index), item, isText)
      } else if (isObject(value)) {
        type(place, OBJECT)
        place.objects += 1
        if (!plan || !isDeclared(place)) continue
        const names = Object.keys(value)
        place.members = size(place.members, names.length)
        for (const name of names) {
          const isOfText = value === first && typeof texts === 'function' ? texts(name) : isText
          member(place, propertyAt(place, plan, name), value[name], isOfText)
        }
      }
    }
  }

  return {
    /** Begins a request on a day in UTC. */
    begin: (of: string | undefined): void => {
      stamp += 1
      day = of
      touched = []
    },
    /** Counts a place that exists in every request. */
    root: touch,
    visit,
    /** Counts a member of a place that is not a JSON value, such as the query of a request. */
    member: (parent: PlaceCounts, name: string, plan?: UsagePlan): PlaceCounts => {
      touch(parent)
      parent.properties ??= new Map()
      const child = cached(parent.properties, name, () => createPlaceCounts(plan, parent))
      touch(child)
      child.times = 1
      parent.objects = 1
      return child
    },
    /** Counts a request whose value at a place could not be read. */
    unread,
    /** The same for a member of which it is not known whether it was sent. */
    unknown: (parent: PlaceCounts, name: string, reason: UnreadReason): void => {
      parent.properties ??= new Map()
      const child = cached(parent.properties, name, () => createPlaceCounts(undefined, parent))
      // A place that was not touched keeps what it counted for an earlier request.
      if (child.stamp !== stamp) child.isUnread = false
      unread(child, reason)
    },
    end: (): void => {
      for (const place of touched) {
        if (!place.parent || place.times === place.parent.objects) place.always += 1
      }
    },
  }
}

/** Whether the scalars of a value are texts on the wire; or the members that are. */
export type Texts = 'all' | 'none' | ((name: string) => boolean)

/** For an undeclared place, only its presence and its type are kept. */
const isDeclared = ({ plan }: PlaceCounts): boolean => plan !== undefined && plan.terms.length > 0

const propertyAt = (place: PlaceCounts, plan: UsagePlan, name: string): PlaceCounts => {
  const known = place.properties?.get(name)
  if (known) return known
  const declared = plan.property(name)
  if (!declared) {
    place.others ??= within(place, plan.others())
    return place.others
  }
  place.properties ??= new Map()
  return cached(place.properties, name, () => within(place, declared))
}

const itemAt = (place: PlaceCounts, plan: UsagePlan, index: number): PlaceCounts => {
  if (index >= plan.prefix) {
    place.items ??= within(place, plan.item(index))
    return place.items
  }
  place.prefix ??= new Map()
  return cached(place.prefix, index, () => within(place, plan.item(index)))
}

/** A recursive schema is counted at its first place, so a file does not grow with the depth of values. */
const within = (parent: PlaceCounts, plan: UsagePlan): PlaceCounts => {
  for (let up: PlaceCounts | undefined = parent; up && plan.terms.length > 0; up = up.parent) {
    if (up.plan?.key === plan.key) return up
  }
  return createPlaceCounts(plan, parent)
}

/** Parses the text of a parameter as a scalar: a number parameter is a text on the wire. */
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

/** 0 for 0, 1 for 1, 2 for 2, 3 for 3 and 4, 4 for 5 to 8. */
const exponentOf = (value: number): number => (value <= 1 ? value : 33 - Math.clz32(value - 1))

const MOST_EXPONENT = 30

/** Larger numbers are counted as numbers with this many digits. */
export const MOST_COUNTED_DIGITS = 15

const increase = (counts: number[], index: number): void => {
  while (counts.length <= index) counts.push(0)
  counts[index] = (counts[index] ?? 0) + 1
}
