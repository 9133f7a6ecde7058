import type { SchemaChange } from './oasdiff-spots.js'

/** Changes of types, listed values, numbers and texts. */
export const VALUES: readonly SchemaChange[] = [
  {
    ...{ narrowed: 'type-changed', widened: 'type-changed' },
    ...{ wide: { type: 'string' }, narrow: { type: 'boolean' } },
    request: ['error type-narrowed', 'note type-widened'],
    response: ['error type-widened', 'note type-narrowed'],
    // The texts of a boolean are strings.
    text: { request: ['error type-narrowed'], response: ['error type-widened'] },
  },
  {
    ...{ narrowed: 'type-specialized', widened: 'type-generalized' },
    ...{ wide: { type: 'number' }, narrow: { type: 'integer' } },
    ...both('type-narrowed', 'type-widened'),
  },
  {
    ...{ narrowed: 'list-of-types-narrowed', widened: 'list-of-types-widened' },
    ...{ wide: { type: ['string', 'integer'] }, narrow: { type: 'string' } },
    ...both('type-narrowed', 'type-widened'),
    // The text of an integer is a string.
    text: { request: [], response: [] },
  },
  {
    ...{ narrowed: 'became-not-nullable', widened: 'became-nullable' },
    ...{ wide: { type: ['string', 'null'] }, narrow: { type: 'string' } },
    ...both('became-not-nullable', 'became-nullable'),
  },
  {
    ...{ narrowed: 'became-enum', widened: 'enum-removed' },
    ...{ wide: { type: 'string' }, narrow: { type: 'string', enum: ['new', 'paid'] } },
    ...both('became-enum', 'enum-removed'),
  },
  {
    ...{ narrowed: 'enum-value-removed', widened: 'enum-value-added' },
    ...{ wide: { enum: ['new', 'paid'] }, narrow: { enum: ['new'] } },
    ...both('value-removed', 'value-added'),
  },
  {
    ...{ narrowed: 'const-added', widened: 'const-removed' },
    ...{ wide: { type: 'string' }, narrow: { type: 'string', const: 'new' } },
    ...both('became-enum', 'enum-removed'),
  },
  {
    ...{ narrowed: 'const-changed', widened: 'const-changed' },
    ...{ wide: { const: 'new' }, narrow: { const: 'paid' } },
    request: ['error value-removed', 'note value-added'],
    response: ['error value-added', 'note value-removed'],
  },
  ...numbers('maximum', ['max-set', 'max-unset', 'max-decreased', 'max-increased'], 9, 5),
  ...numbers('minimum', ['min-set', 'min-unset', 'min-increased', 'min-decreased'], 5, 9),
  ...numbers(
    'exclusiveMaximum',
    [
      'exclusive-max-set',
      'exclusive-max-unset',
      'exclusive-max-decreased',
      'exclusive-max-increased',
    ],
    ...([9, 5] as const),
  ),
  ...numbers(
    'exclusiveMinimum',
    [
      'exclusive-min-set',
      'exclusive-min-unset',
      'exclusive-min-increased',
      'exclusive-min-decreased',
    ],
    ...([5, 9] as const),
  ),
  {
    ...{ narrowed: 'max-length-set', widened: 'max-length-unset' },
    ...{ wide: { type: 'string' }, narrow: { type: 'string', maxLength: 5 } },
    ...both('max-length-lowered', 'max-length-raised'),
  },
  {
    ...{ narrowed: 'max-length-decreased', widened: 'max-length-increased' },
    ...{ wide: { type: 'string', maxLength: 9 }, narrow: { type: 'string', maxLength: 5 } },
    ...both('max-length-lowered', 'max-length-raised'),
  },
  {
    ...{ narrowed: 'min-length-increased', widened: 'min-length-decreased' },
    ...{ wide: { type: 'string', minLength: 5 }, narrow: { type: 'string', minLength: 9 } },
    ...both('min-length-raised', 'min-length-lowered'),
  },
  {
    ...{ narrowed: 'pattern-added', widened: 'pattern-removed' },
    ...{ wide: { type: 'string' }, narrow: { type: 'string', pattern: '^a' } },
    ...both('pattern-narrowed', 'pattern-widened'),
  },
  {
    ...{ narrowed: 'pattern-changed', widened: 'pattern-changed' },
    ...{ wide: { type: 'string', pattern: '^[ab]' }, narrow: { type: 'string', pattern: '^a' } },
    ...both('pattern-narrowed', 'pattern-widened'),
  },
  {
    narrowed: 'x-extensible-enum-value-removed',
    wide: { type: 'string', 'x-extensible-enum': ['new', 'paid'] },
    narrow: { type: 'string', 'x-extensible-enum': ['new'] },
    request: ['error extensible-value-removed'],
  },
  ...[
    ['content-encoding-changed', 'contentEncoding', 'base64', 'base32'],
    ['content-media-type-changed', 'contentMediaType', 'image/png', 'image/gif'],
  ].map(([name = '', keyword = '', wide, narrow]) => ({
    ...{ narrowed: name, widened: name },
    ...{ wide: { type: 'string', [keyword]: wide }, narrow: { type: 'string', [keyword]: narrow } },
    ...{ request: ['warning content-changed'], response: ['warning content-changed'] },
  })),
  {
    ...{ narrowed: 'content-schema-added', widened: 'content-schema-removed' },
    wide: { type: 'string', contentMediaType: 'application/json' },
    narrow: {
      ...{ type: 'string', contentMediaType: 'application/json' },
      contentSchema: { type: 'object' },
    },
    ...{ request: ['warning content-changed'], response: ['warning content-changed'] },
  },
]

/** A bound that is set, and one that is moved. */
function numbers(
  keyword: 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum',
  [set, unset, tightened, loosened]: readonly [string, string, string, string],
  loose: number,
  tight: number,
): readonly SchemaChange[] {
  const bounded = (bound: number) => ({ type: 'number', [keyword]: bound })
  const rules = /max/i.test(keyword)
    ? both('maximum-lowered', 'maximum-raised')
    : both('minimum-raised', 'minimum-lowered')
  return [
    { narrowed: set, widened: unset, wide: { type: 'number' }, narrow: bounded(tight), ...rules },
    {
      ...{ narrowed: tightened, widened: loosened },
      ...{ wide: bounded(loose), narrow: bounded(tight), ...rules },
    },
  ]
}

/** The rule for callers who may send less, and the one for readers who may get more. */
export function both(less: string, more: string): Pick<SchemaChange, 'request' | 'response'> {
  return { request: [`error ${less}`], response: [`error ${more}`] }
}
