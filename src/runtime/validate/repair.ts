import { cached } from '../shared/cached.js'
import { isObject, type JsonObject } from './json-value.js'
import { findDiscriminator, literalsOf } from './literals.js'
import { matchesPattern } from './pattern.js'
import { acceptsNull } from './tolerant.js'
import {
  isValidator,
  type SchemaKeywords,
  type Validator,
  type ValidatorSchema,
  type ValueRepair,
  validatorSource,
} from './validator.js'

/**
 * Finds what makes a response a value of its type where tolerant validation accepts it nevertheless: `null` for an optional
 * property is absent, and a missing required property is `null` if it may be. The result applies these changes to the value, or to
 * the same value with exact integers.
 */
export const findRepair = (
  schema: ValidatorSchema,
  value: unknown,
  readings: Readings,
): ValueRepair => {
  const change = createSearch(readings)(schema, value)
  return (one) => (change === undefined ? one : applied(one, change))
}

type Readings = (schema: ValidatorSchema) => {
  readonly strict: Validator
  readonly tolerant: Validator
}

type Change = 'drop' | 'null' | Changes
type Changes = Map<string | number, Change>
type Search = (schema: ValidatorSchema, value: unknown) => Changes | undefined

const createSearch = (readings: Readings): Search => {
  const known = new WeakMap<object, Map<ValidatorSchema, Changes | undefined>>()

  const search: Search = (schema, value) => {
    if (typeof value !== 'object' || value === null) return undefined
    const own = cached(known, value, () => new Map())
    if (own.has(schema)) return own.get(schema)
    // A schema that leads to itself for the same value adds nothing.
    own.set(schema, undefined)
    const found = Array.isArray(value) ? ofItems(schema, value) : ofMembers(schema, value)
    const changes = found.size > 0 ? found : undefined
    own.set(schema, changes)
    return changes
  }

  const ofItems = (schema: ValidatorSchema, items: readonly unknown[]): Changes => {
    const found: Changes = new Map()
    for (const { prefixItems = [], items: rest = true } of appliedSchemas(schema, items)) {
      for (const [at, item] of items.entries())
        add(found, at, search(prefixItems[at] ?? rest, item))
    }
    return found
  }

  const ofMembers = (schema: ValidatorSchema, value: object): Changes => {
    const found: Changes = new Map()
    const schemas = appliedSchemas(schema, value)
    const required = new Set(schemas.flatMap((one) => one.required ?? []))
    for (const [name, member] of Object.entries(value)) {
      const declared = schemas.flatMap((one) => declaredIn(one, name))
      if (member !== null) for (const one of declared) add(found, name, search(one, member))
      else if (!required.has(name) && !declared.every(acceptsNull)) found.set(name, 'drop')
    }
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue
      const declared = schemas.flatMap((one) => declaredIn(one, name))
      if (declared.length > 0 && declared.every(acceptsNull)) found.set(name, 'null')
    }
    return found
  }

  /** All schemas that apply to a value, those of the matching alternatives included. */
  const appliedSchemas = (from: ValidatorSchema, value: unknown): readonly SchemaKeywords[] => {
    const found = new Set<SchemaKeywords>()
    const waiting: ValidatorSchema[] = [from]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const schema = isValidator(next) ? (validatorSource(next)?.schema() ?? true) : next
      if (isValidator(schema)) waiting.push(schema)
      if (typeof schema === 'boolean' || isValidator(schema) || found.has(schema)) continue
      found.add(schema)
      waiting.push(...(schema.allOf ?? []))
      if (schema.if !== undefined) {
        const branch = readings(schema.if).strict.check(value) ? schema.then : schema.else
        if (branch !== undefined) waiting.push(branch)
      }
      for (const [name, one] of Object.entries(schema.dependentSchemas ?? {}))
        if (isObject(value) && Object.hasOwn(value, name)) waiting.push(one)
      for (const branches of [schema.anyOf, schema.oneOf]) {
        const branch = branches && matching(branches, value)
        if (branch !== undefined) waiting.push(branch)
      }
    }
    return [...found]
  }

  /** The alternative that a discriminator selects, else the one that accepts the value with the fewest changes. */
  const matching = (
    branches: readonly ValidatorSchema[],
    value: unknown,
  ): ValidatorSchema | undefined => {
    const discriminator = findDiscriminator(branches.map(literalsOf))
    if (discriminator !== undefined && isObject(value))
      return branches[discriminator.branchOf.get(value[discriminator.key]) ?? -1]
    let best: { readonly branch: ValidatorSchema; readonly count: number } | undefined
    for (const branch of branches) {
      const changes = search(branch, value)
      const count = changes === undefined ? 0 : countOf(changes)
      if (best !== undefined && best.count <= count) continue
      const changed = changes ? applied(value, changes) : value
      if (readings(branch).tolerant.check(changed)) best = { branch, count }
    }
    return best?.branch
  }

  return search
}

/** The schemas that an object has for a property; `additionalProperties: false` is ignored in responses. */
const declaredIn = (schema: SchemaKeywords, name: string): readonly ValidatorSchema[] => {
  const { properties = {}, patternProperties = {}, additionalProperties = true } = schema
  const found = Object.entries(patternProperties).flatMap(([pattern, one]) =>
    matchesPattern(pattern, name) ? [one] : [],
  )
  if (Object.hasOwn(properties, name)) found.push(properties[name] ?? true)
  if (found.length > 0) return found
  return typeof additionalProperties === 'boolean' ? [] : [additionalProperties]
}

const add = (changes: Changes, key: string | number, change: Change | undefined): void => {
  const earlier = changes.get(key)
  if (change === undefined || earlier === 'drop') return
  if (typeof earlier === 'object' && typeof change === 'object') {
    for (const [inner, one] of change) add(earlier, inner, one)
  } else changes.set(key, typeof change === 'object' ? new Map(change) : change)
}

const countOf = (changes: Changes): number =>
  [...changes.values()].reduce((sum, one) => sum + (typeof one === 'object' ? countOf(one) : 1), 0)

const applied = (value: unknown, change: Change): unknown => {
  if (change === 'null') return null
  if (change === 'drop' || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.map((item, at) => applied(item, change.get(at) ?? new Map()))
  const members = new Map(Object.entries(value as JsonObject))
  for (const [name, one] of change) {
    if (one === 'drop') members.delete(String(name))
    else members.set(String(name), applied(members.get(String(name)), one))
  }
  return Object.fromEntries(members)
}
