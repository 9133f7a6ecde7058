import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectShown } from '../../../src/conform/values/shown-values.js'
import { breakageOf, declaredKeywords, trialsOf } from '../../../src/conform/values/trials.js'
import { parametersSchema } from '../../../src/model/params.js'
import { loadApi } from '../../../src/read/load.js'
import { createChecker } from '../../../src/schema/check.js'
import { arbitraryOf } from '../../../src/schema/random.js'
import type { Schema } from '../../../src/schema/schema.js'
import { CORPORA, corpus, named } from '../../conformance/corpora.js'
import { api as ours } from '../../conformance/documents.js'
import { apiOf, openrpcOf } from '../../read/api-of.js'
import '../../fixed-seed.js'
import { countRuns, seedOr, sized } from '../../trials/size.js'

const seeds = Array.from({ length: sized(1, 40) }, (_, at) => seedOr(1) + at)

const requestsOf = (api: typeof ours): readonly (readonly [string, Schema, readonly unknown[]])[] =>
  api.operations.flatMap((one) =>
    one.kind === 'rpc'
      ? [[one.id, parametersSchema(one), one.examples.map(({ params }) => params)] as const]
      : (one.body?.content ?? []).map(
          ({ schema, examples }) => [one.id, schema, examples.map(({ value }) => value)] as const,
        ),
  )

const files = corpus('execution-apis').includes('openrpc.json')
  ? [`${CORPORA}/execution-apis/openrpc.json`]
  : []
const foreign = files.length === 0 ? undefined : await loadApi({ openrpc: files[0] as string })

const CHOICES = Array.from({ length: 24 }, (_, index) => index * 7)

describe.each([
  ['our documents', ours],
  [named('the execution APIs', files), foreign],
] as const)('%s', (_, api) => {
  if (api === undefined)
    return test.skip('skipped, since the corpora are not here', () => undefined)
  const checker = createChecker(api.schemas)
  const making = collectShown(api, checker)
  const requests = requestsOf(api)

  test('values made for a request are right, and broken in one thing they are wrong', () => {
    const tried = new Set<string>()
    countRuns(requests.length * seeds.length * 3)
    for (const [id, schema] of requests) {
      const { check } = checker.schema(schema)
      const values = arbitraryOf(schema, making)
      if (values === undefined) throw new Error(`${id}: no values`)
      for (const seed of seeds)
        for (const value of fc.sample(values, { seed, numRuns: 3 })) {
          expect(check(value), `${id} ${JSON.stringify(value)}`).toBe(true)
          const broken = CHOICES.map((at) => breakageOf(schema, value, { making, bases: [] }, at))
          expect(broken[0], id).toBeDefined()
          for (const trial of broken)
            expect(check(trial?.value), `${id} ${trial?.note}`).toBe(false)
          for (const trial of broken) tried.add(`${trial?.at} ${trial?.keyword} ${trial?.note}`)
        }
    }
    expect(tried.size).toBeGreaterThan(100)
  })

  test('values at the bounds are as right or as wrong as they are said to be', () => {
    for (const [id, schema, bases] of requests) {
      const { check } = checker.schema(schema)
      const trials = trialsOf(schema, { making, bases })
      expect(trials.length, id).toBeGreaterThan(3)
      for (const { side, value, note } of trials)
        expect(check(value), `${id} ${note} ${JSON.stringify(value)}`).toBe(side === 'valid')
    }
  })
})

test('values at the bounds are the same each time', () => {
  const outputOf = (count: number) =>
    requestsOf(ours)
      .slice(0, count)
      .map(([, schema, bases]) => {
        const fresh = collectShown(ours, createChecker(ours.schemas))
        return JSON.stringify(trialsOf(schema, { making: fresh, bases }))
      })
  expect(outputOf(6)).toEqual(outputOf(6))
})

test('of our own documents nearly every keyword of a request is tried', () => {
  const making = collectShown(ours, createChecker(ours.schemas))
  const missing = requestsOf(ours).flatMap(([id, schema, bases]) => {
    const tried = trialsOf(schema, { making, bases }).map((one) => `${one.pointer} ${one.keyword}`)
    return declaredKeywords(schema, ours.schemas)
      .filter((name) => !tried.some((one) => one.trimStart() === name))
      .map((name) => `${id} ${name}`)
  })
  // A state that stands beside its own difference is two overrides, which one request may not give at once.
  expect(missing.filter((name) => !/properties\/state(Diff)?[ /]/.test(name))).toEqual([])
})

const TREE: Schema = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    under: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  },
}

const [document] = await Promise.all([
  apiOf({
    openrpc: openrpcOf({
      schemas: { Tree: TREE },
      methods: [
        {
          name: 'grow',
          params: [{ name: 'tree', required: true, schema: { $ref: '#/components/schemas/Tree' } }],
          result: { name: 'r', schema: {} },
        },
      ],
    }),
  }),
])
const making = collectShown(document, createChecker(document.schemas))

