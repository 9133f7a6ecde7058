import { describe, expect, test } from 'vitest'
import {
  compilePattern,
  open,
  type Validator,
  type ValidatorSchema,
  validator,
} from '../../src/runtime/validate.js'

const checkAll = (schema: ValidatorSchema, values: readonly unknown[]): readonly boolean[] =>
  values.map((value) => validator(() => schema).check(value))

type Row = readonly [title: string, schema: ValidatorSchema, yes: unknown[], no: unknown[]]

const numbers: readonly Row[] = [
  ['an integer however it was written', { type: 'integer' }, [1, 1.0, -0, 1e300], [1.5, '1', null]],
  ['numbers are finite', { type: 'number' }, [0.5], [Number.NaN, Number.POSITIVE_INFINITY, 1n]],
  ['decimals by their digits', { multipleOf: 0.01 }, [4.07, 0.29, 1.1, 19.99, 3], [0.015, 1e-7]],
  ['tiny steps', { multipleOf: 1e-8 }, [12391239123, 1.00000001, 1e-8], [1e-9]],
  ['large numbers', { multipleOf: 3 }, [9007199254740996, 3e22, 9e300], [1e300]],
  ['a step past the double range', { multipleOf: 0.123456789 }, [0], [1e308]],
  ['bounds', { minimum: 1, exclusiveMaximum: 2 }, [1, 1.99], [0.99, 2]],
]

const strings: readonly Row[] = [
  ['lengths are code points', { minLength: 2, maxLength: 3 }, ['💩💩', 'abc', '💩💩💩'], ['💩']],
  ['longer ones too', { maxLength: 1 }, ['💩', 'a', ''], ['💩a', 'ab']],
  ['Unicode classes', { pattern: '^\\p{L}+$' }, ['é'], ['1']],
  ['a class only legal without u', { pattern: '^[\\w-.]+$' }, ['a-b.c'], ['a b']],
  ['a pattern is not anchored', { pattern: 'b' }, ['abc'], ['ac']],
]

const equality: readonly Row[] = [
  [
    'const',
    { const: { a: [1, { b: null }], c: 2 } },
    [{ c: 2, a: [1.0, { b: null }] }],
    [{ c: 2 }],
  ],
  ['const of a falsy value', { const: 0 }, [0, -0], [false, '', null, '0']],
  ['enum', { enum: [[], 'a', null] }, [[], 'a', null], [{}, [null], '[]', 'null']],
  [
    'uniqueItems',
    { uniqueItems: true },
    [
      [1, '1', true, 'true', [1], ['1'], { a: 1 }, { a: '1' }],
      [null, 'null', {}],
    ],
    [
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[{}], [{}]],
    ],
  ],
]

const inherited = Object.create({ a: 1 })
const proto = JSON.parse('{"__proto__": 1}')

const objects: readonly Row[] = [
  ['required asks own properties', { required: ['toString'] }, [{ toString: 1 }], [{}, proto]],
  ['and not inherited ones', { required: ['a'] }, [{ a: 1 }], [inherited]],
  ['__proto__ as a key', { required: ['__proto__'] }, [proto], [{}]],
  ['__proto__ is an undeclared key', { additionalProperties: false }, [{}, inherited], [proto]],
  [
    '__proto__ has its own schema',
    { properties: JSON.parse('{"__proto__": {"type": "string"}}') },
    [{}, JSON.parse('{"__proto__": "a"}')],
    [proto],
  ],
  [
    'undefined is absent',
    { required: ['a'], maxProperties: 1, additionalProperties: false, properties: { a: true } },
    [{ a: 1, b: undefined }],
    [{ a: undefined }, { a: 1, b: null }],
  ],
  ['undefined needs nothing', { dependentRequired: { a: ['b'] } }, [{ a: undefined }], [{ a: 1 }]],
  ['undefined equals absent', { const: { a: 1 } }, [{ a: 1, b: undefined }], [{ a: undefined }]],
  [
    'patterns and properties both hold',
    {
      properties: { ab: { minimum: 2 } },
      patternProperties: { '^a': { type: 'number' } },
      additionalProperties: { type: 'string' },
    },
    [{ ab: 2, ac: 1, b: 'x' }],
    [{ ab: 1 }, { ac: 'x' }, { b: 1 }],
  ],
  [
    'a shared name is required once',
    { required: ['a', 'a'], properties: { a: true } },
    [{ a: 1 }],
    [{}],
  ],
]

