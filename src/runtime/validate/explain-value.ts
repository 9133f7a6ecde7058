import type {
  ExplainOptions,
  Reading,
  SchemaKeywords,
  Validator,
  ValidatorSchema,
} from '../validate.js'
import { shareAnswers } from './check-run.js'
import { pass } from './check-value.js'
import {
  atMost,
  type Complaint,
  type Complaints,
  complain,
  type Explain,
  inOrder,
  inside,
  type Place,
  root,
  toFault,
} from './complaint.js'
import { explainArray, explainUnevaluatedItems } from './explain-array.js'
import { explainNot } from './explain-not.js'
import { explainObject, explainUnevaluatedProperties } from './explain-object.js'
import {
  explainLiterals,
  explainNumber,
  explainPattern,
  explainString,
  explainType,
  isPattern,
  typeCheck,
} from './explain-scalar.js'
import { explainUnion } from './explain-union.js'
import { type Holds, holdsOf } from './holds.js'
import type { JsonObject } from './json-value.js'
import { quickCheck } from './quick-check.js'
import { followReading, isValidator, sourceOf } from './schema-source.js'
import { quote } from './wording.js'

/**
 * Says what is wrong with a value that a check has refused. Parts that have a check of their own are entered only where that
 * fails, so a single fault in a large value is found at little more than the cost of checking it.
 */
export const createExplain = (validator: Validator, reading: Reading): Validator['explain'] => {
  let part: Explainer | undefined
  const isWritten = sourceOf(validator)?.checks !== undefined
  return (value, most = MOST_FAULTS, options = {}) => {
    part ??= explainerOf(validator, reading)
    const known = part
    const found = isWritten
      ? explainSafely(known, value, most, options)
      : shareAnswers(() => explainSafely(known, value, most, options))
    const ordered = inOrder(found)
    const first = ordered[0]
    if (first !== undefined && ordered.length === 1) return [toFault(first, options)]
    const second = ordered[1]
    if (first && second && ordered.length === 2)
      return [toFault(first, options), toFault(second, options)]
    return ordered.map((complaint) => toFault(complaint, options))
  }
}

/** How a schema is explained, made once for each reading of it. */
export const explainerOf = (schema: ValidatorSchema, reading: Reading): Explainer => {
  if (typeof schema === 'boolean') return schema ? explainsNothing : refusesAll
  const known = explainers[reading].get(schema)
  if (known !== undefined) return known
  const made = isValidator(schema)
    ? explainerOfValidator(schema, reading)
    : explainerOfKeywords(schema, reading)
  explainers[reading].set(schema, made)
  return made
}

export type Explainer = {
  /** A quick verdict: whatever holds is not entered. Absent where entering costs no more. */
  readonly holds: Holds | undefined
  /** The verdict, where nothing shall be entered any more. */
  readonly check: Holds
  /** Silent where the value is right. */
  readonly explain: Explain
}

/** Explains a part of a value that may be right. */
export const explainPart = (
  part: Explainer,
  value: unknown,
  place: Place,
  out: Complaints,
): void => {
  if (value === undefined) {
    complain(out, { place, keyword: 'type', need: 'be a JSON value', shown: value, show: quote })
  } else if (part.holds === undefined) enter(part, value, place, out)
  else if (!part.holds(value)) explainWrong(part, value, place, out)
}

/** The same of a property or an item; its place is put together only for what may be wrong. */
export const explainInside = (
  part: Explainer,
  container: JsonObject | readonly unknown[],
  key: string | number,
  value: unknown,
  place: Place,
  out: Complaints,
): void => {
  if (value === undefined || !part.holds?.(value)) {
    explainRefused(part, container, key, value, place, out)
  }
}

/** The same, where the quick verdict has been asked for already. */
export const explainRefused = (
  part: Explainer,
  container: JsonObject | readonly unknown[],
  key: string | number,
  value: unknown,
  place: Place,
  out: Complaints,
): void => {
  const here = inside(place, container, key)
  if (value === undefined || part.holds === undefined) explainPart(part, value, here, out)
  else explainWrong(part, value, here, out)
}

/** Explains a part of a value that is known to be wrong: something is always reported. */
export const explainWrong = (
  part: Explainer,
  value: unknown,
  place: Place,
  out: Complaints,
): void => {
  const { count } = out
  // Several paths through `allOf` may lead to one schema, which says the same again each time.
  if (count >= MOST_COMPLAINTS) return
  enter(part, value, place, out)
  if (out.count > count) return
  if (!out.isCareful) {
    out.isCareful = true
    enter(part, value, place, out)
    out.isCareful = false
  }
  if (out.count === count) complain(out, unbounded(place))
}

/** The first complaints about a value that is known to be wrong, at most `most` of them. */
export const toldOf = (
  part: Explainer,
  value: unknown,
  place: Place,
  most: number,
  options: ExplainOptions,
): Complaints => {
  const out = atMost(most, options)
  explainWrong(part, value, place, out)
  return out
}

