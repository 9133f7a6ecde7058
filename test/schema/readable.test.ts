import { describe, expect, it } from 'vitest'
import { createChecker } from '../../src/schema/check.js'
import { createSampler } from '../../src/schema/readable.js'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'

const schemas = {
  Name: { type: 'string', minLength: 6 },
  Node: {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Node' } },
  },
  List: {
    type: 'object',
    required: ['next'],
    properties: { next: { anyOf: [{ $ref: '#/components/schemas/List' }, { type: 'null' }] } },
  },
  Circle: {
    type: 'object',
    required: ['r'],
    properties: { kind: { const: 'circle' }, r: { type: 'number' } },
  },
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** What is made of a schema as it stands in a document. */
const made = async (
  schema: object | boolean,
  purpose: 'shown' | 'request' | 'response' = 'shown',
): Promise<unknown> => {
  const api = await apiOf({ openrpc: openrpcOf({ schemas: { ...schemas, Asked: schema } }) })
  const asked = api.schemas.get('Asked')?.schema
  if (asked === undefined) throw new Error('the schema was not read')
  return createSampler(api.schemas, purpose)(asked)
}

describe('a value is made up of', () => {
  it.each<[string, object | boolean, unknown]>([
    ['a constant', { const: 7 }, 7],
    ['the first of several', { enum: [null, 'b', 'a'] }, 'b'],
    ['a default', { type: 'integer', default: 20, examples: [3] }, 20],
    ['an example, where the default is wrong', { type: 'integer', default: 'x', examples: [3] }, 3],
    ['a number', { type: 'number' }, 1],
    ['one from a bound on', { type: 'integer', minimum: 10 }, 10],
    ['one above a bound', { type: 'integer', exclusiveMinimum: 10, maximum: 11 }, 11],
    ['one below zero', { type: 'integer', maximum: -3 }, -3],
    ['one between two', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ['a multiple', { type: 'integer', minimum: 11, multipleOf: 5 }, 15],
    ['a text of a length', { type: 'string', minLength: 6 }, 'textte'],
    ['a short text', { type: 'string', maxLength: 2 }, 'te'],
    ['a day', { type: 'string', format: 'date' }, '2026-01-31'],
    [
      'what is required',
      { type: 'object', required: ['a'], properties: { a: ref('Name'), b: {} } },
      { a: 'textte' },
    ],
    [
      'members of any name',
      { type: 'object', minProperties: 1, additionalProperties: { type: 'integer' } },
      { key: 1 },
    ],
    [
      'as many items as there must be',
      { type: 'array', minItems: 2, items: { type: 'boolean' } },
      [true, true],
    ],
    [
      'items that differ',
      { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'integer' } },
      [1, 2],
    ],
    [
      'members that differ',
      {
        ...{ type: 'array', minItems: 2, uniqueItems: true },
        items: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
      },
      [{ a: 'text' }, { a: 'text2' }],
    ],
    ['a number that is no integer', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 0.5],
    ['what is no text', { not: { type: 'string' } }, null],
    ['a text of 64 bits', { type: 'string', format: 'int64' }, '1'],
    [
      'the first of very many combinations',
      {
        allOf: Array.from({ length: 12 }, (_, at) => ({
          oneOf: ['a', 'b', 'c'].map((one) => ({
            properties: { [`p${at}`]: { const: one } },
            required: [`p${at}`],
          })),
        })),
      },
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`p${at}`, 'a'])),
    ],
    ['no items', { type: 'array', items: { type: 'boolean' } }, []],
    [
      'a tuple',
      { type: 'array', minItems: 2, prefixItems: [{ const: 'a' }, { type: 'integer' }] },
      ['a', 1],
    ],
    [
      'all of several',
      { allOf: [ref('Circle'), { required: ['kind'] }] },
      { kind: 'circle', r: 1 },
    ],
    [
      'the first that can be made',
      { oneOf: [{ type: 'string', pattern: '^#[0-9]{3}$' }, ref('Circle')] },
      { r: 1 },
    ],
    [
      'a branch beside what all share',
      { type: 'object', properties: { a: { type: 'integer' } }, anyOf: [{ required: ['a'] }] },
      { a: 1 },
    ],
    ['what ends', ref('List'), { next: null }],
  ])('%s', async (_, schema, value) => {
    expect(await made(schema)).toEqual(value)
  })
})

describe('an answer is made up with', () => {
  it.each<[string, object, unknown]>([
    [
      'what is optional, in the order of the schema',
      { properties: { b: { const: 1 }, a: ref('Name') }, required: ['a'] },
      { b: 1, a: 'textte' },
    ],
    [
      'an item, whose members are there too',
      { type: 'array', items: { properties: { a: { const: 1 } } } },
      [{ a: 1 }],
    ],
    [
      'no circle',
      { properties: { list: ref('List'), node: ref('Node') } },
      { list: { next: null } },
    ],
    ['nothing that only a request may have', { properties: { a: { writeOnly: true } } }, {}],
    [
      'no more than there may be',
      { properties: { a: {}, b: {}, c: {} }, required: ['b'], not: { required: ['c'] } },
      { b: 'text' },
    ],
    [
      'less, further down',
      [1, 2, 3, 4, 5].reduce<object>((a) => ({ properties: { a } }), { properties: { a: {} } }),
      { a: { a: { a: { a: {} } } } },
    ],
  ])('%s', async (_, schema, value) => {
    expect(await made({ type: 'object', ...schema }, 'response')).toEqual(value)
  })
})

