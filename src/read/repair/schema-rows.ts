import { isObject, isReference } from '../../model/json.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import { ANNOTATIONS, ASSERTIONS, JSON_TYPES, SILENT } from '../../schema/keywords.js'
import type { TypeName } from '../../schema/schema.js'
import { inSchema, inSchemas } from './examples.js'
import { type Here, type RepairRow, type Rewritten, renameKeys } from './repair.js'

/** The faults of schemas, in both kinds of documents. */
export const SCHEMA_ROWS: readonly RepairRow[] = [
  {
    id: 'schema-is-a-name',
    rule: 'schema-is-no-object',
    where: ['schema'],
    fault:
      '`items: Order` or `schema: Order`, if `components.schemas` has `Order`; `schema: string`',
    meaning: "`$ref: '#/components/schemas/Order'`, `type: string`",
    rewrite: (schema, here) => {
      const named = typeof schema === 'string' ? schemaOfText(schema, here) : undefined
      if (!named) return undefined
      const message = `a schema must be an object or a boolean, not the string ${JSON.stringify(schema)}: it is read as ${named.words}`
      return { value: named.schema, faults: [{ message }] }
    },
    example: {
      before: inSchemas({ Orders: { type: 'array', items: 'Order' }, Order: { type: 'object' } }),
      after: inSchemas({
        Orders: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
        Order: { type: 'object' },
      }),
      at: '/components/schemas/Orders/items',
    },
  },
  {
    id: 'schema-in-schema',
    rule: 'schema-is-wrapped',
    where: ['schema'],
    fault: '`schema: { schema: … }`',
    meaning: 'the inner schema, with the title and description around it',
    rewrite: (schema, { put }) => {
      const path: string[] = []
      const around: Record<string, unknown> = {}
      let inner = schema
      while (isWrapped(inner)) {
        path.push('schema')
        for (const key of ['title', 'description'])
          if (inner[key] !== undefined) around[key] = inner[key]
        inner = inner.schema
      }
      if (!isObject(inner) || path.length === 0) return undefined
      const message =
        'schema is not a keyword of a schema: its value is read as the schema; write the value in place of this object'
      const faults = path.map((_, index) => ({ message, at: path.slice(0, index + 1) }))
      return { value: put({ ...around, ...inner }, ...path), faults }
    },
    example: {
      before: inSchema({ type: 'array', items: { title: 'Id', schema: { type: 'string' } } }),
      after: inSchema({ type: 'array', items: { title: 'Id', type: 'string' } }),
      at: '/components/schemas/Order/items/schema',
    },
  },
  {
    id: 'properties-without-keyword',
    rule: 'schema-keyword-is-unknown',
    where: ['schema'],
    fault: '`{ size: { type: integer } }` as a schema',
    meaning: 'an object with the property `size`',
    rewrite: (schema, { put }) => {
      const name = isObject(schema) ? firstProperty(schema) : undefined
      if (!isObject(schema) || name === undefined) return undefined
      const message = `${name} is not a keyword of JSON Schema but has a schema, so it is read as a property: write it under properties`
      return { value: { properties: put(schema) }, faults: [{ message, at: [name] }] }
    },
    example: {
      before: inSchema({ size: { type: 'integer' } }),
      after: inSchema({ properties: { size: { type: 'integer' } } }),
      at: '/components/schemas/Order/size',
    },
  },
  {
    id: 'keyword-in-other-letters',
    rule: 'schema-keyword-is-unknown',
    where: ['schema'],
    fault: '`maxlength`, `oneof`, `Enum`, `read_only`, if the right keyword is absent',
    meaning: '`maxLength`, `oneOf`, `enum`, `readOnly`',
    rewrite: (schema) => {
      if (!isObject(schema) || Object.hasOwn(schema, 'propertyName')) return undefined
      const done = renameKeys(schema, repairedKeyword)
      if (!done) return undefined
      const faults = Object.entries(done.keys ?? {}).map(([key, [written = '']]) => ({
        message: `${written} is not a keyword of JSON Schema: it is read as ${key}; write that`,
        at: [written],
      }))
      return { ...done, faults }
    },
    example: {
      before: inSchema({ type: 'string', maxlength: 3 }),
      after: inSchema({ type: 'string', maxLength: 3 }),
      at: '/components/schemas/Order/maxlength',
    },
  },
  {
    id: 'branches-without-list',
    rule: 'schema-keyword-invalid',
    where: ['schema'],
    fault: '`allOf`, `anyOf` or `oneOf` with one schema in the place of a list',
    meaning: 'a list of this schema',
    rewrite: (schema, { put }) =>
      withValues(
        schema,
        (key, value) => (BRANCHES.has(key) && isSchema(value) ? [put(value, key)] : value),
        (key) =>
          `${key} must be a list of schemas: the schema is read as a list of one; write [ ] around it`,
      ),
    example: {
      before: inSchema({ allOf: { type: 'object' } }),
      after: inSchema({ allOf: [{ type: 'object' }] }),
      at: '/components/schemas/Order/allOf',
    },
  },
  {
    id: 'flag-keyword-in-quotes',
    rule: 'schema-keyword-invalid',
    where: ['schema'],
    fault: "`nullable: 'true'`, `additionalProperties: 'false'`",
    meaning: 'the boolean',
    rewrite: (schema) =>
      withValues(
        schema,
        (key, value) =>
          FLAGS.has(key) && (value === 'true' || value === 'false') ? value === 'true' : value,
        (key, value, read) =>
          `${key} must be true or false, not the string ${JSON.stringify(value)}: it is read as ${read}; remove the quotes`,
      ),
    example: {
      before: inSchema({ type: 'object', additionalProperties: 'false' }),
      after: inSchema({ type: 'object', additionalProperties: false }),
      at: '/components/schemas/Order/additionalProperties',
    },
  },
  {
    id: 'number-keyword-in-quotes',
    rule: 'schema-keyword-invalid',
    where: ['schema'],
    fault: "`maxLength: '20'`",
    meaning: 'the number',
    rewrite: (schema) =>
      withValues(
        schema,
        (key, value) =>
          NUMBERS.has(key) && typeof value === 'string' && NUMBER.test(value)
            ? Number(value)
            : value,
        (key, value, read) =>
          `${key} must be a number, not the string ${JSON.stringify(value)}: it is read as ${read}; remove the quotes`,
      ),
    example: {
      before: inSchema({ type: 'string', maxLength: '20' }),
      after: inSchema({ type: 'string', maxLength: 20 }),
      at: '/components/schemas/Order/maxLength',
    },
  },
  {
    id: 'map-keyword-without-members',
    rule: 'schema-keyword-invalid',
    where: ['schema'],
    fault: '`properties: []`, `properties:` without a value',
    meaning: 'no properties',
    rewrite: (schema) =>
      withValues(
        schema,
        // PHP writes an empty map as an empty list; a YAML key without a value is null.
        (key, value) =>
          MAPS.has(key) && (value === null || (Array.isArray(value) && value.length === 0))
            ? {}
            : value,
        (key) => `${key} must be an object: it is read as an empty one`,
      ),
    example: {
      before: inSchema({ type: 'object', properties: [] }),
      after: inSchema({ type: 'object', properties: {} }),
      at: '/components/schemas/Order/properties',
    },
  },
  {
    id: 'type-null-without-quotes',
    rule: 'schema-type-is-unknown',
    where: ['schema'],
    fault: '`type: [string, null]`; `type: null` alone, in 3.1 and OpenRPC',
    meaning: "`'null'`, in quotes",
    rewrite: (schema, { version }) => {
      if (!isObject(schema)) return undefined
      const { type } = schema
      // With other keywords, `type:` may be a line that was not completed.
      const isNullType = Array.isArray(type)
        ? type.includes(null)
        : type === null && !isConstrained(schema) && !version.startsWith('3.0')
      if (!isNullType) return undefined
      const message = "null without quotes is not a type: it is read as the type null; write 'null'"
      const names = Array.isArray(type) ? type.map((name: unknown) => name ?? 'null') : 'null'
      return { value: { ...schema, type: names }, faults: [{ message, at: ['type'] }] }
    },
    example: {
      before: inSchema({ type: ['string', null] }, '3.1.0'),
      after: inSchema({ type: ['string', 'null'] }, '3.1.0'),
      at: '/components/schemas/Order/type',
    },
  },
  {
    id: 'type-is-a-schema',
    rule: 'schema-type-is-unknown',
    where: ['schema'],
    fault: '`type: Order`, if `components.schemas` has `Order`',
    meaning: "`$ref: '#/components/schemas/Order'`",
    rewrite: (schema, here) => {
      if (!isObject(schema) || isReference(schema)) return undefined
      const { type, ...others } = schema
      // Next to other keywords, it may only be the title of the schema.
      if (typeof type !== 'string' || isConstrained(schema)) return undefined
      const $ref = referenceTo(type, here)
      if ($ref === undefined || $ref.endsWith(`#${here.origin.pointer}`)) return undefined
      const message = `${JSON.stringify(type)} is not a type: it is read as a reference to the schema ${type}; write $ref: '${$ref}'`
      return { value: { $ref, ...others }, faults: [{ message, at: ['type'] }] }
    },
    example: {
      before: inSchemas({ Other: { type: 'Order' }, Order: { type: 'object' } }),
      after: inSchemas({
        Other: { $ref: '#/components/schemas/Order' },
        Order: { type: 'object' },
      }),
      at: '/components/schemas/Other/type',
    },
  },
  {
    id: 'type-of-a-list',
    rule: 'schema-type-is-unknown',
    where: ['schema'],
    fault: '`type: string[]`, `array[string]` or `array<string>`',
    meaning: 'an array of strings',
    rewrite: (schema, here) => {
      if (!isObject(schema) || schema.items !== undefined) return undefined
      const { type } = schema
      const list =
        typeof type === 'string' && LIST.test(type) ? schemaOfText(type, here) : undefined
      if (!list) return undefined
      const message = `${notAType(type)}; it is read as ${list.words}`
      return { value: { ...schema, ...list.schema }, faults: [{ message, at: ['type'] }] }
    },
    example: {
      before: inSchema({ type: 'string[]' }),
      after: inSchema({ type: 'array', items: { type: 'string' } }),
      at: '/components/schemas/Order/type',
    },
  },
  {
    id: 'type-of-bytes',
    rule: 'schema-type-is-unknown',
    where: ['schema'],
    fault: '`type: file`',
    meaning: 'bytes: `type: string` with `format: binary`',
    rewrite: (schema) => {
      if (!isObject(schema) || schema.type !== 'file') return undefined
      const message = `${notAType('file')}; it is read as string with the format binary`
      return {
        value: { ...schema, type: 'string', format: 'binary' },
        faults: [{ message, at: ['type'] }],
      }
    },
    example: {
      before: inSchema({ type: 'file' }),
      after: inSchema({ type: 'string', format: 'binary' }),
      at: '/components/schemas/Order/type',
    },
  },
  {
    id: 'type-of-another-language',
    rule: 'schema-type-is-unknown',
    where: ['schema'],
    fault:
      '`type: str`, `int64`, `float`, `decimal`, `bool`, `list`, `map`, or a format such as `date` or `uuid` as the type',
    meaning: 'the type of JSON Schema',
    rewrite: (schema) => {
      if (!isObject(schema) || schema.type === undefined) return undefined
      if (typeof schema.type === 'string' && JSON_TYPES.has(schema.type)) return undefined
      const written: readonly unknown[] = [schema.type].flat()
      const wrong = written.filter((name) => typeof name !== 'string' || !JSON_TYPES.has(name))
      const names = written.flatMap((name) => typeNamed(name) ?? [])
      if (wrong.length === 0 || names.length < written.length) return undefined
      const type = [...new Set(names)]
      const message = `${notAType(wrong[0])}; it is read as ${names.join(', ')}`
      return {
        value: { ...schema, type: type.length === 1 ? type[0] : type },
        faults: [{ message, at: ['type'] }],
      }
    },
    example: {
      before: inSchema({ type: 'int64' }),
      after: inSchema({ type: 'integer' }),
      at: '/components/schemas/Order/type',
    },
  },
  {
    id: 'property-is-required',
    rule: 'schema-keyword-invalid',
    where: ['schema'],
    fault: '`required: true` of a property',
    meaning: 'nothing: it is ignored',
    rewrite: (schema) => {
      // Documents from the time of Swagger 1 have it.
      if (!isObject(schema) || typeof schema.required !== 'boolean') return undefined
      const { required: _, ...value } = schema
      const message =
        'required must be a list of names, next to the properties of an object: it is ignored'
      return { value, faults: [{ message, at: ['required'] }] }
    },
    example: {
      before: inSchema({ properties: { id: { type: 'integer', required: true } } }),
      after: inSchema({ properties: { id: { type: 'integer' } } }),
      at: '/components/schemas/Order/properties/id/required',
    },
  },
  {
    id: 'required-name-without-quotes',
    rule: 'schema-keyword-invalid',
    where: ['schema'],
    fault: '`required: [1]`',
    meaning: "`required: ['1']`",
    rewrite: (schema) =>
      withNames(
        schema,
        (names) =>
          names.some((name) => typeof name !== 'string') &&
          names.every((name) => typeof name !== 'object')
            ? names.map(String)
            : names,
        () => 'required must be a list of strings: put each name in quotes',
      ),
    example: {
      before: inSchema({ properties: { 1: {} }, required: [1] }),
      after: inSchema({ properties: { 1: {} }, required: ['1'] }),
      at: '/components/schemas/Order/required',
    },
  },
  {
    id: 'required-name-is-repeated',
    rule: 'schema-keyword-invalid',
    where: ['schema'],
    fault: '`required: [id, id]`',
    meaning: '`required: [id]`',
    rewrite: (schema) =>
      withNames(
        schema,
        (names) => (new Set(names).size < names.length ? [...new Set(names)] : names),
        (names) =>
          `required must be a list of distinct names, and ${names.find((name, index) => names.indexOf(name) !== index)} is in it twice`,
      ),
    example: {
      before: inSchema({ properties: { id: {} }, required: ['id', 'id'] }),
      after: inSchema({ properties: { id: {} }, required: ['id'] }),
      at: '/components/schemas/Order/required',
    },
  },
]

