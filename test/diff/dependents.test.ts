import { expect, it } from 'vitest'
import { findingsOf, method } from './versions.js'

const document = (schema: object) =>
  method(
    [
      `params: [{ name: order, required: true, schema: ${JSON.stringify(schema)} }]`,
      'result: { name: order, schema: { type: string } }',
    ].join('\n'),
  )

const MAP = { type: 'object', additionalProperties: {} }

/** The rules of the findings for a param that gets the keywords, with their witnesses. */
const rulesOf = async (before: object, after: object): Promise<readonly string[]> => {
  const text = await findingsOf(document(before), document(after))
  const found = [...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, level, rule]) => `${level} ${rule}`)
  const shown = [...text.matchAll(/shown by: (.*)/g)].map(([, value]) => value ?? '')
  return [...found, ...shown]
}

it.each<readonly [string, object, readonly string[]]>([
  [
    'dependentRequired of an open object',
    { dependentRequired: { a: ['b'] } },
    ['error request-dependent-required-added', '{"a":0}'],
  ],
  [
    'dependentSchemas that require a property',
    { dependentSchemas: { a: { required: ['b'] } } },
    ['error request-property-became-required', '{"a":0}'],
  ],
  [
    'dependentSchemas that accept nothing',
    { dependentSchemas: { a: false } },
    ['error request-became-forbidden', '{"a":0}'],
  ],
  [
    'dependentSchemas with a bound',
    { dependentSchemas: { a: { minProperties: 2 } } },
    ['error request-min-properties-raised', '{"a":0}'],
  ],
  [
    'a dependent schema of a property that is new as well',
    { properties: { a: {} }, dependentSchemas: { a: { required: ['b'] } } },
    ['note request-property-added'],
  ],
])('%s', async (_, more, expected) => {
  expect(await rulesOf(MAP, { ...MAP, ...more })).toEqual(expected)
})

it('an object that does not mention other properties is assumed to have none', async () => {
  const plain = { type: 'object', properties: { c: {} } }
  expect(await rulesOf(plain, { ...plain, dependentRequired: { a: ['b'] } })).toEqual([])
})
