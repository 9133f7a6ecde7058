import { createHmac } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { validator } from '../../src/runtime/validate.js'
import {
  createWebhookReceiver,
  toNodeListener,
  type WebhookOptions,
  type WebhookRecord,
} from '../../src/runtime/webhooks.js'
import { listen } from './listen.js'

const JSON_BODY = {
  required: true,
  content: [{ type: 'application/json', codec: 'json' }],
} as const

const record = (name: string, more: Partial<WebhookRecord> = {}): WebhookRecord => ({
  ...{ name, method: 'POST', parameters: [], body: JSON_BODY },
  responses: [{ status: '202', content: [] }],
  validators: { responses: {} },
  ...more,
})

const Order = validator(() => ({
  type: 'object',
  required: ['id', 'state'],
  properties: {
    id: { type: 'string' },
    state: { enum: ['new', 'paid'] },
    note: { type: 'string' },
  },
  additionalProperties: false,
}))
const Refund = validator(() => ({
  type: 'object',
  required: ['id', 'cents'],
  properties: { id: { type: 'string' }, cents: { type: 'integer' } },
  additionalProperties: false,
}))

const WEBHOOKS = {
  orderPaid: record('order.paid', { validators: { request: Order, responses: {} } }),
  refund: record('refund', {
    responses: [{ status: 'default', content: [] }],
    validators: { request: Refund, responses: {} },
  }),
}

const NOW = 1_614_265_330
const now = () => NOW * 1000

/** A receiver that keeps what its handlers got, and what it reported. */
const receiver = (
  options: WebhookOptions,
  webhooks: Readonly<Record<string, WebhookRecord>> = WEBHOOKS,
) => {
  const got: unknown[] = []
  const reported: unknown[] = []
  const handlers = Object.fromEntries(
    Object.keys(webhooks).map((id) => [id, (payload: unknown) => void got.push([id, payload])]),
  )
  const receive = createWebhookReceiver({ webhooks }, handlers, {
    now,
    onError: (error) => reported.push(error),
    onWarning: (warning) => reported.push(warning),
    ...options,
  })
  return { ...receive, got, reported }
}

const post = (
  body: BodyInit,
  headers: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
) =>
  new Request('https://shop.example/hooks?mine=1', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    ...init,
  })

const seen = async (response: Response) => [response.status, await response.text()]
const mac = (key: string | Buffer, text: string | Buffer) => createHmac('sha256', key).update(text)

const PAID = '{"id":"7","state":"paid"}'

/** Each scheme signs a body at a time with a secret. */
type Sign = (body: string | Buffer, secret: string, at: number) => Record<string, string>

const standard: Sign = (body, secret, at) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': `${at}`,
  'webhook-signature': `v1,${mac(Buffer.from(secret.slice(6), 'base64'), Buffer.concat([Buffer.from(`msg_1.${at}.`), Buffer.from(body)])).digest('base64')}`,
})
const stripe: Sign = (body, secret, at) => ({
  'stripe-signature': `t=${at},v1=${mac(secret, Buffer.concat([Buffer.from(`${at}.`), Buffer.from(body)])).digest('hex')}`,
})
const github: Sign = (body, secret) => ({
  'x-hub-signature-256': `sha256=${mac(secret, Buffer.from(body)).digest('hex')}`,
})

const SCHEMES = [
  ['standard', standard, 'webhook-signature'],
  ['stripe', stripe, 'stripe-signature'],
  ['github', github, 'x-hub-signature-256'],
] as const

const SECRET = `whsec_${Buffer.from('a secret of twenty-four.').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another one of 24 bytes.').toString('base64')}`

const sender =
  (scheme: (typeof SCHEMES)[number][0]) =>
  async (
    headers: Record<string, string>,
    body: BodyInit = PAID,
    options: Partial<WebhookOptions> = {},
  ) => {
    const one = receiver({ scheme, secret: SECRET, ...options })
    return { ...one, status: (await one.handle(post(body, headers))).status }
  }

