import { describe, expect, test } from 'vitest'
import {
  open,
  type Validator,
  type ValidatorSchema,
  validator,
} from '../../src/runtime/validate.js'

const Point = validator(() => ({
  type: 'object',
  required: ['x'],
  properties: { x: { type: 'number' } },
  additionalProperties: false,
}))
const closed = (name: string, value: ValidatorSchema): ValidatorSchema => ({
  type: 'object',
  required: [name],
  properties: { [name]: value },
  additionalProperties: false,
})

type Row = readonly [
  title: string,
  schema: ValidatorSchema,
  given: unknown,
  want: 'both' | 'open' | 'neither',
]

const rows: readonly Row[] = [
  ['declared only', Point, { x: 1 }, 'both'],
  ['undeclared', Point, { x: 1, y: 2 }, 'open'],
  ['what is declared still holds', Point, { x: '1', y: 2 }, 'neither'],
  ['what is required is still required', Point, { y: 2 }, 'neither'],
  [
    'through references and items',
    { items: { properties: { p: Point } } },
    [{ p: { x: 1, y: 2 } }],
    'open',
  ],
  ['a typed rest still holds', { additionalProperties: { type: 'string' } }, { a: 1 }, 'neither'],
  ['and is read openly itself', { additionalProperties: Point }, { a: { x: 1, y: 2 } }, 'open'],
  [
    'unevaluatedProperties',
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { b: 1 },
    'open',
  ],
  [
    'a typed unevaluatedProperties',
    { unevaluatedProperties: { type: 'string' } },
    { b: 1 },
    'neither',
  ],
  [
    'a forbidden property stays forbidden',
    { properties: { code: { not: {} } } },
    { code: 1 },
    'neither',
  ],
  ['closed tuples stay closed', { prefixItems: [true], items: false }, [1, 2], 'neither'],
  ['not is strict', { not: Point }, { x: 1, y: 2 }, 'both'],
  ['not refuses what it did', { not: Point }, { x: 1 }, 'neither'],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ['if is strict', { if: Point, then: { required: ['z'] } }, { x: 1, y: 2 }, 'both'],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ['then is open', { if: { required: ['x'] }, then: Point }, { x: 1, y: 2 }, 'open'],
  ['one branch openly', { oneOf: [closed('a', true), closed('b', true)] }, { a: 1, c: 1 }, 'open'],
  [
    'two branches openly, one strictly',
    { oneOf: [Point, closed('y', true)] },
    { x: 1, y: 1 },
    'open',
  ],
  [
    'two branches openly, one of them strictly',
    { oneOf: [Point, { ...(closed('x', true) as object), properties: { x: true, y: true } }] },
    { x: 1, y: 1 },
    'both',
  ],
  ['two branches strictly', { oneOf: [Point, { required: ['x'] }] }, { x: 1 }, 'neither'],
  ['no branch', { oneOf: [Point, { required: ['z'] }] }, { y: 1 }, 'neither'],
  ['more may match contains', { contains: Point }, [{ x: 1, y: 2 }], 'open'],
  [
    'but not too many for it',
    { contains: Point, maxContains: 1 },
    [{ x: 1 }, { x: 1, y: 2 }],
    'both',
  ],
]

describe('the open reading', () => {
  test.each(rows)('%s', (_, schema, given, want) => {
    const strict = validator(() => schema)
    const got = { strict: strict.check(given), open: open(strict).check(given) }
    expect(got).toEqual({ strict: want === 'both', open: want !== 'neither' })
    expect(strict.explain(given).length === 0).toBe(got.strict)
    expect(open(strict).explain(given).length === 0).toBe(got.open)
  })

  test('goes through a cycle', () => {
    const Node: Validator = validator(() => closed('next', { anyOf: [{ type: 'null' }, Node] }))
    const value = { next: { next: { next: null, more: 1 }, more: 1 }, more: 1 }
    expect([Node.check(value), open(Node).check(value)]).toEqual([false, true])
  })

  test('is made once per validator, and is its own open reading', () => {
    expect(open(Point)).toBe(open(Point))
    expect(open(open(Point))).toBe(open(Point))
  })

  test('stays open where it stands in a strict schema', () => {
    const holder = validator(() => closed('p', open(Point)))
    expect(holder.check({ p: { x: 1, y: 2 } })).toBe(true)
    expect(holder.check({ p: { x: 1 }, q: 1 })).toBe(false)
  })

  test('says nothing of what it ignores', () => {
    const value = { p: { x: '1', y: 2 }, q: 1 }
    const holder = validator(() => closed('p', Point))
    expect(holder.explain(value).map(({ message }) => message)).toEqual([
      'must not have the property `q`',
      'must not have the property `y`',
      'must be a number, is the string "1"',
    ])
    expect(
      open(holder)
        .explain(value)
        .map(({ message }) => message),
    ).toEqual(['must be a number, is the string "1"'])
  })
})
