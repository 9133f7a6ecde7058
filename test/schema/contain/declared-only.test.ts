import { expect, test } from 'vitest'
import type { Schema } from '../../../src/schema/schema.js'
import { holds } from './containing.js'
import { declaredOnly, type Plain } from './declared-only.js'

const declares = (schema: Plain, value: unknown) =>
  holds({ schema: declaredOnly(schema) as Schema }, value)

test.each<[string, unknown, boolean]>([
  ['a text', ['a'], true],
  ['an object without properties', [{}], true],
  ['a list of numbers', [[1]], true],
  ['an object with a property', [{ a: 1 }], false],
  ['a list of such', [[{ a: 1 }]], false],
])('of items that nobody describes, as of those of an empty schema: %s', (_, value, want) => {
  expect(declares({ type: 'array' }, value)).toBe(want)
  expect(declares({ type: 'array', items: {} }, value)).toBe(want)
})

test('of items that are described, what they declare', () => {
  const list = { type: 'array', prefixItems: [{ properties: { a: true } }] }
  expect(declares(list, [{ a: 1 }])).toBe(true)
  expect(declares(list, [{ b: 1 }])).toBe(false)
  expect(declares(list, [{ a: 1 }, { a: 1 }])).toBe(false)
})