describe.each(SCHEMES)('the signatures of %s', (scheme, sign, header) => {
  const send = sender(scheme)

  it('accept the bytes that were signed', async () => {
    const { status, got } = await send(sign(PAID, SECRET, NOW))
    expect([status, got]).toEqual([202, [['orderPaid', { id: '7', state: 'paid' }]]])
  })

  it.each([
    ['another secret', sign(PAID, OTHER, NOW), PAID],
    ['an altered body', sign(PAID, SECRET, NOW), PAID.replace('7', '8')],
    ['a blank more', sign(PAID, SECRET, NOW), `${PAID} `],
    ['no header', {}, PAID],
    ['an empty header', { ...sign(PAID, SECRET, NOW), [header]: '' }, PAID],
    ['a prefix of the signature', cut(sign(PAID, SECRET, NOW), header), PAID],
  ])('reject %s', async (_, headers, body) => {
    const { status, got } = await send(headers, body)
    expect([status, got]).toEqual([401, []])
  })

  it('accept each secret of a list', async () => {
    for (const secret of [SECRET, OTHER]) {
      const { status } = await send(sign(PAID, secret, NOW), PAID, { secret: [OTHER, SECRET] })
      expect(status).toBe(202)
    }
  })

  it('are of bytes that may be no text: the body is rejected after them', async () => {
    const bytes = Buffer.from([0x22, 0xff, 0x22])
    const { status, got } = await send(sign(bytes, SECRET, NOW), bytes)
    expect([status, got]).toEqual([400, []])
    expect((await send(sign('""', SECRET, NOW), bytes)).status).toBe(401)
  })
})

describe.each([
  [...SCHEMES[0], ' '],
  [...SCHEMES[1], ','],
] as const)('the signatures of %s, with their timestamp', (scheme, sign, header, separator) => {
  const send = sender(scheme)

  it('accept one of several signatures', async () => {
    const [right, wrong] = [sign(PAID, SECRET, NOW), sign(PAID, OTHER, NOW)]
    for (const [first, second] of [
      [right, wrong],
      [wrong, right],
    ] as const) {
      // Of Stripe, both have the same timestamp.
      const both = { ...right, [header]: `${first[header]}${separator}${second[header]}` }
      expect((await send(both)).status).toBe(202)
    }
  })

  it.each([
    [-301, 401],
    [-300, 202],
    [300, 202],
    [301, 401],
  ])('read a timestamp of %i seconds from now: %i', async (seconds, status) => {
    expect((await send(sign(PAID, SECRET, NOW + seconds))).status).toBe(status)
  })

  it('have a tolerance', async () => {
    const headers = sign(PAID, SECRET, NOW - 900)
    expect((await send(headers, PAID, { tolerance: 900 })).status).toBe(202)
    expect((await send(headers, PAID, { tolerance: 899 })).status).toBe(401)
  })
})

function cut(headers: Record<string, string>, header: string): Record<string, string> {
  return { ...headers, [header]: headers[header]?.slice(0, -1) ?? '' }
}

describe('published signatures', () => {
  const any = { any: record('any') }

  it('of Standard Webhooks', async () => {
    const { handle } = receiver({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }, any)
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
    }
    const send = (signed: string) =>
      handle(post('{"test": 2432232314}', { ...headers, 'webhook-signature': signed }))
    expect((await send(signature)).status).toBe(202)
    expect((await send(`v1a,abc ${signature} v2,abc`)).status).toBe(202)
    expect((await send(signature.replace('v1,', 'v1a,'))).status).toBe(401)
  })

  it('of GitHub', async () => {
    const text = { required: true, content: [{ type: 'text/plain', codec: 'text' }] } as const
    const { handle, got } = receiver(
      { scheme: 'github', secret: "It's a Secret to Everybody" },
      { any: record('any', { body: text }) },
    )
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const headers = { 'content-type': 'text/plain', 'x-hub-signature-256': signature }
    expect((await handle(post('Hello, World!', headers))).status).toBe(202)
    expect(got).toEqual([['any', 'Hello, World!']])
  })
})

describe('a timestamp', () => {
  it.each(['0x60373732', ' ', '1e9', '1614265330.5', '-1614265330', ''])(
    'that is written %j is rejected',
    async (at) => {
      const headers = {
        'stripe-signature': `t=${at},v1=${mac(SECRET, `${at}.${PAID}`).digest('hex')}`,
      }
      const { handle } = receiver({ scheme: 'stripe', secret: SECRET, tolerance: Infinity })
      expect((await handle(post(PAID, headers))).status).toBe(401)
    },
  )
})

