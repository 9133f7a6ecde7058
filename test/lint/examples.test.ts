import { expect, it } from 'vitest'
import { apiOf, openapiOf } from '../read/api-of.js'
import { findingsOf, http, json, rpc, schema } from './lint-documents.js'

const text = { type: 'string' }
const shown = { example: 'noon' }

it('request-has-no-example', async () => {
  const posting = (media: object) => http({ requestBody: json(text, media) }, {}, 'post')
  expect(await findingsOf('request-has-no-example', posting({}))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/post/requestBody/content/application~1json the request of POST /a has no example: add one under example or examples",
    ]
  `)
  expect(await findingsOf('request-has-no-example', posting(shown))).toEqual([])
})

it('response-has-no-example', async () => {
  const answering = (media: object) => http({ responses: { 200: json(text, media) } })
  expect(await findingsOf('response-has-no-example', answering({}))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/responses/200/content/application~1json the response 200 has no example: add one under example or examples",
    ]
  `)
  expect(await findingsOf('response-has-no-example', answering(shown))).toEqual([])
})

it('takes the example of a schema for one of the answer', async () => {
  expect(await findingsOf('response-has-no-example', schema({ ...text, example: 'noon' }))).toEqual(
    [],
  )
})

it('error-has-no-example, over HTTP', async () => {
  const refusing = (media: object) => http({ responses: { 404: json(text, media) } })
  expect(await findingsOf('error-has-no-example', refusing({}))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/responses/404/content/application~1json the response 404 has no example: add one under example or examples",
    ]
  `)
  expect(await findingsOf('error-has-no-example', refusing(shown))).toEqual([])
})

it('a default is a success without a 2xx response, and an error beside one', async () => {
  const alone = http({ responses: { default: json(text) } })
  expect(await findingsOf('response-has-no-example', alone)).toHaveLength(1)
  expect(await findingsOf('error-has-no-example', alone)).toEqual([])
  const beside = http({ responses: { 200: json(text, shown), default: json(text) } })
  expect(await findingsOf('response-has-no-example', beside)).toEqual([])
  expect(await findingsOf('error-has-no-example', beside)).toHaveLength(1)
})

it('error-has-no-example, over JSON-RPC', async () => {
  const errors = [{ code: 7, message: 'lost' }]
  const pairing = { name: 'lost', params: [], 'x-error': { code: 7, message: 'lost' } }
  expect(await findingsOf('error-has-no-example', rpc({ errors }))).toMatchInlineSnapshot(`
    [
      "warning /methods/0/errors/0 no example shows the error 7 (lost): add a pairing with x-error to a method that returns it",
    ]
  `)
  expect(await findingsOf('error-has-no-example', rpc({ errors, examples: [pairing] }))).toEqual([])
})

it('method-has-no-example', async () => {
  const pairing = { name: 'noon', params: [], result: { name: 'result', value: 'noon' } }
  expect(await findingsOf('method-has-no-example', rpc({}))).toMatchInlineSnapshot(`
    [
      "warning /methods/0 one has no example: add a pairing of params and result under examples",
    ]
  `)
  expect(await findingsOf('method-has-no-example', rpc({ examples: [pairing] }))).toEqual([])
})

it('variant-without-example', async () => {
  const forms = (form: object) =>
    http(
      {
        'x-variants': {
          text: { request: { $ref: '#/components/schemas/Text' }, responses: [], ...form },
        },
        requestBody: json(
          { $ref: '#/components/schemas/Text' },
          { examples: { a: { value: 'a' } } },
        ),
      },
      { schemas: { Text: text } },
      'post',
    )
  expect(await findingsOf('variant-without-example', forms({}))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/post/x-variants/text the variant text of POST /a has no example: name one of the request's examples",
    ]
  `)
  expect(await findingsOf('variant-without-example', forms({ example: 'a' }))).toEqual([])
})

