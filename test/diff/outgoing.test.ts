import { describe, expect, it } from 'vitest'
import { changesOf, written } from './versions.js'

const BEFORE = {
  headers: '{ name: X-Sign, in: header, required: true, schema: { type: string } }',
  body: '{ required: true, content: { application/json: { schema: { type: string } } } }',
  replies: "'200': { description: ok }",
  security: '[]',
}
type Parts = Partial<typeof BEFORE> & { readonly method?: string }

/** A document whose only webhook is `paid`, and its line 9 the body. */
const webhook = (parts: Parts = {}) => {
  const { method = 'post', headers, body, replies, security } = { ...BEFORE, ...parts }
  return {
    http: `openapi: 3.1.0
info: { title: Shop, version: '1' }
webhooks:
  paid:
    ${method}:
      parameters: [${headers}]
      responses: { ${replies} }
      security: ${security}
${body === '' ? '' : `      requestBody: ${body}`}
`,
  }
}

const callback = (callbacks: string) => ({
  http: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /orders:
    post:
      operationId: order
      responses: { '200': { description: ok } }
      callbacks: ${callbacks}
`,
})
const at = (expression: string) =>
  `{ done: { '${expression}': { post: { responses: { '200': { description: ok } } } } } }`

const json = (schema: string, rest = '') =>
  `{ ${rest}content: { application/json: { schema: ${schema} } } }`
const reply = (members: string) => ({ replies: `'200': { description: ok, ${members} }` })
const sent = (before: Parts, after: Parts) => changesOf(webhook(before), webhook(after))

describe('a request that the service sends', () => {
  it('may no longer be answered by every status of a range', async () => {
    const found = await sent({ replies: "'2XX': { description: ok }" }, {})
    expect(JSON.stringify(found)).toContain('reply-status-removed')
    expect(JSON.stringify(await sent({}, { replies: "'2XX': { description: ok }" }))).not.toContain(
      'error',
    )
  })

  it('accepts a reply of every status as before when a range replaces them', async () => {
    const body = (required: string) =>
      `{ description: said, content: { application/json: { schema: { type: object, required: [${required}] } } } }`
    const found = await sent(
      { replies: `'200': ${body('id')}, '202': ${body('')}` },
      { replies: `'2XX': ${body('id')}` },
    )
    expect(found.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      '`id` in the 202 reply to the webhook `paid` is new and required: the service may reject replies that it accepted',
    ])
  })

  it('shows every rule of webhooks once', async () => {
    const required = 'name: X-Sign, in: header, required: true'
    const pairs: readonly (readonly [Parts, Parts])[] = [
      [{ method: 'post' }, { method: 'put' }],
      [{ body: '' }, {}],
      [{}, { body: '' }],
      [{}, { body: json('{ type: string }') }],
      [{ body: json('{ type: string }') }, {}],
      [{}, { body: '{ required: true, content: { application/json: {}, text/plain: {} } }' }],
      [{ body: '{ required: true, content: { application/json: {}, text/plain: {} } }' }, {}],
      [{ headers: '' }, {}],
      [{}, { headers: '' }],
      [{ headers: '{ name: X-Sign, in: header }' }, { headers: '' }],
      [{}, { headers: '{ name: X-Sign, in: header, schema: { type: string } }' }],
      [{ headers: '{ name: X-Sign, in: header, schema: { type: string } }' }, {}],
      [
        { headers: `{ ${required}, explode: true, schema: { type: object } }` },
        { headers: `{ ${required}, schema: { type: object } }` },
      ],
      [{}, { security: '[{ secret: [] }]' }],
      [{ security: '[{ secret: [] }]' }, { security: '[{ token: [] }]' }],
      [{}, { replies: "'202': { description: later }" }],
      [{ replies: "'200': { description: ok }, '410': { description: gone }" }, {}],
      [{}, reply('headers: { X-Seen: { required: true, schema: { type: string } } }')],
      [
        reply('content: { application/json: {}, text/plain: {} }'),
        reply('content: { application/json: {} }'),
      ],
      [reply('content: { application/json: {} }'), reply('content: { "*/*": {} }')],
      [{}, reply('content: { application/json: {} }')],
    ]
    const found = await Promise.all(pairs.map(([before, after]) => sent(before, after)))
    expect(found.map(written).join('\n')).toMatchInlineSnapshot(`
      "error callback-method-changed
        the webhook \`paid\` is sent with PUT now, not with POST: subscribers do not expect it
        at new.openapi.yaml:6 (old.openapi.yaml:6)
        instead: keep the method, or send a new webhook beside the old one
      note outgoing-body-added
        the webhook \`paid\` has a body now
        at new.openapi.yaml:9 (old.openapi.yaml:6)
      error outgoing-body-removed
        the webhook \`paid\` has no body any more: subscribers who read it fail
        at new.openapi.yaml:6 (old.openapi.yaml:9)
        instead: keep sending the body
      error outgoing-body-became-optional
        the body of the webhook \`paid\` may be absent now: subscribers do not expect it
        at new.openapi.yaml:9 (old.openapi.yaml:9)
        instead: keep sending the body
      note outgoing-body-became-required
        the webhook \`paid\` always has a body now
        at new.openapi.yaml:9 (old.openapi.yaml:9)
      error response-type-widened
        the body of the webhook \`paid\` (application/json) may be any value now: subscribers do not expect it
        at new.openapi.yaml:9 (old.openapi.yaml:9)
        shown by: 0
        instead: keep responding as before, or offer the new shape in an operation of its own
      error outgoing-media-type-added
        the body of the webhook \`paid\` may come as text/plain: subscribers do not expect it
        at new.openapi.yaml:9 (old.openapi.yaml:9)
        instead: keep sending the media type that subscribers read
      note outgoing-media-type-removed
        the body of the webhook \`paid\` no longer comes as text/plain
        at new.openapi.yaml:9 (old.openapi.yaml:9)
      note response-type-narrowed
        the body of the webhook \`paid\` must be a string now; it could be any value
        at new.openapi.yaml:9 (old.openapi.yaml:9)
      note outgoing-parameter-added
        the header parameter \`X-Sign\` of the webhook \`paid\` is new
        at new.openapi.yaml:6 (old.openapi.yaml:6)
      error outgoing-required-parameter-removed
        the header parameter \`X-Sign\` of the webhook \`paid\` is removed: subscribers who read it fail
        at new.openapi.yaml:6 (old.openapi.yaml:6)
        instead: keep sending the parameter
      warning outgoing-optional-parameter-removed
        the header parameter \`X-Sign\` of the webhook \`paid\` is removed: subscribers who read it fail
        at new.openapi.yaml:6 (old.openapi.yaml:6)
        instead: keep sending the parameter, or make sure that no subscriber reads it
      error outgoing-parameter-became-optional
        the header parameter \`X-Sign\` of the webhook \`paid\` may be absent now: subscribers do not expect it
        at new.openapi.yaml:6 (old.openapi.yaml:6)
        instead: keep sending the parameter always
      note outgoing-parameter-became-required
        the header parameter \`X-Sign\` of the webhook \`paid\` is always sent now
        at new.openapi.yaml:6 (old.openapi.yaml:6)
      error outgoing-parameter-serialization-changed
        the header parameter \`X-Sign\` of the webhook \`paid\` is serialized with style simple, explode false now, not with style simple, explode true: subscribers do not expect it
        at new.openapi.yaml:6 (old.openapi.yaml:6)
        instead: keep the style, explode and media type, or send a parameter with another name
      note outgoing-security-added
        the webhook \`paid\` comes with secret now
        at new.openapi.yaml:8 (old.openapi.yaml:8)
      warning outgoing-security-changed
        the webhook \`paid\` comes with token now, and came with secret: subscribers who check it may reject it
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep presenting the credentials that subscribers check
      error reply-status-removed
        200 is no longer declared as a reply to the webhook \`paid\`: the service may treat that reply as a failure
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep accepting the status besides the others
      note reply-status-added
        subscribers may reply to the webhook \`paid\` with 202
        at new.openapi.yaml:7 (old.openapi.yaml:7)
      note reply-error-status-removed
        410 is no longer declared as a reply to the webhook \`paid\`
        at new.openapi.yaml:7 (old.openapi.yaml:7)
      error reply-header-became-required
        the header \`X-Seen\` of the 200 reply to the webhook \`paid\` is required now: the service may reject replies without it
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep the header optional
      error reply-media-type-removed
        the 200 reply to the webhook \`paid\` no longer comes as text/plain: the service may reject such replies
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        instead: keep accepting it besides the others
      note reply-media-type-added
        the 200 reply to the webhook \`paid\` may come as */*
        at new.openapi.yaml:7 (old.openapi.yaml:7)
      note reply-media-type-added
        the 200 reply to the webhook \`paid\` may come as application/json
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  it('has other query parameters when only the case of a name changed, but the same headers', async () => {
    const parameter = (place: string, name: string) => ({
      headers: `{ name: ${name}, in: ${place}, required: true, schema: { type: string } }`,
    })
    const found = await sent(parameter('query', 'userId'), parameter('query', 'userid'))
    expect(found.map(({ level, rule }) => `${level} ${rule}`)).toEqual([
      'error outgoing-required-parameter-removed',
      'note outgoing-parameter-added',
    ])
    expect(await sent(parameter('header', 'X-Sign'), parameter('header', 'x-sign'))).toEqual([])
  })

  it('comes with the same credentials when schemes and scopes are listed in another order', async () => {
    const security = (list: string) => ({ security: list })
    const found = await sent(
      security('[{ a: [read, write], b: [] }, { c: [] }]'),
      security('[{ c: [] }, { b: [], a: [write, read] }]'),
    )
    expect(found).toEqual([])
    const [narrowed] = await sent(security('[{ a: [read, write] }]'), security('[{ a: [read] }]'))
    expect(narrowed?.message).toContain('comes with a (read) now, and came with a (read, write)')
  })

  it('accepts the same reply headers when only texts that no header can carry are excluded', async () => {
    const header = (schema: string) => reply(`headers: { X-Seen: { schema: { ${schema} } } }`)
    const found = await sent(
      header('type: string'),
      header("type: string, pattern: '^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$'"),
    )
    expect(found.filter(({ level }) => level !== 'note')).toEqual([])
  })

  it('may not send more than it did, and must accept the replies that it accepted', async () => {
    const found = await sent(
      {
        body: json('{ type: object, required: [id], properties: { id: { type: string } } }'),
        ...reply('content: { application/json: { schema: { type: object } } }'),
      },
      {
        body: json('{ type: object, properties: { id: { type: [string, integer] } } }'),
        ...reply('content: { application/json: { schema: { type: object, required: [seen] } } }'),
      },
    )
    expect(found.map(({ level, rule }) => `${level} ${rule}`)).toEqual([
      'error request-property-became-required',
      'error response-property-became-optional',
      'error response-type-widened',
    ])
  })

  it('may send less than it did, and accept more', async () => {
    const found = await sent(
      { body: json('{ type: object }'), replies: "'200': { description: ok }" },
      { body: json('{ type: object, required: [id] }'), replies: '2XX: { description: ok }' },
    )
    expect(found.filter(({ level }) => level !== 'note')).toEqual([])
  })

  it('webhook-removed and webhook-added', async () => {
    const none = { http: webhook().http.replace('paid:', 'refunded:') }
    expect(written(await changesOf(webhook(), none))).toMatchInlineSnapshot(`
      "error webhook-removed
        the webhook \`paid\` is removed: subscribers wait for a request that never comes
        at new.openapi.yaml:4 (old.openapi.yaml:6)
        instead: keep sending it until subscribers have moved
      note webhook-added
        the webhook \`refunded\` is new
        at new.openapi.yaml:6 (old.openapi.yaml:4)"
    `)
  })
})

