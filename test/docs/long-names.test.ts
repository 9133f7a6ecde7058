import { expect, it } from 'vitest'
import { openapiOf, openrpcOf } from '../read/api-of.js'
import { siteOf } from './site-of.js'

const get = (operationId: string) => ({
  get: { operationId, responses: { 200: { description: 'One.' } } },
})
const LONG = 'a'.repeat(5_000)

it.each<[string, Parameters<typeof siteOf>[0]]>([
  ['an operationId of 5,000 letters', { openapi: openapiOf({ paths: { '/a': get(LONG) } }) }],
  [
    'two with the same beginning',
    {
      openapi: openapiOf({ paths: { '/a': get(`${LONG}b`), '/b': get(`${LONG}c`) } }),
    },
  ],
  ['letters of several bytes', { openapi: openapiOf({ paths: { '/a': get('ä€'.repeat(100)) } }) }],
  [
    'a method',
    {
      openrpc: openrpcOf({
        methods: [{ name: LONG, params: [], result: { name: 'r', schema: {} } }],
      }),
    },
  ],
  [
    'a schema',
    {
      openapi: openapiOf({
        paths: { '/a': get('one') },
        components: { schemas: { [LONG]: { type: 'string' } } },
      }),
    },
  ],
  [
    'a path without an operationId',
    {
      openapi: openapiOf({
        paths: { [`/${LONG}`]: { get: { responses: { 200: { description: 'One.' } } } } },
      }),
    },
  ],
])('the files of the reference have names that a file system allows: %s', async (_, documents) => {
  const { files, api } = await siteOf(documents)
  const names = files.map(({ name }) => name)
  for (const segment of names.flatMap((name) => name.split('/')))
    expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(220)
  expect(new Set(names).size).toBe(names.length)
  const pages = names.filter((name) => /^operations\/.*\.html$/.test(name))
  expect(pages).toHaveLength(api.operations.length)
})

it('a name that is short enough is the name of its file', async () => {
  const { files } = await siteOf({ openapi: openapiOf({ paths: { '/a': get('a'.repeat(200)) } }) })
  expect(files.map(({ name }) => name)).toContain(`operations/${'a'.repeat(200)}.html`)
})
