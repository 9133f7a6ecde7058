import { isObject } from '../../runtime/validate/json-value.js'
import type { SchemaObject, TypeName } from '../../schema/schema.js'
import type { Bound, MakeValues } from './bound.js'
import { collectionBounds } from './collection-bounds.js'
import { numberBounds } from './number-bounds.js'
import { textBounds } from './text-bounds.js'

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
  for (const [other, value] of STRANGERS) {
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

const STRANGERS: readonly (readonly [TypeName, unknown])[] = [
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
    for (const value of listed.slice(0, 3).flatMap(strangersOf))
      yield { keyword, side: 'invalid', value, note: 'a value that is not listed' }
  }
}

const strangersOf = (value: unknown): readonly unknown[] => {
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
    for (const [, stranger] of STRANGERS)
      yield { keyword, side: 'invalid', value: stranger, note: 'a value of no alternative' }
  }
  if (schema.not === undefined) return
  yield { keyword: 'not', side: 'valid', value, note: 'a value that is not forbidden' }
  for (const forbidden of make(schema.not).slice(0, 3))
    yield { keyword: 'not', side: 'invalid', value: forbidden, note: 'a forbidden value' }
}
