import { existsSync, readFileSync } from 'node:fs'
import { createServer as listen } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { CORPORA } from '../conformance/corpora.js'
import { importFile } from './generated-code.js'
import { diagnose } from './strictest.js'

const COINS = `openrpc: 1.3.2
info: { title: Coins, version: '1' }
methods:
  - name: getCoins
    params:
      - { name: owner, required: true, schema: { type: string } }
      - { name: cursor, schema: { type: string, minLength: 2 } }
      - { name: limit, schema: { type: integer } }
      - { name: filter, schema: { type: [string, 'null'] } }
    result: { name: r, schema: { type: array, items: {} } }
  - name: moveCoins
    paramStructure: by-position
    params:
      - { name: memo, schema: { type: string } }
      - { name: amount, required: true, schema: { type: integer } }
    result: { name: r, schema: { type: array, items: {} } }
  - name: listCoins
    paramStructure: by-name
    params:
      - { name: owner, required: true, schema: { type: string } }
      - { name: cursor, schema: { type: string } }
    result: { name: r, schema: { type: array, items: {} } }
`

const generate = async (document: string, name = 'openrpc.yaml') => {
  const folder = await folderOf({ [name]: document })
  const out = join(folder, 'out')
  const run = await twinspec(
    'generate',
    '--openrpc',
    join(folder, name),
    '--with',
    'server,reference',
    '--verbose',
    '--out',
    out,
  )
  expect(run).toMatchObject({ code: 0 })
  return { out, run, text: (file: string) => readFileSync(join(out, file), 'utf8') }
}

/** Generated modules as the tests use them, to give wrong values too; another test compiles what their types allow. */
type Rpc = Readonly<Record<string, (...given: readonly unknown[]) => Promise<unknown>>>
type Handlers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>
type ServerModule = {
  readonly createServer: (handlers: Handlers) => object
  readonly toFetchHandler: (server: object) => (request: Request) => Promise<Response>
}

/** A JSON-RPC server that returns the params of each call in a list. */
const startEcho = async () => {
  const bodies: { readonly params?: unknown }[] = []
  const server = listen(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const call = JSON.parse(text)
    bodies.push(call)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result: [call.params] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies }
}

describe('optional params of JSON-RPC methods can be skipped', () => {
  it('a client sends null for a skipped param, cuts the last ones, and takes params by name', async () => {
    const { out } = await generate(COINS)
    const { url, bodies } = await startEcho()
    const { createRpcClient } = await importFile<{ createRpcClient: (options: object) => Rpc }>(
      out,
      'rpc.client.ts',
    )
    const { getCoins, moveCoins, listCoins, request } = createRpcClient({ server: url })
    if (!getCoins || !moveCoins || !listCoins || !request) throw new Error('a method is missing')
    await getCoins('a')
    await getCoins('a', undefined, 10)
    await getCoins('a', undefined, undefined, null)
    await getCoins('a', 'next', undefined, undefined)
    await moveCoins(undefined, 5)
    await listCoins({ owner: 'a', cursor: undefined })
    await request({ method: 'getCoins', params: { owner: 'a', limit: 10 } })
    expect(bodies.map(({ params }) => params)).toEqual([
      ['a'],
      ['a', null, 10],
      ['a', null, null, null],
      ['a', 'next'],
      [null, 5],
      { owner: 'a' },
      { owner: 'a', limit: 10 },
    ])
    const invalid = [
      () => getCoins(undefined, 'next'),
      () => getCoins('a', 'x', 10),
      () => request({ method: 'getCoins', params: { limit: 10 } }),
      () => request({ method: 'getCoins', params: { owner: 'a', limits: 10 } }),
      () => request({ method: 'getCoins', params: { owner: 'a', limit: 'ten' } }),
      () => request({ method: 'moveCoins', params: { amount: 5 } }),
    ]
    for (const call of invalid)
      await expect(call()).rejects.toMatchObject({ reason: 'invalid-input' })
    expect(bodies).toHaveLength(7)
  })

  it('the types allow what can be sent, and nothing else', async () => {
    const { text } = await generate(COINS)
    const names = [
      'rpc.client.ts',
      'rpc.types.ts',
      'operations.ts',
      'validators.ts',
      'explanations.ts',
    ]
    const use = `import { createRpcClient } from './rpc.client.js'
import type { Handlers } from './server.js'
const rpc = createRpcClient()
void rpc.getCoins('a', undefined, 10)
void rpc.moveCoins(undefined, 5)
void rpc.listCoins({ owner: 'a' })
void rpc.request({ method: 'getCoins', params: { owner: 'a', limit: 10 } })
void rpc.request({ method: 'getCoins', params: ['a', undefined, 10] })
// @ts-expect-error limit is an integer
void rpc.request({ method: 'getCoins', params: { owner: 'a', limit: 'ten' } })
// @ts-expect-error owner is required
void rpc.request({ method: 'getCoins', params: { limit: 10 } })
// @ts-expect-error the method takes no params by name
void rpc.request({ method: 'moveCoins', params: { amount: 5 } })
// @ts-expect-error the amount is required
void rpc.moveCoins('for you')
export const handler: Handlers['getCoins'] = ([owner, cursor, limit, filter]) => [
  owner.length, cursor?.length, limit?.toFixed(), filter?.length,
]
`
    const files = [...names, 'server.ts', 'rpc.openrpc.json'].map(
      (name) => [name, text(name)] as const,
    )
    const texts = new Map([...files, ['use.ts', use]])
    expect(diagnose(texts, 'strict')).toEqual([])
    expect(diagnose(texts, 'strictest')).toEqual([])
  })

  it('a server reads null as a skipped param, where null is no value of it', async () => {
    const { out } = await generate(COINS)
    const call = await callerOf(out)
    // JSON shows an undefined member of a list as null: the handler of the last test reads the values themselves.
    expect(await call('getCoins', ['a', null, 10])).toEqual(['a', null, 10])
    expect(await call('getCoins', { owner: 'a', cursor: null, limit: 10 })).toEqual(['a', null, 10])
    expect(await call('listCoins', { owner: 'a', cursor: null })).toEqual({ owner: 'a' })
    expect(await call('moveCoins', [null, 5])).toEqual([null, 5])
    expect(await call('getCoins', [null])).toBe(-32602)
    expect(await call('getCoins', ['a', 'x'])).toBe(-32602)
    expect(await call('moveCoins', [null, null])).toBe(-32602)
    const seen: unknown[] = []
    const watched = await callerOf(out, { getCoins: (params) => [seen.push(...params)] })
    await watched('getCoins', ['a', null, null, null])
    expect(seen).toEqual(['a', undefined, undefined, null])
  })
})

