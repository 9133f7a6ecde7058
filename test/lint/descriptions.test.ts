import { expect, it } from 'vitest'
import { openapiOf } from '../model/api-of.js'
import { http, rpc, schema, told } from './lint-documents.js'

it('document-has-no-description', async () => {
  const info = { title: 'Test', version: '1' }
  const described = { ...info, description: 'Tells the time.' }
  expect(
    await told('document-has-no-description', { openapi: openapiOf({ info }) }),
  ).toMatchInlineSnapshot(`
    [
      "note /info the document says not what the service is for: describe it under info",
    ]
  `)
  expect(
    await told('document-has-no-description', { openapi: openapiOf({ info: described }) }),
  ).toEqual([])
})

it('operation-has-no-description', async () => {
  expect(await told('operation-has-no-description', rpc({}))).toMatchInlineSnapshot(`
    [
      "warning /methods/0 nothing says what one does: give it a summary or a description",
    ]
  `)
  expect(await told('operation-has-no-description', rpc({ summary: 'Tells the time.' }))).toEqual(
    [],
  )
})

it('operation-has-no-id', async () => {
  const one = (get: object) => ({ openapi: openapiOf({ paths: { '/a': { get } } }) })
  const responses = { 200: { description: 'Done.' } }
  expect(await told('operation-has-no-id', one({ responses }))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get the operation has no operationId, so its name is made of its method and path: give it one",
    ]
  `)
  expect(await told('operation-has-no-id', one({ operationId: 'a', responses }))).toEqual([])
})

it('parameter-has-no-description', async () => {
  const taking = (param: object) => rpc({ params: [{ name: 'zone', schema: {}, ...param }] })
  expect(await told('parameter-has-no-description', taking({}))).toMatchInlineSnapshot(`
    [
      "note /methods/0/params/0 nothing says what zone is for: give it a description",
    ]
  `)
  expect(await told('parameter-has-no-description', taking({ description: 'Whose.' }))).toEqual([])
  expect(await told('parameter-has-no-description', taking({ schema: { title: 'Zone' } }))).toEqual(
    [],
  )
})

it('schema-has-no-description', async () => {
  expect(
    await told('schema-has-no-description', schema({ type: 'string' })),
  ).toMatchInlineSnapshot(`
    [
      "note /components/schemas/One nothing says what One is: give it a description",
    ]
  `)
  expect(await told('schema-has-no-description', schema({ description: 'A time.' }))).toEqual([])
})

it('deprecation-has-no-date', async () => {
  const ending = { deprecated: true, 'x-sunset': '2027-01-31' }
  expect(await told('deprecation-has-no-date', http({ deprecated: true }))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/deprecated one is deprecated and nothing says until when it answers: add x-sunset with a date",
    ]
  `)
  expect(await told('deprecation-has-no-date', http(ending))).toEqual([])
})

it('sunset-has-no-deprecation', async () => {
  const sunset = { 'x-sunset': '2027-01-31' }
  expect(await told('sunset-has-no-deprecation', rpc(sunset))).toMatchInlineSnapshot(`
    [
      "warning /methods/0/x-sunset one ends on 2027-01-31 and is not marked as deprecated: add deprecated: true",
    ]
  `)
  expect(await told('sunset-has-no-deprecation', rpc({ ...sunset, deprecated: true }))).toEqual([])
})
