import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { diffOf, errors, type Finding } from './diff-of.js'

type Json = Readonly<Record<string, unknown>>

const document = (operation: Json) => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: { '/orders': { post: { operationId: 'orders', ...operation } } },
})

const NO_CONTENT = { '204': { description: 'Done' } }

const request = (schema: unknown, type = 'application/json') =>
  document({
    requestBody: { required: true, content: { [type]: { schema } } },
    responses: NO_CONTENT,
  })

const response = (schema: unknown) =>
  document({
    responses: { '200': { description: 'Order', content: { 'application/json': { schema } } } },
  })

const parameter = (schema: unknown, place = 'query') =>
  document({
    parameters: [{ name: 'q', in: place, required: true, schema }],
    responses: NO_CONTENT,
  })

const header = (schema: unknown) =>
  document({
    responses: {
      '204': { description: 'Done', headers: { 'x-left': { required: true, schema } } },
    },
  })

const rules = (findings: readonly Finding[]) => findings.map(({ rule, level }) => [rule, level])

describe('properties that are declared in any way', () => {
  const NAME = { name: { type: 'string' } }
  const email = { dependentSchemas: { name: { properties: { email: { type: 'string' } } } } }
  const plain = { type: 'object', properties: NAME }

  it('a property of dependentSchemas is new in a request, and gone from a response', async () => {
    const declared = { ...plain, ...email }
    expect(rules(await diffOf(request(plain), request(declared)))).toEqual([
      ['request-property-added', 'note'],
    ])
    expect(rules(await diffOf(response(declared), response(plain)))).toEqual([
      ['response-property-removed', 'warning'],
    ])
  })

  it('so is one of a nested object', async () => {
    const within = (schema: unknown) => ({ type: 'object', properties: { owner: schema } })
    const declared = within({ ...plain, ...email })
    expect(rules(await diffOf(response(declared), response(within(plain))))).toEqual([
      ['response-property-removed', 'warning'],
    ])
  })

  it.each([
    ['no properties', { type: 'object', properties: NAME }, { type: 'object' }],
    ['empty properties', { type: 'object', properties: NAME }, { type: 'object', properties: {} }],
    ['empty properties, no type', { properties: NAME }, { properties: {} }],
  ])('the only property of an object is removed: %s', async (_, before, after) => {
    expect(rules(await diffOf(response(before), response(after)))).toEqual([
      ['response-property-removed', 'warning'],
    ])
    expect(rules(await diffOf(request(after), request(before)))).toEqual([
      ['request-property-added', 'note'],
    ])
  })
})

describe('a required property of another branch of an allOf', () => {
  const schema = (type: string) => ({
    allOf: [
      {
        type: 'object',
        required: ['d'],
        properties: { c: { type: 'string' } },
        additionalProperties: { type: 'boolean' },
      },
      { properties: { d: { type } } },
    ],
  })

  it('has no finding where no value is valid in either version', async () => {
    expect(await diffOf(request(schema('number')), request(schema('integer')))).toEqual([])
  })

  it('is validated by additionalProperties of the branch that requires it', async () => {
    const example = { ...schema('number'), examples: [{ d: 0.5 }] }
    const folder = await folderOf({ 'api.json': JSON.stringify(request(example)) })
    const { stdout, stderr } = await twinspec('lint', '--openapi', join(folder, 'api.json'))
    expect(stdout + stderr).toMatch(/at \/d must be true or false/)
  })
})

describe('a property that can never occur', () => {
  const never: readonly (readonly [string, (type: string) => unknown])[] = [
    [
      'required properties use up maxProperties',
      (type) => ({
        ...{ type: 'object', required: ['x'], maxProperties: 1 },
        properties: { b: { type }, x: {} },
      }),
    ],
    [
      'propertyNames excludes it',
      (type) => ({
        ...{ type: 'object', propertyNames: { enum: ['a', 'b'] } },
        properties: { 'x-d': { type } },
      }),
    ],
  ]
  it.each(never)('may change its type: %s', async (_, schema) => {
    const [before, after] = [schema('number'), schema('string')]
    expect(await diffOf(request(before), request(after))).toEqual([])
    expect(await diffOf(response(before), response(after))).toEqual([])
  })
})