/** A schema with other values of keywords; one fault for each. */
function withValues(
  schema: unknown,
  repaired: (key: string, value: unknown) => unknown,
  message: (key: string, value: unknown, read: unknown) => string,
): Rewritten | undefined {
  if (!isObject(schema)) return undefined
  const keys = Object.keys(schema).filter((key) => repaired(key, schema[key]) !== schema[key])
  if (keys.length === 0) return undefined
  const others = keys.map((key) => ({
    ...{ key, value: schema[key] },
    read: repaired(key, schema[key]),
  }))
  return {
    value: { ...schema, ...Object.fromEntries(others.map(({ key, read }) => [key, read])) },
    faults: others.map(({ key, value, read }) => ({
      message: message(key, value, read),
      at: [key],
    })),
  }
}

const withNames = (
  schema: unknown,
  repaired: (names: readonly unknown[]) => readonly unknown[],
  message: (names: readonly unknown[]) => string,
): Rewritten | undefined =>
  withValues(
    schema,
    (key, value) => (key === 'required' && Array.isArray(value) ? repaired(value) : value),
    (_key, value) => message(value as readonly unknown[]),
  )

/** A content descriptor or media type in place of a schema: only its `schema` constrains values. */
const isWrapped = (schema: unknown): schema is JsonObject =>
  isObject(schema) &&
  isObject(schema.schema) &&
  !isReference(schema) &&
  !Object.keys(schema).some((key) => ASSERTIONS.has(key))

