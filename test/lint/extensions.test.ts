import { expect, it } from 'vitest'
import { findingsOf, http, json, rpc, schema } from './lint-documents.js'

const CHAIN = { name: 'a', url: 'https://a.example', 'x-chain-id': 1 }

it.each([
  ['x-access', rpc({ 'x-access': 'token' }), rpc({ 'x-access': 'key' })],
  ['x-stability-level', rpc({ 'x-stability-level': 'old' }), rpc({ 'x-stability-level': 'beta' })],
  ['x-sunset', rpc({ 'x-sunset': 'next year' }), rpc({ 'x-sunset': '2027-01-31' })],
  ['x-idempotent', rpc({ 'x-idempotent': 'yes' }), rpc({ 'x-idempotent': true })],
  ['x-limits', rpc({ 'x-limits': { batch: 40 } }), rpc({ 'x-limits': { batchSize: 40 } })],
  [
    'x-cancel',
    rpc({}, { 'x-cancel': { notification: 'stop', param: 'id' } }),
    rpc({}, { 'x-cancel': { notification: 'stop', id: '/id' } }),
  ],
  [
    'x-progress',
    rpc(
      {},
      { 'x-progress': { notification: 'step', token: 'token', value: '', request: '/token' } },
    ),
    rpc(
      {},
      { 'x-progress': { notification: 'step', token: '/token', value: '', request: '/token' } },
    ),
  ],
  ['x-not-shown', rpc({ 'x-not-shown': true }), rpc({ 'x-not-shown': 'The errors.' })],
  [
    'x-error',
    rpc({ examples: [{ name: 'a', params: [], 'x-error': { message: 'lost' } }] }),
    rpc({ examples: [{ name: 'a', params: [], 'x-error': { code: 1, message: 'lost' } }] }),
  ],
  [
    'x-chain-id',
    rpc({}, { servers: [{ name: 'a', url: 'https://a.example', 'x-chain-id': '0x1' }] }),
    rpc({}, { servers: [{ name: 'a', url: 'https://a.example', 'x-chain-id': 1 }] }),
  ],
  [
    'x-native-currency',
    rpc({}, { servers: [{ ...CHAIN, 'x-native-currency': { name: 'Coin', symbol: 'C' } }] }),
    rpc(
      {},
      { servers: [{ ...CHAIN, 'x-native-currency': { name: 'Coin', symbol: 'C', decimals: 18 } }] },
    ),
  ],
  [
    'x-poll',
    http({ 'x-poll': { field: 'status' } }),
    http({ 'x-poll': { field: 'status', terminal: ['done'] } }),
  ],
  ['x-stream-end', http({ 'x-stream-end': '' }), http({ 'x-stream-end': '[DONE]' })],
])('extension-invalid, %s', async (_, before, after) => {
  expect(await findingsOf('extension-invalid', before)).toMatchSnapshot()
  expect(await findingsOf('extension-invalid', after)).toEqual([])
})

it('an extension of others is left alone, and so is a property or a header of such a name', async () => {
  const foreign = {
    'x-retry': true,
    properties: { 'x-access': { type: 'string' } },
    type: 'object',
  }
  expect(await findingsOf('extension-invalid', schema(foreign))).toEqual([])
  const headers = { 'x-secret': { schema: { type: 'string' } } }
  const answer = { responses: { 200: { description: 'Done.', headers } } }
  expect(await findingsOf('extension-invalid', http(answer))).toEqual([])
})

it('poll-cannot-end', async () => {
  const polling = (poll: object) =>
    http({
      'x-poll': poll,
      responses: {
        200: json({
          type: 'object',
          properties: { status: { type: 'string', enum: ['queued', 'done'] } },
        }),
      },
    })
  const terminal = ['done']
  expect(
    await findingsOf('poll-cannot-end', polling({ field: 'state', terminal })),
  ).toMatchInlineSnapshot(`
    [
      "error /paths/~1a/get/x-poll/field no response has a property state, so polling would never end: name a property of a response",
    ]
  `)
  expect(
    await findingsOf('poll-cannot-end', polling({ field: 'status', terminal: ['ended'] })),
  ).toMatchInlineSnapshot(`
    [
      "error /paths/~1a/get/x-poll/terminal status is never ended: name only values that a response can have",
    ]
  `)
  const order = ['queued']
  expect(
    await findingsOf('poll-cannot-end', polling({ field: 'status', terminal, order })),
  ).toMatchInlineSnapshot(`
    [
      "error /paths/~1a/get/x-poll/order the order omits the terminal value done: add it",
    ]
  `)
  expect(await findingsOf('poll-cannot-end', polling({ field: 'status', terminal }))).toEqual([])
})

