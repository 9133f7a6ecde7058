import { expect, it } from 'vitest'
import { conform } from '../../../src/conform/conform.js'
import type { Wire } from '../../../src/conform/wire/exchange.js'
import { apiOf, openapiOf } from '../../read/api-of.js'

it('an odd value leaves the other parameters of a query as they are', async () => {
  const query = (name: string, example: string, more: object = {}) => ({
    ...{ name, in: 'query', required: true, schema: { type: 'string' }, example },
    ...more,
  })
  const parameters = [query('back', '/a?b=c', { allowReserved: true }), query('page', '1')]
  const get = { operationId: 'look', parameters, responses: { 204: { description: 'ok' } } }
  const api = await apiOf({
    openapi: openapiOf({ version: '3.1.0', paths: { '/things': { get } } }),
  })
  const odd: string[] = []
  let current = ''
  const wire: Wire = async (sent) => {
    if (current === 'look, odd values of page') odd.push(sent.url)
    const answer = { status: 204, headers: [], body: Buffer.alloc(0), milliseconds: 1 }
    return { sent, answer, failure: undefined }
  }
  await conform(api, {
    ...{ url: 'http://127.0.0.1:9', wire, rate: null, maxExamples: 0 },
    sleep: async () => undefined,
    onProgress: ({ name }) => {
      current = name
    },
  })
  expect(odd.length).toBeGreaterThan(3)
  const backs = odd.map((url) => /[?&]back=([^&]*)/.exec(url)?.[1])
  expect([...new Set(backs)]).toEqual(['/a?b=c'])
})