/** The first key of a schema whose keys are names of properties: the value of each is a schema, and none is a keyword that holds one. */
function firstProperty(schema: JsonObject): string | undefined {
  const keys = Object.keys(schema)
  const isProperty = (key: string): boolean => {
    const value = schema[key]
    if (ASSERTIONS.has(key) || /^([$]|x-)/.test(key) || HOLDS_DATA.has(key)) return false
    return isObject(value) && (isReference(value) || typeNamed(value.type) !== undefined)
  }
  const name = keys.find((key) => !ANNOTATIONS.has(key) && !SILENT.has(key))
  return name !== undefined && keys.every(isProperty) ? name : undefined
}

const HOLDS_DATA: ReadonlySet<string> = new Set(
  'default example examples definitions discriminator xml'.split(' '),
)

/** The keyword that `maxlength`, `Enum` or `read_only` means. */
function repairedKeyword(key: string): string {
  if (KEYWORDS.has(key) || key.startsWith('$') || key === 'x-nullable') return key
  return BY_LETTERS.get(key.replace(/[-_]/g, '').toLowerCase()) ?? key
}

const KEYWORDS: ReadonlySet<string> = new Set([
  ...ASSERTIONS,
  ...ANNOTATIONS,
  'nullable',
  'discriminator',
  'example',
])

