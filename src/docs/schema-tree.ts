import { isObject } from '../model/json.js'
import {
  dereference,
  isNever,
  referredName,
  type Schema,
  type SchemaObject,
} from '../schema/schema.js'
import { jsonText } from '../text/escape.js'
import { type Html, type HtmlContent, html, separated } from '../text/html.js'
import { unknownNote } from './notes.js'
import { prose } from './prose.js'
import { codes, inlineWords, requirements, typeWords } from './schema-words.js'
import { anchor, type Page, schemaLink } from './site.js'

/**
 * A schema as a tree: its type, the constraints of its keywords in words, and its parts, collapsed. A named schema links to its
 * page and expands in place, but not within itself, nor in a tree that is too large.
 */
export function schemaTree(page: Page, schema: Schema, options: TreeOptions = {}): Html {
  const walk: Walk = { page, within: [], budget: { left: MOST }, ...options }
  if (options.isPage)
    return html`<div class="schema-tree">${described(schema, requirements(schema, 'as-written'))}${parts(walk, schema)}</div>`
  const inline = inlineWords(page, schema)
  const target = inline && dereference(schema, page.site.api.schemas)
  const description = target !== undefined && target !== schema && prose(own(target).description)
  const inner = inline === undefined && unfolded(walk, schema)
  return html`<div class="schema-tree">${line(lineOf(page, schema, inline))}${described(schema, [])}${description}${inner}</div>`
}

export type TreeOptions = {
  /** Whether it is the page of the schema itself, with title and type at the top. */
  readonly isPage?: boolean
  /** The prefix for the anchors of properties; without it they have none. */
  readonly anchors?: string | undefined
}

type Walk = TreeOptions & {
  readonly page: Page
  /** The names that are already expanded, outermost first. */
  readonly within: readonly string[]
  readonly budget: { left: number }
}

/** The maximum number of nodes of a tree, and the maximum depth of expanded names. */
const MOST = 250
const DEEPEST = 4

const own = (schema: Schema): SchemaObject => (typeof schema === 'object' ? schema : {})

const line = (...words: readonly HtmlContent[]): Html => html`<p class="type">${words}</p>`

/** Type and constraints on one line, including those of the referenced schema if they fit. */
const lineOf = (page: Page, schema: Schema, inline: readonly Html[] | undefined): Html => {
  const own = referredName(schema) === undefined ? inline : undefined
  const all = own ?? [...(inline ?? []), ...requirements(schema)]
  const asks = all.length > 0 && html` <span class="asks">${separated(all, ' · ')}</span>`
  return html`<span class="type-words">${typeWords(page, schema)}</span>${asks}`
}

/** The keywords, description and open questions of one schema itself. */
function described(written: Schema, keywords: readonly Html[]): HtmlContent {
  const schema = own(written)
  return [
    keywords.length > 0 &&
      html`<ul class="keywords">${keywords.map((one) => html`<li>${one}</li>`)}</ul>`,
    prose(schema.description),
    unknownNote(schema['x-not-shown'], schema['x-assumption']),
  ]
}

/** A named schema, expanded; only the link if it is within itself or the tree is too large. */
function unfolded(walk: Walk, schema: Schema): HtmlContent {
  const name = referredName(schema)
  if (name === undefined) return parts(walk, schema)
  const target = walk.page.site.api.schemas.get(name)?.schema
  if (target === undefined) return undefined
  if (walk.within.includes(name))
    return line('recursive: as ', schemaLink(walk.page, name), ' above')
  if (walk.within.length >= DEEPEST || walk.budget.left <= 0) return undefined
  const inner = { ...walk, within: [...walk.within, name] }
  const text = [described(target, requirements(target)), unfolded(inner, target)]
  return [line(typeWords(walk.page, target)), text]
}

function parts(walk: Walk, written: Schema): HtmlContent {
  const schema = own(written)
  const rows: HtmlContent[] = []
  const required = new Set(schema.required)
  const all = Object.entries(schema.properties ?? {})
  const properties = [
    ...all.filter(([key]) => required.has(key)),
    ...all.filter(([key]) => !required.has(key)),
  ]
  const unlisted = [...required].filter((key) => !Object.hasOwn(schema.properties ?? {}, key))
  for (const [key, value] of properties)
    rows.push(row(walk, keyName(key), value, required.has(key) ? REQUIRED : undefined, key))
  for (const key of unlisted) rows.push(row(walk, keyName(key), true, REQUIRED, key))
  for (const [pattern, value] of Object.entries(schema.patternProperties ?? {}))
    rows.push(row(walk, html`each property that matches <code>${pattern}</code>`, value))
  if (isObject(schema.additionalProperties))
    rows.push(row(walk, html`any other property`, schema.additionalProperties as SchemaObject))
  for (const [index, value] of (schema.prefixItems ?? []).entries())
    rows.push(row(walk, html`item ${index + 1}`, value))
  if (isTelling(schema.items))
    rows.push(
      row(walk, schema.prefixItems ? html`each further item` : html`each item`, schema.items),
    )
  for (const [keyword, words] of Object.entries(SINGLE)) {
    const value = schema[keyword as keyof typeof SINGLE]
    if (isTelling(value)) rows.push(row(walk, html`${words}`, value))
  }
  for (const [key, value] of Object.entries(schema.dependentSchemas ?? {}))
    rows.push(row(walk, html`with <code>${key}</code> also`, value))
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).map((keyword) =>
    branches(walk, LISTS[keyword], schema[keyword]),
  )
  return [rows.length > 0 && html`<ul class="tree">${rows}</ul>`, lists]
}

