import type { Api } from '../model/api.js'
import { operationParts } from '../model/operation-parts.js'
import { isBigint, withTextDates } from '../schema/bigints.js'
import { linkSchema } from '../schema/check.js'
import {
  asserted,
  inPlace,
  isNever,
  referredName,
  type Schema,
  type SchemaObject,
  subschemas,
  type TypeName,
  typesIn,
  valuesIn,
} from '../schema/schema.js'
import { memberName } from '../text/escape.js'
import { freeName } from '../text/names.js'
import {
  code,
  commented,
  doc,
  type File,
  type Fragment,
  file,
  importedNamespace,
  join,
  literal,
  type Printable,
  raw,
} from './file.js'
import { LARGEST_INFERRED, sizeOf } from './inferred-size.js'
import { dependencyOrder } from './order.js'
import { isBinary, isHexPattern, typeExpression } from './type-expression.js'
import { isDivisible } from './typebox.js'
import { printParts } from './validators.js'

/** How a library of schemas writes each of them as code. */
export type SchemaLibrary = {
  readonly never: Fragment
  readonly unknown: Fragment
  readonly null: Fragment
  readonly boolean: Fragment
  readonly string: Fragment
  /** A text that begins with `0x`, with its type. */
  readonly hex: Fragment
  readonly number: Fragment
  readonly integer: Fragment
  readonly literals: (values: readonly LiteralValue[]) => Fragment
  readonly array: (item: Fragment) => Fragment
  /** A list of these items, the last of which may be absent; undefined if the library has no such lists. */
  readonly tuple: (items: readonly Fragment[], required: number) => Fragment | undefined
  /** `open` accepts other properties, `loose` also has them in its type, `closed` rejects them. */
  readonly object: (kind: 'open' | 'loose' | 'closed', members: Fragment) => Fragment
  readonly objectWithRest: (members: Fragment, rest: Fragment) => Fragment
  readonly map: (value: Fragment) => Fragment
  readonly optional: (value: Fragment) => Fragment
  readonly nullable: (value: Fragment) => Fragment
  readonly anyOf: (branches: readonly Fragment[]) => Fragment
  readonly oneOf: (branches: readonly Fragment[]) => Fragment
  /** A union of objects that the values of one property distinguish. */
  readonly discriminated: (key: string, branches: readonly Fragment[]) => Fragment
  readonly allOf: (parts: readonly Fragment[]) => Fragment
  /** Whether `allOf` of closed objects accepts only what each of them accepts. */
  readonly closesParts: boolean
  /** A named schema whose value is declared further down. */
  readonly later: (name: string) => Fragment
  /** The library's own check of a keyword; undefined if it does not read the keyword as JSON Schema does. */
  readonly bound: (keyword: string, value: number) => Fragment | undefined
  /** A check of some keywords by our validator. */
  readonly keywords: (schema: Fragment) => Fragment
  readonly checked: (value: Fragment, checks: readonly Fragment[]) => Fragment
  /** A schema that our validator checks as a whole. */
  readonly conforms: (type: Printable, schema: Fragment) => Fragment
  /** The same value with another type than the inferred one. */
  readonly as: (value: Fragment, type: Printable) => Fragment
  /** The type of a schema with values of a type. */
  readonly schemaType: (type: Printable) => Fragment
  /** The type of the values of a named schema. */
  readonly valueType: (name: string) => Fragment
}

export type LiteralValue = string | number | boolean | null

/**
 * A value and a type for each named schema, and an object for each operation with the keys of `explanations.ts`. A value accepts
 * what our validator accepts. Keywords that the library does not have, or reads differently, are checked by our validator.
 */
