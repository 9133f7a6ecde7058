import { describe, expect, it } from 'vitest'
import * as validators from '../../generated/validators.js'
import { adapters, askInRawText, json, KEY, LIMIT, post, UNKNOWN_KEY } from './raw-text.js'

const ADDRESS = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
const QUEUE_ID = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'

describe.each(adapters)('HTTP by the documents, the generated server on %s', (_, start) => {
  const { ask, logged } = askInRawText(start)
  const zkt = `/zkt/${KEY}`
  const status = '/gtn/v1/zkt/transaction'
  type Want = {
    readonly status: number
    readonly allow?: string
    readonly shape?: typeof zktError | typeof lookupError
  }
  const zktError = { check: validators.ZktError.check, error: { success: false } }
  const lookupError = { check: validators.StatusLookupError.check, error: {} }

  it.each<readonly [title: string, path: string, init: RequestInit, want: Want]>([
    ['an unknown path', '/zkt', post('{}'), { status: 404 }],
    ['a path with one segment more', `${zkt}/more`, post('{}'), { status: 404 }],
    ['an empty key', '/zkt/', post('{}'), { status: 404 }],
    [
      'a wrong method',
      zkt,
      { method: 'PUT', body: '{}' },
      { status: 405, allow: 'POST', shape: zktError },
    ],
    [
      'a wrong method of a lookup',
      `${status}/${QUEUE_ID}`,
      { method: 'DELETE' },
      { status: 405, allow: 'GET, HEAD', shape: lookupError },
    ],
    ['a malformed queueId', `${status}/7`, {}, { status: 400, shape: lookupError }],
    [
      'a wrong content type',
      zkt,
      post('{"arguments":"hi"}', { 'content-type': 'text/plain' }),
      { status: 415, shape: zktError },
    ],
    [
      'another charset',
      zkt,
      post('{}', { 'content-type': 'application/json; charset=utf-16' }),
      { status: 415, shape: zktError },
    ],
    [
      'one byte over the limit',
      zkt,
      post('{"arguments":"hi"}'.padEnd(LIMIT + 1)),
      { status: 413, shape: zktError },
    ],
    ['malformed JSON', zkt, post('{"arguments":'), { status: 400, shape: zktError }],
    ['no body', zkt, post(''), { status: 400, shape: zktError }],
    ['no object', zkt, post('"hi"'), { status: 400, shape: zktError }],
    ['no form', zkt, post('{}'), { status: 400, shape: zktError }],
    [
      'a message and a deployment in one',
      zkt,
      post('{"arguments":"hi","code":"contract A {}"}'),
      { status: 400, shape: zktError },
    ],
    [
      'a call and a deployment in one',
      zkt,
      post(
        `{"code":"contract A {}","abi":[],"to":"${ADDRESS}","method":"a","arguments":[],"id":1}`,
      ),
      { status: 400, shape: zktError },
    ],
    [
      'an unknown field',
      zkt,
      post(`{"arguments":"hi","${KEY}":"${KEY}"}`),
      { status: 400, shape: zktError },
    ],
    [
      'an id that would be rounded',
      zkt,
      post('{"arguments":"hi","id":9007199254740993}'),
      { status: 400, shape: zktError },
    ],
    [
      'an unknown key',
      `/zkt/${UNKNOWN_KEY}`,
      post('{"arguments":"hi"}'),
      { status: 401, shape: zktError },
    ],
    [
      'an unknown key before an unfit body',
      `/zkt/${UNKNOWN_KEY}`,
      post('{}'),
      { status: 401, shape: zktError },
    ],
  ])('%s', async (_, path, init, { status, allow, shape }) => {
    const answer = await ask(path, init)
    const body = JSON.parse(answer.text)
    expect({ status: answer.status, body }).toEqual({
      status,
      body: expect.objectContaining({ ...shape?.error, error: expect.any(String) }),
    })
    expect(answer.headers.get('allow')).toBe(allow ?? null)
    if (shape) expect(shape.check(body)).toBe(true)
  })

  it('the limit itself is taken', async () => {
    const { status, text } = await ask(zkt, post('{"arguments":"hi"}'.padEnd(LIMIT)))
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })

  it('HEAD is GET without a body', async () => {
    const { status: code, text } = await ask(`${status}/${QUEUE_ID}`, { method: 'HEAD' })
    expect({ code, text }).toEqual({ code: 200, text: '' })
  })

  it('a handler that fails is nobody’s business, but for the log', async () => {
    // The handlers of this test fail with the name of an example that they do not have.
    const { status, text } = await ask(
      zkt,
      post('{"arguments":"hi"}', { ...json, prefer: `example=${KEY}` }),
    )
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 500,
      body: { error: 'Internal error' },
    })
    expect(logged.join()).toMatch(/submitZkt has no example undefined \[redacted\]/)
  })
})
