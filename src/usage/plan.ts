import { cached } from '../runtime/shared/cached.js'
import { selectionOf } from '../schema/discriminator.js'
import {
  childOf,
  createSide,
  isNothing,
  keywordsOf,
  type Node,
  nodeOf,
  type Terms,
  termsKey,
} from '../schema/node.js'
import { referredName, type Schema, type Schemas, typesIn } from '../schema/schema.js'
import { appliedTerms } from '../schema/together.js'

/** The declarations for the values at one place: every schema that may apply to them, alternatives included. */
export type UsagePlan = {
  /** Equal for places with the same schemas. */
  readonly key: string
  /** All schemas that may apply, with references resolved. */
  readonly terms: Terms
  /** The properties that are declared by name. */
  readonly names: readonly string[]
  /** The plan of a property that is declared by name; undefined for any other. */
  readonly property: (name: string) => UsagePlan | undefined
  /** The plan of all other properties, such as the values of a map. */
  readonly others: () => UsagePlan
  /** The number of items with their own schemas. */
  readonly prefix: number
  readonly item: (index: number) => UsagePlan
  /** The JSON of each value that an `enum`, a `const` or a discriminator lists; empty if none is listed. */
  readonly listed: ReadonlyMap<unknown, string>
  readonly hasType: (type: string) => boolean
}

/** Creates the plans of an Api, each once. */
export const createPlans = (schemas: Schemas): ((schema: Schema) => UsagePlan) => {
  const side = createSide(schemas)
  const known = new Map<string, UsagePlan>()
  const planOf = (terms: Terms, more: readonly unknown[] = []): UsagePlan => {
    const applied = appliedTerms(terms)
    // A reference and its target are one place.
    const own = applied.filter(({ schema }) => referredName(schema) === undefined)
    const key = `${termsKey(own)} ${JSON.stringify(more)}`
    return cached(known, key, () => createPlan(key, applied, more, planOf))
  }
  const bySchema = new Map<Schema, UsagePlan>()
  return (schema) => cached(bySchema, schema, () => planOf([nodeOf(side, schema)]))
}

type PlanOf = (terms: Terms, more?: readonly unknown[]) => UsagePlan

const createPlan = (
  key: string,
  terms: Terms,
  more: readonly unknown[],
  planOf: PlanOf,
): UsagePlan => {
  const properties = new Map<string, Node[]>()
  const others: Node[] = []
  const items: Node[] = []
  const indexed: Node[][] = []
  const listed = new Map<unknown, string>(more.map((value) => [value, JSON.stringify(value)]))
  const tags = new Map<string, string[]>()
  for (const node of terms) {
    const keywords = keywordsOf(node)
    const children = (schema: Schema | undefined): readonly Node[] => {
      const child = schema === undefined ? undefined : childOf(node, schema)
      return child && !isNothing(child) ? [child] : []
    }
    for (const [name, schema] of Object.entries(keywords.properties ?? {})) {
      const found = children(schema)
      if (found.length > 0) cached(properties, name, () => []).push(...found)
    }
    others.push(...children(keywords.additionalProperties))
    for (const schema of Object.values(keywords.patternProperties ?? {})) {
      others.push(...children(schema))
    }
    items.push(...children(keywords.items))
    for (const [index, schema] of (keywords.prefixItems ?? []).entries()) {
      indexed[index] = [...(indexed[index] ?? []), ...children(schema)]
    }
    const { enum: values = [], const: constant } = keywords
    const known = keywords['x-extensible-enum' as keyof typeof keywords]
    const all = [...values, ...(constant === undefined ? [] : [constant]), ...[known ?? []].flat()]
    for (const value of all) {
      if (typeof value !== 'object' || value === null) listed.set(value, JSON.stringify(value))
    }
    const selection = selectionOf(node.schema, node.side.schemas, node.side.checker)
    if (selection) {
      cached(tags, selection.propertyName, () => []).push(...Object.keys(selection.selected))
    }
  }
  const types = terms.flatMap((node) => typesIn(keywordsOf(node)) ?? [])
  const made = new Map<string | number, UsagePlan>()
  const once = (id: string | number, make: () => UsagePlan): UsagePlan => cached(made, id, make)
  return {
    ...{ key, terms, listed, prefix: indexed.length },
    names: [...properties.keys()],
    property: (name) => {
      const nodes = properties.get(name)
      const values = [...new Set(tags.get(name))]
      return nodes && once(`property ${name}`, () => planOf(nodes, values))
    },
    others: () => once('others', () => planOf(others)),
    item: (index) => {
      const own = indexed[index]
      return own ? once(index, () => planOf(own)) : once('items', () => planOf(items))
    },
    hasType: (type) =>
      types.some((one) => one === type) || (type === 'integer' && types.includes('number')),
  }
}
