import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HttpError } from '../../src/runtime/errors.js'
import type { ServerCore, ServerOptions, toFetchHandler } from '../../src/runtime/server.js'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { CORPORA, named } from '../conformance/corpora.js'
import { importFile } from './generated-code.js'
import { diagnose } from './strictest.js'

const FOLDER = join(CORPORA, 'histories/bitcoin')
const VERSIONS = ['v24', 'v25', 'v26', 'v27', 'v28'].filter((one) =>
  existsSync(join(FOLDER, `${one}.json`)),
)

it.skipIf(VERSIONS.length === 0)(
  named('Bitcoin Core: every version generates code that compiles, typed as documented', VERSIONS),
  async () => {
    const folder = await folderOf({})
    const texts = new Map<string, string>()
    for (const version of VERSIONS) {
      const out = join(folder, version)
      const path = join(FOLDER, `${version}.json`)
      const run = await twinspec('generate', '--openrpc', path, '--with', 'server', '--out', out)
      expect({ version, ...run }).toMatchObject({ version, code: 0 })
      for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' }))
        if (/\.(ts|json)$/.test(name))
          texts.set(`${version}/${name}`, readFileSync(join(out, name), 'utf8'))
      texts.set(
        `${version}/use.ts`,
        `import type { RpcMethods } from './rpc.types.js'
type Block = RpcMethods['getblock']['result']
export const verbosity0: Block = '00'
export const verbosity2: Block = { tx: [{ fee: 0.1 }] }
const scriptPubKey = { asm: '', desc: '', hex: '00', type: 'pubkey' }
const prevout = { generated: false, height: 1, value: '0.1', scriptPubKey }
export const verbosity3: Block = { tx: [{ vin: [{ prevout }] }] }
type Verbosity1 = Extract<Block, { nTx: number }>
export const ids = ({ tx, nTx }: Verbosity1): string => [nTx, ...tx.map((id) => id.slice(0, 8))].join()
export const first: Verbosity1['tx'] = ['00']
// @ts-expect-error: a fee is a number.
export const noFee: Block = { tx: [{ fee: 'text' }] }
// @ts-expect-error: a height is a number.
export const noHeight: Block = { tx: [{ vin: [{ prevout: { ...prevout, height: '1' } }] }] }
// @ts-expect-error: an id is a text.
export const noId: Verbosity1['tx'] = [{ fee: 0.1 }]
export const fields = (block: Block) =>
  typeof block === 'string' ? block.length : [block.hash, block.tx]
export const params: readonly RpcMethods['getblock']['params'][] = [['00'], ['00', 0], ['00', 1], ['00', 2], ['00', 3]]
type Package = RpcMethods['submitpackage']
type Result = Package['result']['tx-results'][string]
export const packaged: Package['params'] = [['00']]
export const vsizes = (all: Package['result']) =>
  Object.values(all['tx-results'] ?? {}).map(({ txid, vsize, fees }) => [txid.length, vsize?.toFixed(), fees?.base])
// @ts-expect-error: the document states that it is a text.
export const noTransaction: Result['txid'] = 5
`,
      )
    }
    expect(diagnose(texts, 'strict')).toEqual([])
  },
)

it.skipIf(VERSIONS.length === 0).each(VERSIONS)(
  'Bitcoin Core %s: the mock answers the curl line of every method',
  async (version) => {
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const path = join(FOLDER, `${version}.json`)
    const mock = startTwinspec(['mock', '--openrpc', path, '--port', '0'], ending.signal)
    const isReady = () => mock.said.stdout.includes('Ctrl-C')
    await Promise.race([mock.code, expect.poll(isReady, { timeout: 120_000 }).toBe(true)])
    expect(mock.said.stderr).toBe('starting the mock …\n')
    const url = /http:\/\/\S+/.exec(mock.said.stdout)?.[0] ?? ''
    const accept = 'application/json, text/plain;q=0.5'
    const { operations }: { operations: readonly { method: string; curl?: string }[] } = await (
      await fetch(url, { headers: { accept } })
    ).json()
    const { methods }: { methods: readonly { name: string }[] } = JSON.parse(
      readFileSync(path, 'utf8'),
    )
    const failed: unknown[] = []
    for (const { curl = '' } of operations) {
      const body = /--data-raw '(.*)'$/.exec(curl)?.[1]?.replaceAll(`'\\''`, `'`)
      const headers = { 'content-type': 'application/json' }
      const answer = await (await fetch(url, { method: 'POST', headers, body: body ?? '' })).json()
      if (!('result' in answer)) failed.push([curl, answer])
    }
    expect(failed).toEqual([])
    expect(operations.map(({ method }) => method)).toEqual(methods.map(({ name }) => name))
  },
)

