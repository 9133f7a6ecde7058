import { describe, expect, it, vi } from 'vitest'
import { errorSamples } from '../../../src/emit/error-samples.js'
import { startMock } from '../../../src/mock/mock.js'
import { createServerCore } from '../../../src/runtime/server.js'
import { startable, startedWith } from './started.js'

const error = (schema: object, more: object = {}, type = 'application/json') => ({
  description: 'An error.',
  content: { [type]: { schema, ...more } },
})

const object = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const TEXT = { type: 'string' }
const CODED = object({
  failure: object({ reason: TEXT, kind: { enum: ['bad', 'worse'] } }),
  status: { type: 'integer' },
})

describe('the error of a generated server and of the mock', () => {
  it.each<[title: string, response: object, want: unknown]>([
    ['has a common shape', error(object({ error: TEXT })), { error: expect.any(String) }],
    [
      'has a nested one',
      error(object({ error: object({ status: { type: 'integer' }, message: TEXT }) })),
      { error: { status: 401, message: 'Unauthorized' } },
    ],
    [
      'is a problem',
      error(
        object({ type: TEXT, title: TEXT, status: { type: 'integer' }, detail: TEXT }),
        {},
        'application/problem+json',
      ),
      { type: 'about:blank', title: 'Unauthorized', status: 401, detail: 'Unauthorized' },
    ],
    [
      'is a sample with the facts',
      error(CODED),
      { failure: { reason: 'Unauthorized', kind: 'bad' }, status: 401 },
    ],
    [
      'is the example with the facts',
      error(CODED, { example: { failure: { reason: 'x', kind: 'worse' }, status: 1 } }),
      { failure: { reason: 'Unauthorized', kind: 'worse' }, status: 401 },
    ],
    [
      'keeps what the schema fixes',
      error(object({ failure: object({ reason: { const: 'no key' } }) })),
      { failure: { reason: 'no key' } },
    ],
    [
      'is a list',
      error({
        type: 'array',
        minItems: 1,
        items: object({ text: TEXT, status: { type: 'integer' } }),
      }),
      [{ text: expect.any(String), status: 401 }],
    ],
    [
      'is of a vendor type',
      error(object({ failure: TEXT }), {}, 'application/vnd.x+json'),
      { failure: expect.any(String) },
    ],
  ])('%s', async (_, response, want) => {
    const { replies, errors, validate } = await startable(response)
    for (const reply of await replies()) {
      expect(reply.status).toBe(401)
      const body = JSON.parse(String(reply.body))
      expect(body).toEqual(want)
      expect(validate(body)).toBe(true)
    }
    expect(errors).toEqual([])
  })

  const post = (body: string, type = 'application/json') =>
    ({ method: 'POST', url: '/a', headers: { 'content-type': type }, body }) as const
  it.each([
    ['an invalid request', 400, post('{"n":"x"}')],
    ['a body that is no JSON', 400, post('{')],
    ['a request without its body', 400, post('')],
    ['a body over the limit', 413, post(`{"n":${'1'.repeat(100)}}`)],
    ['another media type', 415, post('n: 1', 'application/yaml')],
  ])('is made from the schema of its status: %s, %i', async (_, status, request) => {
    const { handle, errors, validate } = await startedWith({
      400: error(CODED),
      413: error(object({ tooLarge: { type: 'boolean' }, status: { type: 'integer' } })),
      415: error(
        object({ type: TEXT, title: TEXT, status: { type: 'integer' } }),
        {},
        'application/problem+json',
      ),
    })
    const { headers, body, ...reply } = await handle(request)
    expect(reply.status).toBe(status)
    expect(headers['content-type']).toBe(`application/${status === 415 ? 'problem+' : ''}json`)
    const value = JSON.parse(String(body))
    expect(value.status).toBe(status)
    expect(validate(status, value)).toBe(true)
    expect(errors).toEqual([])
  })

  it.each<[title: string, schema: object, want: string, more?: object, type?: string]>([
    ['one of a list', { enum: ['no', 'never'] }, 'no'],
    ['the only one', { const: 'go away' }, 'go away'],
    ['short', { type: 'string', maxLength: 5 }, '401'],
    [
      'shorter than the message and longer than the status',
      { type: 'string', minLength: 13 },
      '^.{13,}$',
    ],
    ['of a pattern', { type: 'string', pattern: '^E[0-9]$' }, '^E[0-9]$'],
    ['of a pattern that the message has', { type: 'string', pattern: '^[A-Z]' }, 'Unauthorized'],
    [
      'of a pattern, with an example',
      { type: 'string', pattern: '^E[0-9]$' },
      'E7',
      { example: 'E7' },
    ],
    [
      'of another type',
      { type: 'string', pattern: '^<p>' },
      '<p>No</p>',
      { example: '<p>No</p>' },
      'text/html',
    ],
  ])(
    'is a text that the schema accepts: %s',
    async (_, schema, want, more, type = 'text/plain') => {
      const { replies, errors, validate } = await startable(error(schema, more, type))
      for (const { headers, body } of await replies()) {
        expect([headers['content-type'], validate(body)]).toEqual([type, true])
        expect(body).toMatch(want.startsWith('^') ? new RegExp(want) : new RegExp(`^${want}$`))
      }
      expect(errors).toEqual([])
    },
  )

  it('is text, if no JSON can be made', async () => {
    const never = { type: 'string', pattern: '^(?!)$' }
    const { replies, errors } = await startable({
      description: 'An error.',
      content: { 'application/json': { schema: never }, 'text/plain': { schema: TEXT } },
    })
    for (const { body } of await replies()) expect(body).toBe('Unauthorized')
    expect(errors).toEqual([])
  })

  const limit = { retryAfter: { type: 'integer' }, balance: { type: 'number' }, id: TEXT }
  const coded = { code: { enum: ['INVALID', 'UNAUTHORIZED'] }, message: TEXT }
  it.each<[title: string, schema: object, want: unknown, type?: string]>([
    [
      'a code of a list',
      { ...object({ ...coded, ...limit }), required: ['code', 'message'] },
      { code: 'UNAUTHORIZED', message: 'Unauthorized' },
    ],
    [
      'a problem with members of its own',
      object({
        ...{ type: TEXT, title: TEXT, status: { type: 'integer' } },
        ...{ balance: { type: ['number', 'null'] }, accounts: { type: 'array', items: TEXT } },
      }),
      { type: 'about:blank', title: 'Unauthorized', status: 401, balance: null, accounts: [] },
      'application/problem+json',
    ],
    [
      'a list of errors',
      object({
        errors: {
          type: 'array',
          items: { ...object({ ...coded, ...limit }), required: ['code', 'message'] },
        },
      }),
      { errors: [{ code: 'UNAUTHORIZED', message: 'Unauthorized' }] },
    ],
    [
      'a nested error',
      object({
        error: object({
          type: TEXT,
          inner: { ...object({ ...limit, message: TEXT }), required: ['message'] },
        }),
      }),
      { error: { type: 'UNAUTHORIZED', inner: { message: 'Unauthorized' } } },
    ],
    [
      'one of several',
      {
        oneOf: [
          object({ kind: { const: 'limit' }, retryAfter: { type: 'integer' } }),
          object({ kind: { const: 'access' }, text: { type: ['string', 'null'] }, reason: TEXT }),
        ],
      },
      { kind: 'access', text: null, reason: 'Unauthorized' },
    ],
    [
      'one of several in a member',
      object({
        failure: {
          anyOf: [
            object({ retryAfter: { type: 'integer' } }),
            object({ error_code: TEXT, title: TEXT }),
          ],
        },
      }),
      { failure: { error_code: 'UNAUTHORIZED', title: 'Unauthorized' } },
    ],
    [
      'an id that is required',
      object({ ...coded, trace: { type: 'string', format: 'uuid' } }),
      {
        code: 'UNAUTHORIZED',
        message: 'Unauthorized',
        trace: '00000000-0000-0000-0000-000000000000',
      },
    ],
  ])('claims nothing that the server does not know: %s', async (_, schema, want, type) => {
    const { replies, errors, validate } = await startable(error(schema, {}, type))
    for (const { body } of await replies()) {
      expect(JSON.parse(String(body))).toEqual(want)
      expect(validate(want)).toBe(true)
    }
    expect(errors).toEqual([])
  })

  it('is the message, if it is declared as text', async () => {
    const { replies } = await startable(error(TEXT, {}, 'text/plain'))
    for (const { headers, body } of await replies())
      expect([headers['content-type'], body]).toEqual(['text/plain', 'Unauthorized'])
  })

  it('that cannot be made is reported at the start', async () => {
    const { errors } = await startable(error(object({ id: { type: 'string', pattern: '^(?!)$' } })))
    expect(errors).toEqual([
      expect.stringMatching(
        /^readA \(GET \/a\): no body can be made for 401 \(application\/json\)/,
      ),
    ])
  })

  it('that cannot be made is one line without a stack, where nobody listens for errors', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { service } = await startable(
      error({ type: 'string', pattern: '^(?!)$' }, {}, 'text/plain'),
    )
    createServerCore(service, { readA: () => ({ status: 204 }) })
    expect(warn.mock.calls).toEqual([
      [
        'readA (GET /a): no body can be made for 401 (text/plain), so the server sends { error } as JSON: add a valid example, or pass the option formatError',
      ],
    ])
    warn.mockRestore()
  })

  it('that cannot be made is reported by the mock', async () => {
    const { api } = await startable(error({ type: 'string', pattern: '^(?!)$' }, {}, 'text/plain'))
    const { errorsNotMocked, stop } = await startMock(api)
    await stop()
    expect(errorsNotMocked).toMatchObject([
      { rule: 'error-not-mocked', message: expect.stringContaining('401 (text/plain)') },
    ])
  })

  it('is a sample without optional members that no fact fills', async () => {
    const details = { type: 'object', properties: { id: TEXT, message: TEXT } }
    const inner = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['bad'] }, message: TEXT, code: TEXT, details },
    }
    const outer = { type: 'object', required: ['failure'], properties: { failure: inner } }
    const { api } = await startable(
      error({ ...outer, properties: { ...outer.properties, id: TEXT } }),
    )
    expect(errorSamples(api).readA).toEqual({
      '401': { value: { failure: { kind: 'bad', message: 'text' } } },
    })
    const nested = {
      type: 'object',
      properties: { id: TEXT, failure: inner },
      minProperties: 1,
      additionalProperties: false,
    }
    const { api: other } = await startable(error(nested))
    expect(errorSamples(other).readA).toEqual({
      '401': { value: { failure: { kind: 'bad', message: 'text' } } },
    })
  })

  it('has a sample in generated code only if no common shape is accepted', async () => {
    const { api } = await startable(error(object({ error: TEXT })))
    expect(errorSamples(api)).toEqual({})
    expect(Object.keys(errorSamples((await startable(error(CODED))).api).readA ?? {})).toEqual([
      '401',
    ])
  })
})
