import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec } from '../cli/command-line.js'

const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: {
    '/a/{id}': {
      get: {
        operationId: 'a',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 3 },
          { name: 'q', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        responses: {
          200: { description: 'x', content: { 'application/json': { example: { v: 1 } } } },
        },
      },
    },
    '/b': {
      post: {
        operationId: 'b',
        requestBody: {
          content: Object.fromEntries(
            ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'].map(
              (type) => [type, { schema: { type: 'object', properties: { x: {} } } }],
            ),
          ),
        },
        responses: { 200: { description: 'x', content: { 'application/json': { example: {} } } } },
      },
    },
  },
})

type Request = {
  readonly path?: string
  readonly headers?: readonly string[]
  readonly body?: string
}

/** Sends bytes that `fetch` would not send, and resolves with the status and body of the response. */
const send = (port: number, { path = '/a/1', headers = [], body }: Request): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setTimeout(20_000, () => socket.destroy(new Error(`no response: ${text}`)))
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', reject).on('close', () => resolve(text))
    const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
    const method = body === undefined ? 'GET' : 'POST'
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close']
    const head = [...lines, ...headers, ...length, '', ''].join('\r\n')
    socket.write(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body ?? '')]))
  })

const accepts = [';;;', 'a', '*', 'a/b/c', '/', ',', '\xff\xfe', '()<>@', 'a'.repeat(9_000)].map(
  (one): Request => ({ headers: [`Accept: ${one}`] }),
)

const types = [
  'garbage',
  'a',
  '/',
  'application/json;;;',
  'a/b, c/d',
  '\xff',
  'multipart/x; y=',
].map((one): Request => ({ path: '/b', headers: [`Content-Type: ${one}`], body: '{"x":1}' }))

const others: readonly Request[] = [
  ...['garbage', 'code=abc', 'code=', 'example=__proto__', '=;=,', '"', '\xff'].map((one) => ({
    headers: [`Prefer: ${one}`],
  })),
  ...['/a/%', '/a/%E0%A4%A', '/a/%00', '/a/\xff', `/a/${'1'.repeat(15_000)}`].map((path) => ({
    path,
  })),
  ...['q=%', 'q=%E0%A4%A', 'q=\xff', '__code=abc', '__code=1&__code=2', 'q[=]'].map((query) => ({
    path: `/a/1?${query}`,
  })),
  ...['{', 'nul', '"', '['.repeat(20_000), '\0'].map((body) => ({
    ...{ path: '/b', headers: ['Content-Type: application/json'], body },
  })),
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'].flatMap((type) =>
    ['%=%zz', '--x\r\nA: b\r\n\r\nv\r\n--x--'].map((body) => ({
      ...{ path: '/b', headers: [`Content-Type: ${type}`], body },
    })),
  ),
]

it.each([
  // Prism fails at a header that it cannot read, so such a request does not reach it.
  ['mock --prism', /^400 .*the header Accept is /s, /^400 .*the header Content-Type is /s],
  ['mock', /^200 /, /^200 |^415 .*Content-Type must be /s],
] as const)(
  '%s answers requests with broken headers, URLs and bodies, and goes on',
  {
    timeout: 900_000,
  },
  async (command, forAccept, forType) => {
    const folder = await folderOf({ 'api.json': document })
    const ending = new AbortController()
    const args = [...command.split(' '), '--openapi', `${folder}/api.json`, '--port', '0']
    const mock = startTwinspec(args, ending.signal)
    onTestFinished(() => ending.abort())
    await expect.poll(() => mock.said.stdout, { timeout: 900_000 }).toContain('Ctrl-C')
    const port = Number(/HTTP +http:\S+:(\d+)/.exec(mock.said.stdout)?.[1])
    const response = async (request: Request): Promise<string> =>
      (await send(port, request)).replace(/^HTTP\/1\.1 /, '')
    for (const one of accepts) expect(await response(one)).toMatch(forAccept)
    for (const one of types) expect(await response(one)).toMatch(forType)
    for (const one of others) expect(await response(one)).toMatch(/^[24]\d\d /)
    expect(await response({})).toMatch(/^200 /)
    ending.abort()
    expect(await mock.code).toBe(0)
  },
)