/** How many faults are explained where the caller sets no limit. */
export const MOST_FAULTS = 100
const deepestPlace = 100

/** How many complaints are made in all, repeated ones too. */
const MOST_COMPLAINTS = 1_000

const explainers = {
  strict: new WeakMap<object, Explainer>(),
  open: new WeakMap<object, Explainer>(),
}

const enter = (part: Explainer, value: unknown, place: Place, out: Complaints): void => {
  if (place.depth <= deepestPlace) part.explain(value, place, out)
  else if (!part.check(value)) {
    const actual = 'is wrong deeper inside than can be shown'
    complain(out, { place, keyword: '', need: 'be right all the way down', actual })
  }
}

const explainSafely = (
  part: Explainer,
  value: unknown,
  most: number,
  options: ExplainOptions,
): readonly Complaint[] => {
  const out = atMost(most, options)
  try {
    if (value === undefined) explainPart(explainsNothing, value, root, out)
    else explainWrong(part, value, root, out)
    return out.found
  } catch (cause) {
    if (cause instanceof RangeError) return [unbounded(root)]
    throw cause
  }
}

/** What is left to say of a value on which the check ran out of stack or went in circles. */
const unbounded = (place: Place): Complaint => ({
  place,
  keyword: '',
  need: 'not contain itself, nor be nested as deeply as this',
})

const explainsNothing: Explainer = { holds: pass, check: pass, explain: () => {} }

const refusesAll: Explainer = {
  holds: undefined,
  check: () => false,
  explain: (_, place, out) => complain(out, { place, keyword: 'false', need: 'not be here' }),
}

const explainerOfValidator = (validator: Validator, reading: Reading): Explainer => {
  const check = holdsOf(validator, reading)
  const source = sourceOf(validator)
  if (source === undefined) return { holds: check, check, explain: repeat(validator) }
  const made: { -readonly [Name in keyof Explainer]: Explainer[Name] } = {
    holds: check,
    check,
    explain(value, place, out) {
      made.explain = explainerOf(source.schema(), followReading(source, reading)).explain
      made.explain(value, place, out)
    },
  }
  return made
}

/** What a validator says that somebody wrote by hand. */
const repeat =
  (validator: Validator): Explain =>
  (value, place, out) => {
    for (const { pointer, keyword, message, ...more } of validator.explain(
      value,
      out.most,
      out.options,
    )) {
      const at = pointer === '' ? place : { ...place, rest: pointer }
      complain(out, { place: at, keyword, need: message.replace(/^must /, ''), ...more })
    }
  }

const explainerOfKeywords = (schema: SchemaKeywords, reading: Reading): Explainer => {
  const check = holdsOf(schema, reading)
  const ofType = explainType(schema)
  const steps = stepsOf(schema, reading)
  const last = [
    ...explainUnevaluatedItems(schema, reading),
    ...explainUnevaluatedProperties(schema, reading),
  ]
  const holds = quickCheck(schema, reading)
  if (holds && isPattern(schema)) return { holds, check, explain: explainPattern(schema) }
  const [step, ...more] = steps
  if (step && !ofType && more.length === 0 && last.length === 0)
    return { holds, check, explain: step }
  if (ofType && step && more.length === 0 && last.length === 0) {
    const isRight = typeCheck(schema)
    const explain: Explain = (value, place, out) => {
      if (isRight(value)) step(value, place, out)
      else ofType(value, place, out)
    }
    return { holds, check, explain }
  }
  const explain: Explain = (value, place, out) => {
    const { count } = out
    if (ofType !== undefined) {
      ofType(value, place, out)
      if (out.count > count) return
    }
    for (const step of steps) step(value, place, out)
    if (out.count > count) return
    // What a schema has seen to is known of values that are right otherwise.
    for (const step of last) step(value, place, out)
  }
  if (!ofType && steps.length === 0 && last.length === 0) return explainsNothing
  return { holds, check, explain }
}

const stepsOf = (schema: SchemaKeywords, reading: Reading): readonly Explain[] => [
  ...explainLiterals(schema),
  ...explainString(schema),
  ...explainNumber(schema),
  ...explainArray(schema, reading),
  ...explainObject(schema, reading),
  ...(schema.allOf ?? []).map((part): Explain => {
    const each = explainerOf(part, reading)
    return (value, place, out) => explainPart(each, value, place, out)
  }),
  ...explainUnion('anyOf', schema, reading),
  ...explainUnion('oneOf', schema, reading),
  ...explainNot(schema),
  ...explainConditions(schema, reading),
]

const explainConditions = (schema: SchemaKeywords, reading: Reading): readonly Explain[] => {
  if (schema.if === undefined) return []
  const condition = holdsOf(schema.if, 'strict')
  const then = explainerOf(schema.then ?? true, reading)
  const otherwise = explainerOf(schema.else ?? true, reading)
  return [
    (value, place, out) => explainPart(condition(value) ? then : otherwise, value, place, out),
  ]
}