it('schema-example-invalid', async () => {
  expect(
    await findingsOf('schema-example-invalid', schema({ ...text, example: 7 })),
  ).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/example the example must be a string, is the number 7",
    ]
  `)
  expect(await findingsOf('schema-example-invalid', schema({ ...text, example: 'a' }))).toEqual([])
})

it('default-invalid', async () => {
  const one = (value: unknown) =>
    schema({
      type: 'object',
      properties: { a: { type: 'object', properties: { b: text }, default: value } },
    })
  expect(await findingsOf('default-invalid', one({ b: 7 }))).toMatchInlineSnapshot(`
    [
      "warning /components/schemas/One/properties/a/default/b the default at /b must be a string, is the number 7",
    ]
  `)
  expect(await findingsOf('default-invalid', one({ b: 'b' }))).toEqual([])
})

it.each([
  { enum: ['a', 'b'], type: 'string' },
  { oneOf: [{ type: 'string' }, { type: 'object' }] },
  { allOf: [{ type: 'string' }, { minLength: 1 }] },
  { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'number' }], description: 'One.' },
  { $ref: '#/components/schemas/Text' },
])('null is a default and an example of a nullable %j', async (one) => {
  const nullable = { ...one, nullable: true, default: null, example: null }
  for (const version of ['3.0.3', '3.1.0']) {
    const documents = http(
      { responses: { 200: json({ type: 'object', properties: { a: nullable } }) } },
      { schemas: { Text: text }, version },
    )
    for (const rule of ['default-invalid', 'schema-example-invalid'])
      expect(await findingsOf(rule, documents)).toEqual([])
  }
  const wrong = schema(
    { type: 'object', properties: { a: { ...one, nullable: true, default: [] } } },
    {},
  )
  if (!('$ref' in one)) expect(await findingsOf('default-invalid', wrong)).toHaveLength(1)
})

it('an example that breaks its schema, or fits two branches of a oneOf, is reported too', async () => {
  const answering = (example: unknown) =>
    http({
      responses: { 200: json({ oneOf: [{ type: 'number' }, { type: 'integer' }] }, { example }) },
    })
  expect(await findingsOf('example-invalid', answering('a'))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/responses/200/content/application~1json/example the example of GET /a, 200, must be a number or an integer, is the string "a"",
    ]
  `)
  expect(await findingsOf('example-fits-two-branches', answering(1))).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/responses/200/content/application~1json/example the example of GET /a, 200, must match only one alternative, matches alternative 1 and alternative 2",
    ]
  `)
  expect(await findingsOf('example-fits-two-branches', answering(1.5))).toEqual([])
})

it('an example of a response that operations share is reported once', async () => {
  const operation = { responses: { 400: { $ref: '#/components/responses/Bad' } } }
  const { findings } = await apiOf({
    openapi: openapiOf({
      paths: { '/a': { get: operation, post: operation }, '/b': { get: operation } },
      components: { responses: { Bad: json(text, { example: 7 }) } },
    }),
  })
  const found = findings.filter(({ rule }) => rule === 'example-invalid')
  expect(found.map(({ location, message }) => `${location.pointer} ${message}`)).toEqual([
    '/components/responses/Bad/content/application~1json/example the example of GET /a, 400, must be a string, is the number 7 (3 operations use it)',
  ])
})

it('an example that mistypes the name of a param, where params are given by name', async () => {
  const naming = (name: string, paramStructure = 'by-name') =>
    rpc({
      paramStructure,
      params: [{ name: 'room', schema: { type: 'string' } }],
      examples: [{ name: 'e', params: [{ name, value: 'a' }], result: { name: 'r', value: 1 } }],
    })
  const rule = 'example-param-is-unknown'
  expect(await findingsOf(rule, naming('rom'))).toEqual([
    'warning /methods/0/examples/0/params/0/name the method has no param rom, and its params are sent by name: did you mean room?',
  ])
  expect(await findingsOf(rule, naming('the attic'))).toEqual([])
  expect(await findingsOf(rule, naming('rom', 'by-position'))).toEqual([])
})
