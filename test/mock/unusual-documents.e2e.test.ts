import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec } from '../cli/command-line.js'

/** Starts the mock of a document, waits for its curl lines and returns them. It is stopped when the test ends. */
const linesOf = async (
  kind: 'openapi' | 'openrpc',
  document: object,
  ...flags: readonly string[]
): Promise<readonly string[]> => {
  const folder = await folderOf({ 'api.json': JSON.stringify(document) })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const mock = startTwinspec(
    ['mock', `--${kind}`, `${folder}/api.json`, '--port', '0', ...flags],
    ending.signal,
  )
  const isReady = () => mock.said.stdout.includes('Ctrl-C')
  await Promise.race([mock.code, expect.poll(isReady, { timeout: 900_000 }).toBe(true)])
  expect(mock.said.stderr).toBe('starting the mock …\n')
  return mock.said.stdout.split('\n').filter((line) => line.startsWith('curl '))
}

/** The status that a line gets when it is pasted into a shell without variables. */
const statusOf = async (line: string): Promise<string> => {
  const options = { env: { PATH: process.env.PATH ?? '' }, timeout: 900_000 }
  const args = ['-c', `${line} -o /dev/null -w '%{http_code}'`]
  // Not synchronous: the mock runs in this process.
  return (await promisify(execFile)('/bin/sh', args, options)).stdout
}

const hasCurl = spawnSync('curl', ['--version']).status === 0

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const responses = { 200: { description: 'x', ...json({ type: 'object' }) } }

it.each([
  ['mock', 400],
  ['mock --prism', 422],
])(
  '%s starts for schemas that Prism cannot compile: nullable without type, repeated required',
  async (command, status) => {
    const schema = {
      type: 'object',
      required: ['a', 'b', 'a'],
      properties: {
        a: { nullable: true },
        b: { type: 'string', enum: ['x', 'x'] },
        c: { nullable: true, allOf: [{ type: 'string' }] },
        nullable: { type: 'boolean' },
      },
      example: { a: null, b: 'x' },
    }
    const lines = await linesOf(
      'openapi',
      {
        openapi: '3.0.3',
        info: { title: 'T', version: '1' },
        paths: {
          '/a': {
            post: {
              operationId: 'a',
              requestBody: { required: true, ...json(schema) },
              responses: { 200: { description: 'x', ...json(schema) } },
            },
          },
        },
      },
      ...command.split(' ').slice(1),
    )
    expect(lines).toHaveLength(1)
    const url = /"(http:[^"]+)"/.exec(lines[0] ?? '')?.[1] ?? ''
    const post = (body: object) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const right = await post({ a: null, b: 'x' })
    expect([right.status, await right.json()]).toEqual([200, { a: null, b: 'x' }])
    expect((await post({ a: null })).status).toBe(status)
  },
)

it.each(['mock', 'mock --prism'])(
  '%s sends its own framing, not the Transfer-Encoding that a document shows',
  async (command) => {
    const header = (example: string) => ({ schema: { type: 'string' }, example })
    const headers = {
      'Transfer-Encoding': header('chunked'),
      'Content-Encoding': header('gzip'),
      'X-Own': header('kept'),
    }
    const lines = await linesOf(
      'openapi',
      {
        openapi: '3.0.3',
        info: { title: 'T', version: '1' },
        paths: {
          '/a': {
            get: {
              operationId: 'a',
              responses: { 200: { description: 'x', headers, ...json({ type: 'object' }) } },
            },
          },
        },
      },
      ...command.split(' ').slice(1),
    )
    const response = await fetch(/"(http:[^"]+)"/.exec(lines[0] ?? '')?.[1] ?? '')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({})
    expect(response.headers.get('x-own')).toBe('kept')
  },
)

