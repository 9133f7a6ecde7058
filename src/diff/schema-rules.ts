import type { GapKind } from '../schema/contain/gap.js'
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
      request: 'keep accepting null with the meaning of an absent value',
      response: 'omit it instead, where it may be absent',
    },
  },
  value: {
    less: 'value-removed',
    more: 'value-added',
    what: 'listed values',
    instead: {
      request: 'keep accepting the value, with the meaning of another one',
      response: 'announce new values before you send them: clients may know only the old ones',
    },
  },
  list: { less: 'became-enum', more: 'enum-removed', what: 'values, listed or not' },
  step: { less: 'multiple-of-narrowed', more: 'multiple-of-widened', what: 'multiples' },
  minimum: {
    less: 'minimum-raised',
    more: 'minimum-lowered',
    what: 'small numbers',
    instead: {
      request: 'keep accepting the old range, or reject it with an error of its own first',
    },
  },
  maximum: {
    less: 'maximum-lowered',
    more: 'maximum-raised',
    what: 'large numbers',
    instead: {
      request: 'keep accepting the old range, or reject it with an error of its own first',
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
      request: 'keep it optional, and describe what its absence means',
      response: 'keep sending it',
    },
  },
  undeclared: {
    less: 'property-rejected',
    more: 'property-no-longer-rejected',
    what: 'a property',
    instead: { request: 'keep accepting the property, and ignore it' },
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
      request: 'keep accepting the alternative',
      response: 'send the new alternative in an operation, or with a status, of its own',
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
    less: 'unevaluated-rejected',
    more: 'unevaluated-no-longer-rejected',
    what: 'properties or items that are not declared',
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
  request: 'keep accepting the old values, or offer the new shape in an operation of its own',
  response: 'keep responding as before, or offer the new shape in an operation of its own',
} as const

/** Readers look over what nobody declares, and more of it harms no caller: only one direction of it is reported. */
const UNTOLD = [
  'request-property-no-longer-rejected',
  'response-property-no-longer-rejected',
  'response-property-rejected',
]

const CONTAINMENT_RULES: readonly DiffRule[] = Object.values(CHANGES)
  .flatMap(({ less, more, what, instead }) => [
    row(
      `request-${less}`,
      'error',
      `callers who send ${what} may be rejected`,
      instead?.request ?? ADVICE.request,
    ),
    row(
      `response-${more}`,
      'error',
      `clients may receive ${what} that they never received`,
      instead?.response ?? ADVICE.response,
    ),
    row(`request-${more}`, 'note', `the service accepts more: ${what}`),
    row(`response-${less}`, 'note', `clients receive less: ${what}`),
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
      'the schemas do not decide whether a change breaks anybody',
      'check it, and accept it if it is intended',
    ),
    row(
      `${direction}-is-unsatisfiable`,
      'warning',
      'no value is valid: a property is required in a closed object that does not declare it',
      'declare the property, or do not require it',
    ),
    row(`${direction}-property-added`, 'note', 'a property is new'),
    row(
      `${direction}-property-removed`,
      'warning',
      direction === 'request'
        ? 'a property that callers send is removed'
        : 'a property that clients may need is no longer sent',
      'deprecate it first, with an x-sunset date',
    ),
    row(
      `${direction}-property-removed-after-deprecation`,
      'note',
      'a deprecated property is removed in time',
    ),
    row(`${direction}-default-changed`, 'note', 'the default of a value is another one'),
    row(
      `${direction}-format-changed`,
      'warning',
      'the format of a text or a number is another one; formats are not validated',
      'declare what must hold with a pattern or a bound',
    ),
    row(
      `${direction}-content-changed`,
      'warning',
      'the content of a text or its encoding is another one; contents are not validated',
      'keep the encoding, and send other content in a property of its own',
    ),
    direction === 'request'
      ? row(
          'request-format-added',
          'warning',
          'callers may send values that do not have the new format; formats are not validated',
          'keep accepting values without the format, and say so in the description',
        )
      : row('response-format-added', 'note', 'a format is declared where none was'),
    direction === 'response'
      ? row(
          'response-format-removed',
          'warning',
          'clients that rely on a format may receive other values; formats are not validated',
          'keep the format, and send other values in a property of their own',
        )
      : row('request-format-removed', 'note', 'a format is no longer declared'),
    row(`${direction}-object-closed`, 'note', 'properties that are not declared are rejected now'),
    row(
      `${direction}-object-opened`,
      'note',
      'properties that are not declared are no longer rejected',
    ),
    row(
      `${direction}-undeclared-narrowed`,
      direction === 'request' ? 'warning' : 'note',
      'properties or items that are not declared are restricted now',
    ),
    row(
      `${direction}-undeclared-widened`,
      direction === 'request' ? 'note' : 'warning',
      'properties or items that are not declared are no longer restricted',
    ),
    row(
      `${direction}-extensible-value-removed`,
      direction === 'request' ? 'error' : 'note',
      'a value is no longer listed as known (x-extensible-enum)',
      direction === 'request' ? 'keep accepting it' : undefined,
    ),
  ]),
]

const BY_ID = new Map(SCHEMA_RULES.map((rule) => [rule.id, rule]))

export const schemaRule = (id: string): DiffRule => {
  const rule = BY_ID.get(id)
  if (!rule) throw new Error(`there is no rule ${id}`)
  return rule
}