export function emitLibrarySchemas(
  name: string,
  { schemas, ...others }: Api,
  libraryBeside: (exported: ReadonlySet<string>) => SchemaLibrary,
): File {
  const api: Api = { ...others, schemas: withTextDates(schemas) }
  const exported = new Set([...api.schemas.keys(), ...api.operations.map(({ id }) => id)])
  const library = libraryBeside(exported)
  const validators = importedNamespace(freeName('explanations', exported), './explanations.js')
  const shared = { library, api, validators, declared: new Set<string>(), objects: new Map() }
  const sizes = new Map<string, number>()
  const rows = dependencyOrder(api.schemas).flatMap(({ names, circular }) =>
    (circular ? unionsLast(names, api) : names).map((each) => {
      const schema = api.schemas.get(each)?.schema ?? true
      const printer: Printer = { ...shared, root: { name: each, schema }, ours: new Set() }
      const value = print(schema, printer)
      const size = sizeOf(schema, sizes)
      const isLarge = size > LARGEST_INFERRED
      if (!isLarge && !circular) sizes.set(each, size)
      if (!isLarge && isPlainObject(schema)) shared.objects.set(each, schema)
      shared.declared.add(each)
      const annotation = isLarge ? code`: ${library.schemaType(each)}` : raw('')
      const isWritten = circular || isLarge || printer.isWhole === true
      const type = isWritten ? typeExpression(schema, raw, api) : library.valueType(each)
      return code`${commentOf(schema, printer)}
export const ${each}${annotation} = ${unlessUnused(value)}
export type ${each} = ${type}`
    }),
  )
  const operations = api.operations.map((operation) => {
    const printer: Printer = { ...shared, ours: new Set() }
    const parts = printParts(operationParts(operation), ({ schema }) => print(schema, printer))
    return code`${commentOf(true, printer)}
export const ${operation.id} = ${unlessUnused(parts)}`
  })
  return file(name, join([...rows, ...operations], '\n\n'))
}

/** A bundler leaves out a function that nothing needs the result of. It would keep the calls of a library. */
const unlessUnused = (value: Fragment): Fragment => {
  const body = value.text.startsWith('{') ? code`(${value})` : value
  return code`/* @__PURE__ */ (() => ${body})()`
}

type Printer = {
  readonly library: SchemaLibrary
  readonly api: Api
  readonly validators: Fragment
  /** The named schemas whose values are declared above. */
  readonly declared: ReadonlySet<string>
  /** Those of them that a discriminated union may have as a branch. */
  readonly objects: ReadonlyMap<string, SchemaObject>
  /** The named schema that is printed. */
  readonly root?: { readonly name: string; readonly schema: Schema }
  /** The keywords that our validator checks, for the comment. */
  readonly ours: Set<string>
  /** Whether our validator checks the whole named schema. */
  isWhole?: boolean
}

/** A union of later declared objects could not be discriminated: the library reads their properties at once. */
const unionsLast = (names: readonly string[], api: Api): readonly string[] => {
  const isUnion = (name: string) => {
    const schema = api.schemas.get(name)?.schema ?? true
    return typeof schema === 'object' && (schema.oneOf ?? schema.anyOf) !== undefined
  }
  return [...names.filter((name) => !isUnion(name)), ...names.filter(isUnion)]
}

const commentOf = (schema: Schema, { ours }: Printer): Fragment => {
  const list = [...ours].sort().map((keyword) => `\`${keyword}\``)
  return doc(
    typeof schema === 'object' ? schema.description : undefined,
    list.length > 0 ? `Checked by the validator of Twinspec: ${list.join(', ')}.` : undefined,
  )
}

function print(schema: Schema, printer: Printer): Fragment {
  const { library, declared } = printer
  if (schema === false || isNever(schema)) return library.never
  if (schema === true) return library.unknown
  const name = referredName(schema)
  if (name !== undefined) return declared.has(name) ? raw(name) : library.later(name)
  if (!isDivisible(schema)) return conforms(schema, printer)
  const values = valuesIn(schema)
  if (values) {
    return values.every(isLiteral) ? library.literals(values) : conforms(schema, printer)
  }
  const { allOf = [], anyOf, oneOf, ...own } = schema
  const isClosed = (part: Schema) =>
    inPlace(part, printer.api.schemas).some((one) => one.additionalProperties === false)
  const isWhole = allOf.length === 0 && !anyOf && !oneOf
  const hasOwn = asserted(own).length > 0
  const count = (hasOwn ? 1 : 0) + allOf.length + (anyOf ? 1 : 0) + (oneOf ? 1 : 0)
  if (count > 1 && !library.closesParts && isClosed(schema)) return conforms(schema, printer)
  const parts = [
    ...(hasOwn ? [ownSchema(isWhole ? schema : own, printer)] : []),
    ...allOf.map((part) => print(part, printer)),
    ...(anyOf ? [union('anyOf', anyOf, printer)] : []),
    ...(oneOf ? [union('oneOf', oneOf, printer)] : []),
  ]
  const [first = library.unknown] = parts
  return parts.length < 2 ? first : library.allOf(parts)
}

