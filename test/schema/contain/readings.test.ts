import { expect, test } from 'vitest'
import type { Schema } from '../../../src/schema/schema.js'
import { gapsOf, list, object, of, TEXT } from './shorthand.js'

const ANY: Schema = {
  if: true,
  else: { type: 'integer' },
}

test('what no keyword has looked at is bounded for a reader too, unless it is only refused', () => {
  const before = of({ unevaluatedProperties: { type: 'null' } })
  const after = of(object({ a: { type: 'object' } }))
  expect(gapsOf(after, before, 'open')).toEqual(['unevaluated {"a":{}}'])
  expect(gapsOf(after, of({ unevaluatedProperties: false }), 'open')).toEqual([])
})

test('a branch that a reader would overlook is still excluded by the others', () => {
  const branches = (more: object): Schema => ({
    oneOf: [{ ...ANY, ...more }, object({})],
    properties: { c: { const: null } },
  })
  const closed = of(branches({ additionalProperties: false }))
  expect(gapsOf(closed, of(branches({})), 'open')).toEqual(['overlap {"c":null}'])
})

test('an item that is asked for may have properties that the question does not name', () => {
  const a: Schema = { properties: { a: { const: 'a' } } }
  const asking = (contains: Schema) => of(list({}, { contains }))
  expect(
    gapsOf(asking({ type: 'object' }), asking({ type: 'object', ...(a as object) })),
  ).not.toEqual([])
  expect(gapsOf(asking({ type: 'object', ...(a as object) }), asking({ type: 'object' }))).toEqual(
    [],
  )
  // Such a property is what tells the first alternative from the second.
  const [either, none] = [asking({ oneOf: [{}, a] }), asking({ oneOf: [a, { allOf: [a] }] })]
  expect(gapsOf(either, none)).not.toEqual([])
})

test('a reader looks over a map that is closed, and not over names that a pattern forbids', () => {
  const map: Schema = { type: 'object', additionalProperties: { type: 'string' } }
  const forbidding: Schema = { type: 'object', patternProperties: { '^k': false } }
  expect(gapsOf(of(map), of(object({}, { additionalProperties: false })), 'open')).toEqual([])
  expect(gapsOf(of(map), of(forbidding), 'open')).toEqual(['nothing at {}: {"key":""}'])
})

test.each([
  ['a text', 'a'],
  ['an object', { v: 1 }],
])('a reader does not look over a property of a sibling with the same constant, %s', (_, value) => {
  const kind = () => ({ const: structuredClone(value) })
  const closed = object({ kind: kind() }, { required: ['kind'], additionalProperties: false })
  const more = object({ kind: kind(), n: { type: 'integer' } }, { required: ['kind'] })
  const before = object({ kind: kind(), n: TEXT }, { required: ['kind', 'n'] })
  expect(gapsOf(of(before), of({ anyOf: [closed, more] }), 'open')).toEqual([
    `type at n: ${JSON.stringify({ n: '', kind: value })}`,
  ])
})
