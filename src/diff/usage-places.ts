import type { Api, Operation } from '../model/api.js'
import { isObject } from '../runtime/validate/json-value.js'
import { isEqual } from '../schema/json-values.js'
import { accepts } from '../schema/node.js'
import {
  type PlaceAddress,
  placeProperty,
  placesTo,
  schemasOf,
  unreadAt,
} from '../usage/addresses.js'
import { mergedDays } from '../usage/days.js'
import { createPlans, type UsagePlan } from '../usage/plan.js'
import {
  addUnread,
  type OperationUsage,
  type Sizes,
  type Unread,
  type UsagePlace,
} from '../usage/usage.js'
import type { Met, Range, Use } from './change.js'

/**
 * Finds the places of recorded requests that a schema change affects, by the schemas of the old version. What the server sends is read
 * by clients like a response, and their replies are read by the server like requests: `served` are the methods that it sends.
 */
export const createPlaces = (before: Api, served: ReadonlySet<Operation> = new Set()) => {
  const planOf = createPlans(before.schemas)

  const planAt = (met: Met, length: number): UsagePlan | undefined => {
    let plan: UsagePlan | undefined = planOf(met.root)
    for (const segment of met.path.slice(0, length)) {
      if (segment.kind === 'property') plan = plan.property(segment.name) ?? plan.others()
      else if (segment.kind === 'any-property') plan = plan.others()
      else plan = plan.item(segment.kind === 'item' ? segment.index : plan.prefix)
    }
    return plan.terms.length === 0 ? undefined : plan
  }

  /** The places with all schemas of `wanted`, wherever the schemas are used. */
  const placesWith = (wanted: UsagePlan, roots: readonly Root[]): readonly Located[] => {
    const found: Located[] = []
    const walk = ({ place, plan, address }: Located & { readonly plan: UsagePlan }): void => {
      if (wanted.terms.every((term) => plan.terms.includes(term))) found.push({ place, address })
      for (const [name, child] of Object.entries(place.properties ?? {})) {
        const declared = plan.property(name)
        if (declared) walk({ place: child, plan: declared, address: [...address, name] })
      }
      const { items, others } = place
      for (const [index, child] of Object.entries(place.prefixItems ?? {}))
        walk({ place: child, plan: plan.item(Number(index)), address: [...address, '[]'] })
      if (items) walk({ place: items, plan: plan.item(plan.prefix), address: [...address, '[]'] })
      if (others) walk({ place: others, plan: plan.others(), address: [...address, '*'] })
    }
    for (const { place, plan, address } of roots) if (place) walk({ place, plan, address })
    return found
  }

  const sideOf = (operation: Operation, direction: 'request' | 'response') =>
    served.has(operation) ? OTHER_SIDE[direction] : direction

  const rootsOf = (
    operation: Operation,
    usage: OperationUsage,
    direction: 'request' | 'response',
  ): readonly Root[] =>
    schemasOf(operation, sideOf(operation, direction)).map(({ address, schema }) => {
      const all = placesTo(usage[sideOf(operation, direction)], address)
      const place = all.length > address.length ? all.at(-1) : undefined
      const above = place ? all.slice(0, -1) : all
      return { place, above, plan: planOf(schema), address }
    })

  /**
   * Why requests could not be read at a place that may have contained the schemas of `wanted`: at the place itself, or at one
   * around it.
   */
  const unreadFor = (wanted: UsagePlan, roots: readonly Root[]): Unread => {
    const found = new Set<UsagePlace>()
    const note = (place: UsagePlace, plan: UsagePlan): void => {
      if (unreadAt(place) > 0 && isWithin(wanted, plan)) found.add(place)
    }
    const walk = (place: UsagePlace, plan: UsagePlan): void => {
      note(place, plan)
      for (const [name, child] of Object.entries(place.properties ?? {}))
        walk(child, plan.property(name) ?? plan.others())
      for (const [index, child] of Object.entries(place.prefixItems ?? {}))
        walk(child, plan.item(Number(index)))
      if (place.items) walk(place.items, plan.item(plan.prefix))
      if (place.others) walk(place.others, plan.others())
    }
    for (const { above, place, plan } of roots) {
      for (const one of above) note(one, plan)
      if (place) walk(place, plan)
    }
    return addUnread([...found].map(({ unread = {} }) => unread))
  }

  /** The affected places in requests; for a change of the property `name`, the places of its objects. */
  const inRequests = (met: Met, operation: Operation, usage: OperationUsage) => {
    const last = met.path.at(-1)
    const name = IN_OBJECTS.has(met.kind) && last?.kind === 'property' ? last.name : undefined
    const plan = planAt(met, met.path.length - (name === undefined ? 0 : 1))
    if (!plan) return undefined
    const roots = rootsOf(operation, usage, 'request')
    return { name, plan, places: placesWith(plan, roots), unread: unreadFor(plan, roots) }
  }

  return {
    /** The use in requests; undefined if the schemas do not determine the place. */
    ofRequest: (met: Met, operation: Operation, usage: OperationUsage): Use | undefined => {
      const found = inRequests(met, operation, usage)
      if (!found) return undefined
      const { name, plan, places, unread } = found
      const ranges = places.map(({ place }) => {
        if (name !== undefined) {
          const isDeclared = plan.property(name) !== undefined
          return metInObjects(place, name, { ...met, isDeclared })
        }
        return WITHOUT_NAME.has(met.kind)
          ? exactly(place.others?.requests ?? 0)
          : metAt(place, met, plan)
      })
      return withUnread(
        {
          range: eitherOf(ranges, usage.requests),
          ...mergedDays(places.map(({ place }) => place)),
        },
        unread,
        usage,
      )
    },
    /** The responses that contained the place, with any value. */
    ofResponse: (met: Met, operation: Operation, usage: OperationUsage): Use | undefined => {
      const plan = planAt(met, met.path.length) ?? planAt(met, met.path.length - 1)
      if (!plan) return undefined
      const roots = rootsOf(operation, usage, 'response')
      const places = placesWith(plan, roots)
      const ranges = places.map(({ place }) => exactly(place.requests))
      const unread = unreadFor(plan, roots)
      return {
        range: eitherOf(ranges, usage.requests),
        ...mergedDays(places.map(({ place }) => place)),
        ...(Object.keys(unread).length > 0 && { unread }),
      }
    },
    /** The addresses of the place in the requests of an operation, for shapes. */
    addressesOf: (
      met: Met,
      operation: Operation,
      usage: OperationUsage,
    ): readonly PlaceAddress[] => {
      const { name, places = [] } = inRequests(met, operation, usage) ?? {}
      return places.map(({ address }) => {
        // The shape of a request has the value of its body without the media type.
        const [first, , ...rest] = address
        const shown = first === 'body' && operation.kind === 'http' ? [first, ...rest] : address
        return name === undefined ? shown : [...shown, name]
      })
    },
  }
}

