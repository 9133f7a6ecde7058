import { isObject } from '../runtime/validate/json-value.js'
import {
  type Bound,
  invalid,
  type MakeValues,
  numberBounds,
  textBounds,
  valid,
} from './scalar-bounds.js'
import { isNever, type SchemaObject, type TypeName, typesIn } from './schema.js'

/**
 * Values at the bounds of a schema's own keywords, made from a valid value. `side` is only a guess: other keywords and
 * alternatives may change it, so the caller validates the whole value. `make` returns values of a subschema.
 */
export function* boundsOf(
  value: unknown,
  schema: SchemaObject,
  takes: (value: unknown) => boolean,
  make: MakeValues,
): Generator<Bound> {
  yield* typeBounds(schema)
  yield* listedBounds(schema)
  if (typeof value === 'string') yield* textBounds(value, schema, takes)
  if (typeof value === 'number') yield* numberBounds(value, schema)
  if (Array.isArray(value)) yield* listBounds(value, schema, make)
  if (isObject(value)) yield* objectBounds(value, schema, make)
  yield* formBounds(value, schema, make)
}

function* typeBounds(schema: SchemaObject): Generator<Bound> {
  const types = typesIn(schema)
  if (types === undefined) return
  for (const [other, value] of ONE_OF_EACH_TYPE) {
    if (types.includes(other) || (other === 'integer' && types.includes('number'))) continue
    yield invalid('type', value, `${ARTICLES[other]} in place of ${types.join(' or ')}`)
  }
  if (types.includes('integer') && !types.includes('number'))
    yield invalid('type', 1.5, 'a fraction in place of an integer')
  if (types.includes('boolean') && !types.includes('string'))
    yield invalid('type', 'true', 'a boolean in quotes')
  if ((types.includes('integer') || types.includes('number')) && !types.includes('string'))
    yield invalid('type', '1', 'a number in quotes')
}

const ONE_OF_EACH_TYPE: readonly (readonly [TypeName, unknown])[] = [
  ['null', null],
  ['boolean', true],
  ['integer', 1],
  ['string', 'text'],
  ['array', []],
  ['object', {}],
]

const ARTICLES: Readonly<Record<TypeName, string>> = {
  null: 'null',
  boolean: 'true',
  integer: 'number',
  number: 'number',
  string: 'string',
  array: 'array',
  object: 'object',
}

function* listedBounds(schema: SchemaObject): Generator<Bound> {
  const lists = [
    ...('const' in schema ? [{ keyword: 'const', listed: [schema.const] }] : []),
    ...(schema.enum === undefined ? [] : [{ keyword: 'enum', listed: schema.enum }]),
  ]
  for (const { keyword, listed } of lists) {
    for (const value of listed.slice(0, 20)) yield valid(keyword, value, 'a listed value')
    for (const value of listed.slice(0, 3).flatMap(unlistedNear))
      yield invalid(keyword, value, 'a value that is not listed')
  }
}

const unlistedNear = (value: unknown): readonly unknown[] => {
  if (typeof value === 'string') {
    const upper = value.toUpperCase()
    return [`${value}_`, upper === value ? value.toLowerCase() : upper]
  }
  if (typeof value === 'number') return [value + 1, value - 1]
  if (typeof value === 'boolean') return [!value]
  return value === null ? ['null'] : []
}

/** Values of one, two or no alternatives, and values that `not` forbids. */
function* formBounds(value: unknown, schema: SchemaObject, make: MakeValues): Generator<Bound> {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const forms = (schema[keyword] ?? []).map(make)
    for (const [at, [one]] of forms.entries()) {
      if (one !== undefined) yield valid(keyword, one, 'a value of one alternative')
      for (const [other] of forms.slice(at + 1))
        if (isObject(one) && isObject(other))
          yield invalid(keyword, { ...other, ...one }, 'two alternatives at once')
    }
    if (forms.length === 0) continue
    for (const [, other] of ONE_OF_EACH_TYPE)
      yield invalid(keyword, other, 'a value of no alternative')
  }
  if (schema.not === undefined) return
  yield valid('not', value, 'a value that is not forbidden')
  for (const forbidden of make(schema.not).slice(0, 3))
    yield invalid('not', forbidden, 'a forbidden value')
}

