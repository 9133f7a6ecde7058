import type { HttpResponse, MediaType, PartEncoding } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import type { Schema, SchemaObject } from '../schema/schema.js'
import { change, type Places } from './change.js'
import { type Change, ofPart } from './gather.js'
import { covers } from './media-type-names.js'
import { isScalar, ofReference, propertyOf } from './referred.js'
import { schemaFindings } from './schema-findings.js'
import type { DiffContext, Subject } from './subject.js'

/** One media type of a body or a response in two versions: its schema, and how the parts of a form are written. */
export function* mediaTypeFindings(
  context: DiffContext,
  subject: Subject,
  before: MediaType,
  after: MediaType,
): Generator<Change> {
  yield* schemaFindings(context, subject, before.schema, after.schema)
  const names = new Set([...before.encodings, ...after.encodings].map(({ property }) => property))
  for (const name of names) {
    const parts = [before, after].map((media) => partOf(media, name)) as [Part, Part]
    yield* ofPart(name, partChanges(context, subject, name, ...parts))
  }
}

type Part = { readonly media: MediaType; readonly encoding: PartEncoding | undefined }

const partOf = (media: MediaType, name: string): Part => ({
  media,
  encoding: media.encodings.find(({ property }) => property === name),
})

function* partChanges(
  context: DiffContext,
  subject: Subject,
  name: string,
  was: Part,
  is: Part,
): Generator<Finding> {
  const { direction } = subject
  const schemas = [
    propertyOf(context.before, was.media.schema, name),
    propertyOf(context.after, is.media.schema, name),
  ] as const
  // A part that only one version has is a change of the schema.
  if (schemas[0] === undefined || schemas[1] === undefined) return
  const places: Places = {
    before: was.encoding?.source.locate() ?? was.media.source.locate('encoding', name),
    after: is.encoding?.source.locate() ?? is.media.source.locate('encoding', name),
  }
  const what = `the part \`${name}\` of ${subject.what}`
  const plain = isScalar(context.before, schemas[0]) && isScalar(context.after, schemas[1])
  const [old, young] = [styleOf(was.encoding, plain), styleOf(is.encoding, plain)]
  if (old !== young) {
    const message = `${what} is serialized with ${young} now, not with ${old}`
    yield change(`${direction}-encoding-changed`, places, message)
  }
  if (!isStyled(was.encoding) && !isStyled(is.encoding)) {
    const types = [
      typesOf(was.encoding, ofReference(context.before, schemas[0])),
      typesOf(is.encoding, ofReference(context.after, schemas[1])),
    ] as const
    yield* typeChanges(direction, what, places, ...types)
  }
  const headers = [was.encoding?.headers ?? [], is.encoding?.headers ?? []] as const
  yield* headerChanges(context, { ...subject, what }, places, ...headers)
}

/** OpenAPI 3.1, Encoding Object: with one of these the content type is not read. */
const isStyled = (encoding: PartEncoding | undefined) =>
  encoding !== undefined &&
  [encoding.style, encoding.explode, encoding.allowReserved].some((one) => one !== undefined)

const styleOf = (encoding: PartEncoding | undefined, isPlain: boolean): string => {
  const { style = 'form', explode = style === 'form', allowReserved = false } = encoding ?? {}
  const reserved = allowReserved ? ', allowReserved true' : ''
  return `style ${style}${isPlain ? '' : `, explode ${explode}`}${reserved}`
}

/** The content types of a part, by default those of its type. Undefined where neither says any. */
const typesOf = (encoding: PartEncoding | undefined, schema: Schema) => {
  const written = encoding?.contentType
  if (written !== undefined) return written.split(',').map((one) => one.trim())
  const keywords: SchemaObject & { readonly contentEncoding?: unknown } =
    typeof schema === 'object' ? schema : {}
  const { type, format, contentEncoding, items } = keywords
  if (type === 'object') return ['application/json']
  if (type === 'array') return items === undefined ? undefined : ['application/json']
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
  const find = (name: string, all: HttpResponse['headers']) =>
    all.find((one) => one.name.toLowerCase() === name.toLowerCase())
  // A sender may not have to send more than before, and may not send less.
  const [needed, known] = isRequest ? [after, before] : [before, after]
  for (const header of needed) {
    if (!header.required || find(header.name, known)?.required) continue
    const fate = isRequest ? 'is required now' : 'may be absent now'
    const message = `the header \`${header.name}\` of ${subject.what} ${fate}`
    yield change(`${subject.direction}-encoding-changed`, places, message)
  }
  for (const header of after) {
    const old = find(header.name, before)
    if (!old) continue
    const what = `the header \`${header.name}\` of ${subject.what}`
    yield* schemaFindings(context, { ...subject, what }, old.schema, header.schema)
  }
}