const OTHER_SIDE = { request: 'response', response: 'request' } as const

type Located = { readonly place: UsagePlace; readonly address: PlaceAddress }
type Root = {
  readonly plan: UsagePlan
  readonly address: PlaceAddress
  /** Undefined if no request had it. */
  readonly place: UsagePlace | undefined
  /** The places around it, as far as they were recorded. */
  readonly above: readonly UsagePlace[]
}

/** Whether a place with the schemas of `wanted` may be at or within one with the plan `around`. */
const isWithin = (wanted: UsagePlan, around: UsagePlan): boolean => {
  const seen = new Set<string>()
  const waiting = [around]
  for (let plan = waiting.pop(); plan !== undefined; plan = waiting.pop()) {
    if (plan.terms.length === 0 || seen.has(plan.key)) continue
    seen.add(plan.key)
    const { terms, prefix, names } = plan
    if (wanted.terms.every((term) => terms.includes(term))) return true
    const own = plan
    waiting.push(
      ...names.flatMap((name) => own.property(name) ?? []),
      ...Array.from({ length: prefix + 1 }, (_, index) => own.item(index)),
      plan.others(),
    )
  }
  return false
}

/** The use, with the requests that could not be read added to its greatest number. */
export const withUnread = (use: Use, unread: Unread, { requests }: OperationUsage): Use => {
  const count = Object.values(unread).reduce((sum, one) => sum + one, 0)
  if (count === 0) return use
  const { least, most } = use.range
  return { ...use, range: { least, most: Math.min(requests, most + count) }, unread }
}