const BY_LETTERS: ReadonlyMap<string, string> = new Map(
  [...KEYWORDS].map((key) => [key.toLowerCase(), key]),
)

const BRANCHES: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf'])

/** One schema, and not a map of schemas. */
const isSchema = (value: unknown): value is JsonObject =>
  isObject(value) && Object.keys(value).some((key) => key === '$ref' || ASSERTIONS.has(key))

const FLAGS: ReadonlySet<string> = new Set(
  `nullable uniqueItems readOnly writeOnly deprecated exclusiveMinimum exclusiveMaximum additionalProperties
  additionalItems unevaluatedProperties unevaluatedItems`.split(/\s+/),
)

const NUMBERS: ReadonlySet<string> = new Set(
  `minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems
  minProperties maxProperties minContains maxContains`.split(/\s+/),
)

/** RFC 8259, 6. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

const MAPS: ReadonlySet<string> = new Set(
  'properties patternProperties dependentSchemas dependentRequired dependencies'.split(' '),
)

const isConstrained = (schema: JsonObject): boolean =>
  Object.keys(schema).some((key) => key === 'format' || (key !== 'type' && ASSERTIONS.has(key)))

const notAType = (name: unknown): string =>
  `${JSON.stringify(name)} is not a type: write one of ${[...JSON_TYPES].join(', ')}`

/** The schema that a text means: the name of a type or of a schema, or a list of either, as `Order[]`. */
function schemaOfText(text: string, here: Here): Named | undefined {
  const inner = LIST.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined)
  if (inner !== undefined) {
    const items = schemaOfText(inner, here)
    if (!items) return undefined
    const schema = { type: 'array', items: here.put(items.schema) }
    return { schema, words: `an array of ${items.words}` }
  }
  const $ref = referenceTo(text, here)
  if ($ref !== undefined) return { schema: { $ref }, words: `a reference to ${$ref}` }
  const type = typeNamed(text)
  return type && { schema: { type }, words: `the type ${type}` }
}

