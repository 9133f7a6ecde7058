import { expect, it } from 'vitest'
import { headerOf } from '../../src/runtime/wire/headers.js'

const PAIRS = [
  ['Allow', 'GET'],
  ['Content-Type', 'text/plain'],
  ['allow', 'POST'],
  ['Cookie', 'a=1'],
  ['cookie', 'b=2'],
] as const

it.each([
  ['allow', 'GET, POST'],
  ['ALLOW', 'GET, POST'],
  ['content-type', 'text/plain'],
  ['cookie', 'a=1; b=2'],
  ['location', undefined],
  ['constructor', undefined],
])('the value of %s in pairs is %j', (name, value) => {
  expect(headerOf(PAIRS, name)).toBe(value)
})

it.each([
  ['allow', 'GET, POST'],
  ['cookie', 'a=1; b=2'],
  ['etag', '"1"'],
  ['location', undefined],
  ['constructor', undefined],
])('the value of %s in a record is %j', (name, value) => {
  const record = { allow: ['GET', 'POST'], cookie: ['a=1', 'b=2'], etag: '"1"' }
  expect(headerOf(record, name)).toBe(value)
})
