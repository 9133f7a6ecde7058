import type { HttpOperation } from '../../model/api.js'
import { fieldSchemas, filesIn } from '../../model/form-encoding.js'
import type { MediaType } from '../../model/http-content.js'
import { codecOf, holdsFields } from '../../runtime/shared/codecs.js'
import { isObject } from '../../runtime/validate/json-value.js'
import type { Plan, VariedInput } from '../case.js'
import { bytesOf } from '../values/bodies.js'
import { type HttpValues, writeHttp } from '../wire/write-request.js'

/** The forms of an operation as values that can be varied; each file is a text. */
export const formInputs = (
  operation: HttpOperation,
  { api: { schemas }, target, checker }: Plan,
  parameters: NonNullable<HttpValues['parameters']>,
): readonly VariedInput[] =>
  (operation.body?.content ?? []).flatMap((media): readonly VariedInput[] => {
    const { type, codec, schema, examples } = media
    const shown = examples.map(({ value }) => value).filter(isObject)
    if (!holdsFields(codec) || shown.length === 0) return []
    const { check } = checker.schema(schema)
    const files = new Set(filesIn(schema, schemas))
    const properties = fieldSchemas(schema, schemas)
    const asShown = mapped((name, value) => (files.has(name) ? textOf(value) : value))
    const bases = shown.map(asShown).filter(check)
    /** The value as the most lenient server reads it; `undefined` if only the encoding decides what a field means. */
    const atBest = (value: Fields): Fields | undefined => {
      const read = mapped((name, one) => {
        const fits = (properties.get(name) ?? []).map((own) => checker.schema(own).check)
        const fitsAll = (read: unknown) => fits.every((accepts) => accepts(read))
        // This field is a file, whatever it contains, and several are a list.
        if (files.has(name)) {
          const list = [one].flat().map(() => FILE)
          return list.length === 1 && fitsAll(FILE) ? FILE : list
        }
        if (isJsonField(media, name)) return one
        if (typeof one === 'object') return undefined
        const readings = readingsOf(String(one))
        const whole = readings.find(fitsAll)
        if (whole !== undefined) return whole
        // Branches that read the text in different ways may each accept the form.
        const [first, ...others] = new Set(fits.map((accepts) => readings.find(accepts) ?? one))
        return others.length === 0 ? first : undefined
      })(value)
      return Object.values(read).includes(undefined) ? undefined : read
    }
    const write = (value: Fields) => {
      const body = {
        type,
        value: mapped((name, one) => (files.has(name) ? bytesOf(one) : one))(value),
      }
      return writeHttp(operation, { parameters, body }, target)
    }
    return [
      {
        ...{ operation, part: `body ${type}`, schema, bases, isRequired: false },
        accepts: (value) => isObject(value) && areSent(value) && check(value),
        rejects: (value) => {
          const best = isObject(value) && areSent(value) ? atBest(value) : undefined
          // Of overlapping branches, one may accept the form only where a field stays a text.
          return best !== undefined && !check(best) && !check(mapped(asText)(best))
        },
        write: (value) => (isObject(value) ? write(value) : undefined),
      },
    ]
  })

type Fields = Readonly<Record<string, unknown>>

const FILE = 'file'

const mapped =
  (change: (name: string, value: unknown) => unknown) =>
  (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)]))

const asText = (_: string, value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value

const textOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(textOf) : value instanceof Uint8Array ? FILE : value

/** A form cannot contain null or an empty list: the field or item is omitted. */
const areSent = (fields: Fields): boolean =>
  Object.values(fields).every((value) => {
    const items = Array.isArray(value) ? value : [value]
    return items.length > 0 && items.every((item) => item !== null && item !== undefined)
  })

const isJsonField = ({ encodings }: MediaType, name: string): boolean =>
  codecOf(encodings.find(({ property }) => property === name)?.contentType ?? '') === 'json'

/** The possible values of a text in a form: itself, a number, a boolean, null, a list. */
export const readingsOf = (text: string): readonly unknown[] => {
  return [...scalarReadings(text), ...listReadings(text.split(','))]
}

/** The possible values of a list of texts: each item may be read in its own way. */
export const listReadings = (texts: readonly string[]): readonly (readonly unknown[])[] => {
  const all = texts.map(scalarReadings)
  // Of a long list, all items are read in the same way.
  if (texts.length > MOST_MIXED) return [texts, all.map((own) => own.at(-1))]
  return all.reduce<readonly (readonly unknown[])[]>(
    (lists, own) => lists.flatMap((list) => own.map((one) => [...list, one])),
    [[]],
  )
}

const MOST_MIXED = 6

const scalarReadings = (text: string): readonly unknown[] => [text, ...otherThanText(text)]

const otherThanText = (text: string): readonly unknown[] => {
  if (text === 'true' || text === 'false') return [text === 'true']
  if (text === 'null' || text === '') return [null]
  return text.trim() !== '' && Number.isFinite(Number(text)) ? [Number(text)] : []
}
