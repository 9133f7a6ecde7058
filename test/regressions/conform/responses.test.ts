import { describe, expect, it } from 'vitest'
import { checkExchange } from '../../../src/conform/responses/check-response.js'
import { createTarget } from '../../../src/conform/target.js'
import { type Answer, headerOf } from '../../../src/conform/wire/exchange.js'
import { parseDocument } from '../../../src/model/document.js'
import { loadApi } from '../../../src/model/load.js'
import { createChecker } from '../../../src/schema/check.js'

type Came = Partial<Omit<Answer, 'headers'>> & {
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
  const answer: Answer = {
    ...{ status: 200, body: new Uint8Array(), milliseconds: 1, ...came },
    headers: Object.entries({ 'content-type': type, ...headers }),
  }
  expect(headerOf(answer, 'content-type')).toBe(type)
  const sent = { method: 'GET', url: 'https://things.example/things', headers: {} }
  const found = checkExchange(context, { sent, answer, failure: undefined })
  return found.map(({ rule, aspect }) => `${rule} ${aspect}`)
}

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
