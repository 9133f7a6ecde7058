import { expect, it } from 'vitest'
import { openapiOf } from '../read/api-of.js'
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

it('operation-has-no-id', async () => {
  const one = (get: object) => ({ openapi: openapiOf({ paths: { '/a': { get } } }) })
  const responses = { 200: { description: 'Done.' } }
  expect(await findingsOf('operation-has-no-id', one({ responses }))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get the operation has no operationId, so its name is made of its method and path: give it one",
    ]
  `)
  expect(await findingsOf('operation-has-no-id', one({ operationId: 'a', responses }))).toEqual([])
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
  expect(
    await findingsOf('parameter-has-no-description', taking({ schema: { title: 'Zone' } })),
  ).toEqual([])
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