it.each([
  [{}, []],
  [
    { unsubscribe: 'unwatch' },
    [
      'unsubscribe clients cannot call unwatch, which ends the subscription: name a method of clients',
    ],
  ],
  [
    { unsubscribe: 'changed' },
    [
      'unsubscribe clients cannot call changed, which ends the subscription: name a method of clients',
    ],
  ],
  [
    { notifications: [{ method: 'stop', item: '/0' }] },
    [
      'notifications/0/method the server does not send stop: add the method, with x-direction: server',
    ],
  ],
  [{ id: '/0', notifications: [{ method: 'changed', item: '/file/name' }] }, []],
  [
    { id: '/subscription', notifications: [{ method: 'changed', item: '/file/size' }] },
    [
      'id /subscription leads to nothing in the params of changed: begin with the name or the position of a param',
      'notifications/0/item /file/size leads to nothing in the params of changed: begin with the name or the position of a param',
    ],
  ],
  [
    { unsubscribe: 'halt' },
    [
      'unsubscribe halt takes no params, but the server has to know which subscription ends: give it the id as its first param',
    ],
  ],
  [
    { unsubscribe: 'stopNumbered' },
    [
      'unsubscribe the first param of stopNumbered accepts no result of watch, which is the id: give both the same schema',
    ],
  ],
  [
    { id: '/file', notifications: [{ method: 'changed', item: '/id' }] },
    [
      'id no value at /file of changed is a result of watch, which is the id: give both the same schema',
    ],
  ],
])('subscription-cannot-work: %j', async (own, want) => {
  const file = { type: 'object', properties: { name: { type: 'string' } } }
  const param = (name: string, schema: object) => ({ name, schema })
  const documents = rpc(
    {},
    {
      methods: [
        {
          name: 'watch',
          params: [],
          result: { name: 'id', schema: { type: 'string' } },
          'x-subscription': {
            unsubscribe: 'stop',
            id: '/id',
            notifications: [{ method: 'changed', item: '/file' }],
            ...own,
          },
        },
        { name: 'stop', params: [param('id', {})], result: { name: 'r', schema: {} } },
        { name: 'halt', params: [], result: { name: 'r', schema: {} } },
        {
          name: 'stopNumbered',
          params: [param('id', { type: 'integer' })],
          result: { name: 'r', schema: {} },
        },
        {
          name: 'changed',
          params: [param('id', {}), param('file', file)],
          'x-direction': 'server',
        },
      ],
    },
  )
  expect(await findingsOf('subscription-cannot-work', documents)).toEqual(
    want.map((text) => `error /methods/0/x-subscription/${text}`),
  )
  expect(await findingsOf('extension-invalid', documents)).toEqual([])
})

const CANCEL = { notification: 'stop', id: '/id' }
const PROGRESS = { notification: 'step', token: '/token', value: '/value', request: '/meta/token' }

const running = (root: object) => {
  const param = (name: string, schema: object = {}) => ({ name, schema })
  const meta = { type: 'object', properties: { token: {} } }
  return rpc(
    {},
    {
      openrpc: '1.4.1',
      ...root,
      methods: [
        { name: 'run', params: [param('meta', meta)], result: { name: 'r', schema: {} } },
        { name: 'stop', params: [param('id')], 'x-direction': 'client' },
        { name: 'step', params: [param('token'), param('value')], 'x-direction': 'server' },
      ],
    },
  )
}

it.each([
  [CANCEL, []],
  [
    { ...CANCEL, notification: 'run' },
    ['notification the document has no notification run: add the method, without a result'],
  ],
  [
    { ...CANCEL, id: '/request' },
    [
      'id /request leads to nothing in the params of stop: begin with the name or the position of a param',
    ],
  ],
])('cancel-cannot-work: %j', async (cancel, want) => {
  expect(await findingsOf('cancel-cannot-work', running({ 'x-cancel': cancel }))).toEqual(
    want.map((text) => `error /x-cancel/${text}`),
  )
})

it.each([
  [PROGRESS, []],
  [{ ...PROGRESS, value: '' }, []],
  [
    { ...PROGRESS, notification: 'other' },
    ['notification the document has no notification other: add the method, without a result'],
  ],
  [
    { ...PROGRESS, token: '', request: '/token' },
    [
      "token '' leads to nothing in the params of step: begin with the name or the position of a param",
      'request no method has the param /token: name one that some have',
    ],
  ],
])('progress-cannot-work: %j', async (progress, want) => {
  expect(await findingsOf('progress-cannot-work', running({ 'x-progress': progress }))).toEqual(
    want.map((text) => `error /x-progress/${text}`),
  )
})

it('same-as-names-no-property', async () => {
  const twins = (name: string) =>
    schema({ type: 'object', properties: { hash: { type: 'string', 'x-same-as': name }, id: {} } })
  expect(await findingsOf('same-as-names-no-property', twins('ID'))).toMatchInlineSnapshot(`
    [
      "error /components/schemas/One/properties/hash/x-same-as hash is the same as ID, which is not a property of the same object: name one that is",
    ]
  `)
  expect(await findingsOf('same-as-names-no-property', twins('id'))).toEqual([])
})

