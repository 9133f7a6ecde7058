import { isObject } from '../runtime/validate/json-value.js'
import { type Bound, type MakeValues, numberBounds, textBounds } from './scalar-bounds.js'
import { isNever, type SchemaObject, type TypeName } from './schema.js'

/**
 * What a schema's own keywords are tried with, from a value that it takes. Only a guess of the side: what other keywords and
 * other forms make of it is for a check of the whole to say. `make` gives values of a subschema.
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
  if (Array.isArray(value) || isObject(value)) yield* collectionBounds(value, schema, make)
  yield* formBounds(value, schema, make)
}

function* typeBounds({ type }: SchemaObject): Generator<Bound> {
  if (type === undefined) return
  const types = typeof type === 'string' ? [type] : type
  for (const [other, value] of ONE_OF_EACH_TYPE) {
    if (types.includes(other) || (other === 'integer' && types.includes('number'))) continue
    yield {
      keyword: 'type',
      side: 'invalid',
      value,
      note: `${ARTICLES[other]} in place of ${types.join(' or ')}`,
    }
  }
  if (types.includes('integer') && !types.includes('number'))
    yield {
      keyword: 'type',
      side: 'invalid',
      value: 1.5,
      note: 'a fraction in place of an integer',
    }
  if (types.includes('boolean') && !types.includes('string'))
    yield { keyword: 'type', side: 'invalid', value: 'true', note: 'a boolean in quotes' }
  if ((types.includes('integer') || types.includes('number')) && !types.includes('string'))
    yield { keyword: 'type', side: 'invalid', value: '1', note: 'a number in quotes' }
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
    for (const value of listed.slice(0, 20))
      yield { keyword, side: 'valid', value, note: 'a listed value' }
    for (const value of listed.slice(0, 3).flatMap(unlistedNear))
      yield { keyword, side: 'invalid', value, note: 'a value that is not listed' }
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

/** Two forms at once, and what a schema forbids outright. */
function* formBounds(value: unknown, schema: SchemaObject, make: MakeValues): Generator<Bound> {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const forms = (schema[keyword] ?? []).map(make)
    for (const [at, [one]] of forms.entries()) {
      if (one !== undefined)
        yield { keyword, side: 'valid', value: one, note: 'a value of one alternative' }
      for (const [other] of forms.slice(at + 1))
        if (isObject(one) && isObject(other))
          yield {
            keyword,
            side: 'invalid',
            value: { ...other, ...one },
            note: 'two alternatives at once',
          }
    }
    if (forms.length === 0) continue
    for (const [, other] of ONE_OF_EACH_TYPE)
      yield { keyword, side: 'invalid', value: other, note: 'a value of no alternative' }
  }
  if (schema.not === undefined) return
  yield { keyword: 'not', side: 'valid', value, note: 'a value that is not forbidden' }
  for (const forbidden of make(schema.not).slice(0, 3))
    yield { keyword: 'not', side: 'invalid', value: forbidden, note: 'a forbidden value' }
}

/** Lists and objects with as much as they may hold, with less and with more. */
function* collectionBounds(
  value: readonly unknown[] | Readonly<Record<string, unknown>>,
  schema: SchemaObject,
  make: MakeValues,
): Generator<Bound> {
  if (Array.isArray(value)) yield* listBounds(value, schema, make)
  else if (isObject(value)) yield* objectBounds(value, schema, make)
}

function* listBounds(
  value: readonly unknown[],
  schema: SchemaObject,
  make: MakeValues,
): Generator<Bound> {
  const { minItems, maxItems, uniqueItems, prefixItems = [], items, contains } = schema
  const invalid = (keyword: string, items: readonly unknown[], note: string): Bound => ({
    ...{ keyword, side: 'invalid', value: items, note },
  })
  const spare = items === undefined || isNever(items) ? [] : make(items)
  const filled = (length: number): readonly unknown[] =>
    Array.from({ length }, (_, at) =>
      at < value.length
        ? value[at]
        : (spare[(at - value.length) % Math.max(1, spare.length)] ?? value.at(-1) ?? 0),
    )
  if (minItems !== undefined && minItems <= MOST) {
    yield { keyword: 'minItems', side: 'valid', value: filled(minItems), note: 'the fewest items' }
    if (minItems > 0) yield invalid('minItems', filled(minItems - 1), 'one item too few')
  }
  if (maxItems !== undefined && maxItems <= MOST) {
    yield { keyword: 'maxItems', side: 'valid', value: filled(maxItems), note: 'the most items' }
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

/** More would be a test of patience. */
const MOST = 5_000

function* objectBounds(
  value: Readonly<Record<string, unknown>>,
  schema: SchemaObject,
  make: MakeValues,
): Generator<Bound> {
  const { required = [], properties = {}, additionalProperties, propertyNames } = schema
  const { minProperties, maxProperties, dependentRequired = {} } = schema
  const invalid = (keyword: string, put: unknown, note: string, mutation = note): Bound => ({
    ...{ keyword, side: 'invalid', value: put, note, mutation },
  })
  const without = (name: string) =>
    Object.fromEntries(Object.entries(value).filter(([own]) => own !== name))
  if (required.length > 0) {
    const least = Object.entries(value).filter(([name]) => required.includes(name))
    yield {
      ...{ keyword: 'required', side: 'valid', note: 'only the required properties' },
      value: Object.fromEntries(least),
    }
  }
  for (const name of required) {
    if (!Object.hasOwn(value, name)) continue
    yield invalid('required', without(name), `without ${name}`, 'a required property is missing')
    const other = name.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    const renamed = { ...without(name), [other]: value[name] }
    yield invalid('required', renamed, `${other} in place of ${name}`, 'a name in another case')
  }
  if (additionalProperties !== undefined && isNever(additionalProperties)) {
    const more = { ...value, unknownProperty: 1 }
    yield invalid('additionalProperties', more, 'a property that is not declared')
  }
  for (const [name, said] of Object.entries(properties))
    if (isNever(said))
      yield invalid(
        'not',
        { ...value, [name]: 'text' },
        `the forbidden ${name}`,
        'a forbidden property',
      )
  for (const [name, others] of Object.entries(dependentRequired))
    for (const other of others)
      if (Object.hasOwn(value, name) && Object.hasOwn(value, other)) {
        const note = `${name} without ${other}`
        yield invalid('dependentRequired', without(other), note, 'a dependent property is missing')
      }
  const names = Object.keys(value)
  if (minProperties !== undefined && minProperties > 0) {
    const fewer = (count: number) =>
      Object.fromEntries(Object.entries(value).slice(0, Math.max(0, count)))
    yield {
      ...{ keyword: 'minProperties', side: 'valid', value: fewer(minProperties) },
      note: 'the fewest properties',
    }
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

/** A property under names that are almost right. */
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
      yield {
        ...{ keyword: 'propertyNames', side: 'invalid', value: renamed(wrong) },
        note: `a name with ${note}`,
      }
}
