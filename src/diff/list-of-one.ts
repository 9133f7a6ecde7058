import { isDeepStrictEqual } from 'node:util'
import type { HttpParameter, MediaType } from '../model/http-content.js'
import { readParts, readUrlEncoded } from '../runtime/wire/forms.js'
import { serializeParameter, sharedDelimiter } from '../runtime/wire/serialize.js'
import { formParts, writeBody } from '../runtime/wire/write-body.js'
import { createChecker } from '../schema/check.js'
import {
  dereference,
  type Schema,
  type SchemaObject,
  type Schemas,
  typesIn,
} from '../schema/schema.js'
import { inheritSource } from '../schema/source.js'
import type { Change } from './change.js'
import type { DiffContext } from './subject.js'
import { isScalar, propertyOf } from './written.js'

/**
 * A scalar parameter as a list of one item, if it is a list now and one item is the same text: callers who send one value notice
 * nothing. Undefined if the text may be read as several items.
 */
export const parameterAsList = (
  context: DiffContext,
  before: HttpParameter,
  after: HttpParameter,
): HttpParameter | undefined => {
  if (before.mediaType !== undefined || after.mediaType !== undefined) return undefined
  const schema = listOfOne(
    ...[context, before.schema, after.schema],
    (text) =>
      serializeParameter(before, text) === serializeParameter(after, [text]) &&
      sharedDelimiter(after, [text]) === undefined,
  )
  return schema && { ...before, schema }
}

/** The schema of a form whose scalar fields are lists of one item, where they are lists now and one item is the same field. */
export const formWithLists = (
  context: DiffContext,
  before: MediaType,
  after: MediaType,
): { readonly schema: Schema; readonly names: ReadonlySet<string> } => {
  const lists = new Map<string, Schema>()
  for (const name of isForm(before) && isForm(after) ? namesIn(context, before.schema) : []) {
    const [was, is] = [
      propertyOf(context.before, before.schema, name),
      propertyOf(context.after, after.schema, name),
    ]
    const list =
      was !== undefined && is !== undefined
        ? listOfOne(context, was, is, (text) => isOneField(before, after, name, text))
        : undefined
    if (list) lists.set(name, list)
  }
  const schema = lists.size === 0 ? before.schema : withLists(context, before.schema, lists)
  return { schema, names: new Set(lists.keys()) }
}

/**
 * A change of the item of such a list as one of the scalar that the old version declares, which is what was recorded. `root` is the old schema of
 * the parameter or of the form, and `at` the place of the list in the path.
 */
export const ofScalar = <One extends Pick<Change, 'met'>>(
  one: One,
  root: Schema,
  at: number,
): One => {
  const { met } = one
  const isOfItem = /item$/.test(met?.path[at]?.kind ?? '')
  return met && isOfItem ? { ...one, met: { ...met, root, path: met.path.toSpliced(at, 1) } } : one
}

const isForm = ({ codec }: MediaType): boolean => codec === 'form' || codec === 'multipart'

/** Whether the new version reads what the old one writes for a scalar as the only item of a list. */
const isOneField = (before: MediaType, after: MediaType, name: string, text: string): boolean => {
  if (before.codec !== after.codec) return false
  const terms = { encodings: after.encoding }
  const list = ANY.schema({ type: 'object', properties: { [name]: { type: 'array' } } })
  const sent = { [name]: text }
  const read =
    before.codec === 'form'
      ? readUrlEncoded(String(writeBody(sent, before).body), list, terms)
      : readParts(
          formParts(sent, before.encoding).map((part) => ({
            ...part,
            text: String(part.value),
            type: part.type,
          })),
          list,
          terms,
        )
  return 'value' in read && isDeepStrictEqual(read.value, { [name]: [text] })
}

const ANY = createChecker(new Map())

/** A scalar schema as that of a list of one item, if the other schema is a list and one item is the same text. */
const listOfOne = (
  context: DiffContext,
  before: Schema,
  after: Schema,
  isSame: (text: string) => boolean,
): SchemaObject | undefined => {
  const [was, is] = [
    dereference(before, context.before.schemas),
    dereference(after, context.after.schemas),
  ]
  if (typeof was === 'boolean' || typeof is === 'boolean') return undefined
  if (!isScalar(context.before, was) || !isList(is, context.after.schemas)) return undefined
  // Any text has a delimiter, and other scalars have none.
  if (!isSame(typesIn(was)?.includes('string') ? 'a,b c|d' : '1')) return undefined
  const { default: own, ...item } = was
  inheritSource(item, was)
  const schema: SchemaObject = {
    type: 'array',
    items: own === undefined ? before : item,
    // An empty list is not sent at all.
    minItems: Math.min(1, is.minItems ?? 0),
    maxItems: 1,
    ...(own !== undefined && { default: [own] }),
  }
  inheritSource(schema, was)
  return schema
}

/** Whether all values are lists, and an `allOf` does not exclude them. */
const isList = (schema: SchemaObject, schemas: Schemas): boolean => {
  const also = (schema.allOf ?? []).map((one) => dereference(one, schemas))
  const excludesLists = (one: Schema) =>
    typeof one === 'object' && typesIn(one)?.includes('array') === false
  return typesIn(schema)?.join() === 'array' && !also.some(excludesLists)
}

const namesIn = (context: DiffContext, schema: Schema, hops = 0): readonly string[] => {
  const real = dereference(schema, context.before.schemas)
  if (typeof real !== 'object' || hops > DEEPEST) return []
  const inherited = (real.allOf ?? []).flatMap((one) => namesIn(context, one, hops + 1))
  return [...Object.keys(real.properties ?? {}), ...inherited]
}

/** The schema with other schemas for some of its properties, also where it has them by `allOf`. */
const withLists = (
  context: DiffContext,
  schema: Schema,
  lists: ReadonlyMap<string, Schema>,
  hops = 0,
): Schema => {
  const real = dereference(schema, context.before.schemas)
  if (typeof real !== 'object' || hops > DEEPEST) return schema
  const { properties = {}, allOf } = real
  const made: SchemaObject = {
    ...real,
    ...(real.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, lists.get(name) ?? one]),
      ),
    }),
    ...(allOf !== undefined && {
      allOf: allOf.map((one) => withLists(context, one, lists, hops + 1)),
    }),
  }
  inheritSource(made, real)
  return made
}

const DEEPEST = 20