describe('options', () => {
  it.each([
    [{}, /secret is missing/],
    [{ secret: '' }, /not empty/],
    [{ secret: [] }, /secret is missing/],
    [{ secret: ['a', ''] }, /not empty/],
    [{ secret: 'no base64!' }, /base64/],
    [{ secret: 'whsec_' }, /base64/],
    [{ secret: 'whsec_AAAA', scheme: 'none' }, /checks no signature/],
    [{ secret: 'whsec_AAAA', scheme: 'slack' }, /scheme must be/],
    [{ secret: 'whsec_AAAA', scheme: 'constructor' }, /scheme must be/],
    [{ secret: 'whsec_AAAA', tolerance: Number.NaN }, /tolerance/],
    [{ secret: 'whsec_AAAA', tolerance: -1 }, /tolerance/],
  ])('%j cannot be meant', (options, message) => {
    const create = () =>
      createWebhookReceiver({ webhooks: WEBHOOKS }, {}, options as WebhookOptions)
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
    expect(create).not.toThrow(/no base64!|AAAA/)
  })

  it('name no handler that the document does not have', () => {
    const create = (handlers: object) =>
      createWebhookReceiver({ webhooks: WEBHOOKS }, handlers as never, { scheme: 'none' })
    expect(() => create({ orderPayed: () => undefined })).toThrow(
      /no webhook orderPayed.*orderPaid, refund/,
    )
    expect(() => create({ refund: 1 })).toThrow(/refund must be a function/)
  })

  it('may be a function that checks the signature', async () => {
    const given: unknown[] = []
    const results: unknown[] = [true, false, undefined, 'yes', Promise.resolve(true)]
    const { handle, reported } = receiver({
      secret: ['one', 'two'],
      scheme: ({ headers, body, secrets, now }) => {
        given.push([headers.get('x-signed'), new TextDecoder().decode(body), secrets, now])
        if (results.length === 0) throw new Error('wrong signature of one')
        return results.shift() as boolean
      },
    })
    const statuses: number[] = []
    for (let at = 0; at < 6; at++)
      statuses.push((await handle(post(PAID, { 'x-signed': 'me' }))).status)
    expect(statuses).toEqual([202, 401, 401, 401, 202, 401])
    expect(given[0]).toEqual(['me', PAID, ['one', 'two'], NOW * 1000])
    // A secret is never reported.
    expect(String(reported)).toBe('Error: wrong signature of [redacted]')
  })
})

