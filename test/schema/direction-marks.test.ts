import { expect, it } from 'vitest'
import { hasDirectionMark } from '../../src/schema/direction-marks.js'
import { refTo, type Schema } from '../../src/schema/schema.js'

const schemas = new Map<string, { readonly schema: Schema }>([
  ['Secret', { schema: { type: 'string', writeOnly: true } }],
  ['Alias', { schema: { $ref: refTo('Secret') } }],
  ['Loop', { schema: { allOf: [{ $ref: refTo('Loop') }] } }],
  ['Plain', { schema: { type: 'string' } }],
])
const secret = { $ref: refTo('Secret') }
const plain = { $ref: refTo('Plain') }

it.each<readonly [string, Schema, boolean]>([
  ['its own', { type: 'string', writeOnly: true }, true],
  ['that of the schema it refers to', secret, true],
  ['after two references', { $ref: refTo('Alias') }, true],
  ['in an allOf', { allOf: [{ minLength: 1 }, secret] }, true],
  ['in each alternative', { anyOf: [secret, { type: 'null', writeOnly: true }] }, true],
  ['in each alternative of a oneOf', { oneOf: [secret, { $ref: refTo('Alias') }] }, true],
  ['null is not marked', { anyOf: [secret, { type: 'null' }] }, false],
  ['one alternative of two', { oneOf: [secret, plain] }, false],
  ['no alternative', { anyOf: [] }, false],
  ['not', { not: secret }, false],
  ['the other mark', { readOnly: true }, false],
  ['false', { writeOnly: false }, false],
  ['a circle', { $ref: refTo('Loop') }, false],
  ['a boolean', true, false],
])('the mark of all values of a property: %s', (_, schema, expected) => {
  expect(hasDirectionMark(schema, schemas, 'writeOnly')).toBe(expected)
})
