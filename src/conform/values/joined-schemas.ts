import type { Schema, SchemaObject, TypeName } from '../../schema/schema.js'

/** What several schemas without unions ask of one value together. */
export type Joined = {
  readonly types: readonly (TypeName | 'any')[]
  readonly patterns: readonly string[]
  readonly format: string | undefined
  readonly minLength: number
  readonly maxLength: number
  /** Both included; an exclusive bound is left to the check. */
  readonly minimum: number
  readonly maximum: number
  readonly multipleOf: number | undefined
  readonly minItems: number
  readonly maxItems: number
  readonly uniqueItems: boolean
  readonly prefixItems: readonly (readonly Schema[])[]
  /** Undefined where nothing is said of further items. */
  readonly items: readonly Schema[] | undefined
  readonly contains: readonly { readonly schema: Schema; readonly least: number }[]
  readonly properties: ReadonlyMap<string, readonly Schema[]>
  readonly required: ReadonlySet<string>
  readonly minProperties: number
  readonly maxProperties: number
  /** Undefined where nothing is said of further properties. */
  readonly others: readonly Schema[] | undefined
  readonly names: readonly Schema[]
}

/** The narrowest bound of each kind; what no bound can say, as two patterns at once, is left to a check of the values. */
export const joined = (schemas: readonly SchemaObject[]): Joined => {
  const all = <T>(pick: (schema: SchemaObject) => T | undefined): readonly T[] =>
    schemas.flatMap((one) => {
      const found = pick(one)
      return found === undefined ? [] : [found]
    })
  const lists = all((one) => (typeof one.type === 'string' ? [one.type] : one.type))
  const length = Math.max(0, ...all((one) => one.prefixItems?.length))
  const names = new Set(schemas.flatMap((one) => Object.keys(one.properties ?? {})))
  const items = all((one) => one.items)
  const closing = all((one) => one.additionalProperties)
  const others = [...closing, ...all((one) => Object.values(one.patternProperties ?? {})[0])]
  return {
    types: lists.length === 0 ? impliedTypes(schemas) : common(lists),
    patterns: all((one) => one.pattern),
    format: all((one) => one.format)[0],
    minLength: Math.max(0, ...all((one) => one.minLength)),
    maxLength: Math.min(Number.POSITIVE_INFINITY, ...all((one) => one.maxLength)),
    minimum: Math.max(
      Number.NEGATIVE_INFINITY,
      ...all((one) => one.minimum),
      ...all((one) => one.exclusiveMinimum),
    ),
    maximum: Math.min(
      Number.POSITIVE_INFINITY,
      ...all((one) => one.maximum),
      ...all((one) => one.exclusiveMaximum),
    ),
    multipleOf: all((one) => one.multipleOf)[0],
    minItems: Math.max(0, ...all((one) => one.minItems)),
    maxItems: Math.min(Number.POSITIVE_INFINITY, ...all((one) => one.maxItems)),
    uniqueItems: schemas.some((one) => one.uniqueItems === true),
    prefixItems: Array.from({ length }, (_, at) =>
      schemas.flatMap(({ prefixItems = [], items: rest = true }) => [prefixItems[at] ?? rest]),
    ),
    items: items.length === 0 ? undefined : items,
    contains: all((one) => one.contains).map((schema) => ({
      schema,
      least: Math.max(0, ...all((one) => (one.contains === schema ? (one.minContains ?? 1) : 0))),
    })),
    properties: new Map([...names].map((name) => [name, saidOf(name, schemas)])),
    required: new Set(schemas.flatMap((one) => one.required ?? [])),
    minProperties: Math.max(0, ...all((one) => one.minProperties)),
    maxProperties: Math.min(Number.POSITIVE_INFINITY, ...all((one) => one.maxProperties)),
    others: others.length === 0 ? undefined : others,
    names: all((one) => one.propertyNames),
  }
}

/** What each schema says of a property: its own words, or those about all that it does not name. */
const saidOf = (name: string, schemas: readonly SchemaObject[]): readonly Schema[] =>
  schemas.flatMap(({ properties = {}, patternProperties, additionalProperties }) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (own !== undefined) return [own]
    return patternProperties === undefined && additionalProperties !== undefined
      ? [additionalProperties]
      : []
  })

const common = (lists: readonly (readonly TypeName[])[]): readonly TypeName[] => {
  const [first = [], ...others] = lists
  const narrowed = first.map((type) =>
    type === 'number' && others.some((one) => one.includes('integer') && !one.includes('number'))
      ? 'integer'
      : type,
  )
  return narrowed.filter((type) =>
    others.every((one) => one.includes(type) || (type === 'integer' && one.includes('number'))),
  )
}

/** A schema that names no type is mostly about the one that its other keywords speak of. */
const impliedTypes = (schemas: readonly SchemaObject[]): Joined['types'] => {
  const said = new Set(schemas.flatMap((one) => Object.keys(one)))
  const speaks = (words: string) => words.split(' ').some((word) => said.has(word))
  const types: TypeName[] = [
    ...(speaks('properties required additionalProperties propertyNames minProperties')
      ? (['object'] as const)
      : []),
    ...(speaks('items prefixItems minItems maxItems contains') ? (['array'] as const) : []),
    ...(speaks('pattern minLength maxLength') ? (['string'] as const) : []),
    ...(speaks('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf')
      ? (['number'] as const)
      : []),
  ]
  return types.length === 0 ? ['any'] : types
}
