import { isIPv4, isIPv6 } from 'node:net'
import type { Api } from '../../model/api.js'
import { pointerStep } from '../../runtime/shared/pointer.js'
import { referredName, type Schema } from '../../schema/schema.js'

export type Misformed = { readonly pointer: string; readonly format: string; readonly text: string }

/**
 * Texts that are certainly not of the format that their schema names (OpenAPI Format Registry). A format is an annotation, so that
 * a validator lets all pass; here only what every reader of such a format stumbles over is found, where no branch of a schema
 * could mean another text.
 */
export const misformed = (
  api: Pick<Api, 'schemas'>,
  schema: Schema,
  value: unknown,
): readonly Misformed[] => {
  const found: Misformed[] = []
  const left: Visit[] = [{ schema, value, pointer: '', seen: new Set() }]
  for (let visited = 0; visited < MOST && found.length < MOST_FOUND; visited++) {
    const visit = left.pop()
    if (!visit) break
    const { schema: one, value: part, pointer, seen } = visit
    if (typeof one === 'boolean' || seen.has(one)) continue
    const here = { value: part, pointer, seen: new Set([...seen, one]) }
    const name = referredName(one)
    const named = name === undefined ? undefined : api.schemas.get(name)?.schema
    // What always holds of the value, and no alternative of anyOf, oneOf or if.
    for (const all of [...(named === undefined ? [] : [named]), ...(one.allOf ?? [])])
      left.push({ ...here, schema: all })
    const { format } = one
    if (typeof part === 'string' && typeof format === 'string') {
      const holds = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
      if (holds && !holds(part)) found.push({ pointer, format, text: part })
    }
    left.push(...partsOf(one, part, pointer))
  }
  return found
}

type Visit = {
  readonly schema: Schema
  readonly value: unknown
  readonly pointer: string
  readonly seen: ReadonlySet<Schema>
}

const MOST = 20_000
const MOST_FOUND = 10

const partsOf = (schema: Exclude<Schema, boolean>, value: unknown, pointer: string): Visit[] => {
  const seen = new Set<Schema>()
  if (Array.isArray(value)) {
    const { prefixItems = [], items } = schema
    return value.flatMap((part: unknown, index) => {
      const own = prefixItems[index] ?? items
      return own === undefined
        ? []
        : [{ schema: own, value: part, pointer: `${pointer}/${index}`, seen }]
    })
  }
  if (typeof value !== 'object' || value === null) return []
  const { properties = {} } = schema
  return Object.entries(value).flatMap(([name, part]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    return own === undefined
      ? []
      : [{ schema: own, value: part, pointer: pointer + pointerStep(name), seen }]
  })
}

const isDate = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined) return false
  const at = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** RFC 3339, 5.6, a leap second among them. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': (text) =>
    isDate(text.slice(0, 10)) && /^[Tt ]/.test(text[10] ?? '') && TIME.test(text.slice(11)),
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  email: (text) => /^.+@.+$/s.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  uri: (text) => /^[a-z][a-z\d+.-]*:\S*$/i.test(text),
}
