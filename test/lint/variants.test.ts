import { expect, it } from 'vitest'
import { openapiOf } from '../read/api-of.js'
import { findingsOf, http, json, rpc } from './lint-documents.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: object, ...required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})

const text = { type: 'string' }
const never = { not: {} }
const Message = object({ text, code: never }, 'text')
const Deploy = object({ code: text, text: never }, 'code')
const Sent = { type: 'object', required: ['hash'], properties: { hash: text, address: never } }
const Made = { type: 'object', required: ['address'], properties: { address: text } }

type Change = {
  readonly schemas?: object
  readonly variants?: object
  readonly body?: object
  readonly answer?: object
  readonly examples?: object
}

/** An operation with two forms that are as they should be, but for what is changed. */
const submitting = ({ schemas, variants, body, answer, examples }: Change) =>
  http(
    {
      'x-variants': {
        message: { request: ref('Message'), responses: [ref('Sent')], example: 'message' },
        deploy: { request: ref('Deploy'), responses: [ref('Made')] },
        ...variants,
      },
      requestBody: json(body ?? { oneOf: [ref('Message'), ref('Deploy')] }, {
        examples: { message: { value: { text: 'hi' } }, ...examples },
      }),
      responses: { 200: json(answer ?? { oneOf: [ref('Sent'), ref('Made')] }) },
    },
    { schemas: { Message, Deploy, Sent, Made, ...schemas } },
    'post',
  )

const RULES = [
  'variants-overlap',
  'variants-may-overlap',
  'variants-incomplete',
  'variant-example-invalid',
]

it.each(RULES)('forms that differ are no %s', async (rule) => {
  expect(await findingsOf(rule, submitting({}))).toEqual([])
})

it('variants-overlap, with the smallest value that fits both', async () => {
  const open = { type: 'object', required: ['code'], properties: { code: text } }
  const loose = { type: 'object', required: ['text'], properties: { text } }
  const both = submitting({ schemas: { Message: loose, Deploy: open } })
  expect(await findingsOf('variants-overlap', both)).toMatchInlineSnapshot(`
    [
      "error /paths/~1a/post/x-variants a body of POST /a can be both Deploy and Message, such as {"code":"","text":""}: forbid in one what the other requires, by {not: {}}",
    ]
  `)
})

it('variants-overlap, with the smallest example that fits both', async () => {
  const loose = submitting({
    schemas: { Message: object({ text }, 'text'), Deploy: object({ text, code: text }) },
  })
  expect(await findingsOf('variants-overlap', loose)).toMatchInlineSnapshot(`
    [
      "error /paths/~1a/post/x-variants a body of POST /a can be both Deploy and Message, such as {"text":"hi"}: forbid in one what the other requires, by {not: {}}",
    ]
  `)
})

it('variants-overlap, by the examples of each operation that has the variants', async () => {
  // No value is found from the patterns alone.
  const both = { type: 'string', pattern: '^(a+)\\1b\\1$' }
  const schemas = {
    Message: object({ text: both }, 'text'),
    Deploy: object({ text: both }, 'text'),
  }
  const operation = (operationId: string, text: string) => ({
    operationId,
    'x-variants': {
      message: { request: ref('Message'), responses: [] },
      deploy: { request: ref('Deploy'), responses: [] },
    },
    requestBody: json(
      { anyOf: [ref('Message'), ref('Deploy')] },
      { examples: { one: { value: { text } } } },
    ),
    responses: {},
  })
  const paths = {
    '/first': { post: operation('first', 'b') },
    '/second': { post: operation('second', 'aaba') },
  }
  const openapi = openapiOf({ paths, schemas })
  const found = await findingsOf('variants-overlap', { openapi })
  expect(found).toEqual([expect.stringContaining('a body of POST /second can be both')])
})

it('variants-overlap, of the answers of one status', async () => {
  const { properties } = Made
  const overlapping = submitting({
    schemas: { Sent: { ...Sent, properties: { hash: text } }, Made: { properties } },
  })
  expect(await findingsOf('variants-overlap', overlapping)).toMatchInlineSnapshot(`
    [
      "error /paths/~1a/post/x-variants an answer of POST /a can be both Made and Sent, such as {"hash":""}: forbid in one what the other requires, by {not: {}}",
    ]
  `)
})

