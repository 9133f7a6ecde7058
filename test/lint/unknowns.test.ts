import { expect, it } from 'vitest'
import { findingsOf, http, json, rpc, schema } from './lint-documents.js'

const open = { 'x-not-shown': 'Which codes there are.' }
const chosen = { ...open, 'x-assumption': 'Two letters.' }

it('schema-not-shown lists what is open, and what was chosen', async () => {
  expect(
    await findingsOf('schema-not-shown', schema({ type: 'string', ...open })),
  ).toMatchInlineSnapshot(`
    [
      "note /components/schemas/One/x-not-shown not shown: Which codes there are.",
    ]
  `)
  expect(
    await findingsOf('schema-not-shown', schema({ type: 'string', ...chosen })),
  ).toMatchInlineSnapshot(`
    [
      "note /components/schemas/One/x-not-shown not shown: Which codes there are. Assumed: Two letters.",
    ]
  `)
  expect(await findingsOf('schema-not-shown', schema({ type: 'string' }))).toEqual([])
})

it('assumption-is-missing', async () => {
  const closed = { type: 'object', additionalProperties: false, properties: {} }
  expect(
    await findingsOf('assumption-is-missing', schema({ ...closed, ...open })),
  ).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/x-not-shown x-not-shown marks an open question, but the document rejects values here: state under x-assumption what was chosen and why, or remove the constraint",
    ]
  `)
  expect(await findingsOf('assumption-is-missing', schema({ ...closed, ...chosen }))).toEqual([])
  expect(await findingsOf('assumption-is-missing', schema({ type: 'object', ...open }))).toEqual([])
})

it('assumption-is-missing, of params that are closed by their positions', async () => {
  const params = [{ name: 'a', schema: {} }]
  expect(await findingsOf('assumption-is-missing', rpc({ params, ...open }))).toHaveLength(1)
  expect(await findingsOf('assumption-is-missing', rpc(open))).toEqual([])
})

it('assumption-without-question', async () => {
  const bare = { 'x-assumption': 'Two letters.' }
  expect(await findingsOf('assumption-without-question', schema(bare))).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/x-assumption the assumption has no x-not-shown: add it, and say what the source does not show",
    ]
  `)
  expect(await findingsOf('assumption-without-question', schema(chosen))).toEqual([])
})

it.each([
  ['an answer', http({ responses: { 200: json({ type: 'object' }) } })],
  ['a property', schema({ type: 'object', properties: { more: {} } })],
  ['the items of an array', schema({ type: 'array', items: {} })],
  ['a param', rpc({ params: [{ name: 'a', schema: { type: 'object' } }] })],
  ['a result', rpc({ result: { name: 'a', schema: { type: 'array' } } })],
])('schema-accepts-anything, %s', async (_, documents) => {
  expect(await findingsOf('schema-accepts-anything', documents)).toMatchSnapshot()
})

it.each([
  ['says so', schema({ type: 'array', items: { ...open } })],
  [
    'explains itself',
    schema({ type: 'object', properties: { more: { description: 'Any of it.' } } }),
  ],
  ['is written as open', schema({ type: 'object', additionalProperties: true })],
  [
    'is one of the explained alternatives',
    schema({ ...open, anyOf: [{ type: 'array', items: {} }] }),
  ],
])('what is free and %s is no schema-accepts-anything', async (_, documents) => {
  expect(await findingsOf('schema-accepts-anything', documents)).toEqual([])
})

it('limits-are-undeclared', async () => {
  expect(await findingsOf('limits-are-undeclared', rpc({}))).toMatchInlineSnapshot(`
    [
      "note / the document declares no limits: add requestsPerMinute, batchSize and payloadBytes under x-limits",
    ]
  `)
  expect(
    await findingsOf('limits-are-undeclared', rpc({}, { 'x-limits': { batchSize: 40 } })),
  ).toEqual([])
  expect(
    await findingsOf('limits-are-undeclared', http({ 'x-limits': { payloadBytes: 9 } })),
  ).toEqual([])
})