const SINGLE = {
  contains: 'some item',
  propertyNames: 'each name of a property',
  if: 'if it is',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: 'it must also be',
  else: 'it must otherwise be',
  not: 'it must not be',
  unevaluatedProperties: 'each property not named so far',
  unevaluatedItems: 'each other item',
} as const

const LISTS = {
  allOf: 'All of these hold',
  anyOf: 'At least one of these holds',
  oneOf: 'Exactly one of these holds',
}

const REQUIRED = html`<span class="required">required</span>`

const keyName = (key: string): Html => html`<code class="key">${key}</code>`

function branches(walk: Walk, words: string, list: readonly Schema[] | undefined): HtmlContent {
  if (!list) return undefined
  const rows = list.map((branch, index) => {
    const label = branchLabel(branch)
    return row(walk, html`<span class="branch">${index + 1}</span> ${label}`, branch)
  })
  return html`<p class="choice">${words}:</p><ol class="tree choices">${rows}</ol>`
}

/** One row of a tree: name, type and description; its parts are collapsed below. Anchors of rows without a key are numbered. */
function row(walk: Walk, name: Html, schema: Schema, mark?: Html, key?: string): Html {
  const count = walk.budget.left--
  const place =
    walk.anchors && `${walk.anchors}${key === undefined ? `@${MOST - count}` : anchor(key)}`
  const id = place && key !== undefined && html` id="${place}"`
  if (isNever(schema)) {
    return html`<li${id}><p class="row">${name} <span class="forbidden">must be absent</span></p></li>`
  }
  const { page } = walk
  const inline = inlineWords(page, schema)
  const head = html`<p class="row">${name} ${lineOf(page, schema, inline)} ${mark}</p>`
  const heart = heartOf(schema)
  const inner = hasParts(heart) ? heart : schema
  const isFolded = inline === undefined && hasParts(inner)
  const within = { ...walk, anchors: place && `${place}:` }
  const folded = isFolded && [inner !== schema && ownWords(inner), unfolded(within, inner)]
  const more = folded && html`<details><summary>${summaryOf(inner)}</summary>${folded}</details>`
  return html`<li${id}>${head}${described(schema, [])}${more}</li>`
}

/** The keywords and the description of an inline schema; a named one has them where it is expanded. */
const ownWords = (schema: Schema): HtmlContent =>
  referredName(schema) === undefined && described(schema, requirements(schema))

const summaryOf = (schema: Schema): Html => {
  const name = referredName(schema)
  return name === undefined ? html`what is in it` : html`what ${name} is`
}

/** The items of an array, or the non-null branch of a union, because the line of the row shows the rest. */
function heartOf(schema: Schema): Schema {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return schema
  const parts = Object.keys(schema).filter((key) => key === 'items' || HOLDING.has(key))
  const [part, ...others] = parts
  if (others.length > 0) return schema
  if (
    part === 'items' &&
    typeof schema.items === 'object' &&
    schema.items.description === undefined
  )
    return heartWithin(schema.items)
  const branches = part === 'anyOf' || part === 'oneOf' ? (schema[part] ?? []) : []
  const [heart, ...more] = branches.filter((one) => !isNull(one))
  return heart !== undefined && more.length === 0 && branches.length > 1
    ? heartWithin(heart)
    : schema
}

/** A schema with words of its own is not passed over. */
const heartWithin = (schema: Schema): Schema =>
  own(schema).description !== undefined || requirements(schema).length > 0
    ? schema
    : heartOf(schema)

const isNull = (schema: Schema): boolean =>
  typeof schema === 'object' && (schema.const === null || schema.type === 'null')

/** Whether a schema has parts that its line and description do not show. */
const hasParts = (schema: Schema): boolean =>
  typeof schema === 'object' &&
  Object.entries(schema).some(([key, value]) =>
    key === 'items' || Object.hasOwn(SINGLE, key) ? isTelling(value) : HOLDING.has(key),
  )

/** Whether a schema has more than its type, which the line of its parent shows. */
function isTelling(schema: unknown): schema is SchemaObject {
  if (!isObject(schema)) return false
  const { description, 'x-not-shown': notShown } = schema
  return hasParts(schema) || Boolean(description ?? notShown) || requirements(schema).length > 0
}

const HOLDING = new Set(
  '$ref properties required patternProperties prefixItems dependentSchemas allOf anyOf oneOf'.split(
    ' ',
  ),
)

/** What distinguishes a branch from the others: its name, its title, or the required keys and values. */
function branchLabel(branch: Schema): HtmlContent {
  if (typeof branch === 'boolean' || referredName(branch) !== undefined) return undefined
  if (branch.title) return html`<strong>${branch.title}</strong>`
  const fixed = Object.entries(branch.properties ?? {}).flatMap(([key, value]) =>
    typeof value === 'object' && 'const' in value
      ? [html`<code>${key}</code> is <code>${jsonText(value.const)}</code>`]
      : [],
  )
  if (fixed.length > 0) return html`where ${separated(fixed, ' and ')}:`
  return branch.required?.length ? html`with ${codes(branch.required)}:` : undefined
}
