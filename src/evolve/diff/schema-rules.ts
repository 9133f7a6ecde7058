import type { GapKind } from '../compare/gap.js'
import { ACCESS_RULES } from './access-changes.js'
import { DISCRIMINATOR_RULES } from './discriminator-changes.js'
import { type DiffRule, row } from './rule-row.js'

/**
 * How a change of what a schema lets through is called, in both directions: less of it, or more. The same rows serve bodies,
 * parameters, headers and responses of HTTP, and params and results of JSON-RPC: less of a request breaks callers, more of a
 * response breaks readers.
 */
export const CHANGES: Readonly<Record<ChangeKind, Change>> = {
  type: { less: 'type-narrowed', more: 'type-widened', what: 'types' },
  null: {
    less: 'became-not-nullable',
    more: 'became-nullable',
    what: 'null',
    instead: {
      request: 'go on taking null, as what its absence means',
      response: 'leave it out instead, where it may be absent',
    },
  },
  value: {
    less: 'value-removed',
    more: 'value-added',
    what: 'listed values',
    instead: {
      request: 'go on taking the value, as another that means the same',
      response: 'tell readers of new values before they come: they may know no others',
    },
  },
  list: { less: 'became-enum', more: 'enum-removed', what: 'values, listed or not' },
  step: { less: 'multiple-of-narrowed', more: 'multiple-of-widened', what: 'multiples' },
  minimum: {
    less: 'minimum-raised',
    more: 'minimum-lowered',
    what: 'small numbers',
    instead: {
      request: 'go on taking what was in bounds, or refuse it by an error of its own first',
    },
  },
  maximum: {
    less: 'maximum-lowered',
    more: 'maximum-raised',
    what: 'large numbers',
    instead: {
      request: 'go on taking what was in bounds, or refuse it by an error of its own first',
    },
  },
  shortest: { less: 'min-length-raised', more: 'min-length-lowered', what: 'short texts' },
  longest: { less: 'max-length-lowered', more: 'max-length-raised', what: 'long texts' },
  pattern: { less: 'pattern-narrowed', more: 'pattern-widened', what: 'texts by their pattern' },
  'fewest-items': { less: 'min-items-raised', more: 'min-items-lowered', what: 'short lists' },
  'most-items': { less: 'max-items-lowered', more: 'max-items-raised', what: 'long lists' },
  'unique-items': {
    less: 'items-became-unique',
    more: 'items-no-longer-unique',
    what: 'lists with an item twice',
  },
  'contained-item': {
    less: 'contains-narrowed',
    more: 'contains-widened',
    what: 'lists by what they contain',
  },
  required: {
    less: 'property-became-required',
    more: 'property-became-optional',
    what: 'objects without a property',
    instead: {
      request: 'let it be absent, and say in its description what that means',
      response: 'go on answering with it',
    },
  },
  undeclared: {
    less: 'property-refused',
    more: 'property-no-longer-refused',
    what: 'a property',
    instead: { request: 'go on taking the property, and ignore it' },
  },
  'property-name': {
    less: 'property-names-narrowed',
    more: 'property-names-widened',
    what: 'names of properties',
  },
  'fewest-properties': {
    less: 'min-properties-raised',
    more: 'min-properties-lowered',
    what: 'objects with few properties',
  },
  'most-properties': {
    less: 'max-properties-lowered',
    more: 'max-properties-raised',
    what: 'objects with many properties',
  },
  dependent: {
    less: 'dependent-required-added',
    more: 'dependent-required-removed',
    what: 'a property without another',
  },
  alternative: {
    less: 'alternative-removed',
    more: 'alternative-added',
    what: 'alternatives',
    instead: {
      request: 'go on taking the alternative',
      response: 'give what is new an operation, or a status, of its own',
    },
  },
  overlap: {
    less: 'alternatives-overlap',
    more: 'alternatives-no-longer-overlap',
    what: 'values that fit two alternatives of a oneOf',
    instead: {
      request: 'make the alternatives disjoint: a property with a const of its own in each',
    },
  },
  exclusion: { less: 'not-added', more: 'not-removed', what: 'excluded values' },
  nothing: { less: 'became-forbidden', more: 'became-allowed', what: 'any value at all' },
  unevaluated: {
    less: 'unevaluated-refused',
    more: 'unevaluated-no-longer-refused',
    what: 'what no other keyword has looked at',
  },
}

export type ChangeKind = Exclude<GapKind, 'undecided'> | 'list'

