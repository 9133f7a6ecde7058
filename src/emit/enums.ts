import type { Api, Operation } from '../model/api.js'
import { isPart, operationParts, type Parts } from '../model/operation-parts.js'
import { type NamedValue, namedValues } from '../schema/enum-names.js'
import { type Schema, type SchemaObject, subschemas } from '../schema/schema.js'
import { memberName } from '../text/escape.js'
import { identifier, isIdentifier, pascalCase, uniqueName } from '../text/names.js'
import { code, commented, doc, type File, file, join, literal } from './file.js'

/** Which enums have a constant: those whose values the document names (`x-enum-varnames`, `x-enumNames`), or all. */
export type EnumScope = 'named' | 'all'

/**
 * `enums.ts`: a constant for each enum; undefined without one. Its members have the names of the document, or are named after their
 * values. An object and not an `enum`, so that the values are those of the type of the schema.
 */
export function emitEnums(api: Api, scope: EnumScope = 'named'): File | undefined {
  const used = new Set<string>()
  const written = new Map<string, string>()
  const rows = [...placesOf(api, scope)].flatMap(({ name, values, description }) => {
    const members = values.map((one) =>
      commented(doc(one.description), code`${memberName(one.name)}: ${literal(one.value)},`),
    )
    const body = code`{\n  ${join(members)}\n} as const`
    // The same enum at several places of an operation is one constant.
    if (written.get(name) === body.text) return []
    const own = uniqueName(identifier(name, pascalCase), used)
    written.set(name, body.text)
    return [commented(doc(description), code`export const ${own} = ${body}`)]
  })
  return rows.length === 0 ? undefined : file('enums.ts', join(rows, '\n\n'))
}

type Place = {
  readonly name: string
  readonly values: readonly NamedValue[]
  readonly description: string | undefined
}

function* placesOf(api: Api, scope: EnumScope): Generator<Place> {
  // The form of a schema for one direction has the enums of the whole.
  for (const { name, schema, omits } of api.schemas.values())
    if (omits === undefined) yield* placesIn(name, schema, scope)
  for (const operation of [...api.operations, ...api.serverMethods])
    yield* placesOfParts(operation, scope)
}

function* placesOfParts(
  operation: Operation,
  scope: EnumScope,
  parts: Parts = operationParts(operation),
): Generator<Place> {
  for (const [key, part] of Object.entries(parts)) {
    const parameter = /^(?:path|query|header|cookie)\.(.+)$/.exec(key)?.[1] ?? ''
    if (isPart(part))
      yield* placesIn(pascalCase(`${operation.id} ${parameter}`), part.schema, scope)
    else yield* placesOfParts(operation, scope, part)
  }
}

/** The enums of a schema: its own, and those of properties without a schema of their own, by the name of the property. */
function* placesIn(name: string, schema: Schema, scope: EnumScope): Generator<Place> {
  if (typeof schema === 'boolean') return
  const named = namedValues(schema as Readonly<Record<string, unknown>>)
  const values = Array.isArray(named) || scope === 'named' ? named : namedByValue(schema.enum)
  if (Array.isArray(values)) yield { name, values, description: schema.description }
  const { properties = {}, ...others } = schema
  for (const inner of subschemas(others as SchemaObject)) yield* placesIn(name, inner, scope)
  for (const [key, property] of Object.entries(properties))
    yield* placesIn(`${name}${pascalCase(key)}`, property, scope)
}

/** The values of an enum of texts or numbers under the names that openapi-typescript gives the members of an `enum`. */
function namedByValue(values: readonly unknown[] = []): readonly NamedValue[] | undefined {
  const some = values.filter((value) => value !== null)
  const isPlain = some.every((value) => typeof value === 'string' || typeof value === 'number')
  if (some.length === 0 || !isPlain) return undefined
  const used = new Set<string>()
  return some.map((value) => ({ name: uniqueName(memberNameOf(String(value)), used), value }))
}

/** `in-transit` -> `in_transit`, `1.5` -> `Value1_5`, `-1` -> `ValueMinus1`. */
const memberNameOf = (value: string): string =>
  isIdentifier(value) || value === ''
    ? value
    : value
        .replace(/^-/, 'ValueMinus')
        .replace(/^(?=\d)/, 'Value')
        .replace(/[^\p{ID_Continue}$]/gu, '_')
