import { describe, expect, test } from 'vitest'
import type { Schema } from '../../../src/schema/schema.js'
import { gapsOf, object, of, TEXT } from './shorthand.js'

const needing = (name: string, more: object = {}): Schema =>
  object({ [name]: TEXT }, { required: [name], ...more })

const CLOSED = { additionalProperties: false }
const [A, B, C] = [needing('a'), needing('b'), needing('c')]
const BOTH = object({ a: TEXT, b: TEXT }, { required: ['a'] })

describe('a second alternative', () => {
  test.each<[string, Schema, Schema, readonly string[]]>([
    [
      'takes over what was declared',
      { oneOf: [BOTH] },
      { oneOf: [BOTH, B] },
      ['overlap {"a":"","b":""}'],
    ],
    ['beside others', { oneOf: [BOTH, C] }, { oneOf: [BOTH, C, B] }, ['overlap {"a":"","b":""}']],
    [
      'and what fits none is reported as well',
      object({ a: TEXT, b: TEXT }),
      { oneOf: [A, B] },
      ['required at a: {}', 'overlap {"a":"","b":""}'],
    ],
    ['overlaps by nothing that was declared', { oneOf: [A] }, { oneOf: [A, B] }, []],
    [
      'is closed, as the first',
      { oneOf: [needing('a', CLOSED)] },
      {
        oneOf: [needing('a', CLOSED), needing('b', CLOSED)],
      },
      [],
    ],
  ])('%s', (_, inner, outer, want) => {
    expect(gapsOf(of(inner), of(outer))).toEqual(want)
  })
})

describe('what several alternatives of an anyOf declare together', () => {
  test.each<[string, Schema, Schema, readonly string[]]>([
    ['fits two of a oneOf', { anyOf: [A, B] }, { oneOf: [A, B] }, ['overlap {"a":"","b":""}']],
    [
      'is undeclared in each alone',
      { anyOf: [A, B] },
      {
        anyOf: [needing('a', CLOSED), needing('b', CLOSED)],
      },
      ['undeclared at b: {"b":"","a":""}'],
    ],
    [
      'is undeclared in a member of each',
      { anyOf: [object({ p: A }), object({ p: B })] },
      {
        anyOf: [object({ p: needing('a', CLOSED) }), object({ p: needing('b', CLOSED) })],
      },
      ['undeclared at p.b: {"p":{"b":"","a":""}}'],
    ],
    [
      'is too much for a bound',
      { anyOf: [A, B, C] },
      {
        anyOf: [A, B, C],
        maxProperties: 2,
      },
      ['most-properties {"a":"","b":"","c":""}'],
    ],
    [
      'is nothing where they exclude each other',
      {
        anyOf: [needing('a', CLOSED), needing('b', CLOSED)],
      },
      { oneOf: [needing('a', CLOSED), needing('b', CLOSED)] },
      [],
    ],
  ])('%s', (_, inner, outer, want) => {
    expect(gapsOf(of(inner), of(outer))).toEqual(want)
  })

  test('is looked over by readers where it is only closed', () => {
    const closed = of({ anyOf: [needing('a', CLOSED), needing('b', CLOSED)] })
    expect(gapsOf(of({ anyOf: [A, B] }), closed, 'open')).toEqual([])
  })
})
