import { describe, expect, test } from 'vitest'
import { inOneFile } from '../../../src/emit/declaration.js'
import { emitValidators } from '../../../src/emit/validators.js'
import type { Schema } from '../../../src/schema/schema.js'
import { apiOfSchemas, interpret, runWritten, type Schemas } from './written.js'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const has = (...names: readonly string[]): Schema => ({
  properties: Object.fromEntries(names.map((name) => [name, true])),
})
const needs = (...names: readonly string[]): Schema => ({
  ...(has(...names) as object),
  required: names,
})

type Row = readonly [
  clause: string,
  schema: Schema,
  valid: readonly unknown[],
  invalid: readonly unknown[],
]

const NAMED: Schemas = {
  Circle: needs('radius'),
  Square: { ...(needs('side') as object), unevaluatedProperties: { type: 'number' } },
  Pair: { prefixItems: [true, true] },
}

/** JSON Schema 2020-12, core 11.2 (items) and 11.3 (properties), by what is an annotation of what. */
const properties: readonly Row[] = [
  ['nothing else', { unevaluatedProperties: false }, [{}, 5, [1], { a: undefined }], [{ a: 1 }]],
  ['a schema', { unevaluatedProperties: { type: 'number' } }, [{ a: 1 }], [{ a: 'x' }]],
  ['properties', { ...(has('a') as object), unevaluatedProperties: false }, [{ a: 1 }], [{ b: 1 }]],
  [
    'patternProperties',
    { patternProperties: { '^a': true }, unevaluatedProperties: false },
    [{ ab: 1 }],
    [{ ba: 1 }],
  ],
  [
    'additionalProperties',
    { additionalProperties: { type: 'number' }, unevaluatedProperties: false },
    [{ a: 1 }],
    [{ a: 'x' }],
  ],
  [
    'allOf, which sees to them together',
    { allOf: [has('a'), has('b')], unevaluatedProperties: false },
    [{ a: 1, b: 1 }],
    [{ c: 1 }],
  ],
  [
    'anyOf: all branches that match',
    { anyOf: [needs('a'), needs('b'), has('c')], unevaluatedProperties: false },
    [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { a: 1, c: 1 }],
    [{ d: 1 }],
  ],
  [
    'anyOf: no branch that does not match',
    {
      anyOf: [needs('a'), { properties: { b: { type: 'number' } }, required: ['b'] }],
      unevaluatedProperties: false,
    },
    [{ a: 1, b: 2 }],
    [{ a: 1, b: 'x' }],
  ],
  [
    'oneOf: the one that matches',
    { oneOf: [needs('a'), needs('b')], unevaluatedProperties: false },
    [{ a: 1 }, { b: 1 }],
    [
      { a: 1, b: 1 },
      { a: 1, c: 1 },
    ],
  ],
  [
    'if and then, if and else',
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: needs('a'), then: has('b'), else: has('c'), unevaluatedProperties: false },
    [{ a: 1, b: 1 }, { c: 1 }, {}],
    [{ b: 1 }, { a: 1, c: 1 }],
  ],
  [
    'if that nothing follows from (core 10.2.2.1)',
    { if: needs('a'), unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  [
    'dependentSchemas, where the property is there',
    { properties: { a: true }, dependentSchemas: { a: has('b') }, unevaluatedProperties: false },
    [{ a: 1, b: 1 }],
    [{ b: 1 }],
  ],
  [
    '$ref',
    { allOf: [ref('Circle')], unevaluatedProperties: false },
    [{ radius: 1 }],
    [{ radius: 1, side: 1 }],
  ],
  [
    'an unevaluatedProperties within, which has seen to all that it lets through',
    { anyOf: [ref('Circle'), ref('Square')], unevaluatedProperties: false },
    [{ radius: 1 }, { side: 1, depth: 1 }, { side: 1, radius: 1 }],
    [{ radius: 1, side: 'x', depth: 'x' }],
  ],
  [
    'nothing of not (core 10.2.1.4)',
    { not: { not: needs('a') }, unevaluatedProperties: false },
    [],
    [{ a: 1 }, {}],
  ],
  [
    'no cousin: another part of an allOf',
    { allOf: [has('a'), { unevaluatedProperties: false }] },
    [{}],
    [{ a: 1 }],
  ],
  [
    'no property of a property',
    { properties: { a: has('b') }, unevaluatedProperties: false },
    [{ a: { b: 1 } }],
    [{ a: 1, b: 1 }],
  ],
  [
    'names that every object has',
    { ...(has('toString', '__proto__') as object), unevaluatedProperties: false },
    [{}, { toString: 1 }, JSON.parse('{ "__proto__": 1 }')],
    [{ constructor: 1 }, { hasOwnProperty: 1 }],
  ],
  [
    'a circle through a property',
    ref('Node'),
    [{ next: { next: {} } }],
    [{ next: { next: { other: 1 } } }],
  ],
]

const items: readonly Row[] = [
  ['nothing else', { unevaluatedItems: false }, [[], {}, 'x'], [[1]]],
  ['a schema', { unevaluatedItems: { type: 'number' } }, [[1]], [['x'], [undefined], new Array(1)]],
  ['prefixItems', { prefixItems: [true], unevaluatedItems: false }, [[1]], [[1, 2]]],
  ['items', { items: { type: 'number' }, unevaluatedItems: false }, [[1, 2]], [['x']]],
  [
    'contains: each item that matches (core 10.3.1.3)',
    { contains: { type: 'number' }, unevaluatedItems: { type: 'string' } },
    [[1, 'x', 2]],
    [[1, true], ['x']],
  ],
  [
    'anyOf',
    { anyOf: [ref('Pair'), { prefixItems: [true, true, { const: 3 }] }], unevaluatedItems: false },
    [[1, 2, 3], [1]],
    [
      [1, 2, 4],
      [1, 2, 3, 4],
    ],
  ],
  [
    'an unevaluatedItems within',
    { allOf: [{ unevaluatedItems: { type: 'number' } }], unevaluatedItems: false },
    [[1, 2]],
    [['x']],
  ],
  ['no cousin', { allOf: [ref('Pair'), { unevaluatedItems: false }] }, [[]], [[1]]],
]

describe.each([
  ['unevaluatedProperties', properties],
  ['unevaluatedItems', items],
])('%s, written ahead of time, knows of', (keyword, rows) => {
  test.each(rows)('%s', async (_, schema, valid, invalid) => {
    const schemas = {
      ...NAMED,
      Node: { properties: { next: ref('Node') }, unevaluatedProperties: false },
      Root: schema,
    }
    const { Root } = await runWritten(schemas)
    const interpreted = interpret(schemas)('Root')
    const verdicts = [...valid, ...invalid].map((value) => [value, Root?.check(value)])
    expect(verdicts).toEqual([
      ...valid.map((value) => [value, true]),
      ...invalid.map((value) => [value, false]),
    ])
    expect(verdicts).toEqual(
      [...valid, ...invalid].map((value) => [value, interpreted.check(value)]),
    )
    expect(keyword).toMatch(/^unevaluated/)
  })
})

test('what closes an object is not asked openly, at any depth; what else is asked stays', async () => {
  const { Closed, Typed } = await runWritten({
    Closed: { allOf: [has('a')], unevaluatedProperties: false },
    Typed: {
      properties: {
        inner: { properties: { a: { type: 'number' } }, unevaluatedProperties: false },
      },
      unevaluatedProperties: { type: 'number' },
    },
  })
  const verdicts = [{ a: 1 }, { b: 1 }].map((value) => [
    Closed?.check(value),
    Closed?.open?.(value),
  ])
  expect(verdicts).toEqual([
    [true, true],
    [false, true],
  ])
  const typed = [{ inner: { b: 1 } }, { inner: { a: 'x' } }, { more: 1 }, { more: 'x' }]
  expect(typed.map((value) => [Typed?.check(value), Typed?.open?.(value)])).toEqual([
    [false, true],
    [false, false],
    [true, true],
    [false, false],
  ])
})

test('is as pleasant to read as the rest, and is as long as its schemas are, however often they are shared', () => {
  const { text } = inOneFile(
    emitValidators(
      apiOfSchemas({
        Circle: needs('radius'),
        Square: { ...(needs('side') as object), patternProperties: { '^x-': true } },
        Shape: {
          type: 'object',
          oneOf: [ref('Circle'), ref('Square')],
          unevaluatedProperties: false,
        },
      }),
    ),
  )
  expect(
    text.slice(text.indexOf('function isShapeRest'), text.indexOf('export const is')),
  ).toMatchInlineSnapshot(`
    "function isShapeRest(value: unknown): boolean {
      if (!isObject(value)) return false
      const matches1 = isCircle(value)
      const matches2 = isSquare(value)
      for (const key of Object.keys(value)) {
        const item = value[key]
        if (item === undefined) continue
        if (!(
          (matches1 && key === 'radius') || (matches2 && (key === 'side' || squareKeyPattern.test(key)))
        )) return false
      }
      return true
    }

    const squareKeyPattern: RegExp = /^x-/u

    function isObject(value: unknown): value is Fields {
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    }

    /** Any object. Fields that are read by name are listed, so that misspelled names are errors. */
    type Fields = Readonly<Record<string, unknown>> & { readonly [name in FieldName]?: unknown }

    type FieldName =
      | 'radius'
      | 'side'"
  `)
  const levels = Array.from({ length: 40 }, (_, at): [string, Schema] => [
    `Level${at}`,
    at === 39
      ? needs('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k')
      : { anyOf: [ref(`Level${at + 1}`), { allOf: [ref(`Level${at + 1}`), needs(`k${at}`)] }] },
  ])
  const shared = inOneFile(
    emitValidators(
      apiOfSchemas({
        ...Object.fromEntries(levels),
        Root: { allOf: [ref('Level0')], unevaluatedProperties: false },
      }),
    ),
  )
  expect(shared.text.length).toBeLessThan(40_000)
})
