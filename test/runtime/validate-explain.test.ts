import { describe, expect, test } from 'vitest'
import { type Validator, type ValidatorSchema, validator } from '../../src/runtime/validate.js'

const say = (schema: ValidatorSchema, value: unknown): readonly string[] =>
  validator(() => schema)
    .explain(value)
    .map(({ pointer, keyword, message }) => `${pointer} ${keyword}: ${message}`)

type Row = [schema: ValidatorSchema, value: unknown, ...want: string[]]

const Hash = validator(() => ({ type: 'string', pattern: '^0x[0-9a-f]{64}$' }))
const Quantity = validator(() => ({ type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' }))
const Tag = validator(() => ({ enum: ['earliest', 'latest'], title: 'a block tag' }))
const Forbidden = validator(() => ({ not: {} }))
const ab = { a: 1, b: 2 }

const rows: readonly Row[] = [
  [{ type: 'string' }, 3, ' type: must be a string, is the number 3'],
  [{ type: ['string', 'null'] }, [1], ' type: must be a string or null, is an array of 1 item'],
  [{ type: 'integer' }, 1.5, ' type: must be an integer, is the number 1.5'],
  [{ type: 'object' }, [], ' type: must be an object, is an empty array'],
  [{ type: 'boolean' }, 'true', ' type: must be true or false, is the string "true"'],
  [true, undefined, ' type: must be a JSON value, is undefined'],
  [false, 1, ' false: must not be present'],
  [Hash, '0x12', ' pattern: must match ^0x[0-9a-f]{64}$, is "0x12"'],
  [Hash, 'é'.repeat(99), ` pattern: must match ^0x[0-9a-f]{64}$, is "${'é'.repeat(59)}…"`],
  [{ minLength: 3 }, '💩💩', ' minLength: must have at least 3 characters, has 2'],
  [{ maxLength: 1 }, 'ab', ' maxLength: must have at most 1 character, has 2'],
  [{ minimum: 3 }, 2, ' minimum: must be at least 3, is 2'],
  [{ maximum: 3 }, 4, ' maximum: must be at most 3, is 4'],
  [{ exclusiveMinimum: 3 }, 3, ' exclusiveMinimum: must be more than 3, is 3'],
  [{ exclusiveMaximum: 3 }, 3, ' exclusiveMaximum: must be less than 3, is 3'],
  [{ multipleOf: 0.01 }, 0.015, ' multipleOf: must be a multiple of 0.01, is 0.015'],
  [{ const: { a: 1 } }, {}, ' const: must be {"a":1}, is an object'],
  [{ enum: ['a', 1, null] }, 'b', ' enum: must be one of "a", 1 or null, is "b"'],
  [
    { enum: Array.from({ length: 20 }, (_, at) => at) },
    'b',
    ' enum: must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 or 10 more, is "b"',
  ],
  [{ minItems: 2 }, [1], ' minItems: must have at least 2 items, has 1'],
  [{ maxItems: 1 }, [1, 2], ' maxItems: must have at most 1 item, has 2'],
  [{ maxItems: 0 }, [1, 2], ' maxItems: must be empty, has 2'],
  [{ prefixItems: [true], items: false }, [1, 2, 3], ' items: must have at most 1 item, has 3'],
  [{ items: { type: 'null' } }, [null, 1], '/1 type: must be null, is the number 1'],
  [{ items: true }, [1, undefined], '/1 type: must be a JSON value, is undefined'],
  [
    { uniqueItems: true },
    [1, 2, 1],
    ' uniqueItems: must not repeat an item, has the same at 0 and 2',
  ],
  [
    { contains: { const: 1 } },
    [2],
    ' contains: must contain at least 1 item that matches `contains`, contains 0',
  ],
  [
    { contains: { const: 1 }, maxContains: 1 },
    [1, 1],
    ' maxContains: must contain at most 1 item that matches `contains`, contains 2',
  ],
  [{ unevaluatedItems: false }, [1], '/0 unevaluatedItems: must not be present'],
  [{ minProperties: 3 }, ab, ' minProperties: must have at least 3 properties, has 2'],
  [{ maxProperties: 1 }, ab, ' maxProperties: must have at most 1 property, has 2'],
  [{ required: ['hash'] }, {}, ' required: must have the property `hash`'],
  [
    { additionalProperties: false },
    ab,
    ' additionalProperties: must not have the property `a`',
    ' additionalProperties: must not have the property `b`',
  ],
  [{ properties: { a: false } }, ab, ' properties: must not have the property `a`'],
  [{ properties: { a: Forbidden } }, ab, ' not: must not have the property `a`'],
  [
    { properties: { a: true }, unevaluatedProperties: false },
    ab,
    ' unevaluatedProperties: must not have the property `b`',
  ],
  [
    { propertyNames: { pattern: '^a' } },
    ab,
    ' propertyNames: must not have a property named "b", as a name must match ^a',
  ],
  [
    { dependentRequired: { a: ['c'] } },
    ab,
    ' dependentRequired: must have the property `c`, as it has `a`',
  ],
  [{ dependentSchemas: { a: { required: ['c'] } } }, ab, ' required: must have the property `c`'],
  [
    { properties: { 'a/b~c': { type: 'null' } } },
    { 'a/b~c': 1 },
    '/a~1b~0c type: must be null, is the number 1',
  ],
  [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { required: ['a'] }, then: { required: ['c'] } },
    ab,
    ' required: must have the property `c`',
  ],
  [{ not: { required: ['a'] } }, ab, ' not: must not have the property `a`'],
  [
    { not: { required: ['a', 'b'] } },
    ab,
    ' not: must not have the properties `a` and `b` together',
  ],
  [
    { not: { anyOf: [{ required: ['c'] }, { required: ['b'] }] } },
    ab,
    ' not: must not have the property `b`',
  ],
  [{ not: { type: 'string' } }, 'a', ' not: must not be a string'],
  [{ not: { enum: ['a', 'b'] } }, 'a', ' not: must not be "a"'],
  [{ not: Tag }, 'latest', ' not: must not be a block tag'],
  [{ not: { minimum: 1 } }, 2, ' not: must not match the schema in `not`'],
  [
    { allOf: [Hash, { type: 'string' }, { type: 'string' }] },
    1,
    ' type: must be a string, is the number 1',
  ],
]

test.each<Row>(rows)('%j %j', (schema, value, ...want) => {
  expect(say(schema, value)).toEqual(want)
})

const long = 'n'.repeat(99)

test.each<readonly [schema: ValidatorSchema, value: unknown, keyword: string, property: unknown]>([
  [{ required: ['a`b'] }, {}, 'required', 'a`b'],
  [{ required: [long] }, {}, 'required', long],
  [{ additionalProperties: false }, { 'x/y': 1 }, 'additionalProperties', 'x/y'],
  [{ unevaluatedProperties: false }, { x: 1 }, 'unevaluatedProperties', 'x'],
  [{ properties: { x: false } }, { x: 1 }, 'properties', 'x'],
  [{ properties: { x: Forbidden } }, { x: 1 }, 'not', 'x'],
  [{ not: { required: ['x'] } }, { x: 1 }, 'not', 'x'],
  [{ not: { anyOf: [{ required: ['x'] }, { required: ['y'] }] } }, { y: 1 }, 'not', 'y'],
  [{ not: { title: 'what `a` describes`', required: ['x'] } }, { x: 1 }, 'not', undefined],
  [{ not: { required: ['x', 'y'] } }, { x: 1, y: 1 }, 'not', undefined],
  [{ dependentRequired: { x: ['y'] } }, { x: 1 }, 'dependentRequired', 'y'],
  [{ propertyNames: { maxLength: 1 } }, { xy: 1 }, 'propertyNames', 'xy'],
  [{ minProperties: 1 }, {}, 'minProperties', undefined],
])(
  'the property that a fault is about is in its params: %j',
  (schema, value, keyword, property) => {
    const faults = validator(() => schema).explain(value)
    const found = faults.map((fault) => [fault.pointer, fault.keyword, fault.params?.property])
    expect(found).toEqual([['', keyword, property]])
  },
)

const byHand: Validator = {
  check: (_value: unknown): _value is unknown => false,
  explain: (value, _most, { hideValues } = {}) => [
    {
      pointer: '',
      keyword: 'x-even',
      message: hideValues ? 'must be even' : `must be even, is ${value}`,
    },
  ],
}

test.each<Row>([
  [{ type: 'string' }, 3, ' type: must be a string'],
  [{ items: true }, [1, undefined], '/1 type: must be a JSON value'],
  [Hash, '0x12', ' pattern: must match ^0x[0-9a-f]{64}$'],
  [
    { pattern: '^a', minLength: 3 },
    'bb',
    ' minLength: must have at least 3 characters, has 2',
    ' pattern: must match ^a',
  ],
  [{ properties: { a: { minimum: 3 } } }, { a: 2 }, '/a minimum: must be at least 3'],
  [{ enum: ['a', 1] }, 'b', ' enum: must be one of "a" or 1'],
  [{ const: ', is 3' }, 3, ' const: must be ", is 3"'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 3, ' anyOf: must be a string or null'],
  [{ anyOf: [byHand, { minimum: 4 }] }, 3, ' anyOf: must be even or at least 4'],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'c', ' anyOf: must be "a" or "b"'],
  [{ items: byHand }, [3], '/0 x-even: must be even'],
])('%j %j, without the value', (schema, value, ...want) => {
  const faults = validator(() => schema).explain(value, undefined, { hideValues: true })
  expect(
    faults.map(({ pointer, keyword, message }) => `${pointer} ${keyword}: ${message}`),
  ).toEqual(want)
})

describe('faults stand in the order of the document', () => {
  test('whatever keyword found them', () => {
    const schema: ValidatorSchema = {
      allOf: [{ properties: { first: { type: 'string' } } }],
      properties: { last: { items: { type: 'string' } }, second: { required: ['x', 'y'] } },
      required: ['missing'],
    }
    const value = { first: 1, second: {}, last: ['', 1, 2, '', '', '', '', '', '', '', 3] }
    expect(
      validator(() => schema)
        .explain(value)
        .map(({ pointer }) => pointer),
    ).toEqual(['', '/first', '/second', '/second', '/last/1', '/last/2', '/last/10'])
  })

  test('a hundred at most', () => {
    const flags = Array.from({ length: 100_000 }, (_, at) => at)
    expect(say({ items: { type: 'string' } }, flags)).toHaveLength(100)
  })
})

describe('a union', () => {
  const message = {
    title: 'message',
    type: 'object',
    required: ['arguments'],
    properties: { arguments: { type: 'string' }, code: Forbidden, to: Forbidden },
    additionalProperties: false,
  } as const
  const call = {
    type: 'object',
    required: ['to', 'method'],
    properties: { to: Quantity, method: { type: 'string' }, code: Forbidden },
    additionalProperties: false,
  } as const
  const forms: ValidatorSchema = { oneOf: [message, call] }
  const event = (kind: string, key: string): ValidatorSchema => ({
    title: `${kind} event`,
    type: 'object',
    required: ['kind', key],
    properties: { kind: { const: kind }, [key]: Quantity },
  })
  const events: ValidatorSchema = { anyOf: [event('mint', 'amount'), event('burn', 'reason')] }

  test.each<Row>([
    [
      forms,
      { arguments: 1 },
      ' oneOf: must match one of 2 alternatives, is closest to "message"',
      '/arguments type: must be a string, is the number 1',
    ],
    [
      forms,
      { to: '0x', method: 'a' },
      ' oneOf: must match one of 2 alternatives, is closest to alternative 2',
      '/to pattern: must match ^0x(0|[1-9a-f][0-9a-f]*)$, is "0x"',
    ],
    [forms, 'hello', ' oneOf: must be an object, is the string "hello"'],
    [
      events,
      { kind: 'burn', amount: '0x1' },
      ' anyOf: must match one of 2 alternatives, is "burn event" by its `kind`',
      ' required: must have the property `reason`',
    ],
    [
      forms,
      { to: 1, method: 1, code: 1 },
      ' oneOf: must match one of 2 alternatives, is closest to alternative 2',
      ' not: must not have the property `code`',
      '/to type: must be a string, is the number 1',
      '/method type: must be a string, is the number 1',
    ],
    [
      forms,
      { to: 1, method: 1, arguments: '' },
      ' oneOf: must match one of 2 alternatives, is closest to "message"',
      ' not: must not have the property `to`',
      ' additionalProperties: must not have the property `method`',
    ],
    [
      { oneOf: [message, call, { properties: { list: { items: { type: 'string' } } } }] },
      { to: 1, list: [1, 2, 3] },
      ' oneOf: must match one of 3 alternatives, is closest to alternative 3',
      '/list/0 type: must be a string, is the number 1',
      '/list/1 type: must be a string, is the number 2',
      '/list/2 type: must be a string, is the number 3',
    ],
    [
      { oneOf: [{ required: ['a'] }, { required: ['c'] }, { required: ['b'] }] },
      ab,
      ' oneOf: must match only one alternative, matches alternative 1 and alternative 3',
    ],
    [
      { anyOf: [{ properties: { kind: { const: 'mint' } } }, { required: ['x', 'y'] }] },
      { kind: 'melt' },
      ' anyOf: must match one of 2 alternatives, is closest to alternative 2',
      ' required: must have the property `x`',
      ' required: must have the property `y`',
    ],
    [events, { kind: 'melt' }, '/kind anyOf: must be one of "mint" or "burn", is "melt"'],
    [{ anyOf: [{ type: 'null' }, Hash] }, '0x', ' pattern: must match ^0x[0-9a-f]{64}$, is "0x"'],
    [{ anyOf: [{ type: 'null' }, Hash] }, 3, ' anyOf: must be null or a string, is the number 3'],
    [
      { oneOf: [Quantity, Tag] },
      'latst',
      ' oneOf: must be one of "earliest" or "latest", or match ^0x(0|[1-9a-f][0-9a-f]*)$, is "latst"',
    ],
    [
      { oneOf: [{ title: 'even', multipleOf: 2 }, { multipleOf: 3 }, { multipleOf: 5 }] },
      6,
      ' oneOf: must match only one alternative, matches "even" and alternative 2',
    ],
  ])('%# says which branch was meant', (schema, value, ...want) => {
    expect(say(schema, value)).toEqual(want)
  })

  test('inside unions inside unions ends soon', () => {
    const Nested: Validator = validator(() => ({
      anyOf: ['a', 'b', 'c', 'd'].map((key) => ({
        required: [key],
        properties: { inner: Nested },
      })),
    }))
    const value = Array.from({ length: 40 }).reduce<object>((inner) => ({ inner, a: 1 }), {
      a: 1,
      inner: {},
    })
    expect(Nested.check(value)).toBe(false)
    expect(Nested.explain(value)[0]?.message).toBe(
      'must match one of 4 alternatives, is closest to alternative 1',
    )
  })
})