it.each([
  [
    'x-variants',
    http({ responses: { 200: { ...json({}), 'x-variants': {} } } }),
    'warning /paths/~1a/get/responses/200/x-variants x-variants is not read here: put it into an operation',
  ],
  [
    'x-limits',
    rpc({ errors: [{ code: 1, message: 'late' }], tags: [{ name: 'a', 'x-limits': {} }] }),
    'warning /methods/0/tags/0/x-limits x-limits is not read here: put it into the top of the document or a method',
  ],
  [
    'x-error',
    http({ responses: { 404: json({}, { 'x-error': { code: 1, message: 'late' } }) } }),
    'warning /paths/~1a/get/responses/404/content/application~1json/x-error x-error is not read in an OpenAPI document: leave it out',
  ],
  [
    'x-access',
    http({}, { paths: { '/a': { 'x-access': 'key', get: { responses: { 200: json({}) } } } } }),
    'warning /paths/~1a/x-access x-access is not read here: put it into an operation',
  ],
  [
    'x-cancel',
    http({}, { 'x-cancel': CANCEL }),
    'warning /x-cancel x-cancel is not read in an OpenAPI document: leave it out',
  ],
  [
    'x-progress',
    rpc({ 'x-progress': PROGRESS }),
    'warning /methods/0/x-progress x-progress is not read here: put it into the top of the document',
  ],
  [
    'x-chain-id',
    rpc({ 'x-chain-id': 7 }),
    'warning /methods/0/x-chain-id x-chain-id is not read here: put it into a server',
  ],
])('extension-misplaced, %s', async (_, documents, want) => {
  expect(await findingsOf('extension-misplaced', documents)).toEqual([want])
})

it('expects no shape of an extension that is not read in its place (Firebolt: a schema as x-error of a tag)', async () => {
  const documents = rpc({ tags: [{ name: 'event', 'x-error': { type: 'object' } }] })
  expect(await findingsOf('extension-invalid', documents)).toEqual([])
  expect(await findingsOf('extension-misplaced', documents)).toHaveLength(1)
})

it('reads extensions where they belong, and what is only called like one', async () => {
  const documents = schema(
    { type: 'object', properties: { 'x-limits': { type: 'string', 'x-sunset': '2027-01-31' } } },
    {
      'x-limits': { batchSize: 1 },
      servers: [
        {
          url: 'https://a.example/{key}',
          'x-name': 'main',
          variables: { key: { 'x-secret': true } },
        },
      ],
    },
  )
  expect(await findingsOf('extension-misplaced', documents)).toEqual([])
})

it('contract-call-names-no-property', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const object = (...names: readonly string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  })
  const fields = { abi: 'lines', method: 'name', arguments: 'values', output: 'returned' }
  const calling = (contractCall: object) =>
    http(
      {
        'x-variants': {
          call: { request: ref('Call'), responses: [ref('Read')], 'x-contract-call': contractCall },
        },
        requestBody: json(ref('Call')),
        responses: { 200: json(ref('Read')) },
      },
      { schemas: { Call: object('lines', 'name', 'values'), Read: object('returned') } },
      'post',
    )
  const rule = 'contract-call-names-no-property'
  expect(await findingsOf(rule, calling(fields))).toEqual([])
  expect(await findingsOf(rule, calling({ ...fields, abi: 'abi', output: 'values' }))).toEqual([
    'error /paths/~1a/post/x-variants/call/x-contract-call/abi the request of the variant call has no property abi: name one that it has',
    'error /paths/~1a/post/x-variants/call/x-contract-call/output no response of the variant call has a property values: name one that it has',
  ])
  const { output: _, ...partial } = fields
  expect(await findingsOf('extension-invalid', calling(partial))).toEqual([
    expect.stringContaining('x-variants, call/x-contract-call'),
  ])
})

it('subscription-cannot-work: items of a variant that no notification has', async () => {
  const param = (name: string, schema: object) => ({ name, schema })
  const variant = (kind: string, item: object) => ({
    params: { prefixItems: [{ const: kind }] },
    result: {},
    item,
  })
  const documents = rpc(
    {},
    {
      methods: [
        {
          name: 'watch',
          params: [param('kind', { type: 'string' })],
          result: { name: 'id', schema: {} },
          'x-subscription': {
            unsubscribe: 'stop',
            id: '/id',
            notifications: [{ method: 'changed', item: '/name' }],
          },
          'x-variants': {
            names: variant('names', { type: 'string' }),
            sizes: variant('sizes', { type: 'integer' }),
          },
        },
        { name: 'stop', params: [param('id', {})], result: { name: 'r', schema: {} } },
        {
          name: 'changed',
          params: [param('id', {}), param('name', { type: 'string' })],
          'x-direction': 'server',
        },
      ],
    },
  )
  expect(await findingsOf('subscription-cannot-work', documents)).toEqual([
    'error /methods/0/x-variants/sizes/item no notification has an item of the variant sizes: add it to the schema of the item',
  ])
})
