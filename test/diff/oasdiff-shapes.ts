import type { SchemaChange } from './oasdiff-spots.js'
import { both } from './oasdiff-values.js'

const LIST = { type: 'array' }
const TWO = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }
const MAP = { type: 'object', additionalProperties: { type: 'string' } }
const ONES = { ...LIST, contains: { const: 1 } }
const TEXT = { type: 'string' }
const ASKING = { ...TWO, if: { required: ['a'] } }
const branch = (name: string) => ({ [name]: { required: ['b'] } })
const FLAG = { type: 'boolean' }

/** Changes of lists, objects, alternatives and conditions. */
export const SHAPES: readonly SchemaChange[] = [
  {
    ...{ narrowed: 'max-items-decreased', widened: 'max-items-increased' },
    ...{ wide: { ...LIST, maxItems: 9 }, narrow: { ...LIST, maxItems: 5 } },
    ...both('max-items-lowered', 'max-items-raised'),
  },
  {
    ...{ narrowed: 'min-items-set', widened: 'min-items-unset' },
    ...{ wide: LIST, narrow: { ...LIST, minItems: 5 } },
    ...both('min-items-raised', 'min-items-lowered'),
  },
  {
    ...{ narrowed: 'min-items-increased', widened: 'min-items-decreased' },
    ...{ wide: { ...LIST, minItems: 5 }, narrow: { ...LIST, minItems: 9 } },
    ...both('min-items-raised', 'min-items-lowered'),
  },
  {
    ...{ narrowed: 'contains-added', widened: 'contains-removed' },
    ...{ wide: LIST, narrow: ONES },
    ...both('contains-narrowed', 'contains-widened'),
  },
  {
    ...{ narrowed: 'max-contains-decreased', widened: 'max-contains-increased' },
    ...{ wide: { ...ONES, maxContains: 3 }, narrow: { ...ONES, maxContains: 2 } },
    ...both('contains-narrowed', 'contains-widened'),
  },
  {
    ...{ narrowed: 'min-contains-increased', widened: 'min-contains-decreased' },
    ...{ wide: { ...ONES, minContains: 2 }, narrow: { ...ONES, minContains: 3 } },
    ...both('contains-narrowed', 'contains-widened'),
  },
  {
    ...{ narrowed: 'prefix-items-removed', widened: 'prefix-items-added' },
    wide: { ...LIST, prefixItems: [TEXT, FLAG], items: false },
    narrow: { ...LIST, prefixItems: [TEXT], items: false },
    ...both('became-forbidden', 'became-allowed'),
  },
  {
    ...{ narrowed: 'unevaluated-items-added', widened: 'unevaluated-items-removed' },
    wide: { ...LIST, prefixItems: [TEXT] },
    narrow: { ...LIST, prefixItems: [TEXT], unevaluatedItems: false },
    ...both('unevaluated-rejected', 'unevaluated-no-longer-rejected'),
  },
  {
    ...{ narrowed: 'unevaluated-properties-added', widened: 'unevaluated-properties-removed' },
    wide: TWO,
    narrow: { ...TWO, unevaluatedProperties: false },
    ...{ request: ['note object-closed'], response: ['note object-opened'] },
  },
  {
    ...{ narrowed: 'dependent-required-added', widened: 'dependent-required-removed' },
    ...{ wide: TWO, narrow: { ...TWO, dependentRequired: { a: ['b'] } } },
    ...both('dependent-required-added', 'dependent-required-removed'),
  },
  {
    ...{ narrowed: 'dependent-required-changed', widened: 'dependent-required-changed' },
    wide: { ...TWO, dependentRequired: { a: ['b'] } },
    narrow: { ...TWO, dependentRequired: { a: ['b', 'c'] } },
    ...both('dependent-required-added', 'dependent-required-removed'),
  },
  {
    ...{ narrowed: 'dependent-schema-added', widened: 'dependent-schema-removed' },
    ...{ wide: TWO, narrow: { ...TWO, dependentSchemas: { a: { required: ['b'] } } } },
    ...both('property-became-required', 'property-became-optional'),
  },
  {
    ...{ narrowed: 'property-names-added', widened: 'property-names-removed' },
    ...{ wide: MAP, narrow: { ...MAP, propertyNames: { maxLength: 5 } } },
    ...both('property-names-narrowed', 'property-names-widened'),
  },
  {
    ...{ narrowed: 'pattern-property-added', widened: 'pattern-property-removed' },
    ...{ wide: MAP, narrow: { ...MAP, patternProperties: { '^a': { ...TEXT, maxLength: 5 } } } },
    request: ['error max-length-lowered', 'warning undeclared-narrowed'],
    response: ['error max-length-raised', 'warning undeclared-widened'],
  },
  {
    ...{ narrowed: 'if-added', widened: 'if-removed' },
    ...{ wide: TWO, narrow: { ...ASKING, ...branch('then') } },
    ...both('property-became-required', 'property-became-optional'),
  },
  ...['then', 'else'].map((name) => ({
    ...{ narrowed: `${name}-added`, widened: `${name}-removed` },
    ...{ wide: ASKING, narrow: { ...ASKING, ...branch(name) } },
    ...both('property-became-required', 'property-became-optional'),
  })),
  {
    ...{ narrowed: 'all-of-added', widened: 'all-of-removed' },
    ...{ wide: { allOf: [TEXT] }, narrow: { allOf: [TEXT, { maxLength: 5 }] } },
    ...both('max-length-lowered', 'max-length-raised'),
  },
  {
    // What takes more than it did refuses nobody.
    ...{ narrowed: 'all-of-removed', widened: 'all-of-added' },
    ...{ wide: { allOf: [TEXT, { maxLength: 5 }] }, narrow: { allOf: [TEXT] } },
    ...{ request: ['note max-length-raised'], response: ['note max-length-lowered'] },
  },
  {
    ...{ narrowed: 'any-of-removed', widened: 'any-of-added' },
    ...{ wide: { anyOf: [TEXT, FLAG] }, narrow: { anyOf: [TEXT] } },
    ...both('type-narrowed', 'type-widened'),
  },
  {
    ...{ narrowed: 'one-of-removed', widened: 'one-of-added' },
    ...{ wide: { oneOf: [TEXT, FLAG] }, narrow: { oneOf: [TEXT] } },
    ...both('type-narrowed', 'type-widened'),
  },
  {
    narrowed: 'wrapped-in-one-of',
    ...{ wide: { type: 'number' }, narrow: { oneOf: [{ type: 'integer' }, FLAG] } },
    request: ['error alternative-removed', 'note type-widened'],
  },
  {
    widened: 'wrapped-in-one-of',
    ...{ wide: { oneOf: [TEXT, FLAG] }, narrow: TEXT },
    response: ['error type-widened'],
  },
]