describe('a response with an alternative that requires nothing', () => {
  const closed = { type: 'object', additionalProperties: false }
  const none = { ...closed, properties: { error: { type: 'string' } } }

  it.each(['oneOf', 'anyOf'])(
    'closed, of %s: a changed type in another is an error',
    async (keyword) => {
      const version = (type: string) => {
        const other = { ...closed, required: ['ok'], properties: { ok: { type } } }
        return response({ [keyword]: [none, other] })
      }
      expect(errors(await diffOf(version('boolean'), version('string')))).toEqual([
        ['response-type-widened', { ok: '' }],
      ])
    },
  )

  it('closed, while another alternative is open: so is a removed bound, and a property that becomes optional', async () => {
    const version = (other: Json, required: readonly string[]) => {
      const properties = { id: { type: 'string', ...other }, at: { type: 'string' } }
      return response({ anyOf: [closed, { type: 'object', required, properties }] })
    }
    const before = version({ minLength: 1 }, ['id', 'at'])
    expect(errors(await diffOf(before, version({}, ['id', 'at'])))).toEqual([
      ['response-min-length-lowered', { at: '', id: '' }],
    ])
    expect(errors(await diffOf(before, version({ minLength: 1 }, ['id'])))).toEqual([
      ['response-property-became-optional', { id: 'a' }],
    ])
  })

  it('open: so is it, although JSON Schema accepted the value before', async () => {
    const version = (customId: Json) =>
      response({
        anyOf: [
          { type: 'object', properties: { name: { type: 'string' } } },
          { type: 'object', required: ['customId'], properties: { customId } },
        ],
      })
    const before = version({ type: 'string', minLength: 1 })
    expect(rules(await diffOf(before, version({ type: 'string' })))).toEqual([
      ['response-min-length-lowered', 'error'],
    ])
  })

  it('a new property in one alternative is no break, though another has one of its name', async () => {
    const version = (more: Json) =>
      response({
        oneOf: [
          none,
          { ...closed, required: ['ok'], properties: { ok: { type: 'boolean' }, ...more } },
        ],
      })
    const found = await diffOf(version({}), version({ error: { type: 'string' } }))
    expect(found.filter(({ level }) => level !== 'note')).toEqual([])
  })
})

describe('a request object of any properties becomes a map', () => {
  const version = (metadata: unknown) => request({ type: 'object', properties: { metadata } })
  const typed = { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 1 }

  it('is an error where any property was allowed explicitly', async () => {
    const before = version({ type: 'object', additionalProperties: true })
    const found = errors(await diffOf(before, version(typed)))
    expect(found).toContainEqual(['request-type-narrowed', { metadata: { key: '' } }])
    expect(found.map(([rule]) => rule)).toContain('request-max-properties-lowered')
  })

  it('is a warning where it was allowed implicitly', async () => {
    const found = rules(await diffOf(version({ type: 'object' }), version(typed)))
    expect(found).toEqual([['request-undeclared-narrowed', 'warning']])
  })

  it('a property that is declared later is an addition', async () => {
    const open = { type: 'object', additionalProperties: true }
    const after = { ...open, properties: { note: { type: 'string' } } }
    expect(rules(await diffOf(version(open), version(after)))).toEqual([
      ['request-property-added', 'note'],
    ])
  })
})