it.skipIf(!hasCurl)('each curl line of mock works when it is pasted', async () => {
  const form = (type: string, schema: object) => ({
    requestBody: { required: true, content: { [type]: { schema } } },
  })
  const file = { type: 'string', format: 'binary' }
  const upload = { type: 'object', required: ['file'], properties: { file } }
  const key = { name: 'apiKey', in: 'path', required: true, 'x-secret': true, schema: {} }
  const operations: Record<string, Record<string, object>> = {
    '/key/{apiKey}': { get: { parameters: [key] } },
    '/basic': { get: { security: [{ basic: [] }] } },
    '/bearer': { get: { security: [{ bearer: [] }] } },
    '/header': { get: { security: [{ header: [] }] } },
    '/query': { get: { security: [{ query: [] }] } },
    '/upload': { post: form('multipart/form-data', { $ref: '#/components/schemas/Upload' }) },
  }
  const http = await linesOf('openapi', {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: Object.fromEntries(
      Object.entries(operations).map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item).map(([method, one]) => [
            method,
            { operationId: path.replace(/\W/g, ''), responses, ...one },
          ]),
        ),
      ]),
    ),
    components: {
      schemas: { Upload: upload },
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
        header: { type: 'apiKey', in: 'header', name: 'X-Key' },
        query: { type: 'apiKey', in: 'query', name: 'key' },
      },
    },
  })
  const bytes = await linesOf('openapi', {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {
      '/bytes': { put: { operationId: 'b', responses, ...form('application/octet-stream', file) } },
    },
  })
  const rpc = await linesOf('openrpc', {
    openrpc: '1.2.6',
    info: { title: 'T', version: '1' },
    servers: [
      {
        ...{ name: 'main', url: 'https://rpc.example/{apiKey}' },
        variables: { apiKey: { default: 'none', 'x-secret': true } },
      },
    ],
    methods: [{ name: 'now', params: [], result: { name: 'r', schema: { type: 'string' } } }],
  })
  expect([http.length, bytes.length, rpc.length]).toEqual([6, 1, 1])
  for (const line of [...http, ...bytes, ...rpc]) {
    expect(line).not.toContain('$')
    expect([line, await statusOf(line)]).toEqual([line, '200'])
  }
})

it('mock makes a text of a pattern for a result and for the params of its curl line', async () => {
  const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' }
  const param = { name: 'hash', required: true, schema: hash }
  const [line = ''] = await linesOf('openrpc', {
    openrpc: '1.2.6',
    info: { title: 'T', version: '1' },
    methods: [{ name: 'next', params: [param], result: { name: 'r', schema: hash } }],
  })
  const [, url = '', body = ''] = /"(http:[^"]+)".* --data-raw '(.*)'$/.exec(line) ?? []
  const headers = { 'content-type': 'application/json' }
  const { result } = await (await fetch(url, { method: 'POST', headers, body })).json()
  expect(result).toMatch(/^[0-9a-f]{64}$/)
})

it('mock starts for a document without operations, and its root answers', async () => {
  const folder = await folderOf({
    'api.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} }),
  })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const mock = startTwinspec(['mock', `${folder}/api.json`, '--port', '0'], ending.signal)
  await expect.poll(() => mock.said.stdout, { timeout: 900_000 }).toContain('Ctrl-C')
  const [url = ''] = /http:\/\/[^/\s]+/.exec(mock.said.stdout) ?? []
  expect((await fetch(url)).status).toBe(200)
})

it('mock starts where an example breaks its schema, and answers by a value that fits', async () => {
  const count = { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } }
  const folder = await folderOf({
    'api.json': JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'T', version: '1' },
      paths: {
        '/a': {
          get: {
            operationId: 'a',
            responses: {
              200: {
                description: 'x',
                content: { 'application/json': { schema: count, example: { count: 'many' } } },
              },
            },
          },
        },
      },
    }),
  })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const mock = startTwinspec(['mock', `${folder}/api.json`, '--port', '0'], ending.signal)
  await expect.poll(() => mock.said.stdout, { timeout: 900_000 }).toContain('Ctrl-C')
  expect(mock.said.stderr).toMatch(/api\.json:1:\d+ warning .*count.* \[example-invalid\]\n/)
  const [, url = ''] = /"(http:[^"]+)"/.exec(mock.said.stdout) ?? []
  const response = await fetch(url)
  expect([response.status, await response.json()]).toEqual([200, { count: 1 }])
})
