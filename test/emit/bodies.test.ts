import { expect, it } from 'vitest'
import { inOneFile } from '../../src/emit/declaration.js'
import { emitValidators } from '../../src/emit/validators.js'
import { createService } from '../../src/mock/service.js'
import { isCallError } from '../../src/runtime/errors.js'
import { createHttp } from '../../src/runtime/http.js'
import { createServerCore } from '../../src/runtime/server.js'
import { codecOf } from '../../src/runtime/shared/codecs.js'
import { apiOf, openapiOf } from '../read/api-of.js'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const content = (types: Readonly<Record<string, string>>) => ({
  content: Object.fromEntries(
    Object.entries(types).map(([type, name]) => [type, { schema: ref(name) }]),
  ),
})

/** The validators of one operation whose body and answer have these media types, by schema. */
const emitted = async (
  body: Readonly<Record<string, string>>,
  answer: Readonly<Record<string, string>>,
): Promise<string> => {
  const api = await apiOf({
    openapi: openapiOf({
      paths: {
        '/x': {
          post: {
            operationId: 'send',
            requestBody: content(body),
            responses: { 200: { description: 'Sent.', ...content(answer) } },
          },
        },
      },
      schemas: { One: { type: 'string' }, Two: { type: 'integer' } },
    }),
  })
  return (
    /export const send: .*?\n\} = (.*?\n\})/s.exec(inOneFile(emitValidators(api)).text)?.[1] ??
    'nothing'
  )
}

it.each([
  ['application/json', 'One'],
  ['application/json; charset=utf-8', 'One'],
  ['text/json', 'One'],
  ['application/vnd.b+json', 'One'],
  ['text/plain', undefined],
])('holds %s against its schema: %s', async (type, name) => {
  const text = await emitted({ [type]: 'One' }, { [type]: 'One' })
  const request = name === undefined ? '' : `\n  request: ${name},`
  const responses = name === undefined ? '{}' : `{\n    200: ${name},\n  }`
  expect(text).toBe(`{${request}\n  responses: ${responses},\n}`)
})

it.each(['application/json-seq', 'application/jsonl', 'text/event-stream'])(
  'holds each item of %s against its schema',
  async (type) => {
    const text = await emitted({}, { [type]: 'Two' })
    expect(text).toBe('{\n  responses: {},\n  items: {\n    200: Two,\n  },\n}')
  },
)

it('has a validator for each media type, if they have different schemas', async () => {
  const types = {
    'application/json': 'One',
    'application/vnd.b+json': 'Two',
    'text/json': 'One',
    'text/plain': 'Two',
  }
  expect(await emitted(types, types)).toMatchInlineSnapshot(`
    "{
      requests: {
        'application/json': One,
        'application/vnd.b+json': Two,
        'text/json': One,
      },
      responses: {
        '200 application/json': One,
        '200 application/vnd.b+json': Two,
        '200 text/json': One,
      },
    }"
  `)
})

it('holds forms against a validator of their own', async () => {
  const types = {
    'multipart/form-data': 'Two',
    'application/x-www-form-urlencoded': 'Two',
    'application/json': 'One',
  }
  expect(await emitted(types, { 'application/json': 'One' })).toMatchInlineSnapshot(`
    "{
      request: One,
      fields: Two,
      responses: {
        200: One,
      },
    }"
  `)
})

const PET = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }

/** Whether a server and a client of a document take a body, and a response, of one of these media types. */
const takenOf = async (types: Readonly<Record<string, object>>) => {
  const content = Object.fromEntries(
    Object.entries(types).map(([type, schema]) => [type, { schema }]),
  )
  const api = await apiOf({
    openapi: openapiOf({
      paths: {
        '/x': {
          post: {
            operationId: 'send',
            requestBody: { required: true, content },
            responses: { 200: { description: 'Sent.', content } },
          },
        },
      },
    }),
  })
  const { service } = createService(api)
  const { http, validators } = service
  if (http === undefined) throw new TypeError('there is no HTTP document')
  return async (type: string, body: string, accept: string) => {
    const headers = { 'content-type': type }
    const server = createServerCore(
      service,
      {
        send: () => ({
          status: 200,
          headers,
          body: codecOf(type) === 'json' ? JSON.parse(body) : body,
        }),
      },
      { validateOutput: true },
    )
    const asked = await createServerCore(service, { send: () => ({ status: 200 }) }).handle({
      ...{ method: 'POST', url: '/x', headers, body },
    })
    const answered = await server.handle({ method: 'POST', url: '/x', headers, body })
    type Client = { readonly send: (input: object, options?: object) => Promise<unknown> }
    const client = createHttp<Client>({ ...http, limits: {} }, validators as never, {
      ...{ server: 'http://one.example', retry: { attempts: 1 } },
      fetch: async () => new Response(new TextEncoder().encode(body), { headers }),
    })
    const input = {
      body: codecOf(type) === 'json' ? JSON.parse(body) : new Blob([body]),
      contentType: type,
    }
    const read = await client.send({ ...input, accept }).then(
      () => 'read',
      (error: unknown) => (isCallError(error) ? error.reason : String(error)),
    )
    return { asked: asked.status, answered: answered.status, read }
  }
}

const TAKEN = { asked: 200, answered: 200, read: 'read' }

it.each<[name: string, types: Readonly<Record<string, object>>, range: string]>([
  ['bytes', { 'application/json': PET, '*/*': { type: 'string', format: 'binary' } }, '*/*'],
  ['no schema', { 'application/json': PET, '*/*': {} }, '*/*'],
  ['a narrower range', { 'application/json': PET, 'application/*': {} }, 'application/*'],
  ['first', { '*/*': {}, 'application/json': PET }, '*/*'],
  ['two JSON types', { 'application/json': PET, 'application/b+json': PET, '*/*': {} }, '*/*'],
  ['texts', { 'application/json': PET, '*/*': { type: 'string', minLength: 1 } }, '*/*'],
  ['ids', { 'application/json': PET, '*/*': { type: 'string', pattern: '.' } }, '*/*'],
  ['a form', { 'multipart/form-data': PET, 'application/json': PET, '*/*': {} }, '*/*'],
])('does not hold the content of a range against another schema: %s', async (_, types, range) => {
  const take = await takenOf(types)
  const name = range === '*/*' ? 'image/png' : 'application/zip'
  const json = 'application/json'
  expect(await take(name, 'PNG', range)).toEqual(TAKEN)
  expect(await take('application/xml', '<a/>', range)).toEqual(TAKEN)
  expect(await take(json, '{"a":1}', json)).toEqual(TAKEN)
  expect(await take(json, '{"b":1}', json)).toEqual({
    ...{ asked: 400, answered: 400, read: 'invalid-input' },
  })
})