describe('a typed map of a response becomes untyped', () => {
  const typed = { type: 'object', additionalProperties: { type: 'integer' } }

  it.each([
    ['explicitly', { type: 'object', additionalProperties: true }],
    ['implicitly', { type: 'object' }],
  ])('%s: an error with a witness', async (_, after) => {
    const found = await diffOf(response(typed), response(after))
    expect(errors(found)).toEqual([['response-type-widened', { key: '' }]])
    expect(found).toHaveLength(1)
  })

  it('into an object with declared properties: a warning', async () => {
    const after = { type: 'object', properties: { total: { type: 'integer' } } }
    expect(rules(await diffOf(response(typed), response(after)))).toContainEqual([
      ...['response-undeclared-widened', 'warning'],
    ])
  })
})

describe('values that are texts on the wire', () => {
  const form = (schema: unknown) =>
    request(
      { type: 'object', required: ['n'], properties: { n: schema } },
      'application/x-www-form-urlencoded',
    )
  const wire = [
    ['a query parameter', (schema: unknown) => parameter(schema), (value: unknown) => value],
    // An empty segment matches no route.
    [
      'a path parameter',
      (schema: unknown) => parameter(schema, 'path'),
      (value: unknown) => (value === '' ? 'a' : value),
    ],
    ['a header', (schema: unknown) => parameter(schema, 'header'), (value: unknown) => value],
    ['a cookie', (schema: unknown) => parameter(schema, 'cookie'), (value: unknown) => value],
    ['a field of a form', form, (n: unknown) => ({ n })],
  ] as const
  const DIGITS = '^[0-9]+$'

  describe.each(wire)('%s', (_, version, shown) => {
    it.each([
      ['integer to string', { type: 'integer' }, { type: 'string' }],
      ['number to string', { type: 'number' }, { type: 'string', minLength: 1 }],
      ['boolean to string', { type: 'boolean' }, { type: 'string' }],
      ['boolean to its texts', { type: 'boolean' }, { type: 'string', enum: ['false', 'true'] }],
      ['numbers to their texts', { enum: [1, 2] }, { enum: ['1', '2', '3'] }],
      [
        'natural numbers to digits',
        { type: 'integer', minimum: 0 },
        { type: 'string', pattern: DIGITS },
      ],
      ['digits to integer', { type: 'string', pattern: DIGITS }, { type: 'integer' }],
      ['integer to integer or null', { type: 'integer' }, { type: ['integer', 'null'] }],
    ])('%s is at most a note', async (_name, before, after) => {
      const found = await diffOf(version(before), version(after))
      expect(found.filter(({ level }) => level !== 'note')).toEqual([])
    })

    it.each([
      ['string to integer', { type: 'string' }, { type: 'integer' }, ''],
      ['string to boolean', { type: 'string', minLength: 1 }, { type: 'boolean' }, 'a'],
      ['integer to boolean', { type: 'integer' }, { type: 'boolean' }, 0],
      ['integer to digits', { type: 'integer' }, { type: 'string', pattern: DIGITS }, -1],
      ['texts to numbers', { enum: ['1', 'a'] }, { enum: [1, 2] }, 'a'],
    ])('%s is an error', async (_name, before, after, value) => {
      const found = errors(await diffOf(version(before), version(after)))
      expect(found.map(([, witness]) => witness)).toEqual([shown(value)])
    })
  })

  it('a path parameter of any value is shown by one that can be sent', async () => {
    const [any, object] = [parameter(true, 'path'), parameter({ required: ['a'] }, 'path')]
    const found = errors(await diffOf(any, object))
    expect(found).toHaveLength(1)
    expect(found[0]?.[1]).not.toEqual({})
  })

  it('a response header from string to integer is safe, the other way is an error', async () => {
    const [text, number] = [header({ type: 'string' }), header({ type: 'integer' })]
    expect(errors(await diffOf(text, number))).toEqual([])
    expect(errors(await diffOf(number, text))).toEqual([['response-type-widened', '']])
  })
})