describe('clients of bitcoind', () => {
  const document = `openrpc: 1.3.2
info: { title: Node, version: '1' }
methods:
  - { name: getblockcount, params: [], result: { name: count, schema: { type: integer } } }
  - { name: getblockhash, params: [{ name: height, required: true, schema: { type: integer } }], result: { name: hash, schema: { type: string } } }
`
  const start = async (optionsOf: (error: typeof HttpError) => ServerOptions) => {
    const folder = await folderOf({ 'openrpc.yaml': document })
    const out = join(folder, 'out')
    const args = ['--openrpc', join(folder, 'openrpc.yaml'), '--with', 'server', '--out', out]
    const run = await twinspec('generate', ...args)
    expect(run).toMatchObject({ code: 0 })
    const program = `export { HttpError } from 'twinspec/runtime/errors'\nexport * from './server.js'`
    await writeFile(join(out, 'program.ts'), program)
    const generated = await importFile<{
      createServer: (handlers: object, options: ServerOptions) => ServerCore
      toFetchHandler: typeof toFetchHandler
      HttpError: typeof HttpError
    }>(out, 'program.ts')
    const handlers = { getblockcount: () => 7, getblockhash: () => '00ff' }
    const options = optionsOf(generated.HttpError)
    const handle = generated.toFetchHandler(generated.createServer(handlers, options))
    return async (body: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const sent = { 'content-type': 'text/plain;', ...headers }
      const response = await handle(
        new Request('http://node.example/', {
          method: 'POST',
          headers: sent,
          body: JSON.stringify(body),
        }),
      )
      const text = await response.text()
      return [response.status, text === '' ? undefined : JSON.parse(text)]
    }
  }
  const json = { 'content-type': 'application/json' }
  const count = { id: 'curl', method: 'getblockcount', params: [] }

  it('a server accepts JSON-RPC 1.0 and text/plain where its options say so', async () => {
    const call = await start(() => ({ jsonRpc1: true }))
    const first = { result: 7, error: null, id: 'curl' }
    expect(await call({ jsonrpc: '1.0', ...count })).toEqual([200, first])
    expect(await call(count, json)).toEqual([200, first])
    expect(await call({ method: 'getblockcount' })).toEqual([200, { ...first, id: null }])
    expect(await call({ jsonrpc: '1.0', id: 1, method: 'getblockhash', params: ['a'] })).toEqual([
      200,
      { result: null, error: expect.objectContaining({ code: -32602 }), id: 1 },
    ])
    expect(await call({ jsonrpc: '1.0', id: 1 })).toEqual([
      200,
      { result: null, error: expect.objectContaining({ code: -32600 }), id: 1 },
    ])
    const second = { jsonrpc: '2.0', result: 7, id: 'curl' }
    expect(await call({ jsonrpc: '2.0', ...count })).toEqual([200, second])
    expect(await call({ jsonrpc: '2.0', method: 'getblockcount' })).toEqual([204, undefined])
    expect(await call([count, { jsonrpc: '2.0', ...count }])).toEqual([200, [first, second]])
    expect(await call({ jsonrpc: '1.1', ...count })).toMatchObject([
      200,
      { error: { code: -32600 } },
    ])
  })

  it('without the option both are rejected', async () => {
    const call = await start(() => ({}))
    expect(await call(count)).toMatchObject([415, { jsonrpc: '2.0' }])
    expect(await call(count, json)).toMatchObject([
      200,
      { jsonrpc: '2.0', error: { code: -32600 } },
    ])
  })

  it('HTTP Basic is checked before the body is read', async () => {
    const call = await start((Refused) => ({
      jsonRpc1: true,
      admit({ headers }) {
        const [, sent = ''] = /^basic (.+)$/i.exec(String(headers.authorization)) ?? []
        if (Buffer.from(sent, 'base64').toString() === 'user:secret') return
        const challenge = new Headers({ 'www-authenticate': 'Basic realm="rpc"' })
        const message = 'Unauthorized'
        throw new Refused({
          operation: 'rpc',
          status: 401,
          body: undefined,
          headers: challenge,
          message,
        })
      },
    }))
    expect(await call(count)).toMatchObject([401, { error: { message: 'Unauthorized' } }])
    const known = { authorization: `Basic ${btoa('user:secret')}` }
    expect(await call(count, known)).toMatchObject([200, { result: 7 }])
  })
})
