import type { Api, HttpOperation } from '../model/api.js'
import type { Finding, Location } from '../model/finding.js'
import type { HttpResponse, MediaType, PartEncoding } from '../model/http-content.js'
import { codecOf, holdsFields } from '../runtime/shared/codecs.js'
import { essence } from '../runtime/shared/media-type.js'
import { contentFor, isRange, mediaTypeName } from '../runtime/wire/content.js'
import { dereference, inPlace, type Schema, type SchemaObject, typesIn } from '../schema/schema.js'
import { both, type Change, type Comparison, change, ofPart, type Places } from './change.js'
import { formWithLists, ofScalar } from './list-of-one.js'
import { schemaFindings } from './schema-findings.js'
import type { DiffContext, Subject } from './subject.js'
import { isScalar, propertyOf } from './written.js'

/** Changes of the request body of an HTTP operation. */
export function* bodyChanges(comparison: Comparison<HttpOperation>): Generator<Change> {
  const { before, after, name } = comparison
  const places = both(comparison, 'requestBody')
  const [was, is] = [before.body, after.body]
  if (!was && !is) return
  if (!was) {
    yield is?.required
      ? change(
          'request-body-added-required',
          places,
          `${name} requires a request body now: callers who send none may be rejected`,
        )
      : change('request-body-added-optional', places, `${name} accepts a request body now`)
    return
  }
  if (!is) {
    const message = `${name} no longer has a request body: the service ignores or rejects what callers send`
    yield change('request-body-removed', places, message)
    return
  }
  if (is.required && !was.required) {
    const message = `the request body of ${name} is required now: callers who send none may be rejected`
    yield change(
      'request-body-became-required',
      both(comparison, 'requestBody', 'required'),
      message,
    )
  }
  if (was.required && !is.required) {
    const message = `the request body of ${name} is optional now`
    yield change('request-body-became-optional', places, message)
  }
  yield* requestTypeChanges(comparison, was.content, is.content)
}

function* requestTypeChanges(
  comparison: Comparison<HttpOperation>,
  before: readonly MediaType[],
  after: readonly MediaType[],
): Generator<Change> {
  const { context, name } = comparison
  for (const media of before) {
    const match = closest(media, after)
    if (!match) {
      const places = {
        before: media.source.locate(),
        after: comparison.after.source.locate('requestBody', 'content'),
      }
      const message = `${name} no longer accepts ${media.type}: callers who send it may be rejected`
      yield change('request-media-type-removed', places, message)
      continue
    }
    yield* mediaTypeFindings(
      context,
      {
        direction: 'request',
        what: bodyOf(name, media, before),
        before: media.source,
        after: match.source,
      },
      media,
      match,
    )
  }
  for (const media of after) {
    if (closest(media, before)) continue
    const places = {
      before: comparison.before.source.locate('requestBody', 'content'),
      after: media.source.locate(),
    }
    yield change('request-media-type-added', places, `${name} accepts ${media.type} now as well`)
  }
}

/** The media type in `others` that includes this one: an equal one, or the narrowest range that matches. */
export const closest = (media: MediaType, others: readonly MediaType[]): MediaType | undefined => {
  const name = mediaTypeName(media.type)
  const around = others.filter((other) => covers(other.type, media.type))
  return (
    around.find((other) => other.type === media.type) ??
    around.find((other) => mediaTypeName(other.type) === name) ??
    around.sort((a, b) => b.type.length - a.type.length)[0]
  )
}

const isPartList = ({ type }: Pick<MediaType, 'type'>): boolean => codecOf(type) === 'parts'

const bodyOf = (name: string, { type }: MediaType, all: readonly MediaType[]) =>
  all.length === 1 ? `the request body of ${name}` : `the request body of ${name} (${type})`

/** Changes of one media type of a body or a response: of its schema, and of the encoding of form parts. */
export function* mediaTypeFindings(
  context: DiffContext,
  subject: Subject,
  before: MediaType,
  after: MediaType,
): Generator<Change> {
  // The other direction is not the same: a reader of one value does not expect several.
  const form =
    subject.direction === 'request'
      ? formWithLists(context, before, after)
      : { schema: before.schema, names: new Set<string>() }
  for (const one of bodyFindings(context, subject, { ...before, schema: form.schema }, after)) {
    const [first] = one.met?.path ?? []
    const isOfList = first?.kind === 'property' && form.names.has(first.name)
    if (isOfList) yield ofScalar(one, before.schema, 1)
    else yield one.met ? { ...one, met: { ...one.met, root: before.schema } } : one
  }
  const names = new Set([...before.encodings, ...after.encodings].map(({ property }) => property))
  for (const name of names) {
    const parts = { was: partOf(before, name), is: partOf(after, name) }
    const isOneField = form.names.has(name)
    yield* ofPart(name, partChanges(context, subject, name, { ...parts, isOneField }))
  }
}

