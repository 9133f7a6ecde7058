import type { Api, Operation } from '../model/api.js'
import { type Address, placeAt, schemasOf } from '../usage/addresses.js'
import { mergedDays } from '../usage/days.js'
import { createPlans, type Plan } from '../usage/plan.js'
import type { OperationUsage, Place } from '../usage/usage.js'
import type { Met, Use } from './met.js'
import { eitherOf, exactly, metAt, metInObjects, NONE } from './usage-of-place.js'

/** Finds the places of recorded requests that a change of a schema is about, by the schemas of the version before. */
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

  /** The places that have all schemas of `wanted`, wherever the schemas are used. */
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

  return {
    /** The use of a request; undefined where its place cannot be found by the schemas. */
    ofRequest: (met: Met, operation: Operation, usage: OperationUsage): Use | undefined => {
      const last = met.path.at(-1)
      const isOfObjects = IN_OBJECTS.has(met.kind) && last?.kind === 'property'
      const plan = planAt(met, met.path.length - (isOfObjects ? 1 : 0))
      if (!plan) return undefined
      const places = placesWith(plan, rootsOf(operation, usage, 'request'))
      const name = last?.kind === 'property' ? last.name : ''
      const isDeclared = plan.property(name) !== undefined
      const ranges = places.map(({ place }) => {
        if (isOfObjects) return metInObjects(place, name, { ...met, isDeclared })
        return WITHOUT_NAME.has(met.kind) ? exactly(place.others?.requests ?? 0) : metAt(place, met)
      })
      return {
        range: places.length === 0 ? NONE : eitherOf(ranges, usage.requests),
        ...mergedDays(places.map(({ place }) => place)),
      }
    },
    /** The responses that had the place, whatever was in it. */
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
    /** Where the place is in the requests of an operation, for shapes of them. */
    addressesOf: (met: Met, operation: Operation, usage: OperationUsage): readonly Address[] => {
      const last = met.path.at(-1)
      const isOfObjects = IN_OBJECTS.has(met.kind) && last?.kind === 'property'
      const plan = planAt(met, met.path.length - (isOfObjects ? 1 : 0))
      if (!plan) return []
      const places = placesWith(plan, rootsOf(operation, usage, 'request'))
      return places.map(({ address }) => (isOfObjects ? [...address, last.name] : address))
    },
  }
}

type Located = { readonly place: Place; readonly address: Address }
type Root = Located & { readonly plan: Plan }

/** A change of these kinds is about a property, which an object has or lacks. */
const IN_OBJECTS: ReadonlySet<string> = new Set([
  ...['required', 'undeclared', 'property-removed', 'read-only', 'property-name'],
])

const WITHOUT_NAME: ReadonlySet<string> = new Set(['closed', 'undeclared-narrowed', 'undeclared'])
