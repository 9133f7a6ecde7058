import { describe, expect, it } from 'vitest'
import { checkExchange } from '../../../src/conform/responses/check-response.js'
import { createTarget } from '../../../src/conform/target.js'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { headerOf } from '../../../src/runtime/wire/headers.js'
import { createChecker } from '../../../src/schema/check.js'
import type { ReceivedResponse } from '../../../src/traffic/exchange.js'

type Came = Partial<Omit<ReceivedResponse, 'headers'>> & {
  readonly headers?: Readonly<Record<string, string>>
}

/** What is found in a response with this media type and schema. */
const check = async (media: string, { headers = {}, ...came }: Came) => {
  const openapi = `
openapi: 3.2.0
info: { title: Things, version: '1' }
servers: [{ url: https://things.example }]
paths:
  /things:
    get:
      operationId: look
      responses:
        2XX: { description: Found., content: { ${media} } }
`
  const api = await loadApi({ openapi: parseDocument(openapi, 'things.yaml') })
  const nothing = () => undefined
  const context = {
    ...{ api, target: createTarget(api, { url: 'https://things.example' }) },
    ...{ checker: createChecker(api.schemas), cover: nothing, skip: nothing, notOffered: nothing },
  }
  const type = media.split(':')[0] ?? ''
  const answer: ReceivedResponse = {
    ...{ status: 200, body: new Uint8Array(), milliseconds: 1, ...came },
    headers: Object.entries({ 'content-type': type, ...headers }),
  }
  expect(headerOf(answer.headers, 'content-type')).toBe(type)
  const sent = { method: 'GET', url: 'https://things.example/things', headers: {} }
  const found = checkExchange(context, { sent, answer, failure: undefined })
  return found.map(({ rule, aspect }) => `${rule} ${aspect}`)
}

const ofSchema = (schema: string, value: unknown) =>
  check(`application/json: { schema: ${schema} }`, { body: Buffer.from(JSON.stringify(value)) })

describe('a part of a response', () => {
  it('is not JSON if it is a range of bytes, and is if it is a range of items', async () => {
    const part = (range: string) =>
      check('application/json: { schema: { type: object } }', {
        ...{ status: 206, body: Buffer.from('{"a"') },
        headers: { 'content-range': range },
      })
    expect(await part('bytes 0-3/11')).toEqual([])
    expect(await part('items 0-3/11')).toEqual(['response-not-json 206'])
  })

  it('is UTF-8 if reading stopped within a character, and is not if the server did', async () => {
    const media = 'text/event-stream: { itemSchema: { properties: { data: { type: string } } } }'
    const body = Buffer.from('data: a\n\ndata: ü').subarray(0, -1)
    expect(await check(media, { body, isOpen: true })).toEqual([])
    expect(await check(media, { body })).toEqual(['stream-framing-invalid 2XX'])
  })
})

describe('a property that no schema declares', () => {
  const CLOSED = 'type: object, additionalProperties: false'

  it.each([
    [`{ ${CLOSED} }`, { a: 1 }, '2XX /a'],
    [`{ ${CLOSED}, patternProperties: { '^x-': {} } }`, { 'x-a': 1, a: 1 }, '2XX /a'],
    [`{ ${CLOSED}, properties: { in: { ${CLOSED} } } }`, { in: { a: 1 } }, '2XX /in/a'],
  ])('is forbidden by the closed schema %s', async (schema, value, place) => {
    expect(await ofSchema(schema, value)).toEqual([`response-property-forbidden ${place}`])
  })

  it.each([
    ['{ type: object }', { a: 1 }],
    [`{ ${CLOSED}, patternProperties: { '^x-': {} } }`, { 'x-a': 1 }],
    [`{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }`, { a: 1 }],
  ])('is not one by %s', async (schema, value) => {
    expect(await ofSchema(schema, value)).toEqual([])
  })

  it('is only a note in an item to which a closed schema of others does not apply', async () => {
    const items = 'type: array, items: { properties: { n: {} } }'
    const contains = `contains: { ${CLOSED}, properties: { kind: {} }, required: [kind] }`
    const value = [{ kind: 'x' }, { n: 1, m: 2 }]
    expect(await ofSchema(`{ ${items}, ${contains} }`, value)).toEqual([
      'response-property-undeclared 2XX /*/m',
    ])
  })
})