describe('a payload', () => {
  const open = (options: Partial<WebhookOptions> = {}) =>
    receiver({ scheme: 'none', ...options } as WebhookOptions)

  it('is validated as a response, with warnings', async () => {
    const { handle, got, reported } = open()
    const sent = [
      '{"id":"1","state":"paid","new":true}',
      '{"id":"2","state":"lost"}',
      '{"id":"3","state":"paid","note":null}',
    ]
    for (const body of sent) expect((await handle(post(body))).status).toBe(202)
    expect(got).toEqual([
      ['orderPaid', { id: '1', state: 'paid', new: true }],
      ['orderPaid', { id: '2', state: 'lost' }],
      ['orderPaid', { id: '3', state: 'paid' }],
    ])
    expect(reported).toMatchObject([
      { webhook: 'orderPaid', issues: [{ pointer: '/state', keyword: 'enum' }] },
      { webhook: 'orderPaid', issues: [{ pointer: '/note' }] },
    ])
  })

  it('is validated strictly if that is asked for', async () => {
    const { handle, got } = open({ validate: 'strict' })
    expect((await handle(post('{"id":"1","state":"paid","new":true}'))).status).toBe(400)
    expect((await handle(post('{"id":"2","state":"lost"}'), 'orderPaid')).status).toBe(400)
    expect(got).toEqual([])
  })

  it('that is wrong is a 400 with its errors, without the secret', async () => {
    const secret = 'tellnobody'
    const { handle } = receiver({ secret, scheme: () => true })
    const response = await handle(post(`{"${secret}":1,"id":5}`), 'order.paid')
    const [status, text] = await seen(response)
    expect(status).toBe(400)
    expect(text).toContain('/body/id')
    expect(text).not.toContain(secret)
  })

  it.each([
    ['{"id":"1","state":"paid"}', undefined, 202, ['orderPaid']],
    ['{"id":"1","cents":5}', undefined, 204, ['refund']],
    ['{"id":"1","cents":5,"more":1}', undefined, 204, ['refund']],
    ['{"id":"1","cents":5}', 'refund', 204, ['refund']],
    ['{"id":"1","state":"paid"}', 'orderPaid', 202, ['orderPaid']],
    ['{"id":"1","state":"paid"}', 'order.paid', 202, ['orderPaid']],
    ['{"id":"1","state":"paid"}', 'refund', 400, []],
    ['{"id":"1"}', undefined, 400, []],
    ['{"id":"1","cents":5,"state":"paid"}', undefined, 400, []],
    ['{', undefined, 400, []],
    ['{"id":"1","cents":5}', 'constructor', 404, []],
  ])('%s to %s is a %i', async (body, name, status, handled) => {
    const { handle, got } = open()
    expect((await handle(post(body), name)).status).toBe(status)
    expect(got.map((one) => (one as [string])[0])).toEqual(handled)
  })

  it.each([
    ['{"id":"1"}', 'small'],
    ['{"id":"1","cents":5}', 'refund'],
    ['{"kind":"a"}', 'a'],
    ['{"kind":"b"}', 'b'],
    ['{"kind":"b","more":1}', 'b'],
  ])('%s is of the webhook with the fewest differences: %s', async (body, webhook) => {
    const of = (value: object) => ({
      validators: { request: validator(() => ({ type: 'object', ...value })), responses: {} },
    })
    const kind = (value: string) =>
      record(value, of({ required: ['kind'], properties: { kind: { const: value } } }))
    const small = { required: ['id'], properties: { id: true }, additionalProperties: false }
    const webhooks = {
      ...{ small: record('small', of(small)), refund: WEBHOOKS.refund },
      ...{ a: kind('a'), b: kind('b') },
    }
    const { handle, got } = receiver({ scheme: 'none' }, webhooks)
    await handle(post(body))
    expect(got).toEqual([[webhook, JSON.parse(body)]])
  })

  it('with a number that loses digits is passed with a warning, or rejected', async () => {
    const webhooks = {
      any: record('any', { validators: { request: validator(() => ({})), responses: {} } }),
    }
    const send = async (validate: 'tolerant' | 'strict') => {
      const { handle, reported } = receiver({ scheme: 'none', validate }, webhooks)
      return [(await handle(post('{"n":12345678901234567890}'))).status, reported]
    }
    expect(await send('strict')).toEqual([400, []])
    expect(await send('tolerant')).toMatchObject([
      202,
      [{ webhook: 'any', issues: [{ pointer: '/n', keyword: 'precision' }] }],
    ])
  })

  it('may be a form, with fields that the document does not declare', async () => {
    const type = 'application/x-www-form-urlencoded'
    const Form = validator(() => ({
      type: 'object',
      required: ['cents'],
      properties: { cents: { type: 'integer' } },
      additionalProperties: false,
    }))
    const webhooks = {
      form: record('form', {
        body: { required: true, content: [{ type, codec: 'form' }] },
        validators: { fields: Form, responses: {} },
      }),
    }
    const send = async (validate: 'tolerant' | 'strict', body: string) => {
      const { handle, got } = receiver({ scheme: 'none', validate }, webhooks)
      return [(await handle(post(body, { 'content-type': type }))).status, got]
    }
    expect(await send('tolerant', 'cents=5&more=1')).toMatchObject([202, [['form', { cents: 5 }]]])
    expect(await send('strict', 'cents=5&more=1')).toEqual([400, []])
    expect(await send('tolerant', 'cents=x')).toEqual([400, []])
  })

  it('that is too large is rejected before its signature is computed', async () => {
    const { handle } = receiver({ secret: SECRET, payloadBytes: 5 })
    expect((await handle(post(PAID))).status).toBe(413)
  })

  it('that fits several webhooks is reported to the developer, who can pass the name', async () => {
    const both = { first: record('first'), second: record('second') }
    const { handle, reported } = receiver({ scheme: 'none' }, both)
    expect((await handle(post('{}'))).status).toBe(400)
    expect(String(reported)).toMatch(/several webhooks: first, second; pass the name/)
    expect((await handle(post('{}'), 'second')).status).toBe(202)
  })

  it.each([
    [post(PAID, { 'content-type': 'text/plain' }), 415],
    [post(PAID, { 'content-type': '' }), 415],
    [post(PAID, { 'content-encoding': 'gzip' }), 415],
    [post(PAID, {}, { method: 'PUT' }), 405],
    [new Request('https://shop.example/'), 405],
    [post(`{"id":"${'7'.repeat(2_000_000)}"}`), 413],
  ])('is no payload (%#): %j', async (request, status) => {
    const { handle, got } = open()
    const response = await handle(request)
    expect([response.status, got]).toEqual([status, []])
    if (status === 405) expect(response.headers.get('allow')).toBe('POST')
  })

  it('has at most `payloadBytes`, also without a Content-Length', async () => {
    const { handle } = open({ payloadBytes: PAID.length })
    const stream = (text: string) => {
      const init = { body: new Blob([text]).stream(), duplex: 'half' } as RequestInit
      return post('', {}, init)
    }
    expect((await handle(stream(PAID))).status).toBe(202)
    expect((await handle(stream(`${PAID} `))).status).toBe(413)
  })

  it('has declared parameters; the query of the URL is the subscriber’s own', async () => {
    const event = {
      name: 'X-Event',
      in: 'header',
      required: true,
      style: 'simple',
      explode: false,
    } as const
    const contexts: unknown[] = []
    const webhooks = {
      any: record('any.event', {
        parameters: [event],
        validators: {
          parameters: { 'header.X-Event': validator(() => ({ type: 'integer' })) },
          responses: {},
        },
      }),
    }
    const handlers = {
      any: (_: unknown, { name, parameters }: { name: string; parameters: unknown }) => {
        contexts.push(name, parameters)
      },
    }
    const { handle } = createWebhookReceiver({ webhooks }, handlers, { scheme: 'none' })
    expect((await handle(post('1', { 'x-event': '7' }))).status).toBe(202)
    expect((await handle(post('1', { 'x-event': 'x' }))).status).toBe(400)
    expect((await handle(post('1'))).status).toBe(400)
    expect(contexts).toEqual(['any.event', { header: { 'X-Event': 7 }, query: {}, cookie: {} }])
  })

  it('that somebody has read is an error of the developer', async () => {
    const { handle } = open()
    const request = post(PAID)
    await request.json()
    await expect(handle(request)).rejects.toThrow(/already read/)
  })
})

