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
