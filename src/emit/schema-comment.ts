import { dereference, type Schema, type SchemaObject, type Schemas } from '../schema/schema.js'
import { jsonText } from '../text/escape.js'

/**
 * The paragraphs of the comment of a schema: title, description, and tags for its default and its bounds. `name` is the name of
 * the property or type; a title that only repeats it is left out.
 */
export function schemaComment(schema: Schema, name?: string): readonly (string | undefined)[] {
  if (typeof schema === 'boolean') return []
  const { title, description } = schema
  const isShown =
    title !== description && (name === undefined || spelling(title) !== spelling(name))
  return [isShown ? title : undefined, description, schemaTags(schema).join('\n')]
}

/**
 * The comment of a parameter, which may be described in its schema. With `schemas`, also in the one that this refers to, whose
 * comment editors do not show.
 */
export function parameterComment(
  { summary, description = summary, deprecated, schema }: Described,
  schemas?: Schemas,
): readonly (string | undefined)[] {
  const whole = describedSchema(schema, schemas)
  const tags = schemaTags({ ...whole, ...(deprecated && { deprecated }) })
  return [description ?? whole.description, tags.join('\n')]
}

/** The comment of a param after `@param`: `limit (optional) The page size. (default: 20, maximum: 100)` */
export function paramText(param: Described & NamedParam, schemas: Schemas): string | undefined {
  const text =
    param.description ?? param.summary ?? describedSchema(param.schema, schemas).description
  // Those of a named schema are with its type, whose name editors show beside this.
  const bounds = schemaBounds(describedSchema(param.schema)).map(
    ([key, value]) => `${key}: ${value}`,
  )
  if (text === undefined && bounds.length === 0) return undefined
  return [
    param.name,
    ...(param.required ? [] : ['(optional)']),
    ...(text === undefined ? [] : [text.trim()]),
    ...(bounds.length > 0 ? [`(${bounds.join(', ')})`] : []),
  ].join(' ')
}

type Described = {
  readonly summary?: string | undefined
  readonly description?: string | undefined
  readonly deprecated?: boolean | undefined
  readonly schema: Schema
}

type NamedParam = { readonly name: string; readonly required: boolean }

/** A schema with the annotations and bounds of the one that it refers to. */
const describedSchema = (schema: Schema, schemas: Schemas = NONE): SchemaObject => {
  const target = dereference(schema, schemas)
  return {
    ...(typeof target === 'object' && target),
    ...(typeof schema === 'object' && schema),
  }
}

const NONE: Schemas = new Map()

/** `@default 20`, `@minimum 1`: what JSDoc shows of a schema beside its description, a line each. */
export const schemaTags = (schema: SchemaObject): readonly string[] => [
  ...(schema.deprecated === true ? ['@deprecated'] : []),
  ...schemaBounds(schema).map(([tag, text]) => `@${tag} ${text}`),
]

/** The default and the bounds of a schema as texts, without those that are too long to read, or that the type `Blob` shows. */
export const schemaBounds = (schema: SchemaObject): readonly (readonly [string, string])[] =>
  BOUNDS.flatMap((key) => {
    const value = (schema as Readonly<Record<string, unknown>>)[key]
    if (value === undefined || value === false) return []
    if (key === 'format' && value === 'binary') return []
    const text = IS_TEXT.has(key) ? String(value) : jsonText(value)
    return text.length <= LONGEST ? [[key, text] as const] : []
  })

const BOUNDS =
  `format default minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minLength maxLength pattern
  minItems maxItems uniqueItems minProperties maxProperties`.split(/\s+/)

/** Of the others the JSON is shown: a default of `"1"` is not one of `1`. */
const IS_TEXT: ReadonlySet<string> = new Set(['format', 'pattern'])

const LONGEST = 80

/** Letters and digits without case: `Item id` and `item_id` are one name. */
const spelling = (text = ''): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
