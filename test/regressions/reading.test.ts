import { describe, expect, it } from 'vitest'
import { answering, apiOf, method, openapiOf, openrpcOf } from '../model/api-of.js'

describe('both documents share a schema', () => {
  it.each([
    ['with a slash in its name', { $ref: '#/components/schemas/a~1b' }],
    [
      'whose discriminator maps a value to a missing schema',
      {
        oneOf: [{ $ref: '#/components/schemas/a~1b' }],
        discriminator: { propertyName: 'kind', mapping: { old: 'Removed' } },
      },
    ],
  ])('%s', async (_, schema) => {
    const schemas = { Whole: schema, 'a/b': { type: 'object', properties: { kind: {} } } }
    const result = { $ref: '#/components/schemas/Whole' }
    const api = await apiOf({
      openapi: openapiOf({ version: '3.1.0', paths: { '/a': answering(result) }, schemas }),
      openrpc: openrpcOf({ methods: [method('read_it', [], result)], schemas }),
    })
    expect([...api.schemas.values()].map(({ name, usedBy }) => [name, usedBy])).toEqual([
      ['AB', 'both'],
      ['Whole', 'both'],
    ])
  })
})
