import type { Checks, Reading, SchemaKeywords, Validator, ValidatorSchema } from '../validate.js'

/** What a validator was made of; undefined for one that somebody wrote by hand. */
export const sourceOf = (validator: Validator): Source | undefined => sources.get(validator)

export type Source = {
  /** Gives the same schema at every call. */
  readonly schema: () => ValidatorSchema
  readonly reading: Reading
  /** Its checks, where they were written ahead of time. */
  readonly checks?: Checks | undefined
}

export const registerValidator = (validator: Validator, source: Source): void => {
  sources.set(validator, source)
}

/** A validator among schemas: no keyword is called `check`, and no keyword holds a function. */
export const isValidator = (schema: ValidatorSchema): schema is Validator =>
  typeof schema === 'object' && typeof (schema as Validator).check === 'function'

/** The reading in which a reference is followed: a validator opened by hand stays open. */
export const followReading = (source: Source, reading: Reading): Reading =>
  source.reading === 'open' ? 'open' : reading

/** The check that was written ahead of time, where one was. */
export const writtenCheck = (
  source: Source,
  reading: Reading,
): ((value: unknown) => boolean) | undefined =>
  followReading(source, reading) === 'open'
    ? (source.checks?.open ?? source.checks?.check)
    : source.checks?.check

/** The keywords behind references; undefined for boolean schemas, foreign validators and circles. */
export const keywordsOf = (schema: ValidatorSchema): SchemaKeywords | undefined => {
  let at: ValidatorSchema | undefined = schema
  for (let hops = 0; at !== undefined && hops < 100; hops++) {
    if (typeof at === 'boolean') return undefined
    if (!isValidator(at)) return at
    at = sources.get(at)?.schema()
  }
  return undefined
}

/** Whether the keyword closes the object, which the open reading ignores. */
export const isSkipped = (schema: ValidatorSchema | undefined, reading: Reading): boolean =>
  schema === undefined || (schema === false && reading === 'open')

const sources = new WeakMap<Validator, Source>()