/** Changes of these kinds are about a property that an object has or lacks. */
const IN_OBJECTS: ReadonlySet<string> = new Set([
  ...['required', 'undeclared', 'property-removed', 'read-only', 'property-name'],
])

const WITHOUT_NAME: ReadonlySet<string> = new Set(['closed', 'undeclared-narrowed', 'undeclared'])

export const exactly = (count: number): Range => ({ least: count, most: count })
export const upTo = (count: number): Range => ({ least: 0, most: count })
export const NONE: Range = exactly(0)

/** Adds the ranges of places that may be in the same requests. */
const eitherOf = (ranges: readonly Range[], most: number): Range => ({
  least: Math.max(0, ...ranges.map((one) => one.least)),
  most: Math.min(
    most,
    ranges.reduce((sum, one) => sum + one.most, 0),
  ),
})

/** The requests that a change of the values at a place affects. */
const metAt = (place: UsagePlace, met: Met, plan: UsagePlan): Range => {
  const range = rangeOf(place, met, plan)
  // A change within one alternative does not affect the values of the others.
  return met.isPartial ? upTo(range.most) : range
}

/** The requests that a change of a property affects, by the objects of a place. */
const metInObjects = (objects: UsagePlace, name: string, met: Met): Range => {
  const own = placeProperty(objects, name)
  const count = objects.types?.object ?? 0
  const present =
    own || met.isDeclared ? exactly(own?.requests ?? 0) : upTo(objects.others?.requests ?? 0)
  const range = met.kind === 'required' ? exactly(Math.max(0, count - (own?.always ?? 0))) : present
  return met.isPartial ? upTo(range.most) : range
}

const rangeOf = (
  place: UsagePlace,
  { kind, was, is, after }: Met,
  { listed }: UsagePlan,
): Range => {
  const { requests, types = {}, values = {} } = place
  const ofTypes = (...names: readonly string[]) =>
    eitherOf(
      names.map((name) => exactly(types[name] ?? 0)),
      requests,
    )
  const numbers = ofTypes('integer', 'number').most
  switch (kind) {
    case 'type': {
      const left = new Set([is].flat())
      const gone = [was].flat().map(String)
      const all = gone.flatMap((name) =>
        name === 'number' && !left.has('integer') ? ['number', 'integer'] : [name],
      )
      return ofTypes(...all)
    }
    case 'null':
      return ofTypes('null')
    case 'value':
    case 'extensible-value-removed': {
      if (was === undefined) return listedOnly(place, after) ?? upTo(requests)
      const gone = Array.isArray(was) ? was : [was]
      return eitherOf(
        // Of a value that the old version did not list, only the type was recorded.
        gone.map((value) =>
          listed.has(value)
            ? exactly(values[JSON.stringify(value)]?.requests ?? 0)
            : upTo(typeof value === 'boolean' ? (types.boolean ?? 0) : requests),
        ),
        requests,
      )
    }
    case 'minimum':
      return typeof is === 'number'
        ? beyond(place, (low, high) => [high < is, low < is])
        : upTo(numbers)
    case 'maximum':
      return typeof is === 'number'
        ? beyond(place, (low, high) => [low > is, high > is])
        : upTo(numbers)
    case 'shortest':
      return sizesBeyond(place.lengths, 'below', is)
    case 'longest':
      return sizesBeyond(place.lengths, 'above', is)
    case 'fewest-items':
      return sizesBeyond(place.sizes, 'below', is)
    case 'most-items':
      return sizesBeyond(place.sizes, 'above', is)
    case 'fewest-properties':
      return sizesBeyond(place.members, 'below', is)
    case 'most-properties':
      return sizesBeyond(place.members, 'above', is)
    case 'pattern':
      return listedOnly(place, after) ?? upTo(types.string ?? 0)
    case 'step':
      return listedOnly(place, after) ?? upTo(is === 1 ? (types.number ?? 0) : numbers)
    case 'unique-items':
    case 'contained-item':
      return upTo(types.array ?? 0)
    case 'property-name':
    case 'dependent':
      return upTo(types.object ?? 0)
    case 'nothing':
      return exactly(requests)
    case 'format':
    case 'content':
      return upTo(requests)
    default:
      return listedOnly(place, after) ?? upTo(requests)
  }
}