/** A schema, the keyword, a value on each side of its bound. */
const KEYWORDS: readonly (readonly [
  keyword: string,
  schema: Schema,
  valid: unknown,
  invalid: readonly unknown[],
])[] = [
  ['minLength', { type: 'string', minLength: 3 }, 3, [2, 2]],
  ['maxLength', { type: 'string', maxLength: 5 }, 5, [6]],
  ['minItems', { type: 'array', items: { type: 'boolean' }, minItems: 2 }, 2, [1]],
  ['maxItems', { type: 'array', items: { type: 'boolean' }, maxItems: 4 }, 4, [5]],
]

test.each(KEYWORDS)(
  '%s has a value at its bound and one beyond',
  (keyword, schema, valid, invalid) => {
    const sizes = (side: string) =>
      trialsOf(schema, { making, bases: [] })
        .filter((one) => one.keyword === keyword && one.side === side)
        .map(({ value }) => [...(value as Iterable<unknown>)].length)
    expect({ valid: sizes('valid'), invalid: sizes('invalid') }).toEqual({
      valid: [valid],
      invalid,
    })
  },
)

const ENCODED = { maxLength: 5, contentEncoding: 'base64' } as Schema

/** The planes of the characters: A for ASCII, B for the rest of the Basic Multilingual Plane, C for the others. */
const planesOf = (value: unknown): string =>
  [...(value as string)]
    .map((one) => (one < '\u0080' ? 'A' : (one.codePointAt(0) ?? 0) > 0xffff ? 'C' : 'B'))
    .join('')

test.each<readonly [string, Schema, unknown, readonly string[], readonly string[]]>([
  ['maxLength', { maxLength: 5 }, 'text', ['AAABC'], ['AAAAAA']],
  ['maxLength', { maxLength: 1 }, 't', ['C'], ['AA']],
  ['minLength', { minLength: 3 }, 'text', ['AAB'], ['AA', 'AC']],
  ['minLength', { minLength: 1 }, 'text', ['B'], ['']],
  ['minLength', { minLength: 0 }, 'text', [''], []],
  // A pattern may allow all characters, or some of these.
  ['maxLength', { maxLength: 5, pattern: '^.+$' }, 'text', ['AAABC'], ['AAAAAA']],
  ['maxLength', { maxLength: 5, pattern: '^[a-z]+$' }, 'text', ['AAAAA'], ['AAAAAA']],
  ['minLength', { minLength: 3, pattern: '^[a-z]+$' }, 'text', ['AAA'], ['AA', 'AC']],
  ['maxLength', { allOf: [{ pattern: '^[a-z]+$' }], maxLength: 5 }, 'text', ['AAAAA'], ['AAAAAA']],
  // What a format allows is known for a few formats only.
  ['maxLength', { maxLength: 9, format: 'byte' }, 'text', ['AAAAAAAAA'], ['AAAAAAAAAA']],
  ['minLength', { minLength: 3, format: 'hostname' }, 'text', ['AAA'], ['AA']],
  ['maxLength', ENCODED, 'text', ['AAAAA'], ['AAAAAA']],
])('characters at the bound of %s of %j', (keyword, schema, base, valid, invalid) => {
  const trials = trialsOf({ type: 'string', ...(schema as object) }, { making, bases: [base] })
  const of = (side: string) =>
    trials
      .filter((one) => one.keyword === keyword && one.side === side)
      .map(({ value }) => planesOf(value))
  expect({ valid: of('valid'), invalid: of('invalid') }).toEqual({ valid, invalid })
})

test('values made for a text with a length are not only ASCII, and no longer than it', () => {
  const values = arbitraryOf({ type: 'string', maxLength: 6 }, making)
  const drawn = values === undefined ? [] : fc.sample(values, { seed: 1, numRuns: 60 })
  expect(drawn.filter((one) => /[BC]/.test(planesOf(one))).length).toBeGreaterThan(3)
  expect(drawn.filter((one) => [...(one as string)].length > 6)).toEqual([])
})

