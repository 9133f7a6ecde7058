import { isObject } from '../model/json.js'
import { dereference, referredName, type Schema, type SchemaObject } from '../schema/schema.js'
import { jsonText } from '../text/escape.js'
import { type Html, type HtmlContent, html, separated } from '../text/html.js'
import { type Page, schemaLink } from './site.js'

/** The type of a value in a few words; named schemas are links. */
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
  const values = 'const' in schema ? [schema.const] : (schema.enum ?? [])
  if (values.length > 0) return html`${[...new Set(values.map(typeOf))].join(' or ')}`
  return html`anything`
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const arrayWords = (page: Page, { items, prefixItems }: SchemaObject): Html => {
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

/** Branches with the same words are listed once. */
const namesOf = (page: Page, branches: readonly Schema[]): readonly Html[] => {
  const words = branches.map((branch) => typeWords(page, branch))
  return words.filter(({ text }, at) => words.findIndex((one) => one.text === text) === at)
}

/**
 * The constraints of a schema and of the schemas that it refers to, if they fit on one line: `hex quantity, 64 bit`. Undefined
 * if there is more: properties, several branches, a long list of values, or an open question.
 */
export function inlineWords(page: Page, schema: Schema, depth = 0): readonly Html[] | undefined {
  const target = dereference(schema, page.site.api.schemas)
  if (typeof target === 'boolean') return []
  const hasOwnWords = depth > 0 && target === schema && (target.description ?? target.title)
  if (hasOwnWords) return undefined
  if (depth > DEEPEST || target['x-not-shown'] !== undefined || hasParts(target)) return undefined
  if ((target.enum?.length ?? 0) > MOST_VALUES) return undefined
  const inner: Html[] = []
  if (isObject(target.items)) {
    const words = inlineWords(page, target.items as SchemaObject, depth + 1)
    if (words === undefined) return undefined
    if (words.length > 0) inner.push(html`each item ${separated(words, ', ')}`)
  }
  const branches = [target.oneOf, target.anyOf].flatMap((list) => (list ? [list] : []))
  for (const list of branches) {
    const described = list.map((branch) => inlineWords(page, branch, depth + 1))
    if (described.includes(undefined)) return undefined
    const [only = [], ...others] = described.filter((words) => words?.length !== 0)
    if (others.length > 0) return undefined
    inner.push(...only)
  }
  const words = [...requirements(target), ...inner]
  return words.reduce((sum, { text }) => sum + text.length, 0) > LONGEST ? undefined : words
}

const DEEPEST = 3
const MOST_VALUES = 8
const LONGEST = 400

/** Whether a value has parts with their own schemas, other than items of an array and branches of a union. */
const hasParts = (schema: SchemaObject): boolean =>
  Object.keys(schema).some((key) => PARTS.has(key)) ||
  isObject(schema.additionalProperties) ||
  (schema.oneOf ?? schema.anyOf ?? []).length > FEW

const PARTS: ReadonlySet<string> = new Set(
  'properties required patternProperties prefixItems dependentSchemas allOf contains propertyNames if then else not unevaluatedProperties unevaluatedItems'.split(
    ' ',
  ),
)

/** The constraints of a schema's own keywords, including its enumerated values. */
export const requirements = (schema: Schema, patterns: Patterns = 'in-words'): readonly Html[] => {
  if (typeof schema === 'boolean') return []
  const values = allowedValues(schema)
  return [...(values ? [values] : []), ...constraints(schema, patterns)]
}

/** A known pattern is described in words; the page of a schema also shows the original. */
type Patterns = 'in-words' | 'as-written'

function constraints(schema: SchemaObject, patterns: Patterns): readonly Html[] {
  const facts: Html[] = []
  const tell = (value: unknown, words: (value: never) => Html) => {
    if (value !== undefined) facts.push(words(value as never))
  }
  const known = schema.pattern === undefined ? undefined : patternWords(schema.pattern)
  tell(known, (words: string) => html`${words}`)
  tell(schema.format, (format: string) => html`format ${format}`)
  if (known === undefined || patterns === 'as-written')
    tell(schema.pattern, (pattern: string) => html`matches <code>${pattern}</code>`)
  tell(range(schema.minLength, schema.maxLength, 'character'), (words: string) => html`${words}`)
  tell(range(schema.minItems, schema.maxItems, 'item'), (words: string) => html`${words}`)
  tell(range(schema.minProperties, schema.maxProperties, 'property'), (words) => html`${words}`)
  tell(schema.minimum, (least: number) => html`at least ${least}`)
  tell(schema.exclusiveMinimum, (least: number) => html`more than ${least}`)
  tell(schema.maximum, (most: number) => html`at most ${most}`)
  tell(schema.exclusiveMaximum, (most: number) => html`less than ${most}`)
  tell(schema.multipleOf, (step: number) => html`a multiple of ${step}`)
  if (schema.uniqueItems) facts.push(html`no item twice`)
  if (schema.additionalProperties === false) facts.push(html`no other properties`)
  if (schema.unevaluatedProperties === false) facts.push(html`no properties but these`)
  if (schema.unevaluatedItems === false) facts.push(html`no items but these`)
  if (schema.prefixItems && schema.items === false) facts.push(html`no further items`)
  tell(schema.dependentRequired, (rows: Readonly<Record<string, readonly string[]>>) => {
    const words = Object.entries(rows).map(
      ([key, needed]) => html`<code>${key}</code> needs ${codes(needed)}`,
    )
    return html`${separated(words, '; ')}`
  })
  tell(schema['x-same-as'], (name: string) => html`the same value as <code>${name}</code>`)
  if ('default' in schema) facts.push(html`default <code>${jsonText(schema.default)}</code>`)
  if (schema.readOnly) facts.push(html`in answers only`)
  if (schema.writeOnly) facts.push(html`in requests only`)
  if (schema.deprecated) facts.push(html`deprecated`)
  return facts
}

/**
 * A pattern of hexadecimal text in words: `hex quantity, 64 bit` for `^0x(0|[1-9a-f][0-9a-f]{0,15})$`, `hex, 20 bytes` for
 * `^0x[0-9a-fA-F]{40}$`. Undefined for other patterns.
 */
export function patternWords(pattern: string): string | undefined {
  const short = pattern
    .replace(/\[(?:0-9|a-f|A-F|\\d|,)+\]/g, (set) => (set.includes('a-f') ? 'h' : set))
    .replace(/\[(?:1-9|a-f|A-F|,)+\]\+?/g, (set) => (set.includes('a-f') ? 'n' : set))
  const bounded = /^\^0x\((?:0\|nh\{0,(\d+)\}|nh\{0,(\d+)\}\|0)\)\$$/.exec(short)
  if (bounded) return `hex quantity, ${(Number(bounded[1] ?? bounded[2]) + 1) * 4} bit`
  if (/^\^0x\((?:0\|nh\*|nh\*\|0)\)\$$/.test(short)) return 'hex quantity'
  const fixed = /^\^(0x)?h\{(0,)?(\d+)\}\$$/.exec(short)
  if (fixed && Number(fixed[3]) % 2 === 0) {
    const bytes = Number(fixed[3]) / 2
    const count = `${fixed[2] ? 'at most ' : ''}${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
    return fixed[1] ? `hex, ${count}` : `hex without 0x, ${count}`
  }
  return /^\^0x(?:h\*|\(h\{2\}\)\*|\(\?:h\{2\}\)\*)\$$/.test(short) ? 'hex bytes' : undefined
}

/** The enumerated values; null is omitted, because it is part of the type. */
function allowedValues(schema: SchemaObject): Html | undefined {
  if ('const' in schema)
    return schema.const === null ? undefined : html`always <code>${jsonText(schema.const)}</code>`
  const values = schema.enum?.filter((value) => value !== null) ?? []
  if (values.length === 0) return undefined
  const all = schema.type === undefined ? (schema.enum ?? []) : values
  return html`one of ${codes(all.map((value) => jsonText(value)))}`
}

export const codes = (names: readonly string[]): HtmlContent =>
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
