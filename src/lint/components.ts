import type { HttpDocument, NamedSchema, RpcDocument } from '../model/api.js'
import type { FindingDetails, Location } from '../model/finding.js'
import { entriesOf, isObject, isReference } from '../model/json.js'
import { joinPointer, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { createMeanings } from '../schema/same.js'
import {
  asserted,
  everySubschema,
  type Schema,
  type Schemas,
  subschemas,
} from '../schema/schema.js'
import { unreadOf, writtenName } from '../schema/source.js'
import { isMessageSchema, type LintRule, type Survey, type WrittenSchema } from './survey.js'

/** Components that a document declares for references. */
export const COMPONENT_RULES: readonly LintRule[] = [
  {
    id: 'component-is-unused',
    level: 'warning',
    purpose: 'An unused component costs readers time and is often not maintained.',
    find: unused,
  },
]

function* unused(survey: Survey): Generator<FindingDetails> {
  for (const document of survey.documents) {
    if (document.kind === 'rpc' && isMessageSchema(document)) continue
    const caller = document.kind === 'rpc' ? 'method' : 'operation'
    const used = reached(document, survey)
    for (const [section, members] of entriesOf(document.bundled.components)) {
      if (section.startsWith('x-')) continue
      for (const name of Object.keys(isObject(members) ? members : {})) {
        if (used.has(joinPointer('#', 'components', section, name))) continue
        const location = document.sourceOf(members as object).locate(name)
        // A component that the bundle has named is not a component in its own file.
        if (segmentsOf(location.pointer).at(-1) !== name) continue
        yield {
          location,
          message: `no ${caller} uses ${name} of the ${section}, directly or through other components: use it or remove it`,
        }
      }
    }
  }
  // What was not read may refer to any part of another file.
  if (survey.api.findings.some(({ rule }) => NOT_READ.has(rule))) return
  for (const { name, source } of survey.api.leftovers) {
    yield {
      location: source.locate(),
      message: `nothing that the document uses refers to ${name} of this file: use it or remove it`,
    }
  }
}

const NOT_READ: ReadonlySet<string> = new Set([
  'reference-is-dangling',
  'reference-is-no-pointer',
  'reference-is-outside',
  'reference-is-remote',
])

/**
 * The references that operations reach; a component that only refers to itself is not reached. A reached reference that could not be
 * read may mean any component, or any of one section if it is a reference within the document.
 */
function reached(document: HttpDocument | RpcDocument, { written }: Survey): ReadonlySet<string> {
  const { components, ...called } = document.bundled
  const sections = isObject(components) ? components : {}
  const used = new Set<string>(securityNames(document, { written }))
  const waiting: unknown[] = [called]
  const children = childrenByDiscriminator(sections.schemas)
  const use = (ref: string) => {
    if (used.has(ref)) return
    used.add(ref)
    waiting.push(targetOf(ref, sections), children.get(ref))
  }
  for (const ref of used) waiting.push(targetOf(ref, sections))
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one === 'string' && one.startsWith('#/components/')) use(one)
    if (typeof one !== 'object' || one === null) continue
    document.passedBy(one).forEach(use)
    for (const section of sectionsMeant(one, sections))
      for (const name of Object.keys(Object(sections[section])))
        use(joinPointer('#', 'components', section, name))
    for (const member of Object.values(one)) {
      if (typeof member === 'object' || typeof member === 'string') waiting.push(member)
    }
  }
  return used
}

/** The sections whose components an object may mean by a reference that could not be read; none for other objects. */
function sectionsMeant(node: object, sections: JsonObject): readonly string[] {
  const { $ref: unread } = unreadOf(node)
  const ref =
    unread ?? (isReference(node) && isMissing(node.$ref, sections) ? node.$ref : undefined)
  if (typeof ref !== 'string') return []
  // A file that was not read may refer to the components of this one.
  if (!ref.startsWith('#')) return Object.keys(sections)
  if (unread !== undefined) return ['schemas']
  const [, section = ''] = segmentsOf(ref.slice(1))
  return Object.hasOwn(sections, section) ? [section] : Object.keys(sections)
}

const isMissing = (ref: string, sections: JsonObject): boolean =>
  !ref.startsWith('#/components/') || targetOf(ref, sections) === undefined

/**
 * Schemas that extend a parent with a discriminator by allOf, by the reference to their parent. Each is a value of that
 * discriminator without a reference to it (OpenAPI, Discriminator Object).
 */
function childrenByDiscriminator(schemas: unknown): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, string[]>()
  const parents = new Set<string>()
  for (const [name, schema] of entriesOf(schemas)) {
    if (!isObject(schema)) continue
    const ref = joinPointer('#', 'components', 'schemas', name)
    if (isObject(schema.discriminator)) parents.add(ref)
    for (const one of Array.isArray(schema.allOf) ? schema.allOf : []) {
      if (isObject(one) && typeof one.$ref === 'string')
        all.set(one.$ref, [...(all.get(one.$ref) ?? []), ref])
    }
  }
  // A child of a child has the discriminator as well. The loop also visits the parents that it adds.
  for (const parent of parents) for (const child of all.get(parent) ?? []) parents.add(child)
  return new Map([...all].filter(([ref]) => parents.has(ref)))
}

function targetOf(ref: string, sections: JsonObject): unknown {
  const [section = '', name = ''] = segmentsOf(ref.slice('#/components/'.length))
  const members = sections[section]
  return isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined
}

/** Security schemes are referenced by name, without a pointer. */
function securityNames(
  document: HttpDocument | RpcDocument,
  { written }: Pick<Survey, 'written'>,
): readonly string[] {
  return written.flatMap(({ node, document: own }) =>
    own === document && Array.isArray(node.security)
      ? node.security
          .filter(isObject)
          .flatMap(Object.keys)
          .map((name) => joinPointer('#', 'components', 'securitySchemes', name))
      : [],
  )
}