test.each<readonly [string, Schema, unknown, unknown]>([
  ['minimum', { type: 'integer', minimum: 7 }, 7, 6],
  ['maximum', { type: 'integer', maximum: 9 }, 9, 10],
  ['maximum', { type: 'integer', maximum: 10, multipleOf: 3 }, 9, 12],
  ['exclusiveMinimum', { type: 'number', exclusiveMinimum: 0 }, 1, 0],
  ['exclusiveMaximum', { type: 'integer', exclusiveMaximum: 5 }, 4, 5],
  ['enum', { enum: ['a'] }, 'a', 'a_'],
  ['const', { const: 5 }, 5, 6],
  ['pattern', { type: 'string', pattern: '^0x([0-9a-f]{2})*$' }, '0x', '0xa'],
  ['pattern', { type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]{0,3})$' }, '0xabbb', '0x0ab'],
  ['required', TREE, { name: 'oak' }, {}],
  ['additionalProperties', TREE, undefined, { name: 'oak', unknownProperty: 1 }],
  ['uniqueItems', { type: 'array', items: { enum: [1, 2] }, uniqueItems: true }, undefined, [2, 2]],
  [
    'minProperties',
    { type: 'object', minProperties: 1, additionalProperties: { const: 1 } },
    undefined,
    {},
  ],
  ['items', { type: 'array', prefixItems: [{ const: 1 }], items: false }, undefined, [1, 1]],
  ['not', { type: 'integer', not: { const: 4 } }, undefined, 4],
  [
    'oneOf',
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { const: 1 }, b: { not: {} } } },
        { type: 'object', required: ['b'], properties: { b: { const: 2 }, a: { not: {} } } },
      ],
    },
    { a: 1 },
    { a: 1, b: 2 },
  ],
])('%s of %j', (keyword, schema, valid, invalid) => {
  const bases = [{ name: 'oak' }, '0xab']
  const trials = trialsOf(schema, { making, bases }).filter((one) => one.keyword === keyword)
  const of = (side: string) => trials.filter((one) => one.side === side).map(({ value }) => value)
  if (valid !== undefined) expect(of('valid')).toContainEqual(valid)
  expect(of('invalid')).toContainEqual(invalid)
})

test('what is wrong for one form and right for another is not called wrong', () => {
  const schema: Schema = {
    oneOf: [{ type: 'string', pattern: '^0x[0-9a-f]{2}$' }, { enum: ['', '0x'] }],
  }
  const wrong = trialsOf(schema, { making, bases: ['0xab'] }).filter(
    ({ side }) => side === 'invalid',
  )
  expect(wrong.length).toBeGreaterThan(5)
  expect(wrong.map(({ value }) => value)).not.toContain('')
  expect(wrong.map(({ value }) => value)).not.toContain('0x')
})

test('values of a schema that holds itself end, and go inside', () => {
  const values = arbitraryOf({ $ref: '#/components/schemas/Tree' }, making)
  if (values === undefined) throw new Error('no values')
  const texts = fc.sample(values, { seed: 5, numRuns: 50 }).map((value) => JSON.stringify(value))
  expect(texts.some((text) => text.split('"under"').length > 3)).toBe(true)
})

test.each<[string, Schema]>([
  ['that takes nothing', false],
  ['whose pattern looks ahead, without an example', { type: 'string', pattern: '^(?=a)[a-z]+$' }],
  ['that contradicts itself', { type: 'string', allOf: [{ type: 'integer' }] }],
  [
    'that asks for itself for ever',
    { type: 'array', minItems: 1, items: { const: 1 }, maxItems: 0 },
  ],
])('of a schema %s no value is made, and it ends', (_, schema) => {
  expect(arbitraryOf(schema, making)).toBeUndefined()
  expect(trialsOf(schema, { making, bases: [] })).toEqual([])
})

test.each<readonly [keyword: string, schema: Schema, valid: unknown, invalid: unknown]>([
  ['maximum', { type: 'integer', maximum: Number.MAX_SAFE_INTEGER }, 2 ** 53 - 1, 2 ** 53],
  ['minimum', { type: 'integer', minimum: -(2 ** 53) + 1 }, -(2 ** 53) + 1, -(2 ** 53)],
  ['maximum', { type: 'integer', maximum: 2 ** 60 }, 2 ** 60, 2 ** 60 + 256],
  ['maximum', { type: 'integer', maximum: 1234567890123456 }, 1234567890123456, 1234567890123457],
  ['minimum', { type: 'number', minimum: 0.3, multipleOf: 0.1 }, 0.3, 0.2],
])('%s of %j is met to its last digit', (keyword, schema, valid, invalid) => {
  const trials = trialsOf(schema, { making, bases: [] }).filter((one) => one.keyword === keyword)
  const of = (side: string) => trials.filter((one) => one.side === side).map(({ value }) => value)
  expect({ valid: of('valid'), invalid: of('invalid') }).toEqual({
    valid: [valid],
    invalid: [invalid],
  })
})

test.each([
  ['^0x([0-9a-f]{2})+$', '0xab', '0xa', 'an odd number of digits'],
  ['^0x[0-9a-f]([0-9a-f]{2})*$', '0xabc', '0xabc0', 'an even number of digits'],
])('of the digits that %s asks for one is left out or added', (pattern, base, value, note) => {
  const trials = trialsOf({ type: 'string', pattern }, { making, bases: [base] })
  expect(trials).toContainEqual(expect.objectContaining({ side: 'invalid', value, note }))
})

test.each([
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
])('a %s has a year of four digits', (format, pattern) => {
  const values = arbitraryOf({ type: 'string', format }, making)
  if (values === undefined) throw new Error('no values')
  const odd = fc.sample(values, { seed: 1, numRuns: 200 }).filter((one) => !pattern.test(`${one}`))
  expect(odd).toEqual([])
})
