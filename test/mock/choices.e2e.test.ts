import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec } from '../cli/command-line.js'

const json = (example: unknown) => ({ 'application/json': { example } })
const inPath = (name: string, style: string, rest: object) => ({
  parameters: [{ name, in: 'path', required: true, style, ...rest }],
  responses: { 200: { description: 'Found', content: json({ ok: true }) } },
})

const openapi = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/report': {
      get: {
        operationId: 'report',
        responses: {
          200: {
            description: 'Found',
            content: {
              ...json({ sum: 1 }),
              'text/csv': { schema: { type: 'string', enum: ['a;b'] } },
            },
          },
        },
      },
    },
    '/secret/{key}': {
      get: inPath('key', 'matrix', { 'x-secret': true, schema: { type: 'string' } }),
    },
    '/label/{key}': {
      get: inPath('key', 'label', { 'x-secret': true, schema: { type: 'string' } }),
    },
    '/point/{at}': {
      get: inPath('at', 'matrix', { explode: true, schema: { type: 'object' }, example: { x: 1 } }),
    },
    '/head': { head: { operationId: 'head', responses: { 200: { description: 'Found' } } } },
  },
})

const openrpc = JSON.stringify({
  openrpc: '1.3.2',
  info: { title: 'R', version: '1' },
  methods: [
    { name: 'note', params: [{ name: 'a', required: true, schema: { type: 'string' } }] },
    {
      name: 'find',
      paramStructure: 'by-name',
      params: [{ name: 'size', required: true, schema: { type: 'integer' } }],
      result: { name: 'found', schema: { type: 'string' } },
      errors: [{ code: -32000, message: 'Gone' }],
    },
  ],
})

/** Starts the mock; `lines` are what it prints. */
const mocked = async (...flags: readonly string[]) => {
  const folder = await folderOf({ 'api.json': openapi, 'rpc.json': openrpc })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const documents = ['--openapi', `${folder}/api.json`, '--openrpc', `${folder}/rpc.json`]
  const mock = startTwinspec(['mock', ...flags, ...documents, '--port', '0'], ending.signal)
  await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
  const url = /HTTP +(http:\S+)/.exec(mock.said.stdout)?.[1] ?? ''
  const call = async (request: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...request }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return { url, call, lines: mock.said.stdout.split('\n') }
}

const TIME = { timeout: 900_000 }

describe('mock', () => {
  it('Accept: a sample is sent where no example has an acceptable media type', TIME, async () => {
    const { url } = await mocked()
    const get = async (accept: string) => {
      const response = await fetch(`${url}/report`, { headers: { accept } })
      return [response.headers.get('content-type'), await response.text()]
    }
    expect(await get('text/csv')).toEqual(['text/csv', 'a;b'])
    expect(await get('text/csv;q=0.5, application/json')).toEqual(['application/json', '{"sum":1}'])
    expect(await get('image/png')).toEqual(['application/json', '{"sum":1}'])
  })

  it(
    'each printed line of curl is answered 200, whatever the style of its parameters',
    TIME,
    async () => {
      const { lines } = await mocked()
      const curls = lines.filter((line) => line.startsWith('curl ') && !line.includes('jsonrpc'))
      expect(curls).toHaveLength(5)
      for (const line of curls) {
        const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -w ' %{http_code}'`], {
          timeout: 10_000,
        })
        expect([line, stdout.trim().slice(-3)]).toEqual([line, '200'])
      }
    },
  )
})

describe.each([[[]], [['--prism']]])('mock %j', (flags) => {
  it(
    'JSON-RPC: notifications, methods by name without an example, Prefer: code',
    TIME,
    async () => {
      const { call } = await mocked(...flags)
      expect(await call({ method: 'note', params: ['x'] })).toEqual({
        status: 204,
        body: undefined,
      })
      const find = { id: 1, method: 'find', params: { size: 1 } }
      expect((await call(find)).body).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: expect.any(String),
      })
      expect((await call({ ...find, params: { size: 'x' } })).body.error.code).toBe(-32602)
      const gone = await call(find, { prefer: 'code=-32000' })
      expect(gone.body.error).toEqual({ code: -32000, message: 'Gone' })
      const unknown = await call(find, { prefer: 'code=-32001' })
      expect(unknown.body.error.code).toBe(-32603)
    },
  )
})
