import type { GapKind } from '../schema/contain/gap.js'
import { about, type DiffRule, error, note, type RuleText, warning } from './rule-row.js'

const OLD_RANGE = 'keep accepting the old range, or reject it with an error of its own first'

/**
 * The rule ids of changes in the values that a schema accepts, in both directions: less or more. The same rows apply to bodies,
 * parameters, headers and responses of HTTP, and to params and results of JSON-RPC. Accepting less in a request breaks
 * callers; sending more in a response breaks readers.
 */
export const CHANGES: Readonly<Record<ChangeKind, Change>> = {
  type: { less: 'type-narrowed', more: 'type-widened', what: 'values of a type' },
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
    what: 'a value of an enum',
    instead: {
      request: 'keep accepting the value, with the meaning of another one',
      response: 'announce new values before you send them: clients may know only the old ones',
    },
  },
  list: { less: 'became-enum', more: 'enum-removed', what: 'values outside an enum' },
  step: {
    less: 'multiple-of-narrowed',
    more: 'multiple-of-widened',
    what: 'numbers that are not multiples of a divisor',
  },
  minimum: {
    less: 'minimum-raised',
    more: 'minimum-lowered',
    what: 'smaller numbers',
    instead: { request: OLD_RANGE },
  },
  maximum: {
    less: 'maximum-lowered',
    more: 'maximum-raised',
    what: 'larger numbers',
    instead: { request: OLD_RANGE },
  },
  shortest: { less: 'min-length-raised', more: 'min-length-lowered', what: 'shorter strings' },
  longest: { less: 'max-length-lowered', more: 'max-length-raised', what: 'longer strings' },
  pattern: {
    less: 'pattern-narrowed',
    more: 'pattern-widened',
    what: 'strings that do not match a pattern',
  },
  'fewest-items': { less: 'min-items-raised', more: 'min-items-lowered', what: 'shorter arrays' },
  'most-items': { less: 'max-items-lowered', more: 'max-items-raised', what: 'longer arrays' },
  'unique-items': {
    less: 'items-became-unique',
    more: 'items-no-longer-unique',
    what: 'arrays with duplicate items',
  },
  'contained-item': {
    less: 'contains-narrowed',
    more: 'contains-widened',
    what: 'arrays that do not satisfy contains',
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
    what: 'some property names',
  },
  'fewest-properties': {
    less: 'min-properties-raised',
    more: 'min-properties-lowered',
    what: 'objects with fewer properties',
  },
  'most-properties': {
    less: 'max-properties-lowered',
    more: 'max-properties-raised',
    what: 'objects with more properties',
  },
  dependent: {
    less: 'dependent-required-added',
    more: 'dependent-required-removed',
    what: 'objects with one property but without another',
  },
  alternative: {
    less: 'alternative-removed',
    more: 'alternative-added',
    what: 'an alternative',
    instead: {
      request: 'keep accepting the alternative',
      response: 'send the new alternative in an operation, or with a status, of its own',
    },
  },
  overlap: {
    less: 'alternatives-overlap',
    more: 'alternatives-no-longer-overlap',
    what: 'values that match two alternatives of a oneOf',
    instead: {
      request: 'make the alternatives disjoint: a property with a const of its own in each',
    },
  },
  exclusion: { less: 'not-added', more: 'not-removed', what: 'values that a not schema excludes' },
  nothing: { less: 'became-forbidden', more: 'became-allowed', what: 'any value at a location' },
  unevaluated: {
    less: 'unevaluated-rejected',
    more: 'unevaluated-no-longer-rejected',
    what: 'undeclared properties or items',
  },
}

export type ChangeKind = Exclude<GapKind, 'undecided'> | 'list'

type Change = {
  /** The end of the rule id if the schema accepts less, or more. */
  readonly less: string
  readonly more: string
  readonly what: string
  /** The advice, if it is better than to keep the old schema. */
  readonly instead?: { readonly [direction in Direction]?: string }
}

export type Direction = 'request' | 'response'

const ADVICE = {
  request: 'keep accepting the old values, or offer the new shape in an operation of its own',
  response: 'keep responding as before, or offer the new shape in an operation of its own',
} as const

/** Readers ignore undeclared properties, and accepting more is not breaking: only one direction is reported. */
const UNREPORTED: ReadonlySet<string> = new Set([
  'request-property-no-longer-rejected',
  'response-property-no-longer-rejected',
  'response-property-rejected',
])

const containmentRules = (direction: Direction): Rules =>
  Object.fromEntries(
    Object.values(CHANGES).flatMap(({ less, more, what, instead }) => {
      const advice = instead?.[direction] ?? ADVICE[direction]
      return direction === 'request'
        ? [
            [less, error(`the service may reject ${what}, which it accepted before`, advice)],
            [more, note(`the service accepts ${what}, which it rejected before`)],
          ]
        : [
            [more, error(`clients may receive ${what}, which they never received before`, advice)],
            [less, note(`clients no longer receive ${what}`)],
          ]
    }),
  )

