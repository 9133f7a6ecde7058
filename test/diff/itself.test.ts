import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { diff } from '../../src/diff/diff.js'
import { differences } from '../../src/diff/differences.js'
import { loadApi } from '../../src/read/load.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'
import { TODAY } from './versions.js'

type Documents = Parameters<typeof apiOf>[0]

const text = { type: 'string' }
const integer = { type: 'integer' }

/** What is found between two readings of the same documents. */
const ofItself = async (documents: Documents) => {
  const [before, after] = [await apiOf(documents), await apiOf(documents)]
  return [...diff(before, after, { today: TODAY }), ...differences(before, after)]
}

const get = (fields: object): Documents => ({
  openapi: openapiOf({
    version: '3.1.0',
    paths: { '/a': { get: { responses: { 200: { description: 'Done.' } }, ...fields } } },
  }),
})

const rpc = (fields: object): Documents => ({
  openrpc: openrpcOf({ methods: [{ ...method('a'), ...fields }] }),
})

const response = (fields: object) =>
  get({ responses: { 200: { description: 'Done.', ...fields } } })

const callback = { done: { '{$request.query.url}': { post: { responses: {} } } } }
const calling = (schema: object) => ({
  responses: { 200: { description: 'Done.' } },
  callbacks: {
    done: {
      '{$request.query.url}': {
        post: {
          parameters: [{ name: 'q', in: 'query', schema }],
          responses: { 200: { description: 'Done.' } },
        },
      },
    },
  },
})

it.each<[string, Documents]>([
  [
    'parameters of one name and place',
    get({
      parameters: [
        { name: 'f', in: 'query', required: true, schema: integer },
        { name: 'f', in: 'query', schema: text },
      ],
    }),
  ],
  [
    'headers whose names differ in case',
    get({
      parameters: [
        { name: 'X-F', in: 'header', schema: integer },
        { name: 'x-f', in: 'header', schema: text },
      ],
    }),
  ],
  [
    'params of one name',
    rpc({
      params: [
        { name: 'f', schema: integer },
        { name: 'f', schema: text },
        { name: 'g', schema: text },
      ],
    }),
  ],
  [
    'params of one name of a method of the server',
    rpc({
      'x-direction': 'server',
      params: [
        { name: 'f', required: true, schema: integer },
        { name: 'f', schema: text },
      ],
    }),
  ],
  [
    'errors of one code',
    rpc({
      errors: [
        { code: -32000, message: 'No gas.', data: 1 },
        { code: -32000, message: 'No nonce.', data: 2 },
      ],
    }),
  ],
  [
    'errors of one code and message',
    rpc({
      errors: [
        { code: -32000, message: 'No.', data: 1 },
        { code: -32000, message: 'No.', data: 2 },
      ],
    }),
  ],
  [
    'response headers whose names differ in case',
    response({ headers: { 'X-F': { schema: integer }, 'x-f': { schema: text } } }),
  ],
  [
    'media types that mean the same',
    response({
      content: { 'application/json': { schema: integer }, 'Application/JSON': { schema: text } },
    }),
  ],
  [
    'media types that differ in parameters',
    response({
      content: {
        'application/json': { schema: integer },
        'application/json; v=2': { schema: text },
        'application/*': { schema: { type: 'boolean' } },
      },
    }),
  ],
  [
    'paths that differ in the names of their parameters',
    {
      openapi: openapiOf({
        version: '3.1.0',
        paths: { '/a/{x}': { get: calling(integer) }, '/a/{y}': { get: calling(text) } },
      }),
    },
  ],
  [
    'servers of one URL',
    {
      openapi: openapiOf({
        paths: { '/a': { get: { responses: {}, callbacks: callback } } },
        servers: [
          { url: 'https://a.test/{v}', variables: { v: { default: '1' } } },
          { url: 'https://a.test/{v}', variables: { v: { default: '2' } } },
        ],
      }),
    },
  ],
  [
    'methods of one name',
    {
      openrpc: openrpcOf({
        methods: [
          { ...method('a'), result: { name: 'r', schema: integer } },
          { ...method('a'), result: { name: 'r', schema: text } },
        ],
      }),
    },
  ],
  [
    'tags, links and examples of one name',
    rpc({
      tags: [{ name: 't' }, { name: 't', summary: 'Other.' }],
      links: [
        { name: 'l', method: 'a' },
        { name: 'l', method: 'b' },
      ],
      examples: [
        { name: 'e', params: [], result: { name: 'r', value: 1 } },
        { name: 'e', params: [], result: { name: 'r', value: 2 } },
      ],
    }),
  ],
])('a document has no changes against itself: %s', async (_, documents) => {
  expect(await ofItself(documents)).toEqual([])
})

it('the second of two parameters of one name is compared with the second', async () => {
  const version = (schema: object) =>
    apiOf(
      get({
        parameters: [
          { name: 'f', in: 'query', schema: integer },
          { name: 'f', in: 'query', schema },
        ],
      }),
    )
  const found = diff(await version(text), await version({ ...text, maxLength: 5 }), {
    today: TODAY,
  })
  expect(found.map(({ rule, location }) => [rule, location.pointer])).toEqual([
    ['request-max-length-lowered', expect.stringMatching(/parameters\/1/)],
  ])
})

const EXAMPLES = join(import.meta.dirname, '../../node_modules/@readme/oas-examples/3.1/json')

it.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.json')))(
  '%s has no changes against itself',
  async (name) => {
    const read = () => loadApi({ openapi: join(EXAMPLES, name) })
    const [before, after] = [await read(), await read()]
    expect(diff(before, after, { today: TODAY })).toEqual([])
    expect(differences(before, after)).toEqual([])
  },
)
