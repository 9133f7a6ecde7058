import { expect, it } from 'vitest'
import { findingsOf, http, json, schema } from './lint-documents.js'

const RULE = 'one-of-branch-never-matches'

it.each<[string, object[], number[]]>([
  ['an integer is a number', [{ type: 'integer' }, { type: 'number' }], [0]],
  ['a listed text is a text', [{ type: 'string' }, { type: 'string', enum: ['auto'] }], [1]],
  ['of equal branches, one is reported', [{ type: 'array' }, { type: 'array', items: {} }], [0]],
  [
    'an object with more required properties',
    [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['a', 'b'] },
    ],
    [1],
  ],
  ['disjoint branches', [{ type: 'string' }, { type: 'number' }], []],
  [
    'branches that share only some values',
    [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['b'] },
    ],
    [],
  ],
  [
    'branches that declare different properties, because a value may have others',
    [
      { type: 'object', properties: { ip: { type: 'string' } } },
      { type: 'object', properties: { pk: { type: 'string' } } },
    ],
    [],
  ],
  [
    'the same within a property',
    [
      {
        type: 'object',
        properties: { in: { type: 'object', properties: { a: { type: 'string' } } } },
      },
      {
        type: 'object',
        properties: { in: { type: 'object', properties: { b: { type: 'string' } } } },
      },
    ],
    [],
  ],
  [
    'the same within an item, but not for an item without a description',
    [
      { type: 'array', items: { type: 'object' } },
      { type: 'array', items: { properties: { b: { type: 'string' } } } },
      { type: 'array', prefixItems: [{ type: 'object' }] },
    ],
    [0],
  ],
  [
    'the same in an undescribed property',
    [
      { type: 'object' },
      { type: 'object', properties: { a: { properties: { b: { type: 'string' } } } } },
    ],
    [1],
  ],
  [
    'a branch that is closed has no others',
    [
      { type: 'object', properties: { ip: { type: 'string' } }, additionalProperties: false },
      { type: 'object', properties: { ip: {}, pk: { type: 'string' } } },
    ],
    [0],
  ],
  ['a branch without a value', [{ type: 'string' }, { not: {} }], []],
])(`${RULE}: %s`, async (_, oneOf, branches) => {
  const found = await findingsOf(RULE, schema({ oneOf }))
  expect(found.map((one) => one.split(' ')[1])).toEqual(
    branches.map((index) => `/components/schemas/One/oneOf/${index}`),
  )
  expect(await findingsOf(RULE, schema({ anyOf: oneOf }))).toEqual([])
})

const object = { type: 'object', required: ['event'], properties: { event: { type: 'string' } } }

it.each<[string, object, number[]]>([
  [
    'values of properties that the other branch does not declare',
    {
      ...{ ...object, properties: { ...object.properties, data: { type: 'string' } } },
      oneOf: [
        { properties: { data: { const: '[done]' } } },
        { properties: { event: { const: 'a' } } },
        { properties: { event: { const: 'b' } } },
      ],
    },
    [],
  ],
  [
    'a type that only the object has',
    { ...object, oneOf: [{ required: ['a'] }, { type: 'object' }] },
    [0],
  ],
  [
    'a property that only the object declares',
    { ...object, oneOf: [{ required: ['a'] }, { properties: { event: { type: 'string' } } }] },
    [0],
  ],
  [
    'a property that only the object requires',
    { ...object, oneOf: [{ properties: { event: { const: 'a' } } }, { required: ['event'] }] },
    [0],
  ],
])(`${RULE} reads a branch with the keywords beside the oneOf: %s`, async (_, one, branches) => {
  const found = await findingsOf(RULE, schema(one, {}))
  expect(found.map((text) => text.split(' ')[1])).toEqual(
    branches.map((index) => `/components/schemas/One/oneOf/${index}`),
  )
})

it(`${RULE} says which branch accepts the values`, async () => {
  const oneOf = [{ type: 'integer' }, { type: 'number' }]
  expect(await findingsOf(RULE, schema({ oneOf }))).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/oneOf/0 every value of this branch also matches branch 2 of the oneOf, so validators reject it: make the branches disjoint, or use anyOf",
    ]
  `)
})

it.each([
  ['unions', (next: object, index: number) => ({ oneOf: [next, { const: index }] }), []],
  [
    'allOf schemas, and says if they are not compared',
    (next: object, index: number) => ({ allOf: [next, { required: [`a${index}`] }] }),
    // The stack of optimized code is deep enough for the comparison.
    [
      expect.stringMatching(
        /not compared, because their references are nested too deeply|every value of this branch also matches/,
      ),
    ],
  ],
])(`${RULE} ends for a chain of 2,000 %s`, async (_, link, expected) => {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` })
  const all = Array.from({ length: 2_000 }, (_, at) => [`S${at}`, link(ref(at + 1), at)])
  const schemas = { ...Object.fromEntries(all), S2000: { type: 'object' } }
  const responses = { 200: json({ oneOf: [ref(0), { type: 'object' }] }) }
  expect(await findingsOf(RULE, http({ responses }, { schemas }))).toEqual(expected)
})
