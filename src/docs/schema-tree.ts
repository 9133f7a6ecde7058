import { jsonText } from '../model/escape.js'
import { isObject } from '../model/json.js'
import { referredName, type Schema, type SchemaObject } from '../schema/schema.js'
import { type Html, html, type Printable, separated } from './html.js'
import { unknownNote } from './notes.js'
import { prose } from './prose.js'
import { anchor, type Page, schemaLink } from './site.js'

/**
 * A schema as a tree: its type, what its keywords ask in words, and its content, each part that has parts folded.
 * A schema by name links to its page and unfolds in place, but not within itself, nor where the tree grows past reading.
 */
export function schemaTree(page: Page, schema: Schema, options: TreeOptions = {}): Html {
  const walk: Walk = { page, within: [], budget: { left: MOST }, ...options }
  const head = own(schema)
  const lead = options.isPage ? undefined : [line(typeWords(page, schema)), said(schema)]
  const body = options.isPage ? said(schema) : undefined
  const inner = referredName(head) === undefined ? parts(walk, schema) : unfolded(walk, schema)
  return html`<div class="schema-tree">${lead}${body}${inner}</div>`
}

export type TreeOptions = {
  /** The page of the schema itself: its title and type stand above. */
  readonly isPage?: boolean
  /** Properties of the outermost object have this before their names as anchors. */
  readonly anchors?: string
}

type Walk = TreeOptions & {
  readonly page: Page
  /** The names that are unfolded already, outermost first. */
  readonly within: readonly string[]
  readonly budget: { left: number }
}

/** Nodes that a tree may have, and names that it may unfold within each other. */
const MOST = 250
const DEEPEST = 4

const own = (schema: Schema): SchemaObject => (typeof schema === 'object' ? schema : {})

const line = (...words: readonly Printable[]): Html => html`<p class="type">${words}</p>`

/** Description, values, keywords and what is not shown, of one schema itself. */
function said(written: Schema): Printable {
  const schema = own(written)
  const asked = constraints(schema)
  const values = allowedValues(schema)
  const keywords = [...(values ? [values] : []), ...asked]
  return [
    keywords.length > 0 &&
      html`<ul class="keywords">${keywords.map((one) => html`<li>${one}</li>`)}</ul>`,
    prose(schema.description),
    unknownNote(schema['x-not-shown'], schema['x-assumption']),
  ]
}

/** A named schema folded open; only the link where it is within itself or the tree is large. */
function unfolded(walk: Walk, schema: Schema): Printable {
  const name = referredName(schema)
  if (name === undefined) return parts(walk, schema)
  const target = walk.page.site.api.schemas.get(name)?.schema
  if (target === undefined) return undefined
  if (walk.within.includes(name))
    return line('recursive: as ', schemaLink(walk.page, name), ' above')
  if (walk.within.length >= DEEPEST || walk.budget.left <= 0) return undefined
  const inner = { ...walk, anchors: '', within: [...walk.within, name] }
  const text = [said(target), unfolded(inner, target)]
  return [line(typeWords(walk.page, target)), text]
}

/** What is in a schema: properties, items, branches. */
function parts(walk: Walk, written: Schema): Printable {
  const schema = own(written)
  const rows: Printable[] = []
  const required = new Set(schema.required)
  const properties = Object.entries(schema.properties ?? {})
  const unlisted = [...required].filter((key) => !Object.hasOwn(schema.properties ?? {}, key))
  for (const [key, value] of properties)
    rows.push(row(walk, keyName(key), value, required.has(key) ? REQUIRED : OPTIONAL, key))
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
const OPTIONAL = html`<span class="optional">optional</span>`

const keyName = (key: string): Html => html`<code class="key">${key}</code>`

function branches(walk: Walk, words: string, list: readonly Schema[] | undefined): Printable {
  if (!list) return undefined
  const rows = list.map((branch, index) => {
    const label = branchLabel(branch)
    return row(walk, html`<span class="branch">${index + 1}</span> ${label}`, branch, undefined)
  })
  return html`<p class="choice">${words}:</p><ol class="tree choices">${rows}</ol>`
}

/** One row of a tree: name, type and words; its parts folded below. */
function row(walk: Walk, name: Html, schema: Schema, mark?: Html, key?: string): Html {
  walk.budget.left--
  const inner = { ...walk, anchors: '' }
  const id =
    key !== undefined && walk.anchors ? html` id="${anchor(walk.anchors, key)}"` : undefined
  if (isForbidden(schema)) {
    return html`<li${id}><p class="row">${name} <span class="forbidden">must be absent</span></p></li>`
  }
  const folded = hasParts(schema) ? unfolded(inner, schema) : undefined
  const type = html`<span class="type-words">${typeWords(walk.page, schema)}</span>`
  const head = html`<p class="row">${name} ${type} ${mark}</p>`
  const about = said(schema)
  const more =
    folded === undefined
      ? undefined
      : html`<details><summary>${summaryOf(schema)}</summary>${folded}</details>`
  return html`<li${id}>${head}${about}${more}</li>`
}

const summaryOf = (schema: Schema): Html => {
  const name = referredName(schema)
  return name === undefined ? html`what is in it` : html`what ${name} is`
}

/** Whether there is more to a schema than its own line and words say. */
const hasParts = (schema: Schema): boolean =>
  typeof schema === 'object' &&
  Object.entries(schema).some(([key, value]) =>
    key === 'items' || Object.hasOwn(SINGLE, key) ? isTelling(value) : HOLDING.has(key),
  )

/** Whether there is more to a schema than its type, which is in the line of what holds it. */
function isTelling(schema: unknown): schema is SchemaObject {
  if (!isObject(schema)) return false
  const { description, 'x-not-shown': notShown } = schema
  return (
    hasParts(schema) ||
    Boolean(description ?? notShown) ||
    constraints(schema).length > 0 ||
    allowedValues(schema) !== undefined
  )
}

const HOLDING = new Set(
  '$ref properties required patternProperties prefixItems dependentSchemas allOf anyOf oneOf'.split(
    ' ',
  ),
)

/** The type of a value in a few words; schemas with a name are links. */
export function typeWords(page: Page, schema: Schema): Html {
  if (schema === true) return html`anything`
  if (schema === false) return html`nothing`
  const name = referredName(schema)
  if (name !== undefined) return schemaLink(page, name)
  const types = schema.type === undefined ? [] : [schema.type].flat()
  const words = types.map((type) => (type === 'array' ? arrayWords(page, schema) : html`${type}`))
  if (words.length > 0) return html`${separated(words, ' or ')}`
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) return unionWords(page, branches)
  if (schema.allOf) return html`${separated(namesOf(page, schema.allOf), ' and ')}`
  if (schema.properties || isObject(schema.additionalProperties)) return html`object`
  if ('const' in schema || schema.enum) return html`value`
  return html`anything`
}

