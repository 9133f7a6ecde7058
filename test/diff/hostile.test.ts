import { describe, expect, it } from 'vitest'
import { diff } from '../../src/diff/diff.js'
import { differences } from '../../src/diff/differences.js'
import type { Finding } from '../../src/model/finding.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'

const PATIENCE = 300_000
const TODAY = new Date('2026-01-01')

type Schemas = Readonly<Record<string, unknown>>

const CASES: readonly (readonly [string, Schemas, Schemas])[] = [
  [
    'two hundred branches that nothing tells apart',
    { Thing: { oneOf: numbers(200).map(branch) } },
    { Thing: { oneOf: numbers(200).map((n) => branch(n === 150 ? 1000 : n)) } },
  ],
  [
    'an enum of two thousand values',
    { Thing: { type: 'string', enum: numbers(2000).map((n) => `value${n}`) } },
    { Thing: { type: 'string', enum: numbers(2000).map((n) => `value${n + 1}`) } },
  ],
  ['a chain of three hundred allOf', chain(300, 10), chain(300, 9)],
  ['five hundred schemas that hold each other', ring(500, 10), ring(500, 9)],
  [
    'a pattern that explodes',
    { Thing: { type: 'string', pattern: '^(a|a?)+$' } },
    { Thing: { type: 'string', pattern: '^((a+)+b?)+c{0,999}$' } },
  ],
  [
    'a pattern of property names that explodes',
    { Thing: patterned('^(a+)+$', 'integer') },
    { Thing: patterned('^(a+)+$', 'string') },
  ],
  [
    'a thousand million items',
    { Thing: { type: 'array', items: { type: 'integer' }, maxItems: 1e9 } },
    { Thing: { type: 'array', items: { type: 'integer' }, maxItems: 1e9 - 1 } },
  ],
  [
    'ten million items at least',
    { Thing: { type: 'array', items: { type: 'integer' }, minItems: 1e7 } },
    { Thing: { type: 'array', items: { type: 'integer' }, minItems: 1e7 + 1 } },
  ],
  [
    'a thousand million characters at least',
    { Thing: { type: 'string', minLength: 1e9 } },
    { Thing: { type: 'string', minLength: 1e9 + 1 } },
  ],
  [
    'a tiny step',
    { Thing: { type: 'number', minimum: 0, maximum: 1e9 } },
    { Thing: { type: 'number', minimum: 0, maximum: 1e9, multipleOf: 1e-9 } },
  ],
  [
    'integers past 2^53',
    { Thing: { type: 'integer', minimum: 9007199254740994, maximum: 1e300 } },
    { Thing: { type: 'integer', minimum: 9007199254740994, maximum: 1e200 } },
  ],
  ['two thousand tagged branches', tagged(2000, 10), tagged(2000, 9)],
  ['ten thousand properties, half of them required', wide(10_000, 10), wide(10_000, 9)],
  ['a circle of three thousand references', circle(3000, 10), circle(3000, 9)],
  [
    'names that every object has',
    { Thing: object('{"__proto__":{"maxLength":9},"constructor":{"maxLength":9},"toString":{}}') },
    { Thing: object('{"__proto__":{"maxLength":8},"constructor":{"maxLength":8}}') },
  ],
]

describe('hostile schemas end, and what changed of them is reported', () => {
  it.each(CASES)('%s', { timeout: PATIENCE }, async (_, before, after) => {
    expect(await findings(before, after)).not.toEqual([])
  })

  it.each(CASES)('%s, against itself', { timeout: PATIENCE }, async (_, before) => {
    expect(await findings(before, before)).toEqual([])
  })
})

describe('names that every object has', () => {
  const union = (value: string): Schemas => {
    const kind = object('{"k":{"type":"string"}}')
    const oneOf = ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
    const mapping = { [value]: oneOf[0]?.$ref, b: oneOf[1]?.$ref }
    return {
      Thing: { oneOf, discriminator: { propertyName: 'k', mapping } },
      A: kind,
      B: kind,
    }
  }

  it('may be values of a discriminator that are removed', async () => {
    const found = await findings(union('constructor'), union('a'))
    expect(found.map(({ rule }) => rule)).toContain('request-value-removed')
  })

  it('may be variables of a server that are new', async () => {
    const servers = (variables: object) => ({
      servers: [{ url: 'https://{constructor}.example', variables }],
    })
    const [old, young] = [
      await read({ Thing: {} }, servers({})),
      await read({ Thing: {} }, servers({ constructor: { default: 'a' } })),
    ]
    expect(diff(old, young, { today: TODAY })).toEqual([])
  })

  it('may be members of an object that no rule compares', async () => {
    const member = (value: number) => read({ Thing: {} }, { tags: [], toString: { value } })
    expect(differences(await member(1), await member(2))).toMatchObject([
      { kind: 'not-compared', location: { pointer: '/toString' } },
    ])
  })
})

