import { existsSync, readFileSync } from 'node:fs'
import { createServer as listen, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchDocument } from '../../src/read/live-document.js'
import { command } from './command.js'
import { folderOf, startTwinspec, twinspec } from './command-line.js'

const OPENRPC = {
  openrpc: '1.3.2',
  info: { title: 'Clock', version: '1' },
  methods: [
    {
      name: 'clock_now',
      params: [{ name: 'zone', required: true, schema: { type: 'string' } }],
      result: { name: 'now', schema: { type: 'integer', maximum: 1e19 } },
    },
  ],
}

/** The number has more digits than a double holds, and must not lose them. */
const OPENRPC_TEXT = JSON.stringify(OPENRPC).replace('10000000000000000000', '10000000000000000001')

const OPENAPI = `openapi: 3.1.0
info: { title: Clock, version: '1' }
paths:
  /now: { get: { operationId: now, responses: { '200': { description: The time } } } }
`

const start = async (handle: RequestListener): Promise<string> => {
  const server = listen(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A JSON-RPC service that knows its document; everything else is an error. */
const startNode = (document = OPENRPC_TEXT) =>
  start(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    response.setHeader('content-type', 'application/json')
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const { id, method, params } = JSON.parse(text)
    const answer = (body: string) =>
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`)
    if (method === 'rpc.discover') answer(`"result":${document}`)
    else if (method === 'clock_now' && typeof params?.[0] === 'string') answer('"result":12')
    else answer('"error":{"code":-32601,"message":"Method not found"}')
  })

const startFiles = (files: Readonly<Record<string, string>>) =>
  start(({ url = '', method }, response) => {
    const text = method === 'GET' ? files[url] : undefined
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })

describe('a live server is a document', () => {
  it('every command reads what rpc.discover returns', async () => {
    const node = await startNode()
    const folder = await folderOf({})
    const at = (name: string) => join(folder, name)
    expect(await twinspec('generate', '--openrpc', node, '--out', at('out'))).toMatchObject({
      code: 0,
    })
    expect(readFileSync(at('out/rpc.client.ts'), 'utf8')).toContain('clockNow')
    const lint = await twinspec('lint', '--openrpc', node)
    expect(lint).toMatchObject({ code: 0 })
    expect(lint.stdout).toMatch(new RegExp(`${node}:\\d+:\\d+ warning .*clock`, 'i'))
    expect(await twinspec('lint', node)).toMatchObject({ code: 0, stdout: lint.stdout })
    expect(await twinspec('docs', '--openrpc', node, '--out', at('site'))).toMatchObject({
      code: 0,
    })
    expect(
      await twinspec(
        'pack',
        '--openrpc',
        node,
        '--name',
        'clock',
        '--license',
        'MIT',
        '--out',
        at('package'),
      ),
    ).toMatchObject({ code: 0 })
    expect(await twinspec('init', '--from-openrpc', node, '--dir', at('project'))).toMatchObject({
      code: 0,
    })
    expect(JSON.parse(readFileSync(at('project/spec/openrpc.json'), 'utf8'))).toEqual(OPENRPC)
    expect(readFileSync(at('project/spec/openrpc.json'), 'utf8')).toContain('10000000000000000001')
  })

  it('conform tests a server by its own word', async () => {
    const folder = await folderOf({ 'openrpc.json': OPENRPC_TEXT })
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const path = join(folder, 'openrpc.json')
    const { said, code } = startTwinspec(['mock', '--openrpc', path, '--port', '0'], ending.signal)
    const url = () => /http:\/\/[\d.]+:\d+/.exec(said.stdout + said.stderr)?.[0]
    await expect.poll(url, { timeout: 120_000 }).toBeDefined()
    const node = url() ?? ''
    const tested = await twinspec('conform', node, '--openrpc', node, '--stateless')
    expect(tested.stdout).toMatch(/operations .* 1 of 1/)
    expect(tested.code).toBe(0)
    ending.abort()
    await code
  })

  it('diff compares two servers, and a server with a file', async () => {
    const [old, now] = [
      await startNode(),
      await startNode(OPENRPC_TEXT.replace('"integer"', '"string"')),
    ]
    const compared = await twinspec('diff', '--openrpc', now, '--against', old)
    expect(compared).toMatchObject({ code: 1 })
    expect(compared.stdout).toContain(now)
    expect(await twinspec('diff', '--openrpc', old, '--against', old)).toMatchObject({ code: 0 })
    const folder = await folderOf({ 'openrpc.json': OPENRPC_TEXT })
    expect(
      await twinspec('diff', '--openrpc', old, '--against', join(folder, 'openrpc.json')),
    ).toMatchObject({ code: 0, stderr: 'nothing changed\n' })
  })

  it('--openapi and words read files at URLs; a query is in no message', async () => {
    const site = await startFiles({
      '/openapi.yaml?key=secret': OPENAPI,
      '/openrpc.json': OPENRPC_TEXT,
      '/broken.yaml': `${OPENAPI}  /other: { get: [ }\n`,
      '/parts.yaml': `${OPENAPI}components: { schemas: { A: { $ref: './a.yaml' } } }\n`,
    })
    const lint = await twinspec('lint', '--openapi', `${site}/openapi.yaml?key=secret`, '--verbose')
    expect(lint.code).toBe(0)
    expect(lint.stdout).toContain(`${site}/openapi.yaml:4:`)
    expect(lint.stdout + lint.stderr).not.toContain('secret')
    const both = await twinspec('lint', `${site}/openapi.yaml?key=secret`, `${site}/openrpc.json`)
    expect(both.stdout).toMatch(/openrpc\.json:\d+/)
    const broken = await twinspec('lint', '--openapi', `${site}/broken.yaml`)
    expect(broken.stdout + broken.stderr).toMatch(
      /broken\.yaml:5:\d+ error .*document-does-not-parse/,
    )
    const parts = await twinspec('lint', '--openapi', `${site}/parts.yaml`)
    expect(parts.stdout + parts.stderr).toMatch(/a\.yaml is another file on the server/)
  })

  it('- is standard input, of either kind', async () => {
    const read = async (args: readonly string[], text: string) => {
      const { code, said } = command(args, {
        stdin: async function* () {
          yield Buffer.from(text.slice(0, 20))
          yield Buffer.from(text.slice(20))
        },
      })
      return { code: await code, ...said }
    }
    const lint = await read(['lint', '--openrpc', '-'], OPENRPC_TEXT)
    expect(lint).toMatchObject({ code: 0 })
    expect(lint.stdout).toContain('<stdin>:1:')
    expect(await read(['lint', '-'], OPENAPI)).toMatchObject({ code: 0 })
    const folder = await folderOf({})
    const out = join(folder, 'out')
    expect(await read(['generate', '--openapi', '-', '--out', out], OPENAPI)).toMatchObject({
      code: 0,
    })
    expect(existsSync(join(out, 'http.client.ts'))).toBe(true)
    const twice = await read(['lint', '--openapi', '-', '--openrpc', '-'], OPENAPI)
    expect(twice).toMatchObject({ code: 2 })
    expect(twice.stderr).toContain('can be read once')
  })

  it('--header sends credentials, to the named server alone', async () => {
    const seen: (string | undefined)[] = []
    const other = await start(({ headers }, response) => {
      seen.push(headers.authorization)
      response.end(OPENAPI)
    })
    const site = await start(({ headers, url }, response) => {
      seen.push(headers.authorization)
      if (url === '/moved.yaml')
        response.writeHead(302, { location: `${other}/openapi.yaml` }).end()
      else if (headers.authorization === 'Bearer top') response.end(OPENAPI)
      else response.writeHead(401).end()
    })
    const refused = await twinspec('lint', '--openapi', `${site}/openapi.yaml`)
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain(
      "401: send credentials, for example with --header 'authorization: Bearer …'",
    )
    const header = ['--header', 'authorization: Bearer top']
    expect(await twinspec('lint', '--openapi', `${site}/openapi.yaml`, ...header)).toMatchObject({
      code: 0,
    })
    expect(await twinspec('lint', '--openapi', `${site}/moved.yaml`, ...header)).toMatchObject({
      code: 0,
    })
    expect(seen).toEqual([undefined, 'Bearer top', 'Bearer top', undefined])
    const odd = await twinspec('lint', '--openapi', `${site}/a.yaml`, '--header', 'Bearer top')
    expect(odd).toMatchObject({ code: 2 })
    expect(odd.stderr).not.toContain('top')
  })

  it.each<readonly [string, RequestListener, RegExp]>([
    [
      'no rpc.discover',
      (_, response) =>
        response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}'),
      /no method rpc\.discover.*save its OpenRPC document in a file/,
    ],
    [
      'another error',
      (_, response) =>
        response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"busy"}}'),
      /the error -32000 \(busy\)/,
    ],
    [
      'a response to another call',
      (_, response) => response.end('{"jsonrpc":"2.0","id":"1","result":{}}'),
      /not a JSON-RPC response of it \(no response has id 1 \(seen: "1"\)\)/,
    ],
    [
      'a result and an error',
      (_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}}'),
      /not a JSON-RPC response of it \(the response has both a result and an error\)/,
    ],
    [
      'an error without an id',
      (_, response) =>
        response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}'),
      /responded with the error -32700 \(bad\)/,
    ],
    ['an HTML page', (_, response) => response.end('<!doctype html><p>Hello'), /HTML page/],
    [
      'a result that is no document',
      (_, response) => response.end('{"jsonrpc":"2.0","id":1,"result":{}}'),
      /not an OpenRPC document/,
    ],
    [
      'another path',
      (_, response) => response.writeHead(404).end('{"error":"Not found"}'),
      /rpc\.discover responded with 404: the URL needs the path of the endpoint, as in http.*\/rpc/,
    ],
    [
      'redirects without end',
      ({ method }, response) =>
        method === 'GET'
          ? response.writeHead(302, { location: '/' }).end()
          : response.writeHead(404).end(),
      /redirected more than 5 times/,
    ],
  ])('a server with %s is reported with what to do', async (_, handle, message) => {
    const node = await start(handle)
    const { code, stderr } = await twinspec('lint', '--openrpc', node)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      new RegExp(`${node} error no document was found at the URL: .*document-is-unreadable`),
    )
    expect(stderr).toMatch(message)
  })

  it('credentials are not sent again after a redirect to another origin and back', async () => {
    const seen: unknown[] = []
    const site = await start(({ url, headers }, response) => {
      seen.push(headers.authorization)
      if (url === '/a.yaml') response.writeHead(302, { location: `${other}/b.yaml` }).end()
      else response.end(OPENAPI)
    })
    const other = await start(({ headers }, response) => {
      seen.push(headers.authorization)
      response.writeHead(302, { location: `${site}/c.yaml` }).end()
    })
    await fetchDocument(`${site}/a.yaml`, 'openapi', { headers: [['authorization', 'Bearer top']] })
    expect(seen).toEqual(['Bearer top', undefined, undefined])
  })

  it.each([300, 304])('a response of status %i is no redirect, as for clients', async (status) => {
    const site = await start(({ url }, response) => {
      if (url === '/a.yaml') response.writeHead(status, { location: '/b.yaml' }).end()
      else response.end(OPENAPI)
    })
    await expect(fetchDocument(`${site}/a.yaml`, 'openapi')).rejects.toThrow(
      `GET responded ${status}`,
    )
  })

  it('size and time are bounded, and no server at all is reported', async () => {
    const silent = await start(() => {})
    await expect(fetchDocument(silent, 'openrpc', { timeout: 100 })).rejects.toThrow(
      /no response within 100 ms/,
    )
    const large = await start((_, response) => response.end('x'.repeat(2 ** 20 + 1)))
    await expect(fetchDocument(large, 'openapi', { mostBytes: 2 ** 20 })).rejects.toThrow(
      /more than 1 MiB/,
    )
    const { code, stderr } = await twinspec('lint', '--openrpc', 'http://127.0.0.1:1')
    expect(code).toBe(2)
    expect(stderr).toContain('cannot be reached')
    const watched = await twinspec('generate', '--openrpc', 'http://127.0.0.1:1', '--watch')
    expect(watched).toMatchObject({ code: 2 })
  })
})