const isLiteral = (value: unknown): value is LiteralValue =>
  typeof value !== 'object' || value === null

function union(
  keyword: 'anyOf' | 'oneOf',
  branches: readonly Schema[],
  printer: Printer,
): Fragment {
  const { library } = printer
  const printed = branches.map((branch) => print(branch, printer))
  const [first = library.never] = printed
  if (printed.length < 2) return first
  const key = discriminatingKey(branches, printer)
  return key === undefined ? library[keyword](printed) : library.discriminated(key, printed)
}

/** A required property whose listed values distinguish all branches, which are objects declared above. */
function discriminatingKey(branches: readonly Schema[], { objects }: Printer): string | undefined {
  const found = branches.map((branch) => {
    const name = referredName(branch)
    if (name !== undefined) return objects.get(name)
    return isPlainObject(branch) ? branch : undefined
  })
  return Object.keys(found[0]?.properties ?? {}).find((key) => {
    const lists = found.map((one) => {
      const property = one?.required?.includes(key) === true && one.properties?.[key]
      if (typeof property !== 'object' || !isDivisible(property)) return undefined
      const values = valuesIn(property)
      return values?.every(isLiteral) ? values : undefined
    })
    const values = lists.flatMap((list) => list ?? [])
    return lists.every((list) => list !== undefined) && new Set(values).size === values.length
  })
}

/** Whether a schema is an object of the library whose properties it can look up. */
function isPlainObject(schema: Schema): schema is SchemaObject {
  if (typeof schema === 'boolean' || schema.type !== 'object' || !isDivisible(schema)) return false
  const { properties = {}, additionalProperties: rest = true } = schema
  if (valuesIn(schema) ?? schema.allOf ?? schema.anyOf ?? schema.oneOf) return false
  return (
    Object.keys(properties).length > 0 &&
    isExpressible(schema) &&
    (rest === false || isAnything(rest))
  )
}

/** Libraries have no patterns of names. They read inherited properties such as `toString`, and leave out a `__proto__`. */
const isExpressible = ({
  properties = {},
  required = [],
  patternProperties,
}: SchemaObject): boolean =>
  patternProperties === undefined &&
  [...Object.keys(properties), ...required].every((key) => !(key in {}))

const isAnything = (schema: Schema): boolean =>
  schema === true || (schema !== false && !schema.$ref && asserted(schema).length === 0)

/** The part that `type` and the keywords beside it describe. */
function ownSchema(schema: SchemaObject, printer: Printer): Fragment {
  const { library } = printer
  const types = typesIn(schema)
  if (types === undefined) return conforms(schema, printer)
  const isOne = types.length === 1
  const members = types
    .filter((type) => type !== 'null' || isOne)
    .map((type) => ofType(type, isOne ? schema : { ...schema, type }, printer))
  const [first = library.null] = members
  const joined = members.length < 2 ? first : library.anyOf(members)
  const whole = types.includes('null') && !isOne ? library.nullable(joined) : joined
  return library.checked(whole, ours(schema, IN_PLACE, printer))
}

const IN_PLACE = ['not', 'if', 'then', 'else']

function ofType(type: TypeName, schema: SchemaObject, printer: Printer): Fragment {
  const { library } = printer
  switch (type) {
    case 'null':
    case 'boolean':
      return library[type]
    case 'string': {
      if (isBinary(schema)) return conforms(schema, printer)
      const text = isHexPattern(schema) ? library.hex : library.string
      return library.checked(
        text,
        checks(schema, ['minLength', 'maxLength', 'pattern', 'x-checked-format'], printer),
      )
    }
    case 'number':
    case 'integer':
      if (isBigint(schema)) return conforms(schema, printer)
      return library.checked(library[type], checks(schema, NUMBER, printer))
    case 'array':
      return listSchema(schema, printer)
    case 'object':
      return object(schema, printer)
  }
}

const NUMBER = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf']
const ARRAY = ['uniqueItems', 'contains', 'minContains', 'maxContains']
const OBJECT = [
  'minProperties',
  'maxProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
]