/** Tests each recorded value if all values at the place are listed ones. */
const listedOnly = (place: UsagePlace, after: Met['after']): Range | undefined => {
  const { values = {}, unlisted = 0, types = {}, requests } = place
  const isScalar = !types.object && !types.array
  if (!after || unlisted > 0 || !isScalar || Object.keys(values).length === 0) return undefined
  const rejected = Object.entries(values).filter(([json]) => !accepts(after, JSON.parse(json)))
  return eitherOf(
    rejected.map(([, { requests: count }]) => exactly(count)),
    requests,
  )
}

/** `test` returns for the bounds of some numbers whether all and whether some are beyond a limit. */
const beyond = (
  { digits = {}, requests }: UsagePlace,
  test: (low: number, high: number) => readonly [all: boolean, some: boolean],
): Range =>
  eitherOf(
    Object.entries(digits).map(([key, count]) => {
      const size = Math.abs(Number(key))
      // Larger numbers are counted as numbers with fifteen digits.
      const end = size >= 15 ? Number.POSITIVE_INFINITY : 10 ** size
      const [small, large] = size === 0 ? [0, 1] : [10 ** (size - 1), end]
      // The upper bound is exclusive.
      const most = Number.isFinite(large) ? large - large * Number.EPSILON : large
      const [low, high] = key.startsWith('-') ? [-most, -small] : [small, most]
      const [all, some] = test(low, high)
      return all ? exactly(count) : upTo(some ? count : 0)
    }),
    requests,
  )

const sizesBeyond = (sizes: Sizes | undefined, side: 'above' | 'below', limit: unknown): Range => {
  if (!sizes) return NONE
  const ranges = Object.entries(sizes.upTo).map(([bound, count]) => {
    const upper = Number(bound)
    const low = Math.max(upper <= 2 ? upper : upper / 2 + 1, sizes.least)
    const high = Math.min(upper, sizes.most)
    if (typeof limit !== 'number') return upTo(count)
    const [all, some] = side === 'above' ? [low > limit, high > limit] : [high < limit, low < limit]
    return all ? exactly(count) : upTo(some ? count : 0)
  })
  const all = Object.values(sizes.upTo).reduce((sum, one) => sum + one, 0)
  const { least, most } = eitherOf(ranges, all)
  // The smallest and the largest size are exact, so at least one request had each of them.
  const isMet =
    typeof limit === 'number' && (side === 'above' ? sizes.most > limit : sizes.least < limit)
  return { least: isMet ? Math.max(1, least) : least, most }
}

/** Whether a shape, the JSON of a request, contains the changed property, or an affected value at the place. */
export const shapeHas = (shape: unknown, path: readonly string[], met: Met): boolean => {
  const [name, ...rest] = path
  if (name === undefined) return hasKind(shape, met)
  if (Array.isArray(shape))
    return shape.some((one) => shapeHas(one, name === '[]' ? rest : path, met))
  if (!isObject(shape)) return false
  if (rest.length === 0 && met.kind === 'required') return !Object.hasOwn(shape, name)
  return Object.hasOwn(shape, name) && shapeHas(shape[name], rest, met)
}

const hasKind = (shape: unknown, { kind, was }: Met): boolean => {
  if (typeof shape !== 'string') return true
  const types = shape.split(' or ')
  if (kind === 'null') return types.includes('null')
  if (kind === 'type') return [was].flat().some((one) => types.includes(String(one)))
  if (kind !== 'value' || was === undefined) return true
  const gone = Array.isArray(was) ? was : [was]
  return gone.some((value) => types.some((one) => isEqual(one, `=${value}`)))
}