type Rules = Readonly<Record<string, RuleText>>

/** Changes of declarations, even if the accepted values are the same. */
const declarationRules = (isRequest: boolean): Rules => ({
  'change-is-undecided': warning(
    'the schemas do not determine whether a change breaks clients',
    'check it, and accept it if it is intended',
  ),
  'is-unsatisfiable': warning(
    'no value is valid: a property is required in a closed object that does not declare it',
    'declare the property, or do not require it',
  ),
  'property-added': note('a property is new'),
  'property-removed': warning(
    isRequest
      ? 'a property that callers send is removed'
      : 'a property that clients may need is no longer sent',
    'deprecate it first, with an x-sunset date',
  ),
  'property-removed-after-deprecation': note('a deprecated property is removed in time'),
  'default-changed': note('the default of a value changed'),
  'format-changed': warning(
    'the format of a string or number changed; formats are not validated',
    'declare what must hold with a pattern or a bound',
  ),
  ...(isRequest && {
    'format-narrowed': error(
      'callers may send numbers that the new format of an integer or number excludes',
      'keep the format, or offer the smaller one in a property of its own',
    ),
  }),
  'content-changed': warning(
    'the content or the encoding of a string changed; the content of strings is not validated',
    'keep the encoding, and send other content in a property of its own',
  ),
  'bigint-changed': warning(
    'an integer became a bigint in generated code, or is no longer one (x-bigint)',
    'keep x-bigint as it is',
  ),
  'format-added': isRequest
    ? warning(
        'callers may send values that do not match the new format; formats are not validated',
        'keep accepting values without the format, and say so in the description',
      )
    : note('a format is declared for the first time'),
  'format-removed': isRequest
    ? note('a format is no longer declared')
    : warning(
        'clients that rely on a format may receive other values; formats are not validated',
        'keep the format, and send other values in a property of their own',
      ),
  'object-closed': note('undeclared properties are rejected now'),
  'object-opened': note('undeclared properties are no longer rejected'),
  'undeclared-narrowed': (isRequest ? warning : note)(
    'undeclared properties or items are restricted now',
  ),
  'undeclared-widened': (isRequest ? note : warning)(
    'undeclared properties or items are no longer restricted',
  ),
  'extensible-value-removed': isRequest
    ? error('a value is no longer listed as known (x-extensible-enum)', 'keep accepting it')
    : note('a value is no longer listed as known (x-extensible-enum)'),
})

/** JSON Schema Validation, 9.4: readOnly and writeOnly. Only a loss in a property's own direction affects clients. */
const accessRules = (isRequest: boolean): Rules => {
  const isLost = warning(
    isRequest
      ? 'a property that callers send is read-only now'
      : 'a property that clients receive is write-only now',
    'deprecate it first, with an x-sunset date',
  )
  const isKept = note(
    isRequest
      ? 'a property is used in requests only now'
      : 'a property is used in responses only now',
  )
  const both = note('a property is used in requests and in responses now')
  return {
    'property-became-read-only': isRequest ? isLost : isKept,
    'property-became-write-only': isRequest ? isKept : isLost,
    'property-no-longer-read-only': both,
    'property-no-longer-write-only': both,
  }
}

/** The values of a discriminator are values of its property, as if an `enum` listed them (docs/decisions/0020). */
const discriminatorRules = (isRequest: boolean): Rules => ({
  'discriminator-property-changed': error(
    'another property selects the alternative now',
    'keep the property, or offer the new alternatives in an operation of their own',
  ),
  'discriminator-value-removed': isRequest
    ? error(
        'callers may send a value that no longer selects an alternative',
        'keep the value in the mapping, besides the new one',
      )
    : note('a value no longer selects an alternative'),
  'discriminator-value-added': isRequest
    ? note('a new value selects an alternative')
    : error('clients may receive a value that they do not know', 'keep sending the old value'),
  'discriminator-value-changed': warning(
    'a value selects a different alternative',
    'keep what the value means, and add a new value',
  ),
  'discriminator-added': note('a property selects the alternative now'),
  'discriminator-removed': isRequest
    ? note('a property no longer selects the alternative')
    : warning(
        'clients can no longer select an alternative by a property',
        'keep the discriminator',
      ),
})

/** The rules for all schemas that `diff` compares. */
export const SCHEMA_RULES: Rules = Object.fromEntries(
  (['request', 'response'] as const).flatMap((direction) => {
    const isRequest = direction === 'request'
    const own = [accessRules, discriminatorRules, declarationRules].map((one) => one(isRequest))
    const rules: Rules = Object.assign({}, containmentRules(direction), ...own)
    return Object.entries(isRequest ? rules : about('response', rules))
      .map(([id, rule]) => [`${direction}-${id}`, rule] as const)
      .filter(([id]) => !UNREPORTED.has(id))
  }),
)

export const schemaRule = (id: string): DiffRule => {
  const rule = SCHEMA_RULES[id]
  if (!rule) throw new Error(`there is no rule ${id}`)
  return { id, ...rule }
}
