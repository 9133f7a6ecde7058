import { dereference, type Schema, type Schemas } from '../../../schema/schema.js'
import { choice, element, PLAIN } from './element.js'

/** A field to enter a value, as JSON: a select for enumerated values, an input for strings and numbers, otherwise a text area. */
export function valueField(schema: Schema, schemas: Schemas): ValueField {
  const values = enumeratedValues(schema, schemas)
  if (values !== undefined) {
    const control = choice([['', '(none)'], ...values.map((value) => [value, value] as const)])
    return {
      control,
      read: () => control.value || undefined,
      write: (json = '') => (control.value = json),
    }
  }
  if (isOf(schema, schemas, ['string'])) {
    const control = element('input', { type: 'text', ...PLAIN })
    return {
      control,
      read: () => (control.value === '' ? undefined : JSON.stringify(control.value)),
      write: (json = '""') => (control.value = json.startsWith('"') ? JSON.parse(json) : json),
    }
  }
  const isNumber = isOf(schema, schemas, ['number', 'integer'])
  const control = isNumber
    ? element('input', { type: 'text', inputmode: 'decimal', ...PLAIN })
    : element('textarea', { rows: '2', placeholder: 'JSON', ...PLAIN })
  return {
    control,
    read: () => control.value.trim() || undefined,
    write: (json = '') => (control.value = json),
  }
}

export type ValueField = {
  readonly control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
  /** The value as JSON; undefined if it is empty. */
  readonly read: () => string | undefined
  readonly write: (json: string | undefined) => void
}

/** The enumerated values of a schema, each as JSON. */
export function enumeratedValues(schema: Schema, schemas: Schemas): readonly string[] | undefined {
  const own = nonNullOf(schema, schemas)
  if (own.type === 'boolean') return ['true', 'false']
  const values = 'const' in own ? [own.const] : own.enum
  return values?.map((value) => JSON.stringify(value))
}

/** Whether all values have one of these types; null branches are ignored. */
const isOf = (schema: Schema, schemas: Schemas, types: readonly string[]): boolean => {
  const { type, enum: values, ...own } = nonNullOf(schema, schemas)
  const branches = own.oneOf ?? own.anyOf
  if (type === undefined && branches) return branches.every((one) => isOf(one, schemas, types))
  const all = type === undefined ? (values ?? []).map((value) => typeof value) : [type].flat()
  return all.length > 0 && all.every((one) => types.includes(one))
}

/** The target of a schema, or its only branch other than null. */
function nonNullOf(schema: Schema, schemas: Schemas) {
  const own = dereference(schema, schemas)
  if (typeof own === 'boolean') return {}
  const branches = own.oneOf ?? own.anyOf
  const [only, ...more] = (branches ?? []).filter((one) => {
    const branch = dereference(one, schemas)
    return typeof branch === 'boolean' || (branch.const !== null && branch.type !== 'null')
  })
  if (only === undefined || more.length > 0 || own.type !== undefined) return own
  const inner = dereference(only, schemas)
  return typeof inner === 'boolean' ? {} : inner
}

/**
 * The members of a JSON object or list, unchanged, because a number may be too large to be represented. Undefined if the text is
 * neither.
 */
export function valueMembers(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
  } catch {
    return undefined
  }
  const isList = text.trim().startsWith('[')
  const raw: string[] = ['']
  let depth = 0
  for (const token of text.trim().slice(1, -1).match(TOKENS) ?? []) {
    if (depth === 0 && (token === ',' || (token === ':' && !isList))) {
      raw.push('')
      continue
    }
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
    raw[raw.length - 1] += token
  }
  const values = raw.map((one) => one.trim())
  if (values.length === 1 && values[0] === '') return { isList, members: new Map() }
  if (isList) return { isList, members: new Map(values.map((one, at) => [String(at), one])) }
  const pairs = values.flatMap((key, at): [string, string][] =>
    at % 2 === 0 ? [[JSON.parse(key), values[at + 1] ?? '']] : [],
  )
  return { isList, members: new Map(pairs) }
}

export type Members = {
  readonly isList: boolean
  /** Name, or index in the list -> JSON. */
  readonly members: ReadonlyMap<string, string>
}

const TOKENS = /"(?:\\.|[^"\\])*"?|[{}[\],:]|\s+|[^\s{}[\],:"]+/g

/** The JSON of members; gaps in a list become null. */
export function textOfMembers({ isList, members }: Members): string {
  const inside = isList
    ? Array.from(
        { length: 1 + Math.max(-1, ...[...members.keys()].map(Number)) },
        (_, at) => members.get(String(at)) ?? 'null',
      )
    : [...members].map(([name, json]) => `${JSON.stringify(name)}: ${json}`)
  const [open, close] = isList ? '[]' : '{}'
  return inside.length === 0 ? `${open}${close}` : `${open}\n  ${inside.join(',\n  ')}\n${close}`
}