const HEADS = (direction = '') => `openrpc: 1.3.2
info: { title: Heads, version: '1' }
methods:
  - { name: subscribe, params: [], result: { name: id, schema: { type: string } } }
  - name: newHead
    summary: A block was made
    ${direction}
    params: [{ name: head, required: true, schema: { $ref: '#/components/schemas/Head' } }]
  - { name: seen, x-direction: client, params: [{ name: id, required: true, schema: { type: string } }] }
  - name: sign
    x-direction: server
    params: [{ name: bytes, required: true, schema: { type: string } }]
    result: { name: signature, schema: { type: string } }
components:
  schemas: { Head: { type: object, required: [number], properties: { number: { type: integer } } } }
`

it.each(['1.0.0-rc1', '1.1.12', '1.3.2'])(
  'a server of OpenRPC %s accepts params by position and by name, where the document does not choose',
  async (version) => {
    const { out, run } = await generate(COINS.replace('1.3.2', version))
    const isNoted = run.stderr.includes(
      'params without paramStructure are accepted by position and',
    )
    expect(isNoted).toBe(version !== '1.3.2')
    const call = await callerOf(out)
    expect(await call('getCoins', ['a', 'next'])).toEqual(['a', 'next'])
    expect(await call('getCoins', { owner: 'a', cursor: 'next' })).toEqual(['a', 'next'])
    expect(await call('moveCoins', { amount: 5 })).toBe(-32602)
    expect(await call('listCoins', ['a'])).toBe(-32602)
  },
)

