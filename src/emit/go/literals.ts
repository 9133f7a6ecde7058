import { isObject } from '../../model/json.js'
import { goString } from '../../text/escape.js'
import { FILE_TEXT, SAMPLE_FILE } from '../languages/call-values.js'
import { goIndented } from './layout.js'
import type { GoField, GoShape, GoType } from './type-forms.js'

/** What a literal needs: the name of the package, and how its types are written. */
export type LiteralContext = {
  readonly name: string
  readonly shapes: ReadonlyMap<string, GoShape>
}

/** A value of JSON as an expression of a type of the package; undefined if the type does not have the value. */
export const goLiteral = (
  value: unknown,
  type: string,
  context: LiteralContext,
): string | undefined => {
  const pointed = type.startsWith('*') ? type.slice(1) : undefined
  const optional = /^Null\[(.*)\]$/s.exec(type)?.[1]
  const item = type.startsWith('[]') ? type.slice(2) : undefined
  const member = type.startsWith('map[string]') ? type.slice('map[string]'.length) : undefined
  const head = qualified(type, context)
  if (optional !== undefined) {
    if (value === null) return `${context.name}.NullValue[${qualified(optional, context)}]()`
    // The type of a value says nothing of the interface that it is for.
    return context.shapes.get(optional)?.kind === 'union'
      ? wrap(
          `${context.name}.NullOf[${qualified(optional, context)}]`,
          goLiteral(value, optional, context),
        )
      : wrap(`${context.name}.NullOf`, typed(value, optional, context))
  }
  if (pointed !== undefined) {
    if (value === null) return 'nil'
    const made = typed(value, pointed, context)
    return made?.startsWith(`${qualified(pointed, context)}{`) ? `&${made}` : wrap('new', made)
  }
  if (item !== undefined) return value === null ? 'nil' : list(value, item, head, context)
  if (member !== undefined) return value === null ? 'nil' : map(value, member, head, context)
  if (type === 'any') return anyLiteral(value, context)
  if (type === 'io.Reader')
    return value === SAMPLE_FILE ? `strings.NewReader(${goString(FILE_TEXT)})` : undefined
  return scalarLiteral(value, type, context) ?? declared(value, type, context)
}

/** Types of the package, with its name before them. */
export const qualified = (type: string, { name }: LiteralContext): string =>
  type.replace(/(?<![\p{L}\p{Nd}_.])(?=\p{Lu})/gu, `${name}.`)

const wrap = (outer: string, inner: string | undefined): string | undefined =>
  inner === undefined ? undefined : `${outer}(${inner})`

/** A literal that has its type without a place that says it. */
const typed = (value: unknown, type: string, context: LiteralContext): string | undefined => {
  const made = goLiteral(value, type, context)
  const isConstant = made !== undefined && /^("|-?\d|true$|false$)/.test(made)
  if (!isConstant || type === 'string' || type === 'bool') return made
  if (type === 'float64' && /[.e]/.test(made)) return made
  return `${qualified(type, context)}(${made})`
}

const scalarLiteral = (
  value: unknown,
  type: string,
  { name }: LiteralContext,
): string | undefined => {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value)
  if (type === 'string') return typeof value === 'string' ? goString(value) : undefined
  if (type === 'bool') return typeof value === 'boolean' ? String(value) : undefined
  if (type === 'int64') return isWhole ? String(value) : undefined
  if (type === 'float64') return typeof value === 'number' || isWhole ? String(value) : undefined
  if (type !== 'json.Number' || !(isWhole || typeof value === 'number')) return undefined
  return Number.isSafeInteger(value)
    ? `${name}.Int(${value})`
    : `json.Number(${goString(String(value))})`
}

/** A value that `encoding/json` writes as it is. */
const anyLiteral = (value: unknown, context: LiteralContext): string => {
  if (value === null || value === undefined) return 'nil'
  if (typeof value === 'string') return goString(value)
  if (typeof value === 'bigint') return `json.Number(${goString(String(value))})`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === SAMPLE_FILE) return `strings.NewReader(${goString(FILE_TEXT)})`
  return Array.isArray(value)
    ? (list(value, 'any', '[]any', context) ?? 'nil')
    : (map(value, 'any', 'map[string]any', context) ?? 'nil')
}

const list = (
  value: unknown,
  item: string,
  head: string,
  context: LiteralContext,
): string | undefined => {
  if (!Array.isArray(value)) return undefined
  const items = value.map((one) => goLiteral(one, item, context))
  return composite(
    head,
    items.map((one) => one && { value: one }),
  )
}

