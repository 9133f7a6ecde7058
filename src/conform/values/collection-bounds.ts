import { isObject } from '../../runtime/validate/json-value.js'
import type { SchemaObject } from '../../schema/schema.js'
import type { Bound, MakeValues } from './bound.js'
import { isNever } from './schema-parts.js'
import { textBounds } from './text-bounds.js'

/** Lists and objects with as much as they may hold, with less and with more. */
export function* collectionBounds(
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
  const told = textBounds(right, { pattern: '.' }, () => false)
  for (const { value: wrong, side, note } of told)
    if (side === 'invalid' && typeof wrong === 'string')
      yield {
        ...{ keyword: 'propertyNames', side: 'invalid', value: renamed(wrong) },
        note: `a name with ${note}`,
      }
}
