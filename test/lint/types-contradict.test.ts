import { expect, it } from 'vitest'
import { lint } from '../../src/lint/lint.js'
import { apiOf, openrpcOf } from '../read/api-of.js'

const findingsOf = async (schema: object) => {
  const openrpc = openrpcOf({
    schemas: {
      Text: { type: 'string' },
      Loop: { anyOf: [{ $ref: '#/components/schemas/Loop2' }] },
      Loop2: { type: 'object', properties: { next: { $ref: '#/components/schemas/Loop' } } },
    },
    methods: [{ name: 'a', params: [], result: { name: 'r', schema } }],
  })
  const found = lint(await apiOf({ openrpc }), { only: ['types-contradict'] })
  return found.map(({ level, location, message }) => `${level} ${location.pointer} ${message}`)
}

const AT = '/methods/0/result/schema'

it.each<readonly [object, string, string]>([
  [
    { type: 'object', oneOf: [{ type: 'string' }, { type: 'integer' }] },
    '/oneOf',
    'oneOf allows only string or integer, and the keywords beside it only object',
  ],
  [
    { type: 'string', allOf: [{ type: 'integer' }] },
    '/allOf',
    'allOf allows only integer, and the keywords beside it only string',
  ],
  [
    { type: 'object', anyOf: [{ type: 'null' }] },
    '/anyOf',
    'anyOf allows only null, and the keywords beside it only object',
  ],
  [
    { allOf: [{ type: 'number' }, { $ref: '#/components/schemas/Text' }] },
    '/allOf',
    'allOf allows only string, and the keywords beside it only integer or number',
  ],
  [
    { type: 'array', items: { type: 'boolean', anyOf: [{ type: ['string', 'null'] }] } },
    '/items/anyOf',
    'anyOf allows only null or string, and the keywords beside it only boolean',
  ],
])('%j has no valid value', async (schema, at, words) => {
  const end = ', so no value is valid: correct one of them'
  expect(await findingsOf(schema)).toEqual([`error ${AT}${at} ${words}${end}`])
})

it.each<readonly [object]>([
  [{ type: 'integer', allOf: [{ type: 'number' }] }],
  [{ type: ['object', 'null'], oneOf: [{ type: 'object' }, { type: 'null' }] }],
  [{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
  [{ type: 'string', oneOf: [{ const: 'a' }, { enum: ['b'] }] }],
  [{ type: 'object', allOf: [{ $ref: '#/components/schemas/Loop' }] }],
  [{ type: 'object', properties: { a: false } }],
])('%j has a valid value', async (schema) => {
  expect(await findingsOf(schema)).toEqual([])
})
