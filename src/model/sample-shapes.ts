import type { KeywordsOf } from '../runtime/validate.js'
import { referredName, type Schema, type SchemaObject } from '../schema/schema.js'
import type { Api } from './api.js'

/**
 * A schema without references and branches, once for each choice of branches: `allOf` is joined, of `oneOf` and `anyOf` one is
 * taken. It may ask for less than the schema does, so what is made of it has to be checked. `from` is what holds already.
 */
export function* shapesOf(schemas: Api['schemas'], from: Shape, schema: Schema): Generator<Shape> {
  if (schema === true) yield from
  if (typeof schema === 'boolean') return
  const name = referredName(schema)
  if (name !== undefined) {
    const target = schemas.get(name)?.schema
    if (target === undefined || from.opened.has(name) || from.opened.size >= CHAIN) return
    yield* shapesOf(schemas, { ...from, opened: new Set(from.opened).add(name) }, target)
    return
  }
  const { allOf = [], oneOf, anyOf, ...own } = schema
  const choices = [
    ...allOf.map((one) => [one]),
    ...[oneOf, anyOf].flatMap((one) => (one ? [one] : [])),
  ]
  yield* chosen(schemas, { ...from, keywords: joined(from.keywords, own) }, choices)
}

export type Shape = {
  readonly keywords: SchemaObject
  /** The named schemas that led here: one that is met again is a circle. */
  readonly opened: ReadonlySet<string>
}

/** References of references, beyond which no sample is looked for. */
const CHAIN = 100

function* chosen(
  schemas: Api['schemas'],
  from: Shape,
  [first, ...rest]: readonly (readonly Schema[])[],
): Generator<Shape> {
  if (first === undefined) yield from
  for (const branch of first ?? [])
    for (const shape of shapesOf(schemas, from, branch)) yield* chosen(schemas, shape, rest)
}

function joined(one: SchemaObject, other: SchemaObject): SchemaObject {
  const all: Record<string, unknown> = { ...one, ...other }
  for (const [key, join] of JOINS)
    if (one[key] !== undefined && other[key] !== undefined) all[key] = join(one[key], other[key])
  return all
}

type Key = keyof KeywordsOf<Schema>
type Join = (one: unknown, other: unknown) => unknown

const larger: Join = (one, other) => Math.max(Number(one), Number(other))
const smaller: Join = (one, other) => Math.min(Number(one), Number(other))
const bothHold: Join = (one, other) => ({ allOf: [one, other] })

/** Keyword -> what holds where both values of it do; of any other the last stays. */
const JOINS: readonly (readonly [Key, Join])[] = [
  ['type', (one, other) => commonTypes(one, other)],
  ['required', (one, other) => [...new Set([one, other].flat())]],
  ['properties', (one, other) => joinedProperties(one as Properties, other as Properties)],
  ['items', bothHold],
  ['additionalProperties', bothHold],
  ...(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const).map(
    (key) => [key, larger] as const,
  ),
  ...(['maximum', 'exclusiveMaximum', 'maxLength'] as const).map((key) => [key, smaller] as const),
]

type Properties = Readonly<Record<string, Schema>>

const joinedProperties = (one: Properties, other: Properties): Properties =>
  Object.fromEntries([
    ...Object.entries(one),
    ...Object.entries(other).map(([name, schema]): [string, Schema] => [
      name,
      Object.hasOwn(one, name) ? { allOf: [one[name] ?? true, schema] } : schema,
    ]),
  ])

const commonTypes: Join = (one, other) => {
  const [these, those] = [[one].flat(), [other].flat()]
  const has = (types: readonly unknown[], type: unknown) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  return [
    ...these.filter((type) => has(those, type)),
    ...those.filter((type) => has(these, type) && !these.includes(type)),
  ]
}
