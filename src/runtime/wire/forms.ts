import type { FieldEncoding, FormEncoding } from '../operation.js'
import { cached } from '../shared/cached.js'
import { codecOf } from '../shared/codecs.js'
import type { BigintTerms } from '../shared/exact-integers.js'
import { pointerStep, segmentsOf } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { type Field, isDeepField, readDeep } from './deep-object.js'
import { explainFaults, MOST_FAULTS } from './faults.js'
import {
  decodeQuery,
  type Fitted,
  fitReading,
  readMedia,
  readQuery,
  readStyled,
  TYPING,
} from './readings.js'

/** The fields of a url-encoded body, converted by its schema, or their errors. Throws URIError for invalid percent-encoding. */
export const readUrlEncoded = (
  text: string,
  validator: Validator | undefined,
  { encodings = {}, ...terms }: FormTerms = {},
): FittedFields => {
  // URLSearchParams reads invalid encoding as other text.
  if (text.includes('%')) decodeURIComponent(text)
  const fields = [...new URLSearchParams(text)]
  // In a delimited list, only delimiters that are not encoded separate items.
  const raw = new Map(readQuery(text).map((pair) => [pair.name, pair.raw]))
  const delimited = (name: string, encoding: FieldEncoding) =>
    styled(name, raw.get(name) ?? '', encoding, decodeQuery)
  return readFields(readingsOf(fields, encodings, delimited), validator, terms)
}

/** The fields, or their errors. `written` is the fields before their texts were converted; `json` are those that were JSON. */
export type FittedFields = Fitted & { readonly json: ReadonlySet<string> }

/** The same for the texts of a multipart body, with a text instead of each file. */
export const readParts = (
  parts: readonly Part[],
  validator: Validator | undefined,
  { encodings = {}, ...terms }: FormTerms = {},
): FittedFields => {
  const groups = new Map<string, Part[]>()
  for (const part of parts) cached(groups, part.name, () => []).push(part)
  const fields = parts.map(({ name, text }): Field => [name, text])
  const delimited = (name: string, encoding: FieldEncoding) =>
    styled(name, groups.get(name)?.[0]?.text ?? '', encoding, (text) => text)
  const readings = readingsOf(fields, encodings, delimited)
  for (const [name, [part, ...others]] of groups) {
    if (part?.type === undefined || others.length > 0 || codecOf(part.type) !== 'json') continue
    const { ways = [] } = readings.get(name) ?? {}
    readings.set(name, { ways: [...readMedia(part.text), ...ways], isJson: true })
  }
  return readFields(readings, validator, terms)
}

export type FormTerms = {
  readonly encodings?: FormEncoding | undefined
  readonly bigints?: BigintTerms | undefined
  /** The maximum number of faults; by default one more than a response lists. */
  readonly mostFaults?: number
}

type Part = { readonly name: string; readonly text: string; readonly type: string | undefined }

/** The possible values of a field, most likely first. A deep one consists of several fields, so it is not an item of a list. */
type Reading = {
  readonly ways: readonly unknown[]
  readonly isDeep?: true
  /** The first value is JSON, by a media type. */
  readonly isJson?: true
}

const readingsOf = (
  fields: readonly Field[],
  encodings: FormEncoding,
  delimited: (name: string, encoding: FieldEncoding) => readonly unknown[],
): Map<string, Reading> => {
  const readings = new Map<string, Reading>()
  const claimed: string[] = []
  for (const [name, { style }] of Object.entries(encodings)) {
    const ways = style === 'deepObject' ? readDeep(name, fields) : []
    if (ways.length === 0) continue
    readings.set(name, { ways, isDeep: true })
    claimed.push(name)
  }
  const texts = new Map<string, string[]>()
  for (const [name, text] of fields)
    if (!claimed.some((one) => isDeepField(one, name))) cached(texts, name, () => []).push(text)
  for (const [name, all] of texts) {
    const [first = ''] = all
    const encoding = encodings[name] ?? {}
    const isJoined = encoding.style !== undefined && encoding.explode === false && all.length === 1
    if (isJoined) readings.set(name, { ways: delimited(name, encoding) })
    else if (all.length > 1) readings.set(name, { ways: [all] })
    else if (codecOf(encoding.contentType ?? '') === 'json')
      readings.set(name, { ways: [...readMedia(first), first], isJson: true })
    else readings.set(name, { ways: [first] })
  }
  return readings
}