/**
 * The findings of the schemas of a body. In a form, a scalar or a list of scalars is written as texts, unless its media type is JSON;
 * other fields are JSON, whose values have types.
 */
function* bodyFindings(
  context: DiffContext,
  subject: Subject,
  before: MediaType,
  after: MediaType,
): Generator<Change> {
  const findings = (isText: boolean) =>
    schemaFindings(context, { ...subject, isText }, before.schema, after.schema)
  if (!holdsFields(before.codec) || !holdsFields(after.codec)) {
    yield* findings(false)
    return
  }
  const isTyped = ({ met }: Change): boolean => {
    const [first] = met?.path ?? []
    return (
      first?.kind === 'property' &&
      !(hasTexts(context.before, before, first.name) && hasTexts(context.after, after, first.name))
    )
  }
  for (const one of findings(true)) if (!isTyped(one)) yield one
  for (const one of findings(false)) if (isTyped(one)) yield one
}

/** Whether all values of a field of a form are texts: it is no object, and no list of what is not scalar. */
function hasTexts(api: Api, { schema, encodings }: MediaType, name: string): boolean {
  const { style, contentType = '' } = encodings.find(({ property }) => property === name) ?? {}
  if (style !== undefined) return true
  if (codecOf(contentType) === 'json') return false
  const parts = inPlace(propertyOf(api, schema, name) ?? true, api.schemas)
  const items = parts.flatMap((one) =>
    one.items === undefined ? [] : inPlace(one.items, api.schemas),
  )
  return ![...parts, ...items].some(isObjectSchema) && !items.some(isListSchema)
}

const isObjectSchema = (schema: SchemaObject): boolean =>
  typesIn(schema)?.includes('object') === true || schema.properties !== undefined

const isListSchema = (schema: SchemaObject): boolean => typesIn(schema)?.includes('array') === true

type Part = { readonly media: MediaType; readonly encoding: PartEncoding | undefined }

const partOf = (media: MediaType, name: string): Part => {
  const of = (wanted: string) => media.encodings.find(({ property }) => property === wanted)
  return { media, encoding: of(name) ?? (isPartList(media) ? of('*') : undefined) }
}

function* partChanges(
  context: DiffContext,
  subject: Subject,
  name: string,
  { was, is, isOneField }: { readonly was: Part; readonly is: Part; readonly isOneField: boolean },
): Generator<Finding> {
  const { direction } = subject
  const schemas = [
    partSchema(context.before, was.media, name),
    partSchema(context.after, is.media, name),
  ] as const
  // A part that only one version has is reported as a change of the schema.
  if (schemas[0] === undefined || schemas[1] === undefined) return
  const places: Places = {
    before: encodingPlace(was, name),
    after: encodingPlace(is, name),
  }
  const what = `${partName(is.media, name)} of ${subject.what}`
  const plain = isScalar(context.before, schemas[0]) && isScalar(context.after, schemas[1])
  // If one value is written alike, only the delimiters of more values can differ.
  const [before, after] = [was, is].map(({ encoding }) =>
    styleOf(isOneField ? { allowReserved: encoding?.allowReserved } : encoding, plain),
  )
  if (before !== after) {
    const message = `${what} is serialized with ${after} now, not with ${before}`
    yield change(`${direction}-encoding-changed`, places, message)
  }
  if (!isStyled(was.encoding) && !isStyled(is.encoding)) {
    const types = [
      typesOf(
        was.encoding,
        dereference(schemas[0], context.before.schemas),
        context.before.schemas,
      ),
      typesOf(is.encoding, dereference(schemas[1], context.after.schemas), context.after.schemas),
    ] as const
    yield* typeChanges(direction, what, places, ...types)
  }
  const headers = [was.encoding?.headers ?? [], is.encoding?.headers ?? []] as const
  yield* headerChanges(context, { ...subject, what }, places, ...headers)
}

/** The schema of the part with a name; of a list of parts, of that at a position, or `*` for the others. */
const partSchema = (api: Api, { type, schema }: MediaType, name: string): Schema | undefined => {
  if (!isPartList({ type })) return propertyOf(api, schema, name)
  const list = dereference(schema, api.schemas)
  const { prefixItems, items = true } = typeof list === 'object' ? list : {}
  return prefixItems?.[Number(name)] ?? items
}

const partName = ({ type }: MediaType, name: string): string => {
  if (!isPartList({ type })) return `the part \`${name}\``
  return name === '*' ? 'each other part' : `part ${Number(name) + 1}`
}

