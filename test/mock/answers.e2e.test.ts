import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'

/** Starts the mock of a document. `url` is its origin, and `said` what it has printed. */
const mocked = async (document: object, ...flags: readonly string[]) => {
  const folder = await folderOf({ 'api.json': JSON.stringify(document) })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const mock = startTwinspec(['mock', ...flags, `${folder}/api.json`, '--port', '0'], ending.signal)
  await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
  const [url = ''] = /http:\/\/[^/\s]+/.exec(mock.said.stdout) ?? []
  const curls = mock.said.stdout.split('\n').filter((line) => line.startsWith('curl '))
  return { url, curls, said: mock.said, file: `${folder}/api.json` }
}

/** The response to a line of curl that is pasted into a shell. */
const pasted = async (line = ''): Promise<string> => {
  // Not synchronous: the mock runs in this process.
  const shell = promisify(execFile)('/bin/sh', ['-c', `${line} -w ' %{http_code}'`])
  return (await shell).stdout
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const openapi = (paths: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  ...rest,
  paths,
})
const TIME = { timeout: 900_000 }

it.each(['mock', 'mock --prism'])(
  '%s answers below the path of its server, and nowhere else',
  TIME,
  async (command) => {
    const read = (operationId: string, rest: object = {}) => ({
      get: {
        ...{ operationId, ...rest },
        responses: { 200: { description: 'x', ...json({ type: 'string' }) } },
      },
    })
    const { url, curls } = await mocked(
      openapi(
        {
          '/a': read('a'),
          '/b': read('b', {
            servers: [
              { url: 'https://b.example/{version}', variables: { version: { default: 'v3' } } },
            ],
          }),
        },
        { servers: [{ url: 'https://a.example/v2' }] },
      ),
      ...command.split(' ').slice(1),
    )
    const statusOf = async (path: string) => (await fetch(url + path)).status
    expect(await Promise.all(['/v2/a', '/v3/b', '/a', '/b', '/v2/b'].map(statusOf))).toEqual([
      ...[200, 200],
      ...[404, 404, 404],
    ])
    expect(curls).toEqual([`curl -s "${url}/v2/a"`, `curl -s "${url}/v3/b"`])
  },
)

it(
  'a printed curl line has the default of a server variable, or its first value',
  TIME,
  async () => {
    const host = { default: 'demo' }
    const rpc = await mocked({
      openrpc: '1.2.6',
      info: { title: 'T', version: '1' },
      servers: [
        {
          name: 'main',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: OpenRPC writes variables so
          url: 'http://${host}.example/${basePath}/',
          variables: { host, basePath: { default: 'json/rpc' } },
        },
      ],
      methods: [{ name: 'now', params: [], result: { name: 'r', schema: { type: 'string' } } }],
    })
    expect(rpc.curls).toEqual([expect.stringContaining(`"${rpc.url}/json/rpc"`)])
    expect(await pasted(rpc.curls[0])).toBe('{"jsonrpc":"2.0","id":1,"result":"text"} 200')
    const http = await mocked(
      openapi(
        { '/a': { get: { operationId: 'a', responses: { 204: { description: 'x' } } } } },
        {
          servers: [
            {
              url: 'http://{host}.example/{network}',
              variables: { host, network: { enum: ['main', 'test'] } },
            },
          ],
        },
      ),
    )
    expect(http.curls).toEqual([`curl -s "${http.url}/main/a"`])
    expect(await pasted(http.curls[0])).toBe(' 204')
  },
)

it(
  'an error of the mock has the shape that is declared, its status and what is wrong',
  TIME,
  async () => {
    const problem = {
      type: 'object',
      required: ['type', 'title', 'status', 'errors'],
      properties: {
        type: { type: 'string', format: 'uri' },
        title: { type: 'string' },
        status: { type: 'integer' },
        errors: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['detail'],
            properties: { detail: { type: 'string' } },
          },
        },
      },
    }
    const size = { name: 'size', in: 'query', required: true, schema: { type: 'integer' } }
    const { url } = await mocked(
      openapi({
        '/a': {
          get: {
            operationId: 'a',
            parameters: [size],
            responses: {
              200: { description: 'x', ...json({ type: 'string' }) },
              default: { description: 'x', ...json(problem) },
            },
          },
        },
      }),
    )
    const get = async (query: string, prefer: string) => {
      const response = await fetch(`${url}/a?${query}`, { headers: { prefer } })
      return [response.status, await response.json()]
    }
    const message = 'query.size must be an integer'
    expect(await get('size=x', '')).toEqual([
      400,
      {
        type: 'https://example.com/',
        title: message,
        status: 400,
        errors: [{ detail: message }],
      },
    ])
    const [status, body] = await get('size=1', 'code=404')
    expect([status, body.status]).toEqual([404, 404])
  },
)

it(
  'the mock says that it starts, and lists its operations at /, with a line of curl for each',
  TIME,
  async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [
        `/p${at}`,
        { get: { operationId: `get${at}`, responses: { 204: { description: 'x' } } } },
      ]),
    )
    const { url, said, curls } = await mocked(openapi(paths))
    expect(said.stderr).toMatch(/^starting/)
    expect(curls).toHaveLength(6)
    expect(said.stdout).toContain(`… and 3 more operations: ${url}/ lists all`)
    const text = await (await fetch(url)).text()
    expect(text.split('\n')).toEqual([...Object.keys(paths).map((path) => `GET ${path}`), ''])
    const list = await (await fetch(url, { headers: { accept: 'application/json' } })).json()
    expect(list.operations).toHaveLength(9)
    expect(await pasted(list.operations[8].curl)).toBe(' 204')
  },
)

