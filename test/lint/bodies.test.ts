import { expect, it } from 'vitest'
import { findingsOf, http } from './lint-documents.js'

const bytes = { type: 'string', format: 'binary' }

const sending = (type: string, properties: object, encoding?: object) =>
  http(
    {
      requestBody: {
        content: {
          [type]: { schema: { type: 'object', properties }, ...(encoding && { encoding }) },
        },
      },
      responses: { 204: { description: 'Done.' } },
    },
    {},
    'post',
  )

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const text = { type: 'string' }

it('encoding-names-no-property', async () => {
  const rule = 'encoding-names-no-property'
  const encoding = { titel: { contentType: 'text/plain' } }
  expect(await findingsOf(rule, sending(MULTIPART, { title: text }, encoding))).toEqual([
    'warning /paths/~1a/post/requestBody/content/multipart~1form-data/encoding/titel the form has no property titel: its properties are title',
  ])
  expect(await findingsOf(rule, sending(MULTIPART, { titel: text }, encoding))).toEqual([])
})

it('encoding-has-no-effect', async () => {
  const rule = 'encoding-has-no-effect'
  const both = { title: { style: 'form', contentType: 'text/plain' } }
  const headers = { title: { headers: { 'X-A': { schema: text } } } }
  expect(await findingsOf(rule, sending(FORM, { title: text }, both))).toHaveLength(1)
  expect(await findingsOf(rule, sending(FORM, { title: text }, headers))).toHaveLength(1)
  expect(await findingsOf(rule, sending('application/json', { title: text }, both))).toHaveLength(1)
  expect(await findingsOf(rule, sending(MULTIPART, { title: text }, headers))).toEqual([])
})

it('file-cannot-be-sent', async () => {
  const rule = 'file-cannot-be-sent'
  expect(await findingsOf(rule, sending('application/json', { file: bytes }))).toEqual([
    'warning /paths/~1a/post/requestBody/content/application~1json/schema/properties/file JSON is text and cannot carry bytes',
  ])
  expect(await findingsOf(rule, sending(FORM, { file: bytes }))).toHaveLength(1)
  const within = { record: { type: 'object', properties: { file: bytes } } }
  expect(await findingsOf(rule, sending(MULTIPART, within))).toHaveLength(1)
  const files = { file: bytes, files: { type: 'array', items: bytes } }
  expect(await findingsOf(rule, sending(MULTIPART, files))).toEqual([])
})

it('body-schema-not-applied', async () => {
  const rule = 'body-schema-not-applied'
  const object = { type: 'object', properties: { a: text } }
  const returning = (content: object) =>
    http({ responses: { 200: { description: 'Done.', content } } })
  const of = (type: string, schema: object) => findingsOf(rule, returning({ [type]: { schema } }))
  expect(await of('text/xml', object)).toEqual([
    'note /paths/~1a/get/responses/200/content/text~1xml/schema a body of text/xml is read as text, so programs get a string, which is not parsed or validated by this schema',
  ])
  expect(await of('image/png', { type: 'array' })).toHaveLength(1)
  expect(await of('application/xml', { properties: { a: text } })).toHaveLength(1)
  expect(await of('text/plain', { oneOf: [{ type: 'integer' }, { enum: [null] }] })).toHaveLength(1)
  expect(await of(FORM, object)).toHaveLength(1)
  expect(await of('text/plain', { type: ['string', 'null'] })).toEqual([])
  expect(await of('image/png', bytes)).toEqual([])
  expect(await of('text/xml', {})).toEqual([])
  expect(await of('application/problem+json', object)).toEqual([])
  expect(await of('application/x-ndjson', object)).toEqual([])
  expect(await findingsOf(rule, sending(FORM, { a: text }))).toEqual([])
  expect(await findingsOf(rule, sending(MULTIPART, { a: text }))).toEqual([])
  // Clients choose JSON.
  const both = { 'application/xml': { schema: object }, 'application/json': { schema: object } }
  expect(await findingsOf(rule, returning(both))).toEqual([])
})
