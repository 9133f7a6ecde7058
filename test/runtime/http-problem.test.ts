import { describe, expect, it } from 'vitest'
import { createHttp } from '../../src/runtime/http.js'
import { covers } from '../../src/runtime/shared/media-type.js'
import { type Client, service, validators } from './http-fixture.js'

const clientOf = (
  status: number,
  type: string,
  body: string,
  responses: Readonly<Record<string, readonly string[]>>,
) => {
  const getStatus = { ...service.operations.getStatus, responses }
  const operations = { ...service.operations, getStatus }
  return createHttp<Client>({ ...service, operations }, validators, {
    retry: { attempts: 1 },
    validate: { response: 'strict' },
    fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
  })
}

const JSON_TYPE = 'application/json'
const PROBLEM = 'application/problem+json'
const FOUND = { status: 'pending', queueId: 'a' }
const ask = (...given: Parameters<typeof clientOf>): Promise<unknown> =>
  clientOf(...given).getStatus({ path: { queueId: 'a' } })

describe('an answer of one JSON type where another is documented', () => {
  const pairs: readonly (readonly [declared: string, sent: string])[] = [
    [JSON_TYPE, PROBLEM],
    [JSON_TYPE, `${PROBLEM}; charset=utf-8`],
    [PROBLEM, JSON_TYPE],
    [PROBLEM, 'Application/Problem+JSON'],
    ['application/vnd.a+json', JSON_TYPE],
  ]

  it.each(pairs)('%s is not broken by %s', async (declared, sent) => {
    expect(await ask(200, sent, JSON.stringify(FOUND), { 200: [declared] })).toEqual(FOUND)
  })

  it.each(pairs)('%s is refused in %s by what it says', async (declared, sent) => {
    const responses = { 200: [JSON_TYPE], 404: [declared] }
    await expect(ask(404, sent, '{"error":"no such"}', responses)).rejects.toMatchObject({
      name: 'HttpError',
      status: 404,
      body: { error: 'no such' },
      issues: [],
    })
  })

  it.each(pairs)('%s is held against its schema in %s', async (declared, sent) => {
    const responses = { 200: [declared], 404: [declared] }
    await expect(ask(200, sent, '{"status":1}', responses)).rejects.toMatchObject({
      reason: 'invalid-answer',
    })
    await expect(ask(404, sent, '{"error":1}', responses)).rejects.toMatchObject({
      name: 'HttpError',
      issues: [{ pointer: '/error', keyword: 'type' }],
    })
  })
})

describe('an answer that is no JSON', () => {
  const types = ['application/problem+xml', 'application/jsonp', 'text/json+', 'text/html', '*/*']

  it.each(types)('is refused in %s where JSON is documented', async (sent) => {
    for (const declared of [JSON_TYPE, PROBLEM]) {
      expect(covers(declared, sent)).toBe(false)
      await expect(
        ask(200, sent, JSON.stringify(FOUND), { 200: [declared] }),
      ).rejects.toMatchObject({ reason: 'malformed-answer' })
    }
  })

  it('is read as what it is where that is documented beside', async () => {
    const download = { ...service.operations.download, responses: { 200: ['text/*'] } }
    const client = createHttp<Client>({ ...service, operations: { download } }, validators, {
      fetch: async () => new Response('{}', { headers: { 'content-type': 'text/html; a=b' } }),
    })
    expect(await client.download()).toBe('{}')
    expect(covers('text/*', PROBLEM)).toBe(false)
  })
})