type Named = { readonly schema: JsonObject; readonly words: string }

/** The reference to a schema of the document; `int` and `date` are types, even if a schema has this name. */
const referenceTo = (text: string, { schemaNamed }: Here): string | undefined =>
  OTHER_NAMES.has(text) ? undefined : schemaNamed(text)

const LIST = /^(?:(.+)\[\]|(?:array|list)\[(.+)\]|(?:array|list)<(.+)>)$/i

/** The type with a name; some names are those of other languages. */
const typeNamed = (name: unknown): TypeName | undefined => {
  if (typeof name !== 'string') return undefined
  if (JSON_TYPES.has(name)) return name as TypeName
  return LIST.test(name) ? 'array' : OTHER_NAMES.get(name.toLowerCase())
}

/** Names of other languages. Formats are included if all their values have one type: a timestamp may be a string or a number. */
const OTHER_NAMES: ReadonlyMap<string, TypeName> = new Map([
  ...Object.entries({
    string: 'str text char date datetime date-time time uuid guid email uri url file',
    integer: 'int int32 int64 uint uint32 uint64 long short',
    number: 'float double decimal',
    boolean: 'bool',
    array: 'list',
    object: 'dict map',
  }).flatMap(([type, names]) => names.split(' ').map((name) => [name, type as TypeName] as const)),
  ...[...JSON_TYPES].map((name) => [name, name as TypeName] as const),
])
