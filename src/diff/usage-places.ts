import type { Api, Operation } from '../model/api.js'
import { isObject } from '../runtime/validate/json-value.js'
import { isEqual } from '../schema/json-values.js'
import { accepts } from '../schema/node.js'
import { type Address, placeAt, propertyOf, schemasOf } from '../usage/addresses.js'
import { mergedDays } from '../usage/days.js'
import { createPlans, type Plan } from '../usage/plan.js'
import type { OperationUsage, Place, Sizes } from '../usage/usage.js'
import type { Met, Range, Use } from './change.js'

/** Finds the places of recorded requests that a schema change affects, by the schemas of the old version. */
export const createPlaces = (before: Api) => {
  const planOf = createPlans(before.schemas)

  const planAt = (met: Met, length: number): Plan | undefined => {
    let plan: Plan | undefined = planOf(met.root)
    for (const segment of met.path.slice(0, length)) {
      if (segment.kind === 'property') plan = plan.property(segment.name) ?? plan.others()
      else if (segment.kind === 'any-property') plan = plan.others()
      else plan = plan.item(segment.kind === 'item' ? segment.index : plan.prefix)
    }
    return plan.terms.length === 0 ? undefined : plan
  }

  /** The places with all schemas of `wanted`, wherever the schemas are used. */
  const placesWith = (wanted: Plan, roots: readonly Root[]): readonly Located[] => {
    const found: Located[] = []
    const walk = ({ place, plan, address }: Located & { readonly plan: Plan }): void => {
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
    for (const root of roots) walk(root)
    return found
  }

  const rootsOf = (
    operation: Operation,
    usage: OperationUsage,
    direction: 'request' | 'response',
  ): readonly Root[] =>
    schemasOf(operation, direction).flatMap(({ address, schema }) => {
      const place = placeAt(usage[direction], address)
      return place ? [{ place, plan: planOf(schema), address }] : []
    })

  /** The affected places in requests; for a change of the property `name`, the places of its objects. */
  const inRequests = (met: Met, operation: Operation, usage: OperationUsage) => {
    const last = met.path.at(-1)
    const name = IN_OBJECTS.has(met.kind) && last?.kind === 'property' ? last.name : undefined
    const plan = planAt(met, met.path.length - (name === undefined ? 0 : 1))
    return plan && { name, plan, places: placesWith(plan, rootsOf(operation, usage, 'request')) }
  }

  return {
    /** The use in requests; undefined if the schemas do not determine the place. */
    ofRequest: (met: Met, operation: Operation, usage: OperationUsage): Use | undefined => {
      const found = inRequests(met, operation, usage)
      if (!found) return undefined
      const { name, plan, places } = found
      const ranges = places.map(({ place }) => {
        if (name !== undefined) {
          const isDeclared = plan.property(name) !== undefined
          return metInObjects(place, name, { ...met, isDeclared })
        }
        return WITHOUT_NAME.has(met.kind) ? exactly(place.others?.requests ?? 0) : metAt(place, met)
      })
      return {
        range: places.length === 0 ? NONE : eitherOf(ranges, usage.requests),
        ...mergedDays(places.map(({ place }) => place)),
      }
    },
    /** The responses that contained the place, with any value. */
    ofResponse: (met: Met, operation: Operation, usage: OperationUsage): Use | undefined => {
      const plan = planAt(met, met.path.length) ?? planAt(met, met.path.length - 1)
      if (!plan) return undefined
      const places = placesWith(plan, rootsOf(operation, usage, 'response'))
      const ranges = places.map(({ place }) => exactly(place.requests))
      return {
        range: eitherOf(ranges, usage.requests),
        ...mergedDays(places.map(({ place }) => place)),
      }
    },
    /** The addresses of the place in the requests of an operation, for shapes. */
    addressesOf: (met: Met, operation: Operation, usage: OperationUsage): readonly Address[] => {
      const { name, places = [] } = inRequests(met, operation, usage) ?? {}
      return places.map(({ address }) => (name === undefined ? address : [...address, name]))
    },
  }
}

type Located = { readonly place: Place; readonly address: Address }
type Root = Located & { readonly plan: Plan }

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
const metAt = (place: Place, met: Met): Range => {
  const range = rangeOf(place, met)
  // A change within one alternative does not affect the values of the others.
  return met.isPartial ? upTo(range.most) : range
}

/** The requests that a change of a property affects, by the objects of a place. */
const metInObjects = (objects: Place, name: string, met: Met): Range => {
  const own = propertyOf(objects, name)
  const count = objects.types?.object ?? 0
  const present =
    own || met.isDeclared ? exactly(own?.requests ?? 0) : upTo(objects.others?.requests ?? 0)
  const range = met.kind === 'required' ? exactly(Math.max(0, count - (own?.always ?? 0))) : present
  return met.isPartial ? upTo(range.most) : range
}

const rangeOf = (place: Place, { kind, was, is, after }: Met): Range => {
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
        gone.map((value) => exactly(values[JSON.stringify(value)]?.requests ?? 0)),
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
const listedOnly = (place: Place, after: Met['after']): Range | undefined => {
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
  { digits = {}, requests }: Place,
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
