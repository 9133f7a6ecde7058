import type { Api } from '../model/api.js'
import { TAKEN_NAMES } from '../read/naming.js'
import { mapSubschemas, type Schema, type SchemaObject } from '../schema/schema.js'
import { camelCase, uniqueName } from '../text/names.js'
import { ownNamesIn } from './declaration.js'
import {
  code,
  doc,
  type File,
  type Fragment,
  file,
  importedType,
  join,
  raw,
  string,
} from './file.js'
import { LARGEST_INFERRED, sizeOf } from './inferred-size.js'
import { dependencyOrder } from './order.js'
import {
  type Built,
  MAP_OF,
  ONE_OF,
  STATIC,
  staticType,
  TYPE,
  typebox,
  unsafeOf,
} from './typebox.js'

/** `schemas.ts`: one TypeBox value and its Static type per named schema. */
export function emitSchemas(input: Api): File {
  const plain = [...input.schemas].map(
    ([name, named]) => [name, { ...named, schema: withNumbers(named.schema) }] as const,
  )
  const api = { ...input, schemas: new Map(plain) }
  const sizes = new Map<string, number>()
  const inUse = new Set<string>([...TAKEN_NAMES['schemas.ts'], ...api.schemas.keys()])
  const rows = dependencyOrder(api.schemas).flatMap(({ names, circular }) => {
    if (circular) return circleOfSchemas(names, inUse, api)
    return names.map((name) => {
      const schema = api.schemas.get(name)?.schema ?? true
      const comment = commentOf(name, api)
      const size = sizeOf(schema, sizes)
      if (size > LARGEST_INFERRED) return largeSchema(name, schema, comment)
      sizes.set(name, size)
      const { value, type } = typebox(schema, named)
      return code`${comment}
export const ${name}: ${type} = ${value}
export type ${name} = ${STATIC}<typeof ${name}>`
    })
  })
  const body = join(rows, '\n\n')
  const used = ownNamesIn(body)
  const ours = [
    ...(used.includes('OneOf') ? [ONE_OF] : []),
    ...(used.includes('MapOf') ? [MAP_OF] : []),
  ]
  return file('schemas.ts', join([...ours, body], '\n\n'))
}

/** Validators of JSON Schema do not support bigints, and read dates as texts. */
const withNumbers = (schema: Schema): Schema => {
  if (typeof schema === 'boolean') return schema
  const { 'x-bigint': _, 'x-date-object': __, ...others } = schema
  return mapSubschemas(others, withNumbers) as SchemaObject
}

/**
 * Schemas that refer to each other. TypeBox builds the value, but its Static would be `any`, so the types are written out.
 * The definitions are written once: repeated in each schema, their size would grow with the square of the number of schemas.
 */
function circleOfSchemas(
  names: readonly string[],
  inUse: Set<string>,
  api: Api,
): readonly Fragment[] {
  const inCircle = new Set(names)
  const refer = (other: string) =>
    inCircle.has(other)
      ? { value: code`${TYPE}.Ref(${string(other)})`, type: raw('') }
      : named(other)
  const schemaOf = (name: string) => api.schemas.get(name)?.schema ?? true
  const members = names.map((name) => code`${name}: ${typebox(schemaOf(name), refer).value},`)
  const definitions = code`{\n  ${join(members)}\n}`
  const [first = ''] = names
  const shared = uniqueName(`${camelCase(first)}Circle`, inUse)
  const rows = names.map(
    (name) => code`${commentOf(name, api)}
export type ${name} = ${staticType(schemaOf(name))}
${unsafeSchema(name, code`${TYPE}.Cyclic(${shared}, ${string(name)})`)}`,
  )
  const type = importedType('TSchema', 'typebox')
  return [code`const ${shared}: Record<string, ${type}> = ${definitions}`, ...rows]
}

const commentOf = (name: string, api: Api): Fragment => {
  const schema = api.schemas.get(name)?.schema
  return doc(typeof schema === 'object' ? schema.description : undefined)
}

/** The same value with a declared type, which refers to others by name. */
const largeSchema = (name: string, schema: Schema, comment: Fragment): Fragment => code`${comment}
export type ${name} = ${staticType(schema)}
${unsafeSchema(name, code`\n  ${typebox(schema, named).value},\n`)}`

/** A schema whose type has its own declaration. */
const unsafeSchema = (name: string, schema: Fragment): Fragment => {
  const { value, type } = unsafeOf(raw(name), schema)
  return code`export const ${name}: ${type} = ${value}`
}

/** A schema of the same file by its name. */
const named = (name: string): Built => ({ value: raw(name), type: raw(`typeof ${name}`) })