describe('an object that has more properties than it declares', () => {
  const NAMED = { type: 'object', properties: { b: { type: 'string' } } }

  it.each([
    ['none is declared', { type: 'object', minProperties: 1 }],
    ['too few are declared', { ...NAMED, minProperties: 2 }],
  ])('a new required property is an error where %s', async (_, before) => {
    const found = errors(await diffOf(request(before), request({ ...before, required: ['a'] })))
    expect(found).toHaveLength(1)
    expect(Object.keys(found[0]?.[1] as object).length).toBe(before.minProperties)
  })
})

describe('a request body that no value can fulfil', () => {
  const version = (values: readonly string[]) =>
    request({
      ...{ type: 'object', additionalProperties: false, required: ['thread_id'] },
      properties: { response_format: { enum: values } },
    })

  it('is reported, and its properties are compared all the same', async () => {
    expect(rules(await diffOf(version(['none', 'auto']), version(['auto'])))).toEqual([
      ['request-is-unsatisfiable', 'warning'],
      ['request-value-removed', 'warning'],
    ])
  })

  it('is no change by itself', async () => {
    expect(await diffOf(version(['auto']), version(['auto']))).toEqual([])
  })
})

it('a property that becomes required is an error, even where it may have any value now', async () => {
  const before = { type: 'object', properties: { b: { type: ['string', 'null'] } } }
  const after = { type: 'object', properties: { b: {} }, required: ['b'] }
  expect(errors(await diffOf(request(before), request(after)))).toEqual([
    ['request-property-became-required', {}],
  ])
})

it('a number between two alternatives is found', async () => {
  const before = { anyOf: [{ type: 'number', maximum: 2 }, { type: 'integer' }] }
  const found = await diffOf(response(before), response({ type: 'number' }))
  expect(found.map(({ level, witness }) => [level, witness?.value])).toContainEqual(['error', 2.5])
})

it('a multiple of 1 that is new has a sentence', async () => {
  const [number, whole] = [{ type: 'number' }, { type: 'number', multipleOf: 1 }]
  const found = await diffOf(request(number), request(whole))
  expect(errors(found)).toEqual([['request-multiple-of-narrowed', 0.5]])
  const back = await diffOf(response(whole), response(number))
  expect(errors(back)).toEqual([['response-multiple-of-widened', 0.5]])
})

describe('the witness of a bound', () => {
  it('breaks the bound that the finding names, and no other', async () => {
    const number = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum })
    expect(errors(await diffOf(parameter(number(1, 99)), parameter(number(2, 50))))).toEqual([
      ['request-minimum-raised', 1],
      ['request-maximum-lowered', 51],
    ])
    const text = (minLength: number, maxLength: number) => ({
      type: 'string',
      minLength,
      maxLength,
    })
    expect(errors(await diffOf(request(text(1, 9)), request(text(2, 3))))).toEqual([
      ['request-min-length-raised', 'a'],
      ['request-max-length-lowered', 'aaaa'],
    ])
  })

  it('breaks it in one property, while the others are valid', async () => {
    const order = (minimum: number, minLength: number) => ({
      type: 'object',
      required: ['count', 'name'],
      properties: {
        count: { type: 'integer', minimum },
        name: { type: 'string', minLength, maxLength: 3 },
      },
    })
    expect(errors(await diffOf(request(order(0, 0)), request(order(5, 2))))).toEqual([
      ['request-minimum-raised', { count: 0, name: 'aa' }],
      ['request-min-length-raised', { count: 5, name: '' }],
    ])
  })
})