describe('a response', () => {
  const answering = (responses: WebhookRecord['responses'], result: unknown) => {
    const webhooks = { any: record('any', { responses }) }
    const reported: unknown[] = []
    const { handle } = createWebhookReceiver(
      { webhooks },
      { any: async () => result },
      {
        scheme: 'none',
        onError: (error) => reported.push(error),
      },
    )
    return { send: async () => seen(await handle(post('1'))), reported }
  }
  const none = (status: string) => ({ status, content: [] })
  const json = (status: string) => ({ status, content: JSON_BODY.content })

  it.each([
    [[none('200')], 200],
    [[none('410'), none('202'), none('200')], 202],
    [[json('200'), none('204')], 204],
    [[json('201')], 201],
    [[none('2XX')], 204],
    [[none('default')], 204],
    [[none('400')], 204],
    [[], 204],
  ])('without a result of the handler (%j) is a %i', async (responses, status) => {
    expect(await answering(responses, undefined).send()).toEqual([status, ''])
  })

  it('is what the handler returns', async () => {
    const { send } = answering([json('200')], { status: 200, body: { seen: true } })
    expect(await send()).toEqual([200, '{"seen":true}'])
  })

  it('that the document does not declare is a 500, and reported', async () => {
    const { send, reported } = answering([none('200')], { status: 201 })
    expect((await send())[0]).toBe(500)
    expect(String(reported)).toContain('201')
  })

  it('to a failed handler is a 500 that shows nothing', async () => {
    const reported: unknown[] = []
    const fail = () => {
      throw new Error('the database of SECRET is down')
    }
    const { handle } = createWebhookReceiver(
      { webhooks: WEBHOOKS },
      { orderPaid: fail },
      {
        scheme: 'none',
        onError: (error) => reported.push(error),
      },
    )
    const [status, text] = await seen(await handle(post(PAID)))
    expect(status).toBe(500)
    expect(text).not.toContain('database')
    expect(String(reported)).toContain('database')
  })

  it('to a webhook without a handler is a success, which is reported', async () => {
    const reported: unknown[] = []
    const { handle } = createWebhookReceiver(
      { webhooks: WEBHOOKS },
      {},
      {
        scheme: 'none',
        onUnhandled: (name) => reported.push(name),
      },
    )
    expect((await handle(post(PAID))).status).toBe(202)
    expect((await handle(post('{"anything":1}'), 'refund')).status).toBe(204)
    expect((await handle(post('{"anything":1}'))).status).toBe(400)
    expect(reported).toEqual(['orderPaid', 'refund'])
  })

  it('to a webhook without a handler is reported on the console once', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const { handle } = createWebhookReceiver({ webhooks: WEBHOOKS }, {}, { scheme: 'none' })
    for (const name of ['refund', 'refund', 'orderPaid']) await handle(post(PAID), name)
    expect(warn.mock.calls.map(([text]) => /webhook (\w+)/.exec(`${text}`)?.[1])).toEqual([
      'refund',
      'orderPaid',
    ])
    warn.mockRestore()
  })

  it('is sent by Node', async () => {
    const { core, got } = receiver({ scheme: 'github', secret: 'secret' })
    const url = await listen(toNodeListener(core('orderPaid')))
    const headers = { 'content-type': 'application/json', ...github(PAID, 'secret', 0) }
    const send = (body: string) => fetch(url, { method: 'POST', body, headers })
    expect((await send(PAID)).status).toBe(202)
    expect((await send(`${PAID} `)).status).toBe(401)
    expect(got).toHaveLength(1)
  })
})
