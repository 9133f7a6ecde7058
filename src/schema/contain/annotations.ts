import { cached } from '../../runtime/shared/cached.js'
import { type Selection, selectionOf } from '../discriminator.js'
import { isEqual } from '../json-values.js'
import { CONTENT } from '../keywords.js'
import { childOf, isAnything, keywordsOf, type Node, type Terms } from '../node.js'
import { typesIn } from '../schema.js'
import { discriminatorOf, unreadOf } from '../source.js'
import type { Path } from './gap.js'

/** A difference between the declarations of two versions at one place of a value. */
export type Declared = {
  readonly kind: DeclaredKind
  readonly path: Path
  readonly before: Mention
  readonly after: Mention
}

type DeclaredKind =
  | 'property-added'
  | 'property-removed'
  | 'life'
  | 'read-only'
  | 'write-only'
  | 'default'
  | 'format'
  | 'bigint'
  | 'content'
  | 'discriminator'
  | 'extensible-value-removed'
  | 'undeclared-narrowed'
  | 'undeclared-widened'
  | 'closed'
  | 'opened'
  | 'unread'

/** The schema with the keyword, and the keyword's value; without a node, no schema declares it. */
type Mention = { readonly node: Node | undefined; readonly says: unknown }

export function* annotations(before: Terms, after: Terms): Generator<Declared> {
  for (const [kind, keywords] of ANNOTATIONS) {
    const [was, is] = [mention(before, keywords), mention(after, keywords)]
    if (!isEqual(was.says, is.says)) yield { kind, path: [], before: was, after: is }
  }
  const [held, holds] = [contentOf(before), contentOf(after)]
  if (!isEqual(held.says, holds.says)) {
    yield { kind: 'content', path: [], before: held, after: holds }
  }
  yield* unreadKeywords(before, after)
  const [tag, tagged] = [tagOf(before), tagOf(after)]
  // A union that inherits the discriminator of its alternatives declares none.
  const isDeclared = [tag, tagged].every(({ node, says }) => !says || isDiscriminated(node))
  const isComparable = isDeclared || (tag.says && tagged.says)
  if (isComparable && !isEqual(tag.says, tagged.says)) {
    yield { kind: 'discriminator', path: [], before: tag, after: tagged }
  }
  const listed = mention(before, ['x-extensible-enum'])
  const still = mention(after, ['x-extensible-enum'])
  if (!Array.isArray(listed.says) || !Array.isArray(still.says)) return
  const values: readonly unknown[] = still.says
  const gone = listed.says.filter((value) => !values.some((one) => isEqual(one, value)))
  if (gone.length === 0) return
  yield {
    kind: 'extensible-value-removed',
    path: [],
    before: { ...listed, says: gone },
    after: still,
  }
}

/** Limits of properties and items without their own schemas, which both versions accept undeclared. */
export function* limitsOfOthers(before: Terms, after: Terms): Generator<Declared> {
  const [was, is] = [limitsOf(before), limitsOf(after)]
  for (const [name, node] of is) {
    if (was.has(name) || !canHold(before, name)) continue
    if (name === 'closed' && was.has('additionalProperties')) continue
    if (name === 'additionalProperties' && saysOthers(before)) continue
    const mentioned = { ...mentions(holderOf(before), node), after: { node, says: name } }
    const kind = name === 'closed' ? name : 'undeclared-narrowed'
    yield { kind, path: [], ...mentioned }
  }
  for (const [name, node] of was) {
    if (is.has(name) || !canHold(after, name)) continue
    if (name === 'closed' && is.has('additionalProperties')) continue
    if (name === 'additionalProperties' && saysOthers(after)) continue
    const mentioned = { ...mentions(node, holderOf(after)), before: { node, says: name } }
    const kind = name === 'closed' ? 'opened' : 'undeclared-widened'
    yield { kind, path: [], ...mentioned }
  }
}

function limitsOf(nodes: Terms): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  for (const node of nodes) {
    const { patternProperties = {}, propertyNames, unevaluatedProperties } = keywordsOf(node)
    for (const pattern of Object.keys(patternProperties)) {
      found.set(`patternProperties ${pattern}`, node)
    }
    const { additionalProperties } = keywordsOf(node)
    if (additionalProperties === false || unevaluatedProperties === false) {
      found.set('closed', node)
    } else if (additionalProperties !== undefined && !saysNothing(node)) {
      found.set('additionalProperties', node)
    }
    if (propertyNames !== undefined) found.set('propertyNames', node)
    if (typeof unevaluatedProperties === 'object') found.set('unevaluatedProperties', node)
    if (typeof keywordsOf(node).unevaluatedItems === 'object') found.set('unevaluatedItems', node)
  }
  return found
}

