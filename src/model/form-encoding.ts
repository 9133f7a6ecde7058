import type { FieldEncoding, FormEncoding, Parameter } from '../runtime/operation.js'
import { holdsFields } from '../runtime/shared/codecs.js'
import { inPlace, type Schema, type Schemas, valuesIn } from '../schema/schema.js'
import type { MediaType, PartEncoding } from './http-content.js'

/** A form or another multipart body with the encoding of its parts, unless all have the default. */
export function withEncoding(media: MediaType, schemas: Schemas): MediaType {
  const hasParts = holdsFields(media.codec) || media.codec === 'parts'
  const encoding = hasParts ? formEncoding(media, schemas) : {}
  return Object.keys(encoding).length === 0 ? media : { ...media, encoding }
}

/** The encoding of the properties of a form, from its Encoding Objects and from its properties that are files. */
function formEncoding(media: MediaType, schemas: Schemas): FormEncoding {
  const isFormData = media.codec === 'multipart'
  const properties = isFormData ? propertiesIn(media.schema, schemas) : new Map<string, Kind>()
  const hasOthers = properties.get('*') === 'file'
  const fields = new Map<string, FieldEncoding>()
  for (const [name, kind] of properties) {
    if (kind === 'file') fields.set(name, { isFile: true })
    // A name without an entry is read like `*`.
    else if (hasOthers) fields.set(name, {})
  }
  for (const encoding of media.encodings) {
    const { property } = encoding
    const written = fieldEncoding(encoding, fields.get(property)?.isFile === true)
    if (Object.keys(written).length > 0) fields.set(property, written)
  }
  return Object.fromEntries(fields)
}

type Kind = 'file' | 'text'

/** The properties of a form that are files or lists of files; `*` for properties that the document does not name. */
export const filesIn = (form: Schema, schemas: Schemas): readonly string[] =>
  [...propertiesIn(form, schemas)].flatMap(([name, kind]) => (kind === 'file' ? [name] : []))

/** The names of the properties of a form; none if it is open. */
export const propertyNames = (form: Schema, schemas: Schemas): readonly string[] =>
  [...propertiesIn(form, schemas).keys()].filter((name) => name !== '*')

/** The schemas of each property of a form, those of its branches included. */
export function fieldSchemas(
  form: Schema,
  schemas: Schemas,
): ReadonlyMap<string, readonly Schema[]> {
  const declared = inPlace(form, schemas).flatMap(({ properties = {} }) =>
    Object.entries(properties),
  )
  const names = new Set(declared.map(([name]) => name))
  const of = (name: string) => declared.flatMap(([one, schema]) => (one === name ? [schema] : []))
  return new Map([...names].map((name) => [name, of(name)]))
}

/** The kinds of the properties of a form; a property that is a file in one of several branches is a file. */
function propertiesIn(form: Schema, schemas: Schemas): Map<string, Kind> {
  const kinds = new Map<string, Kind>()
  const branches = inPlace(form, schemas)
  for (const { properties = {}, additionalProperties = true } of branches) {
    for (const [name, property] of Object.entries(properties))
      if (kinds.get(name) !== 'file') kinds.set(name, isFile(property, schemas) ? 'file' : 'text')
    if (isFile(additionalProperties, schemas)) kinds.set('*', 'file')
  }
  // A form without a description may have files under any name.
  const isClosed = branches.some((one) => one.additionalProperties !== undefined)
  if (kinds.size === 0 && !isClosed) kinds.set('*', 'file')
  return kinds
}

const isFile = (property: Schema, schemas: Schemas): boolean =>
  inPlace(property, schemas).some(
    ({ format, items }) =>
      format === 'binary' ||
      (items !== undefined && inPlace(items, schemas).some((item) => item.format === 'binary')),
  )

/**
 * OpenAPI 3.1, Encoding Object: with a style, `explode` or `allowReserved`, the content type is ignored. Those of the three
 * that are missing have their defaults.
 */
function fieldEncoding(
  { style, explode, allowReserved, contentType, headers }: PartEncoding,
  isFile: boolean,
): FieldEncoding {
  const isStyled = [style, explode, allowReserved].some((one) => one !== undefined)
  const known = STYLES.find((one) => one === style) ?? 'form'
  const fixed = headers.flatMap(({ name, schema }) => {
    const [value, ...others] = (typeof schema === 'object' && valuesIn(schema)) || []
    const isFixed = value !== undefined && others.length === 0
    return isFixed && !/^content-/i.test(name) ? [[name, String(value)] as const] : []
  })
  return {
    ...(isStyled && !isFile
      ? {
          style: known,
          explode: explode ?? known === 'form',
          ...(allowReserved === true && { allowReserved }),
        }
      : contentType !== undefined && { contentType }),
    ...(fixed.length > 0 && { headers: Object.fromEntries(fixed) }),
    ...(isFile && { isFile }),
  }
}

const STYLES: readonly Parameter['style'][] = [
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
]