describe('callbacks', () => {
  it('shows every rule of callbacks once', async () => {
    const there = callback(at('{$request.body#/url}'))
    const none = callback('{}')
    const moved = callback(at('{$request.body#/address}'))
    const found = await Promise.all([
      changesOf(there, none),
      changesOf(none, there),
      changesOf(there, moved),
    ])
    expect(found.map(written).join('\n')).toMatchInlineSnapshot(`
      "error callback-removed
        the callback \`done\` of POST /orders is removed: subscribers wait for a request that never comes
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep sending it until callers have moved
      note callback-added
        the callback \`done\` of POST /orders is new
        at new.openapi.yaml:8 (old.openapi.yaml:8)
      error callback-url-changed
        the service reads the address of the callback \`done\` of POST /orders from \`{$request.body#/address}\` now, not from \`{$request.body#/url}\`: callers who send it there get no callback
        at new.openapi.yaml:8 (old.openapi.yaml:8)
        instead: keep reading the address from where it was, or declare both"
    `)
  })

  it('of an operation that is removed are removed with it', async () => {
    const there = callback(at('{$request.body#/url}'))
    const found = await changesOf(there, {
      http: there.http.replace('/orders:', '/requests:'),
    })
    expect(found.map(({ rule }) => rule)).toEqual([
      'operation-removed-without-deprecation',
      'operation-added',
    ])
  })
})

it('an item of JSON Lines in the body of a webhook is compared by its schema', async () => {
  const lines = (type: string) =>
    webhook({ body: `{ content: { application/jsonl: { itemSchema: { type: ${type} } } } }` })
  const changes = await changesOf(lines('integer'), lines('string'))
  expect(changes.map(({ rule }) => rule)).toEqual([
    'response-type-widened',
    'response-type-narrowed',
  ])
})
