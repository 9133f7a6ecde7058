import { describe, expect, it } from 'vitest'
import { changesOf, written } from './versions.js'

const SCHEMA =
  '{ type: object, properties: { file: { type: string }, ids: { type: array, items: { type: string } } } }'

/** The same form is the body of a request and of its response. */
const form = (encoding: string, schema = SCHEMA) => {
  const content = `{ multipart/form-data: { schema: ${schema}, encoding: { ${encoding} } } }`
  return {
    http: `openapi: 3.1.0
info: { title: Files, version: '1' }
paths:
  /files:
    post:
      operationId: add
      requestBody: { content: ${content} }
      responses: { '200': { description: ok, content: ${content} } }
`,
  }
}
const type = (types: string) => form(`file: { contentType: '${types}' }`)
const style = (members: string) => form(`ids: { ${members} }`)
const header = (required: boolean) =>
  form(
    `file: { contentType: text/csv, headers: { X-Rows: { required: ${required}, schema: { type: integer } } } }`,
  )
const rulesOf = async (...versions: Parameters<typeof changesOf>) =>
  (await changesOf(...versions)).map(({ level, rule }) => `${level} ${rule}`)

describe('encodings of the parts of a form', () => {
  it('shows every rule once, in both directions', async () => {
    const found = await Promise.all([
      changesOf(type('image/png'), type('image/jpeg')),
      changesOf(type('image/png'), type('image/png, image/jpeg')),
      changesOf(type('image/*'), type('image/png')),
    ])
    expect(found.map(written).join('\n')).toMatchInlineSnapshot(`
      "error request-encoding-changed
        the content type of the part \`file\` of the request body of POST /files is image/jpeg now, and was image/png
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the encoding, and add a part with another name
      error response-encoding-changed
        the content type of the part \`file\` of the 200 response of POST /files is image/jpeg now, and was image/png
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep the encoding, and add a part with another name
      error response-encoding-changed
        the content type of the part \`file\` of the 200 response of POST /files is image/png or image/jpeg now, and was image/png
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep the encoding, and add a part with another name
      note request-encoding-relaxed
        the content type of the part \`file\` of the request body of POST /files is image/png or image/jpeg now, and was image/png
        at new.openapi.yaml:7 (old.openapi.yaml:7)
      error request-encoding-changed
        the content type of the part \`file\` of the request body of POST /files is image/png now, and was image/*
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the encoding, and add a part with another name
      note response-encoding-relaxed
        the content type of the part \`file\` of the 200 response of POST /files is image/png now, and was image/*
        at new.openapi.yaml:8 (old.openapi.yaml:8)"
    `)
  })

  it.each([
    ['a style', style('style: form, explode: true'), style('style: pipeDelimited, explode: false')],
    ['explode', style('explode: true'), style('explode: false')],
    ['allowReserved', style('allowReserved: true'), style('allowReserved: false')],
  ])('finds a change of %s', async (_, before, after) => {
    expect(await rulesOf(before, after)).toEqual([
      'error request-encoding-changed',
      'error response-encoding-changed',
    ])
  })

  it.each([
    ['the default content type', form(''), type('text/plain')],
    ['the default style', style('style: form'), style('style: form, explode: true')],
    ['a part that no schema declares', form(''), form('other: { contentType: image/png }')],
  ])('does not report %s', async (_, before, after) => {
    expect(await rulesOf(before, after)).toEqual([])
  })

  it('compares the headers of a part', async () => {
    expect(await rulesOf(header(false), header(true))).toEqual(['error request-encoding-changed'])
    expect(await rulesOf(header(true), header(false))).toEqual(['error response-encoding-changed'])
  })
})

describe('the parts of a list in multipart/mixed (OpenAPI 3.2)', () => {
  const parts = (media: string) => ({
    http: `openapi: 3.2.0
info: { title: Parts, version: '1' }
paths:
  /parts:
    post:
      operationId: add
      requestBody: { content: { multipart/mixed: { ${media} } } }
      responses: { '204': { description: ok } }
`,
  })
  const item = (type: string) =>
    `itemSchema: { type: object, properties: { a: { type: ${type} } } }`
  const typed = (first: string, others: string) =>
    `${item('string')}, prefixEncoding: [{ contentType: ${first} }], itemEncoding: { contentType: ${others} }`
  const messagesOf = async (before: string, after: string) =>
    (await changesOf(parts(before), parts(after))).map(
      ({ level, rule, message }) => `${level} ${rule}: ${message}`,
    )

  it('have content types by position', async () => {
    const before = typed('application/json', 'image/png')
    expect(await messagesOf(before, typed('text/plain', 'image/png'))).toEqual([
      'error request-encoding-changed: the content type of part 1 of the request body of POST /parts is text/plain now, and was application/json',
    ])
    expect(await messagesOf(before, typed('application/json', 'image/gif'))).toEqual([
      'error request-encoding-changed: the content type of each other part of the request body of POST /parts is image/gif now, and was image/png',
    ])
  })

  it('have the encoding of the others where a position has none', async () => {
    const others = `${item('string')}, itemEncoding: { contentType: image/png }`
    expect(await messagesOf(others, typed('image/png', 'image/png'))).toEqual([])
  })

  it('have the schema of an item', async () => {
    expect(await messagesOf(item('number'), item('integer'))).toEqual([
      expect.stringMatching(/^error request-.*`\[\]\.a` in the request body of POST \/parts/),
    ])
  })
})
