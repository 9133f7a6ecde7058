import type { FieldEncoding, FormEncoding } from '../operation.js'
import { type Field, readDeep } from '../shared/deep-object.js'
import type { BigintTerms } from '../shared/exact-integers.js'
import { isJson } from '../shared/media-type.js'
import { pointerStep } from '../shared/pointer.js'
import type { Fault, Validator } from '../validate.js'
import { decodeQuery, fitReading, readMedia, readQuery, readStyled } from './readings.js'

/** The fields of a url-encoded body, as its schema reads them, or what is wrong with them. */
export const readUrlEncoded = (
  text: string,
  validator: Validator | undefined,
  { encodings = {}, bigints }: FormTerms = {},
): ReturnType<typeof fitReading> => {
  const fields = [...new URLSearchParams(text)]
  // Where items are joined by a delimiter, only what was not encoded separates them.
  const raw = new Map(readQuery(text).map((pair) => [pair.name, pair.raw]))
  const delimited = (name: string, encoding: FieldEncoding) =>
    styled(name, raw.get(name) ?? '', encoding, decodeQuery)
  return readFields(readingsOf(fields, encodings, delimited), validator, bigints)
}

/** The same of the texts of a multipart body, with a text in the place of each file. */
export const readParts = (
  parts: readonly Part[],
  validator: Validator | undefined,
  { encodings = {}, bigints }: FormTerms = {},
): ReturnType<typeof fitReading> => {
  const fields = parts.map(({ name, text }): Field => [name, text])
  const delimited = (name: string, encoding: FieldEncoding) =>
    styled(name, parts.find((one) => one.name === name)?.text ?? '', encoding, (text) => text)
  const readings = new Map(readingsOf(fields, encodings, delimited))
  for (const { name, text, type } of parts) {
    const isAlone = parts.filter((one) => one.name === name).length === 1
    if (isAlone && type !== undefined && isJson(type))
      readings.set(name, [...readMedia(text), ...(readings.get(name) ?? [])])
  }
  return readFields(readings, validator, bigints)
}

export type FormTerms = {
  readonly encodings?: FormEncoding | undefined
  readonly bigints?: BigintTerms | undefined
}

type Part = { readonly name: string; readonly text: string; readonly type: string | undefined }

/** What each field can mean, most likely first. */
type Readings = ReadonlyMap<string, readonly unknown[]>

const readingsOf = (
  fields: readonly Field[],
  encodings: FormEncoding,
  delimited: (name: string, encoding: FieldEncoding) => readonly unknown[],
): Readings => {
  const readings = new Map<string, readonly unknown[]>()
  const claimed: string[] = []
  for (const [name, { style }] of Object.entries(encodings)) {
    const deep = style === 'deepObject' ? readDeep(name, fields) : []
    if (deep.length === 0) continue
    readings.set(name, deep)
    claimed.push(`${name}[`)
  }
  const rest = fields.filter(([name]) => !claimed.some((start) => name.startsWith(start)))
  for (const name of new Set(rest.map(([one]) => one))) {
    const all = rest.flatMap(([one, text]) => (one === name ? [text] : []))
    const [first = ''] = all
    const encoding = encodings[name] ?? {}
    const isJoined = encoding.style !== undefined && encoding.explode === false && all.length === 1
    if (isJoined) readings.set(name, delimited(name, encoding))
    else if (all.length > 1) readings.set(name, [all])
    else
      readings.set(
        name,
        isJson(encoding.contentType ?? '') ? [...readMedia(first), first] : [first],
      )
  }
  return readings
}

const styled = (
  name: string,
  raw: string,
  { style = 'form', explode = false }: FieldEncoding,
  decode: (raw: string) => string,
): readonly unknown[] => {
  try {
    return readStyled({ name, in: 'query', required: false, style, explode }, raw, decode)
  } catch (error) {
    if (error instanceof URIError) return [raw]
    throw error
  }
}

const readFields = (
  readings: Readings,
  validator: Validator | undefined,
  bigints: BigintTerms | undefined,
): ReturnType<typeof fitReading> => {
  const left = new Map([...readings].map(([name, all]) => [name, all.slice(1)]))
  let fields: Fields = Object.fromEntries([...readings].map(([name, [first]]) => [name, first]))
  // A list of one record takes two rounds: it is JSON first, and then a list.
  let rounds = 2 + Math.max(0, ...[...readings.values()].map(({ length }) => length - 1))
  for (;;) {
    const fitted = fitReading([fields], validator, bigints)
    if ('value' in fitted || rounds === 0) return fitted
    fields = reshape(fields, fitted.faults, left)
    rounds -= 1
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Reads the fields of a wrong type in their next way: as the JSON that their text is, then as a list of one. */
const reshape = (
  fields: Fields,
  faults: readonly Fault[],
  left: Map<string, unknown[]>,
): Fields => {
  const wrong = new Set(
    faults.filter(({ keyword }) => TYPING.has(keyword)).map(({ pointer }) => pointer),
  )
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const at = pointerStep(name)
      const isWrong = wrong.has(at) || [...wrong].some((one) => one.startsWith(`${at}/`))
      const others = isWrong ? left.get(name) : undefined
      if (others !== undefined && others.length > 0) return [name, others.shift()]
      if (Array.isArray(value))
        return [
          name,
          value.map((item, index) => (wrong.has(`${at}/${index}`) ? parse(item) : item)),
        ]
      if (!wrong.has(at)) return [name, value]
      const parsed = parse(value)
      return [name, parsed === value ? [value] : parsed]
    }),
  )
}

const TYPING = new Set(['type', 'anyOf', 'oneOf'])

/** OpenAPI 3.0.3, "Support for x-www-form-urlencoded Request Bodies": a complex value is JSON. */
const parse = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? readMedia(value)[0] : value
