import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { lint } from '../../src/lint/lint.js'
import { fetchDocument } from '../../src/read/live-document.js'
import { authorize } from '../../src/runtime/http/security.js'
import { createHttp } from '../../src/runtime/http.js'
import { identify } from '../../src/runtime/server/authenticate.js'
import { validator } from '../../src/runtime/validate.js'
import { answering, apiOf, openapiOf } from '../read/api-of.js'
import { declaredResponses } from './declared.js'

const rulesOf = async (openapi: object): Promise<readonly string[]> =>
  lint(await apiOf({ openapi })).map(({ rule }) => rule)

it.each(['__proto__', 'constructor', 'toString'])(
  'a field and a section of components called %s are unknown, and the rest is read',
  async (name) => {
    const named = Object.fromEntries([[name, { a: { parameters: { b: 1 } } }]])
    const paths = { '/a': answering({ type: 'string' }) }
    const rules = await rulesOf({ ...openapiOf({ paths, components: named }), ...named })
    expect(rules.filter((rule) => rule === 'field-is-unknown')).toHaveLength(2)
  },
)

it('a top-level field __proto__ is not read in place of a missing field', async () => {
  const { info, ...rest } = openapiOf({ paths: { '/a': answering({}) } })
  const openapi = JSON.parse(
    JSON.stringify({ ...rest, proto: { info } }).replace('proto', '__proto__'),
  )
  const { title, findings } = await apiOf({ openapi })
  expect(title).toBe('Untitled')
  expect(findings.map(({ rule }) => rule)).toContain('field-is-missing')
})

it.each(['%zz.yaml', '%00.yaml'])('a reference by $self to %s is reported', async (file) => {
  const schema = { $ref: `https://api.example/spec/${file}` }
  const paths = { '/a': answering(schema) }
  const $self = 'https://api.example/spec/openapi.yaml'
  expect(await rulesOf(openapiOf({ version: '3.2.0', paths, $self }))).toContain(
    'reference-is-remote',
  )
})

it('a parameter of Swagger 2.0 without a place is reported', async () => {
  const parameters = [{ name: 'limit', type: 'integer' }]
  const get = { parameters, responses: { 200: { description: 'Read.' } } }
  const info = { title: 'Test', version: '1' }
  const rules = await rulesOf({ swagger: '2.0', info, paths: { '/a': { get } } })
  expect(rules).toContain('field-is-missing')
})

it('the document of a live server may have a text of many megabytes', async () => {
  const description = 'a'.repeat(12_000_000)
  const info = { title: 'Test', version: '1', description }
  const result = { openrpc: '1.3.2', info, methods: [] }
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { text } = await fetchDocument(`http://127.0.0.1:${port}`, 'openrpc')
  expect(JSON.parse(text).info.description.length).toBe(description.length)
})

it.each(['__proto__', 'constructor'])('an undeclared scheme %s lets nobody in', async (name) => {
  const operation = { security: [[name]], schemes: {} }
  const request = { operation: undefined, auth: {}, headers: {}, remoteAddress: undefined }
  expect(await identify(operation, request, new Map())).toBeUndefined()
  expect(authorize(operation, {}).faults).toHaveLength(1)
})

it.each(['__proto__', 'constructor', 'toString'])(
  'a call may omit an optional parameter that is called %s, as every object inherits one',
  async (name) => {
    const places = ['query', 'header', 'cookie'] as const
    const parameters = places.flatMap(
      (place) =>
        [
          {
            name,
            in: place,
            required: false,
            style: place === 'header' ? 'simple' : 'form',
            explode: true,
          },
          {
            name: 'year',
            in: place,
            required: false,
            style: place === 'header' ? 'simple' : 'form',
            explode: true,
          },
        ] as const,
    )
    const operation = {
      kind: 'http',
      id: 'find',
      method: 'GET',
      path: '/find',
      servers: [],
      parameters,
      responses: declaredResponses({ 204: [] }),
      security: [],
      schemes: {},
      idempotent: true,
    } as const
    const text = validator(() => ({ type: 'string' }))
    const checks = Object.fromEntries(parameters.map((one) => [`${one.in}.${one.name}`, text]))
    const urls: string[] = []
    const client = createHttp<{ find: (input: object) => Promise<unknown> }>(
      {
        servers: [{ name: 'a', url: 'http://api.example', variables: {} }],
        limits: {},
        operations: { find: operation },
      },
      { find: { parameters: checks, responses: {} } },
      {
        fetch: async (url) => {
          urls.push(String(url))
          return new Response(null, { status: 204 })
        },
      },
    )
    const year = { year: '1950' }
    await client.find({ query: year, header: year, cookie: year })
    expect(urls).toEqual(['http://api.example/find?year=1950'])
  },
)