describe('a value as text is read as one type by all terms of a schema', () => {
  const object = (schema: unknown) => ({ type: 'object', properties: { a: schema } })
  const [text, number] = [{ type: 'string' }, { type: 'integer' }]
  const form = (schema: unknown) => request(schema, 'application/x-www-form-urlencoded')
  const places: readonly (readonly [string, (schema: unknown) => Json])[] = [
    ['a query parameter', parameter],
    ['a header parameter', (schema) => parameter(schema, 'header')],
    ['a form', form],
  ]

  describe.each(places)('%s', (_place, version) => {
    it.each<readonly [string, Json, Json, unknown?]>([
      [
        'a property that two terms give different types',
        object(number),
        { allOf: [object(text), object(number)] },
        { a: 0 },
      ],
      [
        'a property of a property',
        object(object(number)),
        { allOf: [object(object(text)), object(object(number))] },
        { a: { a: 0 } },
      ],
      [
        'a property beside an allOf',
        object(number),
        { ...object(text), allOf: [object(number)] },
        { a: 0 },
      ],
      [
        'a property that matches a pattern of another type',
        object(number),
        { ...object(text), patternProperties: { '^a': number } },
        { a: 0 },
      ],
      [
        'a length of what was a number',
        object(number),
        object({ allOf: [text], minLength: 3 }),
        { a: 0 },
      ],
      [
        'the items of a list',
        object({ type: 'array', items: number }),
        object({
          allOf: [
            { type: 'array', items: number },
            { type: 'array', items: text },
          ],
        }),
        { a: [0] },
      ],
      [
        'a property of an alternative',
        object(number),
        { ...object(text), anyOf: [object(number), { ...object(number), required: ['a'] }] },
        { a: 0 },
      ],
    ])('%s: is an error', async (_name, before, after, value) => {
      const found = errors(await diffOf(version(before), version(after)))
      expect(found.map(([, witness]) => witness)).toEqual([value])
    })

    const whole = object(number)
    it.each<readonly [string, Json, Json, unknown?]>([
      [
        'terms of the same type',
        object(number),
        { allOf: [object(text), object({ minLength: 1 })] },
      ],
      [
        'terms that accept more',
        { allOf: [whole, object({ minimum: 1 }), { required: ['a'] }] },
        { allOf: [whole, object({ minimum: 0 })] },
      ],
      [
        'types in common',
        object(number),
        { allOf: [object({ type: ['integer', 'string'] }), object(text)] },
      ],
    ])('%s: is at most a note', async (_name, before, after) => {
      const found = await diffOf(version(before), version(after))
      expect(found.filter(({ level }) => level !== 'note')).toEqual([])
    })
  })

  it('a response header that was contradictory may have values now: is an error', async () => {
    const found = await diffOf(header({ allOf: [text, number] }), header(number))
    expect(errors(found).map(([, witness]) => witness)).toEqual([0])
  })
})

/** Only an object with a value that is no integer and no string fits one alternative alone. */
const TWO_MAPS = {
  properties: { a: { type: ['boolean', 'string'] }, b: { type: 'integer' } },
  oneOf: [
    { type: 'object', additionalProperties: { type: ['integer', 'string'] } },
    { type: 'object' },
  ],
}

describe('what a schema excludes does not hide what another one rejects', () => {
  it.each<readonly [string, (schema: unknown) => Json, unknown, unknown, unknown]>([
    [
      'a response of two alternatives that no longer overlap',
      response,
      { oneOf: [{ type: 'string' }, { type: 'number' }, { not: { type: 'integer' } }] },
      {
        oneOf: [{ type: 'string' }, { type: 'number' }, { not: { type: 'integer' }, maxLength: 1 }],
      },
      'aa',
    ],
    [
      'a response that excludes less',
      response,
      { not: { type: 'integer' } },
      { not: { type: 'integer', maximum: 2 } },
      3,
    ],
    [
      'a response that had no value',
      response,
      { not: true },
      { not: { uniqueItems: true } },
      [0, 0],
    ],
    [
      'a request whose alternatives overlap, and which requires a property more',
      request,
      TWO_MAPS,
      { ...TWO_MAPS, required: ['b'] },
      { key: [] },
    ],
  ])('%s: is an error', async (_name, version, before, after, value) => {
    const found = await diffOf(version(before), version(after))
    expect(found.filter(({ rule }) => rule.endsWith('undecided'))).toEqual([])
    expect(errors(found).map(([, witness]) => witness)).toEqual([value])
  })
})