/** Lists with the fewest and the most items, with one fewer and with one more. */
function* listBounds(
  value: readonly unknown[],
  schema: SchemaObject,
  make: MakeValues,
): Generator<Bound> {
  const { minItems, maxItems, uniqueItems, prefixItems = [], items, contains } = schema
  const spare = items === undefined || isNever(items) ? [] : make(items)
  const filled = (length: number): readonly unknown[] =>
    Array.from({ length }, (_, at) =>
      at < value.length
        ? value[at]
        : (spare[(at - value.length) % Math.max(1, spare.length)] ?? value.at(-1) ?? 0),
    )
  if (minItems !== undefined && minItems <= MOST) {
    yield valid('minItems', filled(minItems), 'the fewest items')
    if (minItems > 0) yield invalid('minItems', filled(minItems - 1), 'one item too few')
  }
  if (maxItems !== undefined && maxItems <= MOST) {
    yield valid('maxItems', filled(maxItems), 'the most items')
    yield { ...invalid('maxItems', filled(maxItems + 1), 'one item too many'), isSurplus: true }
  }
  if (uniqueItems === true) {
    const first = value[0] ?? spare[0] ?? 0
    yield invalid('uniqueItems', [first, ...value.slice(1), first], 'the same item twice')
  }
  if (items !== undefined && isNever(items)) {
    const tail = prefixItems.slice(value.length).map((item) => make(item)[0])
    const longer = [...value, ...tail, value.at(-1) ?? 1]
    yield { ...invalid('items', longer, 'one item too many'), isSurplus: true }
  }
  if (contains !== undefined) yield invalid('contains', [], 'no item of the kind that is required')
}

/** Larger values would take too long to test. */
const MOST = 5_000

function* objectBounds(
  value: Readonly<Record<string, unknown>>,
  schema: SchemaObject,
  make: MakeValues,
): Generator<Bound> {
  const { required = [], properties = {}, additionalProperties, propertyNames } = schema
  const { minProperties, maxProperties, dependentRequired = {} } = schema
  const broken = (keyword: string, put: unknown, note: string, mutation: string): Bound => ({
    ...invalid(keyword, put, note),
    mutation,
  })
  const without = (name: string) =>
    Object.fromEntries(Object.entries(value).filter(([own]) => own !== name))
  if (required.length > 0) {
    const least = Object.entries(value).filter(([name]) => required.includes(name))
    yield valid('required', Object.fromEntries(least), 'only the required properties')
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) continue
    yield broken('required', without(name), `without ${name}`, 'a required property is missing')
    const other = name.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    const renamed = { ...without(name), [other]: value[name] }
    yield broken('required', renamed, `${other} in place of ${name}`, 'a name in another case')
  }
  if (additionalProperties !== undefined && isNever(additionalProperties)) {
    const more = { ...value, unknownProperty: 1 }
    yield invalid('additionalProperties', more, 'a property that is not declared')
  }
  for (const [name, property] of Object.entries(properties))
    if (isNever(property)) {
      const forbidden = { ...value, [name]: 'text' }
      yield broken('not', forbidden, `the forbidden ${name}`, 'a forbidden property')
    }
  for (const [name, others] of Object.entries(dependentRequired))
    for (const other of others)
      if (Object.hasOwn(value, name) && Object.hasOwn(value, other)) {
        const note = `${name} without ${other}`
        yield broken('dependentRequired', without(other), note, 'a dependent property is missing')
      }
  const names = Object.keys(value)
  if (minProperties !== undefined && minProperties > 0) {
    const fewer = (count: number) =>
      Object.fromEntries(Object.entries(value).slice(0, Math.max(0, count)))
    yield valid('minProperties', fewer(minProperties), 'the fewest properties')
    yield invalid('minProperties', fewer(minProperties - 1), 'one property too few')
  }
  if (maxProperties !== undefined && maxProperties <= MOST) {
    const spare = names.length === 0 ? 1 : value[names.at(-1) as string]
    const added = Array.from({ length: maxProperties + 1 - names.length }, (_, at) => [
      `p${at}`,
      spare,
    ])
    const more = { ...value, ...Object.fromEntries(added) }
    yield invalid('maxProperties', more, 'one property too many')
  }
  if (propertyNames !== undefined) yield* nameBounds(value, propertyNames, make)
}

/** A property under names that are almost valid. */
function* nameBounds(
  value: Readonly<Record<string, unknown>>,
  propertyNames: NonNullable<SchemaObject['propertyNames']>,
  make: MakeValues,
): Generator<Bound> {
  const [name] = Object.keys(value)
  const [right] = make(propertyNames)
  if (name === undefined || typeof right !== 'string') return
  const renamed = (to: string) =>
    Object.fromEntries(Object.entries(value).map(([own, put]) => [own === name ? to : own, put]))
  const wrongNames = textBounds(right, { pattern: '.' }, () => false)
  for (const { value: wrong, side, note } of wrongNames)
    if (side === 'invalid' && typeof wrong === 'string')
      yield invalid('propertyNames', renamed(wrong), `a name with ${note}`)
}
