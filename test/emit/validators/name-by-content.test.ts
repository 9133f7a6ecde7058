import { describe, expect, it, test } from 'vitest'
import { inOneFile } from '../../../src/emit/declaration.js'
import { nameByContent } from '../../../src/emit/validators/name-by-content.js'
import { emitValidators } from '../../../src/emit/validators.js'
import { refTo, type Schema } from '../../../src/schema/schema.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

const text: Schema = { type: 'string' }
const ref = (name: string): Schema => ({ $ref: refTo(name) })
const listOf = (items: Schema): Schema => ({ type: 'array', items })
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })

test.each<[string, Schema]>([
  ['Present', true],
  ['Present', {}],
  ['String', text],
  ['Integer', { type: 'integer' }],
  ['StringOrNull', { type: ['string', 'null'] }],
  ['StringMax5000', { type: 'string', maxLength: 5000 }],
  ['StringMin1Max10', { type: 'string', minLength: 1, maxLength: 10 }],
  ['IntegerMin1Max100', { type: 'integer', minimum: 1, maximum: 100 }],
  ['AscOrDesc', { type: 'string', enum: ['asc', 'desc'] }],
  ['ListOfString', listOf(text)],
  ['ListOfLabel', listOf(ref('label'))],
  ['ListOfListOfBlock', listOf(listOf(ref('Block')))],
  [
    'MapOfStringMax500',
    { type: 'object', additionalProperties: { type: 'string', maxLength: 500 } },
  ],
  ['EmptyObject', { type: 'object', additionalProperties: false }],
  ['BlockOrNull', orNull(ref('Block'))],
  ['ListOfNullableBlock', listOf(orNull(ref('Block')))],
  ['ListOfBlockOrNull', orNull(listOf(ref('Block')))],
  [
    'TupleOfStringAndBlock',
    { type: 'array', prefixItems: [text, ref('Block')], items: false, minItems: 2 },
  ],
])('the function of %s is named by its content', (name, schema) => {
  expect(nameByContent(schema)).toBe(name)
})

test.each<[string, Schema]>([
  ['a reference, which has a function', ref('Block')],
  ['any object, which would be isObject', { type: 'object' }],
  ['declared properties', { type: 'object', properties: { id: text } }],
  ['a pattern', { type: 'string', pattern: '^a' }],
  ['a bound of another type', { type: 'string', minimum: 1 }],
  ['a bound with a sign', { type: 'integer', minimum: -1 }],
  ['many words', { type: 'string', enum: ['a', 'b', 'c', 'd', 'e'] }],
  ['values that are no words', { type: 'string', enum: ['+1', '-1'] }],
  ['a list of what has no name', listOf({ type: 'string', pattern: '^a' })],
  ['deep lists', listOf(listOf(listOf(listOf(text))))],
])('the function of %s is named by its place', (_, schema) => {
  expect(nameByContent(schema)).toBeUndefined()
})

describe('validators of a document', () => {
  const operation = (id: string) => ({
    get: {
      operationId: id,
      parameters: [
        { name: 'owner', in: 'query', schema: text },
        { name: 'labels', in: 'query', schema: { type: ['array', 'null'], items: text } },
        { name: 'sort', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'] } },
      ],
      responses: {
        200: {
          description: 'Read.',
          content: { 'application/json': { schema: { type: 'object', properties: { id: text } } } },
        },
      },
    },
  })
  const paths = { '/a': operation('readA'), '/b': operation('readB') }
  const schemas = { label: { type: 'object', properties: { name: text } } }
  const written = apiOf({ openapi: openapiOf({ paths, schemas }) }).then(
    (api) => inOneFile(emitValidators(api)).text,
  )
  const functions = async () =>
    [...(await written).matchAll(/^(?:export )?function (\w+)/gm)].map(([, name]) => name)

  it('share the functions of simple parameters', async () => {
    expect(await functions()).toEqual([
      'isLabel',
      'isReadAResponse200',
      'isReadBResponse200',
      'isAscOrDesc',
      'isListOfString',
      'isListOfStringOrNull',
      'isString',
      'isObject',
    ])
  })

  it('test a list or an object that may be null at once', async () => {
    expect(await written).toContain(`function isListOfStringOrNull(value: unknown): boolean {
  return value === null || isListOfString(value)
}`)
  })

  it('call them wherever they are', async () => {
    expect((await written).match(/'query.owner': \{ check: isString \} as Checks,/g)).toHaveLength(
      2,
    )
  })
})