const map = (
  value: unknown,
  member: string,
  head: string,
  context: LiteralContext,
): string | undefined => {
  if (!isObject(value)) return undefined
  const members = Object.entries(value).map(([key, one]) => {
    const made = goLiteral(one, member, context)
    return made && { key: `${goString(key)}:`, value: made }
  })
  return composite(head, members)
}

const declared = (value: unknown, type: string, context: LiteralContext): string | undefined => {
  const shape = context.shapes.get(type)
  if (shape === undefined) return undefined
  if (shape.kind === 'struct') return struct(value, type, shape, context)
  if (shape.kind === 'union') {
    if (value === null) return 'nil'
    for (const one of shape.members) {
      const made = memberLiteral(value, one, context)
      if (made !== undefined) return made
    }
    return undefined
  }
  const { of } = shape
  // A list or a map of a declared type has its name.
  if (of.startsWith('[]'))
    return value === null ? 'nil' : list(value, of.slice(2), qualified(type, context), context)
  if (of.startsWith('map[string]'))
    return value === null
      ? 'nil'
      : map(value, of.slice('map[string]'.length), qualified(type, context), context)
  return goLiteral(value, of, context)
}

const memberLiteral = (
  value: unknown,
  { text, holds }: GoType,
  context: LiteralContext,
): string | undefined => {
  if (holds !== 'struct') {
    const made = typed(value, text, context)
    // A number of JSON is a constant in no place.
    return made?.startsWith(`${context.name}.Int(`) || made?.startsWith('json.Number(')
      ? `${qualified(text, context)}(${made})`
      : made
  }
  const shape = context.shapes.get(text)
  if (shape?.kind !== 'struct' || !isObject(value) || !isOf(value, shape.fields)) return undefined
  const made = struct(value, text, shape, context)
  return made && `&${made}`
}

/** Whether an object has all that a member of a union requires. */
const isOf = (
  value: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, GoField>,
): boolean =>
  [...fields].every(([key, { isRequired, values }]) =>
    Object.hasOwn(value, key) ? values === undefined || values.includes(value[key]) : !isRequired,
  )

const struct = (
  value: unknown,
  type: string,
  { fields, others }: Extract<GoShape, { kind: 'struct' }>,
  context: LiteralContext,
): string | undefined => {
  if (!isObject(value)) return undefined
  const members: (Row | '' | undefined)[] = []
  const further: Record<string, unknown> = {}
  for (const [key, one] of Object.entries(value)) {
    const field = fields.get(key)
    if (field === undefined) {
      if (others === undefined) return undefined
      further[key] = one
      continue
    }
    const made = goLiteral(one, field.type, context)
    members.push(made && { key: `${field.name}:`, value: made })
  }
  if (Object.keys(further).length > 0) {
    const head = `map[string]${qualified(others ?? 'any', context)}`
    const made = map(further, others ?? 'any', head, context)
    members.push(made && { key: 'Others:', value: made })
  }
  return composite(qualified(type, context), members)
}

type Row = { readonly key?: string; readonly value: string }

/** A composite literal as gofmt writes it: on one line if it is short, else with values aligned; undefined if a member is. */
const composite = (
  head: string,
  members: readonly (Row | '' | undefined)[],
): string | undefined => {
  const rows: Row[] = []
  for (const one of members) {
    if (!one) return undefined
    rows.push(one)
  }
  const flat = `${head}{${rows.map(({ key, value }) => (key ? `${key} ${value}` : value)).join(', ')}}`
  if (flat.length <= WIDTH && !flat.includes('\n')) return flat
  const isMany = ({ value }: Row) => value.includes('\n')
  const lines = rows.map((row, at) => {
    const { key, value } = row
    if (!key) return `${value},`
    let [from, to] = [at, at]
    // Values of neighbouring lines are aligned.
    while (!isMany(row) && from > 0 && !isMany(rows[from - 1] as Row)) from--
    while (!isMany(row) && to + 1 < rows.length && !isMany(rows[to + 1] as Row)) to++
    const widths = rows.slice(from, to + 1).map((one) => [...(one.key ?? '')].length)
    return `${key.padEnd(Math.max(...widths))} ${value},`
  })
  return `${head}{\n${goIndented(lines.join('\n'))}\n}`
}

/** Characters of a literal on one line. */
const WIDTH = 72