describe('for the mock, what is not sure to be meant will do', () => {
  it.each<[string, object, unknown]>([
    ['the shortest text of a pattern', { pattern: '^0x[0-9a-f]{4}$' }, '0xaaaa'],
    ['a usual text that fits a pattern', { pattern: '^[0-9]{2}$' }, '10'],
    ['a text for a format that nobody knows', { format: 'isbn' }, 'text'],
    ['the known text of a format', { format: 'date' }, '2026-01-31'],
    ['a text of the format of another length', { format: 'email', maxLength: 8 }, 'a@a.a'],
    ['a pattern that looks ahead', { pattern: '^(?=.*[0-9])[a-z0-9]{3,}$', minLength: 3 }, '111'],
    ['a pattern with a length', { pattern: '^[a-z]+$', minLength: 6, maxLength: 7 }, 'textte'],
    ['a pattern beside a format', { format: 'uri', pattern: '^/v1/accounts' }, '/v1/accounts'],
  ])('%s', async (_, schema, value) => {
    expect(await made({ type: 'string', ...schema }, 'request')).toEqual(value)
  })
})

describe('a discriminator is made up with the value that means the schema', () => {
  const pets = {
    Pet: {
      ...{ type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
    },
    Cat: { allOf: [ref('Pet'), { properties: { lives: { type: 'integer' } } }] },
    Dog: { allOf: [ref('Pet'), { required: ['bark'], properties: { bark: { const: 1 } } }] },
    Lamp: { type: 'object', required: ['is'], properties: { is: { enum: ['lamp', 'light'] } } },
    Thing: {
      oneOf: [ref('Lamp')],
      discriminator: { propertyName: 'is', mapping: { light: '#/components/schemas/Lamp' } },
    },
  }
  it.each([
    ['Cat', { kind: 'cat' }],
    ['Dog', { kind: 'Dog', bark: 1 }],
    ['Thing', { is: 'light' }],
  ])('%s', async (name, value) => {
    const openapi = openapiOf({ version: '3.1.0', schemas: pets, paths: {} })
    const api = await apiOf({ openapi })
    expect(createSampler(api.schemas, 'request')(ref(name))).toEqual(value)
  })
})

describe('nothing is made up of', () => {
  it.each<[string, object | boolean]>([
    ['a pattern', { type: 'string', pattern: '^0x[0-9a-f]{4}$' }],
    ['bytes', { type: 'string', format: 'binary' }],
    ['a format that nobody knows', { type: 'string', format: 'isbn' }],
    ['what never ends', ref('Node')],
    ['what cannot be', { type: 'integer', minimum: 3, maximum: 2 }],
    [
      'what fits two branches',
      { oneOf: [{ type: 'integer' }, { type: 'number' }], not: { type: 'string' }, multipleOf: 1 },
    ],
    ['what is never right', { type: 'integer', not: {} }],
    [
      'what needs something that cannot be made',
      { type: 'array', minItems: 1, items: ref('Node') },
    ],
  ])('%s', async (_, schema) => {
    expect(await made(schema)).toBeUndefined()
  })

  it('a schema that branches more than anybody could follow', async () => {
    // Six to the power of twelve ways lead to the last of them, and none of them to a value.
    const levels = Array.from({ length: 12 }, (_, at) => {
      const branch = ref(at === 11 ? 'Node' : `Level${at + 1}`)
      const branches = Array.from({ length: 6 }, (_, own) => ({ ...branch, title: `${own}` }))
      const a = { anyOf: branches }
      return [`Level${at}`, { type: 'object', required: ['a'], properties: { a } }]
    })
    const api = await apiOf({
      openrpc: openrpcOf({ schemas: { ...schemas, ...Object.fromEntries(levels) } }),
    })
    expect(createSampler(api.schemas)(ref('Level0'))).toBeUndefined()
  })
})

const open = (name: string, schema: object = { type: 'string' }, required: string[] = []) => ({
  ...{ type: 'object', properties: { id: { type: 'string' }, [name]: schema }, required },
})

// biome-ignore format: a row each
it.each([
  ['objects of other optional members', [open('a'), open('b')]],
  ['four of them', ['a', 'b', 'c', 'd'].map((name) => open(name, undefined, ['id']))],
  ['ranges of numbers', [{ type: 'integer', minimum: 0 }, { type: 'integer', maximum: 10 }]],
  ['a schema and its extension', [open('a'), { allOf: [open('a'), { type: 'object', properties: { m: { type: 'string' } } }] }]],
  ['two extensions', ['p', 'q'].map((name) => ({ allOf: [open('a'), { properties: { [name]: { type: 'integer' } } }] }))],
  ['lists', [{ type: 'array', items: open('a') }, { type: 'array', items: open('b') }]],
])('the mock has a value where the alternatives overlap: %s', async (_, oneOf) => {
  const api = await apiOf({ openapi: openapiOf({ version: '3.1.0', schemas: { One: { oneOf } } }) })
  const schema = { $ref: '#/components/schemas/One' }
  for (const purpose of ['response', 'request'] as const) {
    const value = createSampler(api.schemas, purpose)(schema)
    expect([value, createChecker(api.schemas).named('One').check(value)]).toEqual([value, true])
    expect(value).toBeDefined()
  }
  // The reference shows no value that its author would not write.
  expect(createSampler(api.schemas)(schema)).toBeUndefined()
})
