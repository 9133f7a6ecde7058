import { expect, test } from 'vitest'
import { raw } from '../../src/emit/file.js'
import { printHttpTypes } from '../../src/emit/openapi-types.js'
import { typeExpression } from '../../src/emit/type-expression.js'
import type { Schema } from '../../src/schema/schema.js'
import { apiOf, openapiOf } from '../read/api-of.js'

test.each<[string, Schema, string]>([
  ['a nullable string', { type: ['string', 'null'] }, 'string | null'],
  [
    'items beside a union',
    { items: { type: 'number' }, oneOf: [{ type: 'array' }, { type: 'string' }] },
    'number[] | string',
  ],
  [
    'items beside a union whose list has its own',
    { items: { type: 'number' }, anyOf: [{ type: 'array', items: { const: 1 } }] },
    '1[]',
  ],
  ['a list of unions', { type: 'array', items: { enum: ['a', 1] } }, "('a' | 1)[]"],
  ['an open object', { type: 'object' }, '{ [key: string]: unknown }'],
  [
    'a closed empty object',
    { type: 'object', additionalProperties: false },
    'Record<string, never>',
  ],
  [
    'a map of listed keys',
    {
      type: 'object',
      propertyNames: { enum: ['a', 'b-c'] },
      additionalProperties: { type: 'number' },
      required: ['a'],
    },
    "{\n  a: number\n  'b-c'?: number\n}",
  ],
  ['listed keys of any value', { propertyNames: { const: 'a' } }, '{\n  a?: unknown\n}'],
  [
    'a map of keys by a pattern',
    { propertyNames: { pattern: '^a' }, additionalProperties: { type: 'number' } },
    '{ [key: string]: number }',
  ],
  ['a map', { additionalProperties: { type: 'number' } }, '{ [key: string]: number }'],
  [
    'a tuple with an optional end',
    {
      type: 'array',
      prefixItems: [true, { $ref: '#/components/schemas/A' }],
      items: false,
      minItems: 1,
    },
    '[unknown, A?]',
  ],
  [
    'a tuple with a rest',
    { type: 'array', prefixItems: [{ type: 'null' }] },
    '[null?, ...unknown[]]',
  ],
  [
    'a tuple of at most as many items',
    { type: 'array', prefixItems: [{ type: 'null' }, true, true], minItems: 1, maxItems: 2 },
    '[null, unknown?]',
  ],
  [
    'all of',
    { allOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] },
    'A & B',
  ],
  [
    'any of beside properties',
    {
      type: 'object',
      properties: { a: true },
      anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }],
    },
    '{\n  a?: unknown\n} & (A | null)',
  ],
  ['a forbidden key', { properties: { 'a-b': { not: {} } } }, "{\n  'a-b'?: never\n}"],
  [
    'a key forbidden with a reason',
    { properties: { a: { not: { description: 'x' } } } },
    '{\n  a?: never\n}',
  ],
  [
    'a list of what a comment with an apostrophe says',
    {
      type: 'array',
      items: {
        type: ['object', 'null'],
        properties: { a: { type: 'string', description: "it's so" } },
      },
    },
    "({\n  /** it's so */\n  a?: string\n} | null)[]",
  ],
  [
    'a list of texts with a quote',
    { type: 'array', items: { enum: ["it's", 'b'] } },
    "('it\\'s' | 'b')[]",
  ],
  ['a list of texts with an operator', { type: 'array', items: { enum: ["a'|b"] } }, "'a\\'|b'[]"],
  ['anything', {}, 'unknown'],
  ['nothing', false, 'never'],
])('%s', (_, schema, type) => {
  expect(typeExpression(schema, raw).text).toBe(type)
})

/** What openapi-typescript prints of a schema that it sees through our view. */
const printed = async (schema: Schema) => {
  const schemas = { S: schema, A: { type: 'string' }, Key: { enum: ['a', 'b'] } }
  const printed = printHttpTypes(await apiOf({ openapi: openapiOf({ version: '3.1.0', schemas }) }))
  const text = printed.schemas.find(({ name }) => name === 'S')?.listed ?? ''
  return /^ {4}S: ([\s\S]*?)\n$/m.exec(text)?.[1]?.replace(/\s+/g, ' ')
}

test.each<[string, Schema]>([
  ['beside properties', { properties: { a: true }, patternProperties: { x: { type: 'number' } } }],
  ['without a type', { patternProperties: { x: { type: 'number' } } }],
  ['alone', { type: 'object', patternProperties: { x: { type: 'number' } } }],
  [
    'and no other key',
    {
      patternProperties: { x: { type: 'number' }, y: { type: 'null' } },
      additionalProperties: false,
    },
  ],
  [
    'and other keys',
    {
      type: 'object',
      properties: { a: true },
      patternProperties: { x: { type: 'number' } },
      additionalProperties: { type: 'string' },
    },
  ],
  [
    'and other keys that are described',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      additionalProperties: { type: 'number' },
    },
  ],
  ['forbidden with a reason', { properties: { a: { not: { description: 'x' } } } }],
])('both print the same type of keys by pattern: %s', async (_, schema) => {
  const ours = typeExpression(schema, raw).text.replace(/\s+/g, ' ')
  expect(await printed(schema)).toBe(ours)
})

test.each<[string, Schema, string]>([
  [
    'any of beside properties is not an alternative to them',
    { type: 'object', properties: { a: true }, anyOf: [{ $ref: '#/components/schemas/A' }] },
    "{ a?: unknown } & components['schemas']['A']",
  ],
  ['a forbidden key', { type: 'object', properties: { a: { not: {} } } }, '{ a?: never }'],
  [
    'a map whose keys a schema lists',
    {
      type: 'object',
      propertyNames: { $ref: '#/components/schemas/Key' },
      additionalProperties: { type: 'number' },
    },
    '{ a?: number b?: number }',
  ],
  [
    'a map whose keys are any text',
    {
      type: 'object',
      propertyNames: { $ref: '#/components/schemas/A' },
      additionalProperties: { type: 'number' },
    },
    '{ [key: string]: number }',
  ],
  ['null as a constant', { const: null }, 'null'],
  [
    'keys by pattern',
    {
      type: 'object',
      patternProperties: { '^x': { type: 'number' } },
      additionalProperties: false,
    },
    '{ [key: string]: number }',
  ],
  [
    'what no type can say is left out',
    { type: 'string', not: { enum: ['a'] }, propertyNames: {} },
    'string',
  ],
])('openapi-typescript prints: %s', async (_, schema, type) => {
  expect(await printed(schema)).toBe(type)
})
