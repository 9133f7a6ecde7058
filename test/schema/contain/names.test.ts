import { expect, test } from 'vitest'
import type { Schema } from '../../../src/schema/schema.js'
import { gapsOf, object, of, TEXT } from './shorthand.js'

const CLOSED = { additionalProperties: false }
const map = (patternProperties: Readonly<Record<string, Schema>>, more: object = {}): Schema => ({
  type: 'object',
  patternProperties,
  ...more,
})
const NUMBER: Schema = { type: 'number' }

test('a name that matches the wider of two patterns alone is found', () => {
  const before = map({ '^a': TEXT, a: { type: ['string', 'number'] } }, CLOSED)
  expect(gapsOf(of(before), of(map({ a: TEXT }, CLOSED)))).toEqual(['type at {}: {"ba":0}'])
})

test('a pattern that takes fewer names is shown by one that has no schema of its own', () => {
  const x = { properties: { x: TEXT }, ...CLOSED }
  expect(gapsOf(of(map({ '^x': TEXT }, x)), of(map({ '^x[a-y]': TEXT }, x)))).toEqual([
    'nothing at {}: {"xz":""}',
  ])
})

test('of a pattern that cannot be read, a change is reported and the same is none', () => {
  const twice = (schema: Schema) => map({ '^(z+)-\\1$': schema }, CLOSED)
  expect(gapsOf(of(twice(TEXT)), of(twice(NUMBER)))).toEqual(['type at {}: cannot tell'])
  expect(gapsOf(of(twice(TEXT)), of(twice({ ...NUMBER, type: ['string', 'null'] })))).toEqual([])
})

test('names longer than any that is tried are there all the same', () => {
  expect(gapsOf(of(map({ '^a{11000}$': TEXT })), of(object({}, CLOSED)))).toEqual([
    'nothing at {}: no value',
  ])
})

test('a map with listed names is the object that declares them', () => {
  const listed: Schema = {
    ...{ type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: TEXT },
  }
  const declared = object({ a: TEXT, b: TEXT }, CLOSED)
  expect([gapsOf(of(listed), of(declared)), gapsOf(of(declared), of(listed))]).toEqual([[], []])
  expect(gapsOf(of(listed), of(object({ a: TEXT, b: NUMBER }, CLOSED)))).toEqual([
    'type at b: {"b":""}',
  ])
})
