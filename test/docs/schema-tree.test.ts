import { expect, it } from 'vitest'
import { siteOf } from './site-of.js'

const object = (key: string, rest: object = {}) => ({
  type: 'object',
  properties: { [key]: { type: 'integer' } },
  ...rest,
})
const text = { type: 'string' }
const none = { type: 'null' }

/** What the page of an operation says of a query parameter and of a property of the response. */
const said = async (schema: object, schemas: object = {}) => {
  const { read } = await siteOf({
    openapi: {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: {
        '/a': {
          get: {
            operationId: 'one',
            parameters: [{ name: 'asked', in: 'query', schema }],
            responses: {
              200: {
                description: 'Done.',
                content: {
                  'application/json': {
                    schema: { type: 'object', properties: { received: schema } },
                  },
                },
              },
            },
          },
        },
      },
      components: { schemas },
    },
  })
  return read('operations/one.html')
}

it.each<[string, object, string]>([
  ['with a scalar', { oneOf: [text, object('inner')] }, 'inner'],
  ['with null', { oneOf: [none, object('inner')] }, 'inner'],
  ['of anyOf', { anyOf: [text, object('inner')] }, 'inner'],
  ['of items', { type: 'array', items: { oneOf: [text, object('inner')] } }, 'inner'],
  ['of a union', { oneOf: [none, { anyOf: [text, object('inner')] }] }, 'inner'],
  [
    'with null and a description',
    { oneOf: [none, object('inner', { description: 'Which one.' })] },
    'Which one.',
  ],
  [
    'with null and constraints',
    { oneOf: [none, object('inner', { additionalProperties: false })] },
    'no other properties',
  ],
  [
    'of scalars with a description',
    { oneOf: [none, { ...text, description: 'As is.' }] },
    'As is.',
  ],
  [
    'of scalars with many values',
    { oneOf: [none, { enum: Array.from({ length: 20 }, (_, at) => `value${at}`) }] },
    'value19',
  ],
  [
    'of a list in a list',
    { type: 'array', items: { type: 'array', maxItems: 7, items: object('inner') } },
    'at most 7 items',
  ],
])('the only inline object of a union is shown: %s', async (_, schema, expected) => {
  const parts = (await said(schema)).split(expected)
  expect(parts.length - 1).toBeGreaterThanOrEqual(2)
})

it('a named object in a union with null is expanded, as it is without the union', async () => {
  const page = await said(
    { oneOf: [none, { $ref: '#/components/schemas/Named' }] },
    {
      Named: object('inner'),
    },
  )
  expect(page.split('inner').length - 1).toBeGreaterThanOrEqual(2)
})