type Change = {
  /** The end of the id where less is let through, and where more is. */
  readonly less: string
  readonly more: string
  readonly what: string
  /** What to do instead, where there is something better than leaving it as it was. */
  readonly instead?: { readonly [direction in Direction]?: string }
}

export type Direction = 'request' | 'response'

const ADVICE = {
  request: 'go on taking what was taken, or give the new shape an operation of its own',
  response: 'go on answering as before, or give the new shape an operation of its own',
} as const

/** Readers look over what nobody declares, and more of it harms no caller: only one direction of it is told. */
const UNTOLD = [
  'request-property-no-longer-refused',
  'response-property-no-longer-refused',
  'response-property-refused',
]

const CONTAINMENT_RULES: readonly DiffRule[] = Object.values(CHANGES)
  .flatMap(({ less, more, what, instead }) => [
    row(
      `request-${less}`,
      'error',
      `callers who send ${what} may be refused now`,
      instead?.request ?? ADVICE.request,
    ),
    row(
      `response-${more}`,
      'error',
      `readers may get ${what} that they never got`,
      instead?.response ?? ADVICE.response,
    ),
    row(`request-${more}`, 'note', `callers may send more: ${what}`),
    row(`response-${less}`, 'note', `readers get less: ${what}`),
  ])
  .filter(({ id }) => !UNTOLD.includes(id))

/** Of all schemas that `diff` compares. */
export const SCHEMA_RULES: readonly DiffRule[] = [
  ...CONTAINMENT_RULES,
  ...ACCESS_RULES,
  ...DISCRIMINATOR_RULES,
  ...(['request', 'response'] as const).flatMap((direction) => [
    row(
      `${direction}-change-is-undecided`,
      'warning',
      'whether a change breaks anybody cannot be told from the schemas',
      'look at it, and accept it where it is meant',
    ),
    row(
      `${direction}-is-unsatisfiable`,
      'warning',
      'no value is valid: a property is required in a closed object that does not declare it',
      'declare the property, or do not require it',
    ),
    row(`${direction}-property-added`, 'note', 'there is a property that was not there'),
    row(
      `${direction}-property-removed`,
      'warning',
      direction === 'request'
        ? 'a property that callers send is read no more'
        : 'a property that readers may look for never comes again',
      'deprecate it first, with an x-sunset date',
    ),
    row(
      `${direction}-property-removed-after-deprecation`,
      'note',
      'a deprecated property is gone in time',
    ),
    row(`${direction}-default-changed`, 'note', 'what stands for an absent value is another'),
    row(
      `${direction}-format-changed`,
      'warning',
      'texts or numbers are meant otherwise, though not checked',
      'say in a pattern or a bound what must hold',
    ),
    row(
      `${direction}-content-changed`,
      'warning',
      'what a text holds, or how it is written in it, is told otherwise, though not checked',
      'keep how it is written, and give another content a property of its own',
    ),
    direction === 'request'
      ? row(
          'request-format-added',
          'warning',
          'callers may send texts or numbers that are not of a new format, though not checked',
          'go on taking what is of no format, and say so in the description',
        )
      : row('response-format-added', 'note', 'readers are told a format where none was'),
    direction === 'response'
      ? row(
          'response-format-removed',
          'warning',
          'readers who read texts or numbers by their format may get others, though not checked',
          'keep the format, and give what is of none a property of its own',
        )
      : row('request-format-removed', 'note', 'callers need keep to a format no longer'),
    row(
      `${direction}-object-closed`,
      'note',
      'properties that nobody has declared, and that are nobody’s promise, are refused from now on',
    ),
    row(
      `${direction}-object-opened`,
      'note',
      'properties that nobody has declared are no longer refused',
    ),
    row(
      `${direction}-undeclared-narrowed`,
      direction === 'request' ? 'warning' : 'note',
      'what no schema of its own declares is bounded by a pattern or a rule for names',
    ),
    row(
      `${direction}-undeclared-widened`,
      direction === 'request' ? 'note' : 'warning',
      'what no schema of its own declares is no longer bounded by a pattern or a rule for names',
    ),
    row(
      `${direction}-extensible-value-removed`,
      direction === 'request' ? 'error' : 'note',
      'a value that was told as known is no longer',
      direction === 'request' ? 'go on taking it' : undefined,
    ),
  ]),
]

const BY_ID = new Map(SCHEMA_RULES.map((rule) => [rule.id, rule]))

export const schemaRule = (id: string): DiffRule => {
  const rule = BY_ID.get(id)
  if (!rule) throw new Error(`there is no rule ${id}`)
  return rule
}