it('variants-may-overlap', async () => {
  // Whether a text is its own repetition is nothing that an automaton can tell.
  const twice = { type: 'string', pattern: '^(a+)\\1b\\1$' }
  const thrice = { type: 'string', pattern: '^(a+)\\1\\1b\\1c?$' }
  const unclear = submitting({
    schemas: { Message: object({ text: twice }, 'text'), Deploy: object({ text: thrice }, 'text') },
    examples: { message: { value: { text: 'aabaa' } } },
  })
  expect(await findingsOf('variants-overlap', unclear)).toEqual([])
  expect(await findingsOf('variants-may-overlap', unclear)).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/post/x-variants it is unknown whether a body of POST /a can be both Deploy and Message: give them a required property with values of its own, or forbid in one what the other requires",
    ]
  `)
})

it.each<[string, Change]>([
  [
    'a branch of the request without a form',
    { body: { oneOf: [ref('Message'), ref('Deploy'), ref('Sent')] } },
  ],
  ['a form that the request does not allow', { body: { oneOf: [ref('Message')] } }],
  ['an example of no form', { examples: { other: { value: { text: 7 } } } }],
  [
    'an answer of no form',
    { variants: { deploy: { request: ref('Deploy'), responses: [ref('Sent')] } } },
  ],
])('variants-incomplete, %s', async (_, change) => {
  expect(await findingsOf('variants-incomplete', submitting(change))).toMatchSnapshot()
})

it('variant-example-invalid', async () => {
  const stray = submitting({ examples: { message: { value: { code: 'x' } } } })
  expect(await findingsOf('variant-example-invalid', stray)).toMatchInlineSnapshot(`
    [
      "error /paths/~1a/post/x-variants/message/example the example message is not of the variant message: it must have the property \`text\`",
    ]
  `)
})

/** A method that subscribes, with two variants that are as they should be, but for what is changed. */
const subscribing = (variants: object, fields: object = {}) => {
  const kind = { type: 'string', enum: ['heads', 'logs', 'hashes'] }
  const param = (name: string, schema: object) => ({ name, schema })
  const begin = {
    paramStructure: 'by-position',
    params: [{ ...param('kind', kind), required: true }, param('filter', { type: 'object' })],
    result: { name: 'id', schema: text },
    'x-subscription': {
      unsubscribe: 'stop',
      id: '/id',
      notifications: [{ method: 'sent', item: '/item' }],
    },
    'x-variants': {
      heads: { params: { prefixItems: [{ const: 'heads' }] }, result: text, item: Made },
      ...variants,
    },
    ...fields,
  }
  const stop = { name: 'stop', params: [param('id', text)], result: { name: 'ended', schema: {} } }
  const item = { oneOf: [Made, text] }
  const sent = {
    ...{ name: 'sent', 'x-direction': 'server' },
    params: [param('id', text), param('item', item)],
  }
  return rpc({}, { methods: [{ name: 'start', ...begin }, stop, sent] })
}

const METHOD_RULES = ['variants-overlap', 'variants-may-overlap', 'variants-incomplete']

it.each(METHOD_RULES)('params that differ are no %s', async (rule) => {
  const logs = { params: { prefixItems: [{ const: 'logs' }] }, result: text, item: text }
  expect(await findingsOf(rule, subscribing({ logs }))).toEqual([])
  const byName = {
    paramStructure: 'by-name',
    'x-variants': {
      heads: { params: { properties: { kind: { const: 'heads' } } }, result: text },
      logs: { params: { properties: { kind: { const: 'logs' } } }, result: text },
    },
  }
  expect(await findingsOf(rule, subscribing({}, byName))).toEqual([])
})

it.each<[string, object, object?]>([
  [
    'values of both',
    { logs: { params: { prefixItems: [{ enum: ['heads', 'logs'] }] }, result: text } },
  ],
  ['a variant that narrows nothing', { all: { params: {}, result: text } }],
  [
    'params by name',
    {},
    {
      paramStructure: 'by-name',
      'x-variants': {
        heads: { params: { properties: { kind: { const: 'heads' } } }, result: text },
        filtered: { params: { required: ['filter'] }, result: text },
      },
    },
  ],
  [
    'an example of both',
    { logs: { params: { prefixItems: [{ enum: ['heads', 'logs'] }] }, result: text } },
    {
      examples: [
        {
          name: 'one',
          params: [
            { name: 'kind', value: 'heads' },
            { name: 'filter', value: {} },
          ],
        },
      ],
    },
  ],
])('variants-overlap of a method, %s', async (_, variants, fields) => {
  expect(await findingsOf('variants-overlap', subscribing(variants, fields))).toMatchSnapshot()
})

it('variants-may-overlap of a method', async () => {
  const of = (pattern: string) => ({
    params: {
      prefixItems: [true, object({ name: { type: 'string', pattern } }, 'name')],
      minItems: 2,
    },
    result: text,
  })
  const unclear = { 'x-variants': { twice: of('^(a+)\\1b\\1$'), thrice: of('^(a+)\\1\\1b\\1c?$') } }
  expect(await findingsOf('variants-may-overlap', subscribing({}, unclear))).toMatchSnapshot()
})

it.each<[string, object, object?]>([
  [
    'a value that the method rejects',
    { head: { params: { prefixItems: [{ const: 'head' }] }, result: text } },
  ],
  [
    'a param by position that the method does not have',
    { logs: { params: { prefixItems: [{ const: 'logs' }, true, true] }, result: text } },
  ],
  [
    'a param by name that the method does not have',
    { logs: { params: { properties: { kind: { const: 'logs' }, kinds: true } }, result: text } },
  ],
  ['an item without a subscription', {}, { 'x-subscription': undefined }],
])('variants-incomplete of a method, %s', async (_, variants, fields) => {
  expect(await findingsOf('variants-incomplete', subscribing(variants, fields))).toMatchSnapshot()
})

it.each<[string, object]>([
  ['of its variant', { result: { name: 'id', value: 'x1' } }],
  ['of no variant', { result: { name: 'id', value: 7 } }],
])('example-invalid, a result %s', async (_, pairing) => {
  const examples = [{ name: 'one', params: [{ name: 'kind', value: 'heads' }], ...pairing }]
  const numbers = { result: { name: 'id', schema: { type: ['string', 'integer'] } }, examples }
  expect(await findingsOf('example-invalid', subscribing({}, numbers))).toMatchSnapshot()
})