describe('what the server sends is no method of a client', () => {
  it('no client method and no handler, but a type, data for handlers of clients, and a place in the reference', async () => {
    const { run, text } = await generate(HEADS('x-direction: server'))
    expect(run.stderr).not.toContain('notification-direction-is-unknown')
    const client = text('rpc.client.ts')
    expect(client).not.toMatch(/readonly (newHead|sign):/)
    expect(client).toMatch(/readonly seen:/)
    const types = text('rpc.types.ts')
    expect(types).toMatch(/RpcServerMethods = \{[^;]*newHead: \{ params: \[head: Head\b/)
    expect(types).toMatch(/sign: \{[^\n]*result: string \}/)
    expect(text('server.ts')).not.toMatch(/(newHead|sign): RpcHandler/)
    expect(text('operations.ts')).toMatch(/sent: \{[^}]*newHead,[^}]*sign,/)
    expect(text('operations.ts')).toMatch(/operations: \{[^}]*\},\s+sent:/)
    expect(text('reference.md')).toMatch(/## Sent by the server\n[\s\S]*`newHead`[\s\S]*`sign`/)
  })

  it.each([
    ['OpenRPC 1.0.0-rc1', (text: string) => text.replace('1.3.2', '1.0.0-rc1')],
    ['OpenRPC 1.2.6', (text: string) => text.replace('1.3.2', '1.2.6')],
    [
      'errors of the method',
      (text: string) =>
        text.replace('name: newHead\n', 'name: newHead\n    errors: [{ code: 1, message: no }]\n'),
    ],
  ])('a result that is missing may be any, with %s', async (_what, changed) => {
    const { run, text } = await generate(changed(HEADS()))
    expect(run.stderr).toMatch(/newHead has no result, .*field-is-missing/)
    expect(run.stderr).not.toContain('notification-direction-is-unknown')
    const client = text('rpc.client.ts')
    expect(client).toMatch(/readonly newHead: Method<RpcMethods\['newHead'\]>/)
    expect(text('rpc.types.ts')).toMatch(/NewHeadResult = unknown/)
    expect(client).not.toMatch(/readonly sign:/)
  })

  it('lint asks for x-direction, and checks its value', async () => {
    const folder = await folderOf({
      'open.yaml': HEADS(),
      'said.yaml': HEADS('x-direction: server'),
      'wrong.yaml': HEADS('x-direction: up'),
    })
    const lint = (name: string) => twinspec('lint', '--openrpc', join(folder, name), '--verbose')
    expect((await lint('open.yaml')).stdout).toMatch(
      /open\.yaml:5:5 warning newHead .*x-direction.*notification-direction-is-unknown/,
    )
    expect((await lint('said.yaml')).stdout).not.toContain('direction-is-unknown')
    expect((await lint('wrong.yaml')).stdout).toMatch(
      /wrong\.yaml:7:\d+ error x-direction .*extension-invalid/,
    )
  })

  it('the mock has no such method, and the site lists it as sent by the server', async () => {
    const folder = await folderOf({ 'openrpc.yaml': HEADS('x-direction: server') })
    const path = join(folder, 'openrpc.yaml')
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const { said, code } = startTwinspec(['mock', '--openrpc', path, '--port', '0'], ending.signal)
    await expect
      .poll(() => said.stdout + said.stderr, { timeout: 120_000 })
      .toMatch(/http:\/\/[\d.]+:\d+/)
    const [url = ''] = /http:\/\/[\d.]+:\d+/.exec(said.stdout + said.stderr) ?? []
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'newHead',
      params: [{ number: 1 }],
    })
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(await response.json()).toMatchObject({ error: { code: -32601 } })
    ending.abort()
    await code
    const site = join(folder, 'site')
    expect(await twinspec('docs', '--openrpc', path, '--out', site)).toMatchObject({ code: 0 })
    const page = readFileSync(join(site, 'sent-by-the-server.html'), 'utf8')
    expect(page).toMatch(/newHead[\s\S]*A block was made[\s\S]*sign/)
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('sent-by-the-server.html')
    expect(existsSync(join(site, 'operations/newHead.html'))).toBe(false)
  })

  const starknet = join(CORPORA, 'documents/openrpc/starknet/api/starknet_ws_api.json')
  it.skipIf(!existsSync(starknet))(
    "G10: Starknet's subscriptions (skipped without shared/corpora)",
    async () => {
      const folder = await folderOf({})
      const out = join(folder, 'out')
      const run = await twinspec(
        ...['generate', '--openrpc', starknet, '--with', 'server', '--out', out],
        ...['--allow-outside', join(starknet, '../..')],
      )
      expect(run).toMatchObject({ code: 0 })
      const client = readFileSync(join(out, 'rpc.client.ts'), 'utf8')
      expect(client).toMatch(/readonly starknetSubscribeEvents:/)
      // The document does not say who sends them.
      expect(client.match(/readonly starknetSubscription\w+: Method</g)).toHaveLength(6)
      const types = readFileSync(join(out, 'rpc.types.ts'), 'utf8')
      expect(types.match(/^ {2}starknet_subscription\w+: \{ params/gm)).toHaveLength(6)
    },
  )
})

/** Calls the generated server, whose handlers return their params; resolves with those, or the code of the error. */
const callerOf = async (out: string, own: Parameters<ServerModule['createServer']>[0] = {}) => {
  const { createServer, toFetchHandler } = await importFile<ServerModule>(out, 'server.ts')
  const returned = (params: readonly unknown[]) => [params]
  const handlers = { getCoins: returned, moveCoins: returned, listCoins: returned, ...own }
  const handle = toFetchHandler(createServer(handlers))
  return async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://a.example/', { method: 'POST', headers, body })
    const { result, error } = await (await handle(request)).json()
    return error?.code ?? result[0]
  }
}
