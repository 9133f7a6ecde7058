import { expect, it } from 'vitest'
import { openapiOf } from '../read/api-of.js'
import { findingsOf, http, json } from './lint-documents.js'

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
