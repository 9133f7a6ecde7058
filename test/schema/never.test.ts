import { expect, it } from 'vitest'
import { isNever, type Schema } from '../../src/schema/schema.js'

it.each<[Schema, boolean]>([
  [false, true],
  [{ not: true }, true],
  [{ not: {} }, true],
  [{ not: { description: 'Use `to`.' } }, true],
  [{ type: 'string', not: { 'x-note': 1 } as Schema }, true],
  [true, false],
  [{}, false],
  [{ not: false }, false],
  [{ not: { type: 'string' } }, false],
  [{ not: { description: 'A text.', type: 'string' } }, false],
])('whether %j accepts no value: %s', (schema, never) => {
  expect(isNever(schema)).toBe(never)
})
