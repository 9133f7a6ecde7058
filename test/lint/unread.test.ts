import { expect, it } from 'vitest'
import { findingsOf, http, json, schema } from './lint-documents.js'

// What was not read accepts every value, and no rule says more of it than that it was not read.

const text = { type: 'string' }
const lost = { $ref: '#/components/schemas/Lost' }

/** Schemas of which a part is not known, with the other schemas of their document. */
const UNREAD: [what: string, part: object, schemas: object][] = [
  ['a reference without a target', lost, {}],
  ['a file that does not exist', { $ref: 'lost.json#/Lost' }, {}],
  ['a remote reference', { $ref: 'https://example.invalid/lost.json#/Lost' }, {}],
  ['an alias of one', { $ref: '#/components/schemas/Alias' }, { Alias: lost }],
  ['a keyword with an invalid value', { pattern: '[' }, {}],
  ['a keyword of JSON Schema 2019-09', { $recursiveRef: '#' }, {}],
]

const within = (one: object, more: object = {}) => ({
  openapi: {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': { get: { responses: { 200: json({ $ref: '#/components/schemas/One' }) } } },
    },
    components: { schemas: { One: one, ...more } },
  },
})

it.each(UNREAD)('a branch of a oneOf matches no more values by %s', async (_, part, more) => {
  for (const oneOf of [
    [text, part],
    [
      { type: 'array', items: text },
      { type: 'array', items: part },
    ],
    [
      { type: 'object', properties: { a: text }, required: ['a'] },
      { type: 'object', properties: { a: part } },
    ],
  ])
    expect(await findingsOf('one-of-branch-never-matches', within({ oneOf }, more))).toEqual([])
})

it.each(UNREAD)('an example fits no second branch by %s', async (_, part, more) => {
  const one = { oneOf: [text, part], examples: ['a'], default: 'a' }
  for (const rule of ['schema-example-invalid', 'default-invalid'])
    expect(await findingsOf(rule, within(one, more))).toEqual([])
  const answering = http({ responses: { 200: json(one, { example: 'a' }) } }, { schemas: more })
  expect(await findingsOf('example-fits-two-branches', answering)).toEqual([])
})

it.each(UNREAD)('no shape is missing where there is %s', async (_, part, more) => {
  const one = { type: 'object', properties: { a: part, b: { type: 'array', items: part } } }
  expect(await findingsOf('schema-accepts-anything', within(one, more))).toEqual([])
})

it.each(UNREAD)('a schema is not the other one of its allOf by %s', async (_, part, more) => {
  const names = [...'abcdefgh']
  const properties = Object.fromEntries(names.map((name) => [name, text]))
  const point = { type: 'object', properties }
  const one = { allOf: [part, point] }
  expect(await findingsOf('schema-is-repeated', within(one, more))).toEqual([])
})

it.each(UNREAD)('two schemas are not the same by %s', async (_, part, more) => {
  const properties = Object.fromEntries([...'abcdefgh'].map((name) => [name, text]))
  const One = { type: 'object', properties: { ...properties, i: part } }
  const Two = { type: 'object', properties: { ...properties, i: {} } }
  expect(await findingsOf('schema-is-repeated', within(One, { Two, ...more }))).toEqual([])
})

it.each(UNREAD)('two variants may overlap, and are not said to, by %s', async (_, part, more) => {
  const refs = ['A', 'B'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const variants = { 'x-variants': { a: { request: refs[0] }, b: { request: refs[1] } } }
  const A = { type: 'object', properties: { a: part }, required: ['a'] }
  const B = { type: 'object', properties: { a: text }, required: ['a'] }
  const posting = http(
    { ...variants, requestBody: json({ oneOf: refs }), responses: {} },
    { schemas: { A, B, ...more }, version: '3.1.0' },
    'post',
  )
  expect(await findingsOf('variants-overlap', posting)).toEqual([])
  expect(await findingsOf('variants-may-overlap', posting)).toHaveLength(1)
})

it.each(UNREAD.slice(0, 4))('no component is unused beside %s', async (_, part, more) => {
  expect(await findingsOf('component-is-unused', within(part, { ...more, Other: text }))).toEqual(
    [],
  )
})

it('what was read is still compared', async () => {
  const oneOf = [text, { type: ['string', 'null'] }]
  expect(await findingsOf('one-of-branch-never-matches', schema({ oneOf }))).toHaveLength(1)
  expect(await findingsOf('component-is-unused', within(text, { Other: text }))).toHaveLength(1)
})