const encodingPlace = ({ encoding, media: { type, source } }: Part, name: string): Location => {
  if (encoding) return encoding.source.locate()
  return isPartList({ type }) ? source.locate() : source.locate('encoding', name)
}

/** OpenAPI 3.1, Encoding Object: with one of these members, `contentType` is ignored. */
const isStyled = (encoding: PartEncoding | undefined) =>
  encoding !== undefined &&
  [encoding.style, encoding.explode, encoding.allowReserved].some((one) => one !== undefined)

const styleOf = (
  encoding: Partial<Pick<PartEncoding, 'style' | 'explode' | 'allowReserved'>> | undefined,
  isPlain: boolean,
): string => {
  const { style = 'form', explode = style === 'form', allowReserved = false } = encoding ?? {}
  const reserved = allowReserved ? ', allowReserved true' : ''
  return `style ${style}${isPlain ? '' : `, explode ${explode}`}${reserved}`
}

/** The content types of a part; the default depends on its type. Undefined if neither is declared. */
const typesOf = (
  encoding: PartEncoding | undefined,
  schema: Schema,
  schemas: Api['schemas'],
): readonly string[] | undefined => {
  const written = encoding?.contentType
  if (written !== undefined) return written.split(',').map((one) => one.trim())
  const keywords: SchemaObject & { readonly contentEncoding?: unknown } =
    typeof schema === 'object' ? schema : {}
  const { type, format, contentEncoding, items } = keywords
  if (type === 'object') return ['application/json']
  // Each item is a part of its own; a list within it is JSON.
  if (type === 'array') {
    const item = items === undefined ? true : dereference(items, schemas)
    const isList = typeof item === 'object' && item.type === 'array'
    return isList ? ['application/json'] : typesOf(undefined, item, schemas)
  }
  if (type === undefined || Array.isArray(type)) return undefined
  return format === 'binary' || contentEncoding !== undefined
    ? ['application/octet-stream']
    : ['text/plain']
}

function* typeChanges(
  direction: Subject['direction'],
  what: string,
  places: Places,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): Generator<Finding> {
  if (!before || !after) return
  const [removed, added] = [without(before, after), without(after, before)]
  if (removed.length === 0 && added.length === 0) return
  const message = `the content type of ${what} is ${after.join(' or ')} now, and was ${before.join(' or ')}`
  const breaks = direction === 'request' ? removed : added
  const rule = breaks.length > 0 ? 'encoding-changed' : 'encoding-relaxed'
  yield change(`${direction}-${rule}`, places, message)
}

const without = (types: readonly string[], others: readonly string[]) =>
  types.filter((type) => !others.some((other) => covers(other, type)))

function* headerChanges(
  context: DiffContext,
  subject: Subject,
  places: Places,
  before: HttpResponse['headers'],
  after: HttpResponse['headers'],
): Generator<Finding> {
  const isRequest = subject.direction === 'request'
  // A request part may not require more headers than before, and a response part may not send fewer.
  const [needed, known] = isRequest ? [after, before] : [before, after]
  for (const header of needed) {
    if (!header.required || headerNamed(header.name, known)?.required) continue
    const fate = isRequest ? 'is required now' : 'may be absent now'
    const message = `the header \`${header.name}\` of ${subject.what} ${fate}`
    yield change(`${subject.direction}-encoding-changed`, places, message)
  }
  for (const header of after) {
    const earlier = headerNamed(header.name, before)
    if (!earlier) continue
    const what = `the header \`${header.name}\` of ${subject.what}`
    yield* schemaFindings(context, { ...subject, ...HEADER, what }, earlier.schema, header.schema)
  }
}

/** The header with a name, which is case-insensitive (RFC 9110, 5.1); of several, the one with the same spelling. */
export const headerNamed = (name: string, headers: HttpResponse['headers']) =>
  headers.find((one) => one.name === name) ??
  headers.find((one) => one.name.toLowerCase() === name.toLowerCase())

/** The value of a header is a text. */
export const HEADER = { isText: true, carrier: 'header' } as const

/**
 * Whether the wide media type includes every body of the narrow one: `application/json` is in the range `application/*`. This
 * compares two declarations; `contentFor`, which finds the declaration of one body, decides about ranges for both.
 */
export function covers(wide: string, narrow: string): boolean {
  const [range, one] = [mediaTypeName(wide), mediaTypeName(narrow)]
  if (range === one || range === '*') return true
  // A type without parameters includes all parameters.
  if (!range.includes(';') && range === essence(one)) return true
  return isRange(range) && contentFor([range], one) !== undefined
}