const arrays: readonly Row[] = [
  ['no undefined', { type: 'array' }, [[], [null]], [[undefined], new Array(1)]],
  ['no undefined among items', { items: true }, [[1]], [[1, undefined]]],
  ['undefined is no value', true, [null, 0, [], {}], [undefined]],
  ['not even under not', { not: { type: 'string' } }, [1], [undefined]],
  [
    'a tuple',
    { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 1 },
    [['a'], ['a', 1]],
    [[], ['a', 1, 1], [1]],
  ],
  [
    'contains in bounds',
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [
      [1, 2, 1],
      [1, 1, 1],
    ],
    [[1], [1, 1, 1, 1]],
  ],
  ['contains may be none', { contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
]

const evaluation: readonly Row[] = [
  [
    'through allOf, anyOf and references',
    {
      allOf: [validator(() => ({ properties: { a: true } }))],
      anyOf: [{ required: ['b'], properties: { b: true } }, { properties: { c: { const: 1 } } }],
      unevaluatedProperties: false,
    },
    [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { b: 1, c: 1 }],
    [{ d: 1 }, { b: 1, c: 2 }],
  ],
  [
    'through if, then, else and dependentSchemas',
    {
      if: { properties: { kind: { const: 'x' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { x: true } },
      else: { properties: { kind: true, y: true } },
      dependentSchemas: { y: { properties: { z: true } } },
      unevaluatedProperties: { type: 'number' },
    },
    [{ kind: 'x', x: 'any' }, { kind: 'y', y: 'any', z: 'any' }, { x: 1 }],
    [{ x: 'any' }, { kind: 'x', z: 'any' }],
  ],
  [
    'not through not',
    { not: { not: { properties: { a: true } } }, unevaluatedProperties: false },
    [{}],
    [{ a: 1 }],
  ],
  [
    'items',
    { allOf: [{ prefixItems: [true] }], contains: { const: 'x' }, unevaluatedItems: false },
    [['x'], [1, 'x'], ['x', 'x']],
    [[1], ['x', 1]],
  ],
]

describe.each([
  ['numbers', numbers],
  ['strings', strings],
  ['equality', equality],
  ['objects', objects],
  ['arrays', arrays],
  ['what is left over', evaluation],
] as const)('%s', (_, rows) => {
  test.each(rows)('%s', (_title, schema, yes, no) => {
    expect(checkAll(schema, yes)).toEqual(yes.map(() => true))
    expect(checkAll(schema, no)).toEqual(no.map(() => false))
    for (const value of no) expect(validator(() => schema).explain(value)).not.toEqual([])
  })
})

test('annotations and extensions are ignored', () => {
  const schema = {
    format: 'email',
    default: 1,
    examples: [2],
    deprecated: true,
    'x-not-shown': '?',
  }
  expect(checkAll(schema, [1, 'no e-mail', {}])).toEqual([true, true, true])
})

test('a schema is read at the first question, once', () => {
  let read = 0
  const lazy = validator(() => {
    read++
    return { type: 'string' }
  })
  open(lazy)
  expect(read).toBe(0)
  expect([lazy.check('a'), lazy.check(1), lazy.explain(1).length, open(lazy).check('a')]).toEqual([
    true,
    false,
    1,
    true,
  ])
  expect(read).toBe(1)
})

test('a pattern that is none throws at the first question, and at every other', () => {
  const broken: Validator = validator(() => ({ properties: { a: broken, b: { pattern: '(' } } }))
  const message = /Invalid regular expression/
  expect(() => broken.check('')).toThrow(message)
  expect(() => broken.check('')).toThrow(message)
  expect(() => compilePattern('(')).toThrow(message)
})

test('a validator written by hand can stand in a schema', () => {
  const even: Validator<number> = {
    check: (value): value is number => Number(value) % 2 === 0,
    explain: (value) =>
      even.check(value) ? [] : [{ pointer: '', keyword: 'even', message: 'must be even' }],
  }
  const evens = validator(() => ({ items: even }))
  expect(evens.check([2, 4])).toBe(true)
  expect(open(evens).explain([2, 3])).toEqual([
    { pointer: '/1', keyword: 'even', message: 'must be even' },
  ])
})

describe('a union whose branches are distinguished by a property', () => {
  const member = (kind: string) =>
    validator(() => ({
      allOf: [
        { required: ['kind'], properties: { kind: { type: 'string', pattern: `^${kind}$` } } },
      ],
      properties: { value: { const: kind } },
    }))
  const union: ValidatorSchema = { oneOf: [member('a'), member('b')] }

  test('takes the branch that is meant', () => {
    const given = [
      { kind: 'a', value: 'a' },
      { kind: 'b' },
      { kind: 'a', value: 'b' },
      { kind: 'c' },
    ]
    expect(checkAll(union, given)).toEqual([true, true, false, false])
  })

  test('still lets through what every branch lets through', () => {
    expect(checkAll(union, ['a', null, []])).toEqual([false, false, false])
    expect(checkAll({ anyOf: [member('a'), member('b')] }, ['a', null, []])).toEqual([
      true,
      true,
      true,
    ])
  })

  test('tries every branch where a value belongs to two', () => {
    const longer = { required: ['kind', 'more'], properties: { kind: { enum: ['a', 'b'] } } }
    const overlapping: ValidatorSchema = { oneOf: [longer, member('a'), member('b')] }
    const given = [{ kind: 'a', value: 'b', more: 1 }, { kind: 'a', more: 1 }, { kind: 'b' }]
    expect(checkAll(overlapping, given)).toEqual([true, false, true])
  })

  test('does not take an inherited property for it', () => {
    expect(checkAll(union, [Object.create({ kind: 'a' }), {}])).toEqual([false, false])
  })
})

describe('depth', () => {
  const List: Validator = validator(() => ({
    type: 'object',
    required: ['head'],
    properties: { head: { type: 'number' }, tail: { anyOf: [{ type: 'null' }, List] } },
    additionalProperties: false,
  }))
  /** Even nesting is right and odd nesting wrong, so that every level counts. */
  const Even: Validator = validator(() => ({
    anyOf: [{ type: 'null' }, { type: 'array', minItems: 1, items: { not: Even } }],
  }))
  const nest = (depth: number, core: unknown, wrap: (inner: unknown) => unknown): unknown => {
    let value = core
    for (let level = 0; level < depth; level++) value = wrap(value)
    return value
  }
  const list = (depth: number, last: unknown) => nest(depth, last, (tail) => ({ head: 1, tail }))

  test.each([1, 49, 50, 51, 52, 101, 5_000, 100_000])('%i levels', (depth) => {
    expect(List.check(list(depth, null))).toBe(true)
    expect(List.check(list(depth, { head: '1' }))).toBe(false)
    expect(List.check(list(depth, { head: 1, more: 1 }))).toBe(false)
    expect(open(List).check(list(depth, { head: 1, more: 1 }))).toBe(true)
    expect(Even.check(nest(depth, null, (inner) => [inner]))).toBe(depth % 2 === 0)
  })

  test('a chain of 10,000 schemas', () => {
    const Last: Validator = validator(() => ({ type: 'null' }))
    let first = Last
    for (let link = 0; link < 10_000; link++) {
      const next = first
      first = validator(() => ({ type: ['object', 'null'], properties: { tail: next } }))
    }
    const chained = (depth: number, last: unknown) => nest(depth, last, (tail) => ({ tail }))
    expect(first.check(chained(3, null))).toBe(true)
    expect(first.check(chained(3, 1))).toBe(false)
    expect(first.check(chained(10_000, null))).toBe(true)
    expect(first.check(chained(10_000, {}))).toBe(false)
  })

  test('a fault out of sight is still a fault', () => {
    const [fault] = List.explain(list(50_000, 'x'))
    expect(fault?.message).toBe('must be valid at every depth, has an error too deep to be shown')
    expect(fault?.pointer).toMatch(/^(\/tail){101}$/)
  })

  test('many deep values side by side', () => {
    const Tree: Validator = validator(() => ({ type: ['array', 'null'], items: Tree }))
    const rows = Array.from({ length: 2_000 }, (_, at) =>
      nest(100, at === 1_999 ? 1 : null, (v) => [v]),
    )
    expect(Tree.check(nest(60, rows.slice(0, -1), (inner) => [inner]))).toBe(true)
    expect(Tree.check(nest(60, rows, (inner) => [inner]))).toBe(false)
  })

  test('deeper than the stack where no reference is followed', () => {
    const deep = nest(100_000, 1, (inner) => [inner])
    expect(checkAll({ const: 1 }, [deep])).toEqual([false])
    const unique = validator(() => ({ uniqueItems: true }))
    expect(unique.explain([deep])).toEqual([
      {
        pointer: '',
        keyword: '',
        message: 'must not contain itself, nor be nested as deeply as this',
      },
    ])
  })

  test('a value that contains itself', () => {
    const circle: Record<string, unknown> = { head: 1 }
    circle.tail = circle
    expect(List.check(circle)).toBe(false)
    expect(List.explain(circle)).toHaveLength(1)
  })

  test('a reference that leads nowhere but to itself', () => {
    const one: Validator = validator(() => other)
    const other: Validator = validator(() => one)
    expect([one.check(1), one.explain(1).length]).toEqual([false, 1])
  })
})
