import { expect, it } from 'vitest'
import { apiOf, openapiOf } from '../read/api-of.js'
import { findingsOf, rpc, schema } from './lint-documents.js'

it('document-has-no-description', async () => {
  const info = { title: 'Test', version: '1' }
  const described = { ...info, description: 'Tells the time.' }
  expect(
    await findingsOf('document-has-no-description', { openapi: openapiOf({ info }) }),
  ).toMatchInlineSnapshot(`
    [
      "note /info the document does not describe the service: add info.description",
    ]
  `)
  expect(
    await findingsOf('document-has-no-description', { openapi: openapiOf({ info: described }) }),
  ).toEqual([])
})

it('operation-has-no-description', async () => {
  expect(await findingsOf('operation-has-no-description', rpc({}))).toMatchInlineSnapshot(`
    [
      "warning /methods/0 one has no summary and no description: add one",
    ]
  `)
  expect(
    await findingsOf('operation-has-no-description', rpc({ summary: 'Tells the time.' })),
  ).toEqual([])
})

it('a path item describes the operations that do not describe themselves', async () => {
  const at = (item: object, get: object = {}) => ({
    openapi: openapiOf({
      paths: { '/a': { ...item, get: { responses: { 200: { description: 'Ok.' } }, ...get } } },
    }),
  })
  const said = async (item: object, get: object = {}) => {
    const { operations } = await apiOf(at(item, get))
    return operations.map(({ summary, description }) => [summary, description])
  }
  expect(await said({ summary: 'Orders.' })).toEqual([['Orders.', undefined]])
  expect(await said({ description: 'Orders.' }, { summary: '', description: ' ' })).toEqual([
    [undefined, 'Orders.'],
  ])
  expect(await said({ description: 'Orders.' }, { summary: 'One order.' })).toEqual([
    ['One order.', undefined],
  ])
  const rule = 'operation-has-no-description'
  expect(await findingsOf(rule, at({ description: 'Orders.' }))).toEqual([])
  expect(await findingsOf(rule, at({ description: ' ' }))).toHaveLength(1)
})

it('operation-has-no-id', async () => {
  const one = (get: object) => ({ openapi: openapiOf({ paths: { '/a': { get } } }) })
  const responses = { 200: { description: 'Done.' } }
  expect(await findingsOf('operation-has-no-id', one({ responses }))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get the operation has no operationId, so its name is made of its method and path: give it one",
    ]
  `)
  expect(await findingsOf('operation-has-no-id', one({ operationId: 'a', responses }))).toEqual([])
  const callbacks = { done: { '{$request.query.url}': { post: { responses } } } }
  const webhooks = { done: { post: { responses } } }
  const sending = openapiOf({
    ...{ version: '3.1.0', webhooks },
    paths: { '/a': { get: { operationId: 'a', responses, callbacks } } },
  })
  expect(await findingsOf('operation-has-no-id', { openapi: sending })).toEqual([])
})

it('parameter-has-no-description', async () => {
  const taking = (param: object) => rpc({ params: [{ name: 'zone', schema: {}, ...param }] })
  expect(await findingsOf('parameter-has-no-description', taking({}))).toMatchInlineSnapshot(`
    [
      "note /methods/0/params/0 zone has no description: add one",
    ]
  `)
  expect(
    await findingsOf('parameter-has-no-description', taking({ description: 'Whose.' })),
  ).toEqual([])
  for (const schema of [
    { title: 'Zone' },
    { description: 'Zone.', schema: { type: 'string' } },
    { title: 'Zone', schema: { schema: { type: 'string' } } },
  ])
    expect(await findingsOf('parameter-has-no-description', taking({ schema }))).toEqual([])
})

it('schema-has-no-description', async () => {
  expect(
    await findingsOf('schema-has-no-description', schema({ type: 'string' })),
  ).toMatchInlineSnapshot(`
    [
      "note /components/schemas/One One has no description: add one",
    ]
  `)
  expect(await findingsOf('schema-has-no-description', schema({ description: 'A time.' }))).toEqual(
    [],
  )
})