it('compares the documents of a long circle of references', async () => {
  const [old, young] = [await read(circle(3000, 10)), await read(circle(3000, 9))]
  expect(differences(old, young)).toMatchObject([{ kind: 'compared' }])
})

it('compares lists of many numbers', async () => {
  const example = numbers(20_000)
  const list = (more: number) => read({ Thing: { type: 'array', example: [...example, 0, more] } })
  expect(differences(await list(1), await list(2))).toMatchObject([{ kind: 'text' }])
})

async function findings(before: Schemas, after: Schemas): Promise<readonly Finding[]> {
  const [old, young] = [await read(before), await read(after)]
  return diff(old, young, { today: TODAY })
}

const read = (schemas: Schemas, more: object = {}) => {
  const media = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1' },
    paths: {
      '/things': {
        put: {
          operationId: 'putThing',
          requestBody: { required: true, content: media },
          responses: { 200: { description: 'As it is.', content: media } },
        },
      },
    },
    components: { schemas },
    ...more,
  }
  return loadApi({ openapi: parseDocument(JSON.stringify(document), 'openapi.json') })
}

function numbers(size: number): readonly number[] {
  return Array.from({ length: size }, (_, n) => n)
}

function branch(n: number): object {
  return {
    type: 'object',
    required: [`only${n}`],
    properties: { [`only${n}`]: { type: 'string' }, shared: { type: 'integer', minimum: n } },
  }
}

function chain(length: number, maxLength: number): Schemas {
  const links = numbers(length).map((n) => [
    n === 0 ? 'Thing' : `Link${n}`,
    {
      allOf: [
        n === length - 1
          ? { type: 'object', properties: { end: { type: 'string', maxLength } } }
          : { $ref: `#/components/schemas/Link${n + 1}` },
        { type: 'object', properties: { [`own${n}`]: { type: 'string' } } },
      ],
    },
  ])
  return Object.fromEntries(links)
}

function patterned(pattern: string, type: string): object {
  const required = [`${'a'.repeat(60)}!`]
  return { type: 'object', required, patternProperties: { [pattern]: { type } } }
}

function ring(length: number, maxLength: number): Schemas {
  const name = (n: number) => (n % length === 0 ? 'Thing' : `Link${n % length}`)
  const links = numbers(length).map((n) => [
    name(n),
    {
      type: 'object',
      properties: {
        text: { type: 'string', maxLength },
        next: { $ref: `#/components/schemas/${name(n + 1)}` },
        back: { $ref: `#/components/schemas/${name(n + length - 1)}` },
      },
    },
  ])
  return Object.fromEntries(links)
}

function tagged(size: number, maxLength: number): Schemas {
  const oneOf = numbers(size).map((n) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: `k${n}` }, text: { type: 'string', maxLength } },
  }))
  return { Thing: { oneOf } }
}

function wide(size: number, maxLength: number): Schemas {
  const names = numbers(size).map((n) => `name${n}`)
  const text = (n: number) => ({ type: 'string', maxLength: n === 500 ? maxLength : 10 })
  const properties = Object.fromEntries(names.map((name, n) => [name, text(n)]))
  return { Thing: { type: 'object', required: names.slice(size / 2), properties } }
}

/** Each schema refers to the next; only one is changed. */
function circle(length: number, maxLength: number): Schemas {
  const name = (n: number) => (n % length === 0 ? 'Thing' : `Link${n % length}`)
  const links = numbers(length).map((n) => {
    const text = { type: 'string', maxLength: n === length - 5 ? maxLength : 10 }
    const next = { $ref: `#/components/schemas/${name(n + 1)}` }
    return [name(n), { type: 'object', properties: { text, next } }]
  })
  return Object.fromEntries(links)
}

/** From JSON, in which `__proto__` is a name like all others. */
function object(properties: string): object {
  return { type: 'object', properties: JSON.parse(properties) }
}