function listSchema(schema: SchemaObject, printer: Printer): Fragment {
  const { library } = printer
  const { prefixItems, items = true, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const others = ours(schema, ARRAY, printer)
  if (prefixItems === undefined) {
    const value = library.array(print(items, printer))
    return library.checked(value, [...checks(schema, ['minItems', 'maxItems'], printer), ...others])
  }
  const size = prefixItems.length
  const isLimited = maxItems === size || (items === false && maxItems > size)
  if (!isLimited || minItems > size) return conforms(schema, printer)
  const members = prefixItems.map((item) => print(item, printer))
  const value = library.tuple(members, minItems)
  return value ? library.checked(value, others) : conforms(schema, printer)
}

function object(schema: SchemaObject, printer: Printer): Fragment {
  const { library } = printer
  const { properties = {}, required = [], additionalProperties: rest } = schema
  if (!isExpressible(schema)) return conforms(schema, printer)
  const needed = new Set(required)
  const entries = Object.entries(properties)
  const undeclared = [...needed].filter((key) => !Object.hasOwn(properties, key))
  const others = ours(
    { ...schema, ...(undeclared.length > 0 ? { required: undeclared } : {}) },
    [...OBJECT, ...(undeclared.length > 0 ? ['required'] : [])],
    printer,
  )
  if (entries.length === 0 && rest !== false) {
    return library.checked(library.map(print(rest ?? true, printer)), others)
  }
  const members = entries.map(([key, value]) => {
    const built = print(value, printer)
    const shown = needed.has(key) ? built : library.optional(built)
    const comment = typeof value === 'object' ? doc(value.description) : raw('')
    return commented(comment, code`${memberName(key)}: ${shown},`)
  })
  const shape = members.length === 0 ? raw('{}') : code`{\n  ${join(members)}\n}`
  if (rest === undefined) return library.checked(library.object('open', shape), others)
  if (rest === false) return library.checked(library.object('closed', shape), others)
  if (isAnything(rest)) return library.checked(library.object('loose', shape), others)
  const value = library.checked(library.objectWithRest(shape, print(rest, printer)), others)
  return library.as(value, typeExpression(schema, raw))
}

/** The checks of keywords: by the library where it reads them as JSON Schema does, else by our validator. */
function checks(
  schema: SchemaObject,
  keywords: readonly string[],
  printer: Printer,
): readonly Fragment[] {
  const bounds = keywords.map((keyword) => {
    const value = schema[keyword as keyof SchemaObject]
    return [
      keyword,
      typeof value === 'number' ? printer.library.bound(keyword, value) : undefined,
    ] as const
  })
  const left = bounds.filter(([, bound]) => bound === undefined).map(([keyword]) => keyword)
  return [...bounds.flatMap(([, bound]) => bound ?? []), ...ours(schema, left, printer)]
}

/** One check of some keywords by our validator, if the schema has any of them. */
function ours(
  schema: SchemaObject,
  keywords: readonly string[],
  printer: Printer,
): readonly Fragment[] {
  const present = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => keywords.includes(key) && value !== undefined),
  )
  const found = Object.keys(present)
  if (found.length === 0) return []
  for (const keyword of found) printer.ours.add(keyword)
  return [printer.library.keywords(linked(present, printer))]
}

/** A schema that the library cannot express, or would read differently: our validator checks it, and its type is written out. */
function conforms(schema: SchemaObject, printer: Printer): Fragment {
  const { root, library, validators } = printer
  for (const keyword of keywordsIn(schema)) printer.ours.add(keyword)
  if (root === undefined || schema !== root.schema) {
    return library.conforms(typeExpression(schema, raw), linked(schema, printer))
  }
  printer.isWhole = true
  return library.conforms(root.name, code`${validators}.${root.name}`)
}

const keywordsIn = (schema: Schema): readonly string[] =>
  typeof schema === 'boolean'
    ? []
    : [...asserted(schema), ...subschemas(schema).flatMap((one) => keywordsIn(one))].filter(
        (key) => key !== '$ref',
      )

const linked = (schema: SchemaObject, { validators }: Printer): Fragment =>
  literal(
    linkSchema(schema, (name) => code`${validators}.${name}`),
    40,
  )
