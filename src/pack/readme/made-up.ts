import type { Api } from '../../model/api.js'
import { createChecker } from '../../model/check.js'
import { referredName, type Schema, type SchemaObject } from '../../model/schema.js'

/** A value for a schema that shows none, the smallest that fits it; undefined where none was found. */
export type MakeUp = (schema: Schema) => Made | undefined

export type Made = { readonly value: unknown }

/** Values that the validators of these documents let pass, for every schema that has one which is found simply. */
export const createMakeUp = ({ schemas }: Pick<Api, 'schemas'>): MakeUp => {
  const checker = createChecker(schemas)
  const fits = (schema: Schema, value: unknown): boolean =>
    value !== undefined && checker.schema(schema).check(value)

  /** `within` are the references that lead here: what holds itself is not finished. */
  const make = (schema: Schema, within: readonly string[]): unknown => {
    if (typeof schema === 'boolean') return schema ? 'text' : undefined
    const name = referredName(schema)
    if (name !== undefined) {
      return within.includes(name)
        ? undefined
        : make(schemas.get(name)?.schema ?? true, [...within, name])
    }
    return candidates(schema, within).find((value) => fits(schema, value))
  }

  const candidates = (schema: SchemaObject, within: readonly string[]): readonly unknown[] => [
    schema.const,
    ...(schema.examples ?? []),
    schema.default,
    ...(schema.enum ?? []),
    ...inBranches(schema, within),
    ...typesOf(schema).flatMap((type) => ofType(type, schema, within)),
  ]

  /** Of each branch together with what stands beside it. */
  const inBranches = (schema: SchemaObject, within: readonly string[]): readonly unknown[] => {
    const { allOf = [], anyOf, oneOf, ...beside } = schema
    if (allOf.length === 0 && !anyOf && !oneOf) return []
    const own = beside.type === 'object' || beside.properties ? [make(beside, within)] : []
    const all = [...own, ...allOf.map((one) => make(one, within))]
    const branches = (anyOf ?? oneOf)?.map((one) => make(one, within)) ?? [undefined]
    return branches.map((branch) => together([...all, branch].filter((one) => one !== undefined)))
  }

  const ofType = (
    type: string,
    schema: SchemaObject,
    within: readonly string[],
  ): readonly unknown[] => {
    // Of bytes, which JSON has none of, a client takes a Blob.
    if (type === 'string') return schema.format === 'binary' ? [] : texts(schema)
    if (type === 'integer' || type === 'number') return numbers(schema)
    if (type === 'boolean') return [true]
    if (type === 'null') return [null]
    if (type === 'array') {
      const { prefixItems = [], items = true, minItems = 0 } = schema
      const places = Array.from({ length: minItems }, (_, index) => prefixItems[index] ?? items)
      return [places.map((one) => make(one, within))]
    }
    const members = (schema.required ?? []).map(
      (key) => [key, make(schema.properties?.[key] ?? true, within)] as const,
    )
    return members.some(([, value]) => value === undefined) ? [] : [Object.fromEntries(members)]
  }

  return (schema) => {
    const value = make(schema, [])
    return fits(schema, value) ? { value } : undefined
  }
}

/** `null` comes last, as it says least. */
const typesOf = ({ type, properties, required, items }: SchemaObject): readonly string[] => {
  if (type === undefined)
    return properties || required ? ['object'] : items ? ['array'] : ['string']
  return [type].flat().sort((one, other) => Number(one === 'null') - Number(other === 'null'))
}

const together = (values: readonly unknown[]): unknown =>
  values.length > 1 && values.every((one) => typeof one === 'object' && one !== null)
    ? Object.assign({}, ...values)
    : values[0]

const texts = ({ format, minLength = 0, maxLength = 1000 }: SchemaObject): readonly string[] => {
  const known = FORMATS[format ?? '']
  const sized = PLACEHOLDERS.map((text) =>
    text.slice(0, maxLength).padEnd(minLength, text.startsWith('0x') ? '0' : text.slice(-1)),
  )
  return known === undefined ? sized : [known, ...sized]
}

/** The first fits what has no pattern; the others are what patterns ask for mostly. */
const PLACEHOLDERS = ['text', '1', '0x1', '0x', 'TEXT', '10', '1.0', '2026-01-01', '/text']

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'me@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

const numbers = (schema: SchemaObject): readonly number[] => {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema
  return [minimum, multipleOf, 1, 0, maximum]
    .concat(exclusiveMinimum === undefined ? [] : [exclusiveMinimum + 1])
    .concat(exclusiveMaximum === undefined ? [] : [exclusiveMaximum - 1])
    .filter((one) => one !== undefined)
}
