import { describe, expect, it } from 'vitest'
import type { HttpOperation, HttpValidators } from '../../src/runtime/operation.js'
import { createServerCore } from '../../src/runtime/server.js'
import { validator } from '../../src/runtime/validate.js'
import { contentOf, declaredResponses } from './declared.js'
import { operation } from './http-fixture.js'

const V1 = 'application/vnd.acme.v1+json'
const V2 = 'application/vnd.acme.v2+json'
const object = (name: string) =>
  validator(() => ({
    type: 'object',
    properties: { [name]: { type: 'integer' } },
    required: [name],
  }))

const serverOf = (
  more: Partial<HttpOperation>,
  validators: Partial<HttpValidators>,
  handler: (input: { readonly body: unknown }) => object = ({ body }) => ({
    status: 200,
    body: { body },
  }),
) => {
  const errors: unknown[] = []
  const send = operation('send', { method: 'POST', path: '/send', ...more })
  const server = createServerCore(
    {
      http: { servers: [], operations: { send } },
      validators: { send: { responses: {}, ...validators } },
    },
    { send: handler },
    { validateOutput: true, onError: (error) => errors.push(error) },
  )
  return {
    errors,
    send: async (type: string | undefined, body = '{"a":1}') => {
      const headers = type === undefined ? {} : { 'content-type': type }
      return await server.handle({ method: 'POST', url: '/send', headers, body })
    },
  }
}

const accepting = (...mediaTypes: readonly string[]): Partial<HttpOperation> => ({
  body: { required: true, content: contentOf(mediaTypes) },
  responses: declaredResponses({ 200: ['application/json'] }),
})

describe('the media type of a request', () => {
  it.each<[declared: readonly string[], sent: string | undefined, status: number]>([
    [['application/json'], 'application/json', 200],
    [['application/json'], 'Application/JSON; charset=utf-8', 200],
    [['application/json'], 'application/merge-patch+json', 415],
    [['application/json'], 'text/json', 415],
    [['application/merge-patch+json'], 'application/json-patch+json', 415],
    [['application/merge-patch+json'], 'application/json', 415],
    [[V1, V2], V2, 200],
    [[V1], V2, 415],
    [['application/json; version=1'], 'application/json; version=1', 200],
    [['application/json; version=1'], 'application/json; version=2', 415],
    [['application/json; version=1'], 'application/json', 200],
    [['application/json; version=1', 'application/json; version=2'], 'application/json', 415],
    [['application/*+json'], V1, 200],
    [['*/*'], V1, 200],
    [['application/json'], 'application/json; charset=latin1', 415],
    // A browser sends such a body to another origin without asking.
    [['application/json'], undefined, 415],
  ])('declared as %j and sent as %s has the status %d', async (declared, sent, status) => {
    const { send } = serverOf(accepting(...declared), {})
    const reply = await send(sent)
    expect(reply.status).toBe(status)
    if (status === 415) expect(reply.headers.accept).toBe(declared.join(', '))
  })

  it('has the schema of its own', async () => {
    const { send } = serverOf(accepting(V1, V2), {
      requests: { [V1]: object('a'), [V2]: object('b') },
    })
    expect((await send(V1)).status).toBe(200)
    expect((await send(V2)).status).toBe(400)
    expect((await send(V2, '{"b":1}')).status).toBe(200)
    expect((await send(V1, '{"b":1}')).status).toBe(400)
  })

  it('of a form has the schema of its own', async () => {
    const form = 'application/x-www-form-urlencoded'
    const { send } = serverOf(accepting('multipart/form-data', form), {
      requests: { 'multipart/form-data': object('a'), [form]: object('b') },
    })
    expect(JSON.parse(String((await send(form, 'b=1')).body))).toEqual({ body: { b: 1 } })
    expect((await send(form, 'a=1')).status).toBe(400)
  })

  it('is read as a whole, if a range is declared', async () => {
    const { send } = serverOf(accepting('text/*'), {})
    expect(JSON.parse(String((await send('text/json')).body))).toEqual({ body: '{"a":1}' })
  })

  it('of any type is validated, if it is JSON or text', async () => {
    const { send } = serverOf(accepting('*/*'), { request: object('a') })
    expect((await send('application/json')).status).toBe(200)
    expect((await send('application/json', '{"b":1}')).status).toBe(400)
    expect((await send('text/plain')).status).toBe(400)
    expect((await send('image/png')).status).toBe(415)
  })
})

