import { jsonText } from '../model/escape.js'
import { isObject } from '../model/json.js'
import { referredName, type Schema } from '../schema/schema.js'
import { type Html, html, type Printable, separated } from './html.js'
import { codes } from './schema-words.js'
import { type Page, schemaLink } from './site.js'

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