/** Duplicate schemas, which will diverge. */
export const TWICE_RULES: readonly LintRule[] = [
  {
    id: 'schema-is-written-twice',
    level: 'warning',
    purpose:
      'A schema that both documents define becomes two types that clients cannot use interchangeably.',
    find: writtenTwice,
  },
  {
    id: 'schema-is-repeated',
    level: 'note',
    purpose:
      'A schema that a document repeats is easier to name, type and correct if it is defined once.',
    find: repeated,
  },
]

function* writtenTwice({ api }: Survey): Generator<FindingDetails> {
  for (const [schema, earlier] of pairsIn(api, SHARED_SIZE)) {
    if (
      schema.usedBy === earlier.usedBy ||
      [schema, earlier].some(({ usedBy }) => usedBy === 'both')
    ) {
      continue
    }
    yield {
      location: schema.source.locate(),
      message: `${schema.name} accepts the same values as ${earlier.name} of the other document (${at(earlier.source.locate())}): let both refer to one file`,
    }
  }
}

function* repeated(survey: Survey): Generator<FindingDetails> {
  const { schemas } = survey.api
  for (const [schema, earlier] of pairsIn(survey.api, WORTH_A_NAME)) {
    if (schema.usedBy !== earlier.usedBy) continue
    yield {
      location: schema.source.locate(),
      message: `${writtenName(schema.name, schemas)} accepts the same values as ${writtenName(earlier.name, schemas)} (${at(earlier.source.locate())}): keep one of them if they always change together`,
    }
  }
  yield* inline(survey)
}

const meaningIn = (schemas: Schemas): ((schema: Schema) => number) => {
  const meaning = meanings.get(schemas) ?? createMeanings(schemas)
  meanings.set(schemas, meaning)
  return meaning
}

const meanings = new WeakMap<Schemas, (schema: Schema) => number>()

/** Pairs of named schemas with one meaning; each with the first of its group. */
function* pairsIn(
  { schemas }: Survey['api'],
  size: number,
): Generator<readonly [NamedSchema, NamedSchema]> {
  const meaning = meaningIn(schemas)
  const first = new Map<number, NamedSchema>()
  for (const schema of schemas.values()) {
    if (sizeOf(schema.schema) < size) continue
    const key = meaning(schema.schema)
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, schema)
    else if (!samePlace(schema.source.locate(), earlier.source.locate())) yield [schema, earlier]
  }
}

/** The outermost duplicates; if one of the places has a name, all others are reported. */
function* inline({ api, schemas }: Survey): Generator<FindingDetails> {
  const meaning = meaningIn(api.schemas)
  const names = new Map<number, string>()
  const ofNames = new Set<Schema>()
  for (const { name, schema } of api.schemas.values()) {
    ofNames.add(schema)
    if (sizeOf(schema) < WORTH_A_NAME) continue
    names.set(meaning(schema), name)
    // The only alternative of a schema means the same as the schema, and cannot refer to it.
    const parts = [...subschemas(schema, 'in-place')]
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      if (sizeOf(part) < WORTH_A_NAME || meaning(part) !== meaning(schema)) continue
      ofNames.add(part)
      parts.push(...subschemas(part, 'in-place'))
    }
  }
  const groups = new Map<number, WrittenSchema[]>()
  for (const placed of schemas) {
    if (ofNames.has(placed.schema) || sizeOf(placed.schema) < WORTH_A_NAME) continue
    const key = meaning(placed.schema)
    const group = groups.get(key) ?? []
    group.push(placed)
    groups.set(key, group)
  }
  const inner = new Set<Schema>()
  for (const group of groups.values()) {
    if (group.length < 2) continue
    const parts = group.flatMap(({ schema }) => subschemas(schema)).flatMap(everySubschema)
    for (const part of parts) inner.add(part)
  }
  for (const [key, group] of groups) {
    const name = names.get(key)
    const places = distinct(group.filter(({ schema }) => !inner.has(schema)))
    const [first, second] = places
    if (name !== undefined && first) {
      const written = writtenName(name, api.schemas)
      for (const location of places) {
        yield { location, message: `this is ${written} written out: refer to it` }
      }
    } else if (first && second) {
      const others =
        places.length === 2 ? at(second) : `${at(second)} and ${places.length - 2} more places`
      yield {
        location: first,
        message: `the same schema is at ${others}: give it a name and refer to it`,
      }
    }
  }
}

/**
 * The size from which a schema deserves a name, in parts and values: an object of six properties, or an enum of seven values.
 */
const WORTH_A_NAME = 8

/** Schemas in both documents are reported from a smaller size, such as a text with a pattern. */
const SHARED_SIZE = 2

function sizeOf(schema: Schema): number {
  let size = 0
  const waiting: Schema[] = [schema]
  for (let one = waiting.pop(); one !== undefined && size < WORTH_A_NAME; one = waiting.pop()) {
    size += 1
    if (typeof one === 'boolean') continue
    size += asserted(one).length - 1 + (one.enum?.length ?? 0)
    for (const inner of subschemas(one)) waiting.push(inner)
  }
  return size
}

const at = ({ file, line }: Location) => `${file}:${line}`

const samePlace = (a: Location, b: Location) => a.file === b.file && a.pointer === b.pointer

function distinct(group: readonly WrittenSchema[]): readonly Location[] {
  const places = new Map<string, Location>()
  for (const { source } of group) {
    const location = source.locate()
    places.set(`${location.file}#${location.pointer}`, location)
  }
  return [...places.values()].sort((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column,
  )
}