it(
  'a mock of JSON-RPC at / lists its methods, and rejects GET of clients that accept only JSON',
  TIME,
  async () => {
    const method = (name: string) => ({
      ...{ name, params: [] },
      result: { name: 'r', schema: { type: 'string' } },
    })
    const { url } = await mocked({
      openrpc: '1.2.6',
      info: { title: 'T', version: '1' },
      methods: [method('now'), method('later')],
    })
    const get = (accept: string) => fetch(url, { headers: { accept } })
    expect(await (await get('*/*')).text()).toBe('now\nlater\n')
    expect((await (await get('application/json, */*;q=0.5')).json()).operations).toHaveLength(2)
    expect((await get('application/json')).status).toBe(405)
  },
)

it(
  'the mock names at its start a method without a possible result, and why; the others are answered',
  TIME,
  async () => {
    const method = (name: string, schema: unknown) => ({
      ...{ name, params: [] },
      result: { name: 'r', schema },
    })
    const email = { type: 'string', format: 'email', maxLength: 10 }
    const item = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
    const { url, curls, said } = await mocked({
      openrpc: '1.2.6',
      info: { title: 'T', version: '1' },
      methods: [
        method('never', { type: 'object', required: ['a'], properties: { a: false } }),
        method('differing', { type: 'array', minItems: 3, uniqueItems: true, items: item }),
        method('short', email),
        method('noText', { not: { type: 'string' } }),
      ],
    })
    expect(said.stderr).toMatch(
      /warning never has no example .*: \/a accepts no value; correct the schema, or add an/,
    )
    expect(curls).toHaveLength(3)
    const results = await Promise.all(
      curls.map(async (line) => JSON.parse((await pasted(line)).replace(/ 200$/, '')).result),
    )
    expect(results).toEqual([
      [{ id: 'text' }, { id: 'text2' }, { id: 'text3' }],
      expect.stringMatching(/^\w+@\w+\.\w+$/),
      null,
    ])
    const list = await (
      await fetch(url, { headers: { accept: 'application/json, */*;q=0.1' } })
    ).json()
    expect(list.operations[0].problem).toContain('/a accepts no value')
  },
)

it(
  'conform finds the mock of a server whose scheme is a variable, with nothing to blame',
  TIME,
  async () => {
    const variables = { scheme: { default: 'https' }, host: { default: 'a.example' } }
    const { url, file, curls } = await mocked(
      openapi(
        {
          '/file': {
            get: {
              operationId: 'file',
              responses: {
                200: { description: 'x', content: { 'application/octet-stream': { schema: {} } } },
              },
            },
          },
          '/empty': {
            get: {
              operationId: 'empty',
              parameters: [
                { name: 'a', in: 'query', required: true, schema: { type: 'integer' }, example: 1 },
              ],
              responses: { 200: { description: 'x', ...json({}) }, '4XX': { description: 'x' } },
            },
          },
        },
        { servers: [{ url: '{scheme}://{host}/v1', variables }] },
      ),
    )
    expect(curls).toEqual([`curl -s "${url}/v1/file"`, `curl -s "${url}/v1/empty?a=1"`])
    const flags = ['--openapi', file, '--stateless', '--rate', '0', '--max-examples', '2']
    const { code, stdout } = await twinspec('conform', url, ...flags)
    expect(stdout).not.toMatch(/ error | warning /)
    expect(code).toBe(0)
  },
)

it('a loop over all pages of a mock ends, over both protocols', TIME, async () => {
  const parameter = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } })
  const listed = (operationId: string, pages: object, name: string, example: object) => ({
    get: {
      ...{ operationId, 'x-pagination': pages, parameters: [parameter(name)] },
      responses: {
        200: { description: 'x', content: { 'application/json': { schema: {}, example } } },
      },
    },
  })
  const paths = {
    '/orders': listed('orders', { items: '/data/orders', page: 'page' }, 'page', {
      data: { orders: ['a', 'b'] },
      total: 2,
    }),
    '/events': listed('events', { offset: 'skip' }, 'skip', ['x', 'y']),
  }
  const http = await mocked(openapi(paths))
  const read = async (path: string) => (await fetch(http.url + path)).json()
  expect(await read('/orders')).toEqual({ data: { orders: ['a', 'b'] }, total: 2 })
  expect(await read('/orders?page=1')).toEqual({ data: { orders: ['a', 'b'] }, total: 2 })
  expect(await read('/orders?page=2')).toEqual({ data: { orders: [] }, total: 2 })
  expect(await read('/events?skip=0')).toEqual(['x', 'y'])
  expect(await read('/events?skip=2')).toEqual([])

  const rpc = await mocked({
    openrpc: '1.3.2',
    info: { title: 'T', version: '1' },
    methods: [
      {
        name: 'list',
        'x-pagination': { items: '/coins', page: 'page' },
        params: [
          { name: 'owner', required: true, schema: { type: 'string' } },
          { name: 'page', schema: { type: 'integer' } },
        ],
        result: { name: 'r', schema: {} },
        examples: [
          {
            name: 'first',
            params: [{ name: 'owner', value: 'a' }],
            result: { name: 'r', value: { coins: [1] } },
          },
          {
            name: 'third',
            params: [
              { name: 'owner', value: 'a' },
              { name: 'page', value: 3 },
            ],
            result: { name: 'r', value: { coins: [3] } },
          },
        ],
      },
    ],
  })
  const call = async (...params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'list', params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(rpc.url, { method: 'POST', headers, body })
    return (await response.json()).result
  }
  expect(await call('b')).toEqual({ coins: [1] })
  expect(await call('b', 2)).toEqual({ coins: [] })
  expect(await call('a', 3)).toEqual({ coins: [3] })
})