/** What tells a branch from its neighbours: its name, its title, or the keys and values that it asks for. */
export function branchLabel(branch: Schema): Printable {
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

const arrayWords = (page: Page, { items, prefixItems }: Exclude<Schema, boolean>): Html => {
  if (prefixItems) return html`list`
  return items === undefined || items === true
    ? html`array`
    : html`array of ${typeWords(page, items)}`
}

const unionWords = (page: Page, branches: readonly Schema[]): Html =>
  branches.length > FEW
    ? html`one of ${branches.length} kinds`
    : html`${separated(namesOf(page, branches), ' or ')}`

const FEW = 4

/** Two that read the same are said once. */
const namesOf = (page: Page, branches: readonly Schema[]): readonly Html[] => {
  const words = branches.map((branch) => typeWords(page, branch))
  return words.filter(({ text }, at) => words.findIndex((one) => one.text === text) === at)
}

/** What the keywords of a schema ask of a value, each in words; the parts that other schemas stand in apart. */
export function constraints(schema: SchemaObject): readonly Html[] {
  const said: Html[] = []
  const tell = (value: unknown, words: (value: never) => Html) => {
    if (value !== undefined) said.push(words(value as never))
  }
  tell(schema.format, (format: string) => html`format ${format}`)
  tell(schema.pattern, (pattern: string) => html`matches <code>${pattern}</code>`)
  tell(range(schema.minLength, schema.maxLength, 'character'), (words: string) => html`${words}`)
  tell(range(schema.minItems, schema.maxItems, 'item'), (words: string) => html`${words}`)
  tell(range(schema.minProperties, schema.maxProperties, 'property'), (words) => html`${words}`)
  tell(schema.minimum, (least: number) => html`at least ${least}`)
  tell(schema.exclusiveMinimum, (least: number) => html`more than ${least}`)
  tell(schema.maximum, (most: number) => html`at most ${most}`)
  tell(schema.exclusiveMaximum, (most: number) => html`less than ${most}`)
  tell(schema.multipleOf, (step: number) => html`a multiple of ${step}`)
  if (schema.uniqueItems) said.push(html`no item twice`)
  if (schema.additionalProperties === false) said.push(html`no other properties`)
  if (schema.unevaluatedProperties === false) said.push(html`no properties but these`)
  if (schema.unevaluatedItems === false) said.push(html`no items but these`)
  if (schema.prefixItems && schema.items === false) said.push(html`no further items`)
  tell(schema.dependentRequired, (rows: Readonly<Record<string, readonly string[]>>) => {
    const words = Object.entries(rows).map(
      ([key, needed]) => html`<code>${key}</code> needs ${codes(needed)}`,
    )
    return html`${separated(words, '; ')}`
  })
  tell(schema['x-same-as'], (name: string) => html`the same value as <code>${name}</code>`)
  if ('default' in schema) said.push(html`default <code>${jsonText(schema.default)}</code>`)
  if (schema.readOnly) said.push(html`in answers only`)
  if (schema.writeOnly) said.push(html`in requests only`)
  if (schema.deprecated) said.push(html`deprecated`)
  return said
}

/** The values that are allowed, where they are listed. */
export function allowedValues(schema: SchemaObject): Html | undefined {
  if ('const' in schema) return html`always <code>${jsonText(schema.const)}</code>`
  if (!schema.enum) return undefined
  return html`one of ${codes(schema.enum.map((value) => jsonText(value)))}`
}

export const codes = (names: readonly string[]): Printable =>
  separated(
    names.map((name) => html`<code>${name}</code>`),
    ', ',
  )

function range(least: number | undefined, most: number | undefined, unit: string) {
  const many = (count: number) => `${count} ${count === 1 ? unit : plural(unit)}`
  if (least !== undefined && least === most) return `exactly ${many(least)}`
  if (least && most !== undefined) return `${least} to ${many(most)}`
  if (most !== undefined) return `at most ${many(most)}`
  return least ? `at least ${many(least)}` : undefined
}

const plural = (unit: string) => (unit.endsWith('y') ? `${unit.slice(0, -1)}ies` : `${unit}s`)

/** Nothing fits: how a form forbids a key. */
export const isForbidden = (schema: Schema): boolean =>
  schema === false ||
  (typeof schema === 'object' &&
    (schema.not === true ||
      (typeof schema.not === 'object' && Object.keys(schema.not).length === 0)))
