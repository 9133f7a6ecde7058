import { pointerOf } from '../../runtime/shared/pointer.js'
import { boundsOf } from '../../schema/bounds.js'
import {
  declaredPlaces,
  isMarkedOnPath,
  placesOf,
  type SchemaPlace,
  valueAtPath,
  withValueAt,
} from '../../schema/places.js'
import { type Making, samplesOf } from '../../schema/random.js'
import type { MakeValues } from '../../schema/scalar-bounds.js'
import type { Schema, SchemaObject } from '../../schema/schema.js'

/** A value of a whole request that is valid, or invalid in one place; this is verified. */
export type Trial = {
  readonly side: 'valid' | 'invalid'
  readonly value: unknown
  readonly keyword: string
  /** The pointer of the schema with the keyword, from the outermost, references followed. */
  readonly pointer: string
  /** The changed place, as a JSON pointer into the value. */
  readonly at: string
  /** The change in a few words: `one character too many`. */
  readonly note: string
  /** The note without names of the document, if it has some. */
  readonly mutation?: string
  /** The value is a list with one item more than its schema declares. */
  readonly isSurplus?: true
  /** The changed place is in a `readOnly` property, which a server ignores or rejects. */
  readonly isReadOnly?: true
}

/** The inputs for making and checking the trials of a schema. */
export type Bounding = {
  readonly making: Making
  /** Valid values to start from, the best first; if empty, values are generated. */
  readonly bases: readonly unknown[]
  /** Whether a value is valid; by default, whether the schema accepts it. */
  readonly accepts?: ((value: unknown) => boolean) | undefined
  /** Whether a value is invalid, if that is not the opposite of `accepts`: a text with several readings may be neither. */
  readonly rejects?: ((value: unknown) => boolean) | undefined
}

/** For each keyword at each place of a schema, values at its bound and just beyond it; the same in each run. */
export const trialsOf = (schema: Schema, bounding: Bounding): readonly Trial[] => {
  const found = new Map<string, Trial>()
  const met = new Set<SchemaObject>()
  for (const place of placesOf(schema, bounding.bases, bounding.making)) {
    const counts = new Map<string, number>()
    for (const trial of trialsAt(place, schema, bounding)) {
      const kind = `${trial.side} ${trial.keyword}`
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      // The schema was tested fully at another place, so a few values suffice to test whether it is validated here.
      if (met.has(place.schema) && count > REPEATED) continue
      const key = `${kind} ${trial.pointer} ${JSON.stringify(trial.value)}`
      if (!found.has(key)) found.set(key, trial)
    }
    met.add(place.schema)
  }
  return [...found.values()]
}

const REPEATED = 2

/**
 * A trial that breaks one keyword of an existing value; `choice`, any natural number, selects the keyword. Undefined if nothing
 * can be broken.
 */
export const breakageOf = (
  schema: Schema,
  value: unknown,
  bounding: Bounding,
  choice: number,
): Trial | undefined => {
  const places = [...placesOf(schema, [value], bounding.making, () => [])]
  const from = choice % Math.max(1, places.length)
  // The other places are skipped, because their values are costly to make and none is sent.
  for (const place of [...places.slice(from), ...places.slice(0, from)]) {
    const broken = [...trialsAt(place, schema, bounding, 'invalid')]
    if (broken.length > 0) return broken[Math.floor(choice / places.length) % broken.length]
  }
  return undefined
}

/** `/properties/to pattern`: the names in coverage of all keywords that values can test. */
export const declaredKeywords = (schema: Schema, schemas: Making['schemas']): readonly string[] =>
  [...declaredPlaces(schema, schemas)]
    // What a server may ignore cannot be tested.
    .filter(({ isReadOnly }) => !isReadOnly)
    .flatMap(({ pointer, schema: own }) =>
      keywordsOf(own).map((keyword) => `${pointer} ${keyword}`.trimStart()),
    )

const keywordsOf = (schema: SchemaObject): readonly string[] =>
  Object.keys(schema).filter((keyword) => {
    if (keyword === 'additionalProperties' || keyword === 'items') return schema[keyword] === false
    return TRIED.has(keyword)
  })

const TRIED = new Set(
  `type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern
  contains maxItems minItems uniqueItems maxProperties minProperties required propertyNames
  dependentRequired anyOf oneOf not`.split(/\s+/),
)

function* trialsAt(
  place: SchemaPlace,
  root: Schema,
  bounding: Bounding,
  only?: Trial['side'],
): Generator<Trial> {
  const { making } = bounding
  const accepts = bounding.accepts ?? making.checker.schema(root).check
  const rejects = bounding.rejects ?? ((value: unknown) => !accepts(value))
  const fits = making.checker.schema(place.schema).check
  const make: MakeValues = (schema) => samplesOf(schema, making)
  const [first] = place.bases
  const at = pointerOf(...place.path)
  const mark = isMarkedOnPath(root, place.path, 'readOnly', making.schemas)
    ? { isReadOnly: true as const }
    : {}
  const seen = new Set<string>()
  const there = valueAtPath(first, place.path)
  // The longest example says most about the allowed length.
  const from = typeof there === 'string' ? longestText(place) : there
  for (const bound of boundsOf(from, place.schema, fits, make)) {
    if (only !== undefined && bound.side !== only) continue
    // Another base may work if the first does not: another form may accept a value that this one rejects.
    const { fallback, ...one } = bound
    const values = fallback === undefined ? [bound.value] : [bound.value, fallback]
    const starts = values.flatMap((own) =>
      place.bases.slice(0, 4).map((base) => [base, own] as const),
    )
    for (const [base, own] of starts) {
      const value = withValueAt(base, place.path, own)
      if (!(bound.side === 'valid' ? accepts(value) : rejects(value))) continue
      // A value that only breaks the schema elsewhere does not test this place.
      if (bound.side === 'invalid' && fits(valueAtPath(value, place.path)) && place.path.length > 0)
        break
      const text = `${bound.keyword} ${bound.side} ${JSON.stringify(value)}`
      if (!seen.has(text)) yield { ...one, value, pointer: place.pointer, at, ...mark }
      seen.add(text)
      break
    }
  }
}

const longestText = ({ bases, path }: SchemaPlace): unknown =>
  bases
    .map((base) => valueAtPath(base, path))
    .filter((value) => typeof value === 'string')
    .reduce((longest, text) => (text.length > longest.length && text.length < 300 ? text : longest))
