import { expect, it } from 'vitest'
import { inOneFile } from '../../src/emit/declaration.js'
import { emitValidators } from '../../src/emit/validators.js'
import { apiOf, openapiOf } from '../model/api-of.js'

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
    /export const send = (.*?\n\})/s.exec(inOneFile(emitValidators(api)).text)?.[1] ?? 'nothing'
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
    const text = await emitted({ [type]: 'One' }, { [type]: 'One' })
    expect(text).toBe('{\n  responses: {},\n  items: {\n    200: One,\n  },\n}')
  },
)

it('takes what any of several JSON types has', async () => {
  const types = {
    'application/json': 'One',
    'application/vnd.b+json': 'Two',
    'text/json': 'One',
    'text/plain': 'Two',
  }
  expect(await emitted(types, types)).toMatchInlineSnapshot(`
    "{
      request: { check: isSendRequest } as Checks,
      responses: {
        200: { check: isSendAnswer200 } as Checks,
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