describe('the media type of a response', () => {
  const replying = (
    reply: object,
    types: readonly string[],
    own: HttpValidators['responses'] = {},
  ) => serverOf({ responses: declaredResponses({ 200: types }) }, { responses: own }, () => reply)

  it.each<[types: readonly string[], type: string | undefined, isSent: boolean]>([
    [['application/json'], undefined, true],
    [[V1, V2], undefined, true],
    [[V1, V2], V2, true],
    [['application/json'], V1, false],
    [[V1], 'application/json', false],
    [['application/json'], 'text/html', false],
    [['image/png'], undefined, false],
    [['*/*'], undefined, true],
  ])('declared as %j and sent as %s', async (types, type, isSent) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const { send, errors } = replying({ status: 200, headers, body: { a: 1 } }, types)
    const reply = await send('application/json')
    expect(reply.status).toBe(isSent ? 200 : 500)
    if (isSent)
      expect(types.map((one) => (one === '*/*' ? 'application/json' : one))).toContain(
        reply.headers['content-type'],
      )
    else expect(errors).toMatchObject([{ reason: 'invalid-answer' }])
  })

  it.each<[types: readonly string[], body: unknown, sent: string | undefined]>([
    [['text/*'], 'a', 'text/plain'],
    [['text/*;charset=utf-8'], 'a', 'text/plain'],
    [['text/*'], new Uint8Array([97]), 'text/plain'],
    [['text/*'], { a: 1 }, undefined],
    [['text/csv', '*/*'], 'a', 'text/csv'],
    [['*/*'], 'a', 'text/plain'],
    [['*/*'], { a: 1 }, 'application/json'],
    [['*/*'], new Uint8Array([97]), 'application/octet-stream'],
    [['application/*'], 'a', 'application/json'],
    [['application/*+json'], { a: 1 }, 'application/x+json'],
    [['application/*+json'], 'a', 'application/x+json'],
    [['application/*+xml'], '<a/>', 'application/x+xml'],
    [['text/*', 'application/*+json'], { a: 1 }, 'application/x+json'],
    [['image/*'], new Uint8Array([97]), 'image/x'],
    [['image/*'], new Blob(['a'], { type: 'image/png' }), 'image/png'],
    [['image/*'], new Blob(['a'], { type: 'text/html' }), undefined],
    [['image/*'], { a: 1 }, undefined],
  ])('that a range %j includes is sent for %o: %s', async (types, body, type) => {
    const reply = await replying({ status: 200, body }, types).send('application/json')
    expect(reply.headers['content-type']).toBe(type ?? 'application/json')
    expect(reply.status).toBe(type === undefined ? 500 : 200)
    if (typeof body === 'string')
      expect(reply.body).toBe(type?.endsWith('json') ? JSON.stringify(body) : body)
  })

  it.each<[declared: string, sent: string]>([
    ['text/*', 'text/plain'],
    ['application/*+json', 'application/x+json'],
    ['application/*', 'application/json'],
    ['*/*', 'application/json'],
  ])('of an error declared as %s is %s', async (declared, sent) => {
    const responses = declaredResponses({ 200: ['application/json'], 400: [declared] })
    const { send } = serverOf({ ...accepting('application/json'), responses }, {})
    const reply = await send('application/json', '{')
    expect(reply.status).toBe(400)
    expect(reply.headers['content-type']).toBe(sent)
  })

  it.each([
    ['400', [], undefined],
    ['4XX', [], undefined],
    ['default', [], undefined],
    ['404', [], 'application/json'],
    ['400', ['application/json'], 'application/json'],
  ])('of an error is absent, if %s is declared with the content %j', async (key, types, sent) => {
    const responses = declaredResponses({ 200: ['application/json'], [key]: types })
    const { send } = serverOf({ ...accepting('application/json'), responses }, {})
    const { status, headers, body } = await send('application/json', '{')
    expect([status, headers['content-type'], body !== undefined]).toEqual([
      ...[400, sent, sent !== undefined],
    ])
  })

  it('has the schema of its own', async () => {
    const own = { [`200 ${V1}`]: object('a'), [`200 ${V2}`]: object('b') }
    const statusOf = async (type: string) => {
      const reply = { status: 200, headers: { 'content-type': type }, body: { b: 1 } }
      return (await replying(reply, [V1, V2], own).send('application/json')).status
    }
    expect(await statusOf(V2)).toBe(200)
    expect(await statusOf(V1)).toBe(500)
  })

  it('is that of default for a status that nothing else describes', async () => {
    const responses = declaredResponses({
      200: ['application/json'],
      default: ['application/json'],
    })
    const own = { responses: { 200: object('a'), default: object('b') } }
    const reply = async (body: object) =>
      (await serverOf({ responses }, own, () => ({ status: 202, body })).send('application/json'))
        .status
    expect(await reply({ b: 1 })).toBe(202)
    expect(await reply({ a: 1 })).toBe(500)
  })
})
