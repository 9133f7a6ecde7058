import { jsonText } from '../model/escape.js'
import type { Schema, SchemaObject } from '../schema/schema.js'
import { type Html, html, type Printable, separated } from './html.js'

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