const styled = (
  name: string,
  raw: string,
  { style = 'form', explode = false }: FieldEncoding,
  decode: (raw: string) => string,
): readonly unknown[] =>
  readStyled({ name, in: 'query', required: false, style, explode }, raw, decode)

const readFields = (
  readings: ReadonlyMap<string, Reading>,
  validator: Validator | undefined,
  { bigints, mostFaults = MOST_FAULTS + 1 }: FormTerms,
): FittedFields => {
  const left = new Map([...readings].map(([name, { ways }]) => [name, ways.slice(1)]))
  let fields: Fields = Object.fromEntries([...readings].map(([name, { ways }]) => [name, ways[0]]))
  // A list of one object takes two rounds: first it is parsed as JSON, then it becomes a list.
  let rounds = 2
  for (const { ways } of readings.values()) rounds = Math.max(rounds, ways.length + 1)
  const exact = new Set(
    [...readings].flatMap(([name, one]) => (one.isJson ? [pointerStep(name)] : [])),
  )
  const isExact = (pointer: string) => exact.has(`/${pointer.split('/')[1]}`)
  for (;;) {
    const fitted = fitReading([fields], validator, bigints, isExact, mostFaults)
    // Each field of a wrong type has a fault, of which `reshape` needs all.
    const faultsOf = ({ faults, nearest }: Extract<Fitted, { faults: unknown }>) =>
      validator === undefined || faults.length < mostFaults
        ? faults
        : explainFaults(validator, nearest, Number.POSITIVE_INFINITY)
    const reshaped =
      'faults' in fitted && rounds > 0
        ? reshape(fields, faultsOf(fitted), { left, readings, exact })
        : undefined
    if (reshaped === undefined) return { ...fitted, json: new Set(segmentsOf([...exact].join(''))) }
    fields = reshaped
    rounds -= 1
  }
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Converts the fields of a wrong type to their next possible value: their text as JSON, then a list of one. Undefined if none
 * of them has another value.
 */
const reshape = (
  fields: Fields,
  faults: readonly Fault[],
  {
    left,
    readings,
    exact,
  }: {
    readonly left: Map<string, unknown[]>
    readonly readings: ReadonlyMap<string, Reading>
    /** Pointers of fields that are read as JSON. */
    readonly exact: Set<string>
  },
): Fields | undefined => {
  const wrong = new Set(
    faults.filter(({ keyword }) => TYPING.has(keyword)).map(({ pointer }) => pointer),
  )
  const wrongFields = new Set([...wrong].map((pointer) => `/${pointer.split('/')[1]}`))
  let hasChanged = false
  const next = Object.entries(fields).map(([name, value]) => {
    const at = pointerStep(name)
    if (!wrongFields.has(at)) return [name, value]
    // A list with wrong items is the right shape.
    const isList = Array.isArray(value) && !wrong.has(at)
    const others = isList ? undefined : left.get(name)
    if (others !== undefined && others.length > 0) {
      exact.delete(at)
      hasChanged = true
      return [name, others.shift()]
    }
    if (Array.isArray(value)) {
      const items = value.map((item, index) => (wrong.has(`${at}/${index}`) ? parse(item) : item))
      if (items.some((item, index) => item !== value[index])) hasChanged = true
      return [name, items]
    }
    if (!wrong.has(at) || readings.get(name)?.isDeep) return [name, value]
    hasChanged = true
    const parsed = parse(value)
    if (parsed === value) return [name, [value]]
    if (readings.get(name)?.isJson) exact.add(at)
    return [name, parsed]
  })
  return hasChanged ? Object.fromEntries(next) : undefined
}

/** OpenAPI 3.0.3, "Support for x-www-form-urlencoded Request Bodies": a complex value is JSON. */
const parse = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? readMedia(value)[0] : value