/** Whether a value can have limited members: a string has no properties that could be undeclared. */
function canHold(nodes: Terms, limit: string): boolean {
  const type = limit === 'unevaluatedItems' ? 'array' : 'object'
  return nodes.every((node) => typesIn(keywordsOf(node))?.includes(type) ?? true)
}

const saysNothing = (node: Node): boolean =>
  isAnything(childOf(node, keywordsOf(node).additionalProperties ?? true))

/** Whether a version restricts other properties; if both do, the comparison of values reports the changes. */
const saysOthers = (nodes: Terms): boolean =>
  nodes.some((node) => keywordsOf(node).additionalProperties !== undefined)

const ANNOTATIONS = [
  ['life', ['deprecated', 'x-sunset']],
  ['read-only', ['readOnly']],
  ['write-only', ['writeOnly']],
  ['default', ['default']],
  ['format', ['format']],
  ['bigint', ['x-bigint']],
] as const

/** Keywords that could not be read and differ; `says` has their values in the documents, by keyword. */
function* unreadKeywords(before: Terms, after: Terms): Generator<Declared> {
  const [was, is] = [unreadIn(before), unreadIn(after)]
  for (const keyword of new Set([...was.keys(), ...is.keys()])) {
    const [own, other] = [was.get(keyword), is.get(keyword)]
    if (isEqual(own?.says, other?.says)) continue
    yield {
      kind: 'unread',
      path: [],
      before: own ?? { node: before[0], says: undefined },
      after: other ?? { node: after[0], says: undefined },
    }
  }
}

function unreadIn(nodes: Terms): ReadonlyMap<string, Mention> {
  const found = new Map<string, { readonly node: Node; readonly says: Record<string, unknown[]> }>()
  for (const node of nodes) {
    for (const [keyword, value] of Object.entries(unreadOf(node.schema))) {
      const one = cached(found, keyword, () => ({ node, says: { [keyword]: [] } }))
      one.says[keyword]?.push(value)
    }
  }
  return found
}

/**
 * The first discriminator of the nodes, as `Selection`. What selects the schemas that extend one with a discriminator is compared with
 * them: a value of such a schema is in general no value of the others.
 */
function tagOf(nodes: Terms): Mention {
  for (const node of nodes) {
    const { oneOf, anyOf } = keywordsOf(node)
    if (!(oneOf || anyOf || isDiscriminated(node))) continue
    const says = cached(selections, node, () => selectionIn(node))
    if (says) return { node, says: oneOf || anyOf ? says : { ...says, selected: {} } }
  }
  return { node: nodes[0], says: undefined }
}

const selectionIn = ({ schema, side }: Node) =>
  selectionOf(schema, side.schemas, side.checker) ?? null

const selections = new WeakMap<Node, Selection | null>()

const isDiscriminated = (node: Node | undefined): boolean =>
  node !== undefined && discriminatorOf(node.schema) !== undefined

/** The content keywords of the first node that has any. */
function contentOf(nodes: Terms): Mention {
  const node = nodes.find((one) =>
    CONTENT.some((keyword) => Object.hasOwn(keywordsOf(one), keyword)),
  )
  const schema = (node ? keywordsOf(node) : {}) as Readonly<Record<string, unknown>>
  const says = Object.fromEntries(CONTENT.map((keyword) => [keyword, schema[keyword]]))
  return { node: node ?? nodes[0], says }
}

/** The value of the first node that has the keyword; for several keywords, an object of their values. */
function mention(nodes: Terms, keywords: readonly string[]): Mention {
  const [first = ''] = keywords
  const node = nodes.find((one) => Object.hasOwn(keywordsOf(one), first))
  const schema = (node ? keywordsOf(node) : {}) as Readonly<Record<string, unknown>>
  if (keywords.length === 1) return { node: node ?? nodes[0], says: schema[first] }
  const says = Object.fromEntries(keywords.map((keyword) => [keyword, schema[keyword]]))
  return { node: node ?? nodes[0], says: schema[first] === true ? says : undefined }
}

export const mentions = (before: Node | undefined, after: Node | undefined) => ({
  before: { node: before, says: undefined },
  after: { node: after, says: undefined },
})

/** The schema in which a reader looks for a property. */
export const holderOf = (nodes: Terms): Node | undefined =>
  nodes.find((node) => keywordsOf(node).properties !== undefined) ?? nodes.at(-1)
