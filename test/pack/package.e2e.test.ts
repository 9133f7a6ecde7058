import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { handoverTools } from '../handover/tools.js'
import { installed, NAME, packed, ran } from './packed.js'

const PARTS = [
  './http',
  './http/calls',
  './rpc',
  './rpc/methods',
  './client-package',
  './server',
  './validators',
  './explanations',
  './schemas',
  './operations',
  './http.types',
  './rpc.types',
  './errors',
  './runtime/http',
  './runtime/rpc',
  './runtime/links/http',
  './runtime/links/port',
  './runtime/links/stdio',
  './runtime/validate',
  './openapi.json',
  './openrpc.json',
  './package.json',
]

beforeAll(packed, 600_000)

test('has a part for each thing that a team may take', async () => {
  const manifest = await manifestOf((await packed()).folder)
  expect(Object.keys(manifest.exports)).toEqual(expect.arrayContaining(PARTS))
  expect(manifest).toMatchObject({
    name: NAME,
    version: '0.1.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    peerDependenciesMeta: { typebox: { optional: true } },
  })
  expect(manifest).not.toHaveProperty('dependencies')
  const optional = Object.keys(manifest.peerDependenciesMeta)
  expect(optional).toEqual(Object.keys(manifest.peerDependencies))
})

test('holds nothing of the toolchain, and whatever it imports is in it or declared', async () => {
  const { folder } = await packed()
  const manifest = await manifestOf(folder)
  const names = (await readdir(join(folder, 'dist'), { recursive: true })).filter((name) =>
    /\.(js|d\.ts)$/.test(name),
  )
  const known = [manifest.peerDependencies, manifest.imports].flatMap((one) => Object.keys(one))
  const lost: string[] = []
  for (const name of names) {
    const text = await readFile(join(folder, 'dist', name), 'utf8')
    for (const { fileName: module } of ts.preProcessFile(text, true, true).importedFiles) {
      const target = join(name, '..', module)
      const isThere = module.startsWith('.')
        ? names.includes(target) || target.endsWith('.json')
        : /^node:/.test(module) ||
          known.some((one) => module === one || module.startsWith(`${one}/`))
      if (!isThere) lost.push(`${name}: ${module}`)
    }
    if (/['"]twinspec\//.test(text)) lost.push(`${name} names the toolkit`)
  }
  expect(names.length).toBeGreaterThan(200)
  expect(lost).toEqual([])
  expect(names.filter((name) => name.startsWith('read/') || name.startsWith('emit/'))).toEqual([])
})

test('publint and attw find nothing', async () => {
  const [{ tgz, folder }, tools] = await Promise.all([packed(), handoverTools()])
  const lint = await ran(join(tools, 'publint'), ['run', tgz, '--strict'], folder)
  expect(lint.stdout).toContain('All good!')
  const json = ['--profile', 'esm-only', '--format', 'json']
  const { stdout } = await ran(join(tools, 'attw'), [tgz, ...json], folder)
  const { analysis, problems } = JSON.parse(stdout) as Attw
  expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['./http', './rpc']))
  const found = Object.values(problems).flat()
  // What only CommonJS and resolution without `exports` meet, which the profile leaves out.
  const left = found.filter(({ resolutionKind }) => !/^(node10|node16-cjs)$/.test(resolutionKind))
  expect(left).toEqual([])
})

test('installed in an empty project, its server and its clients speak to each other', async () => {
  const app = await installed()
  const { stdout } = await ran('node', ['--input-type=module', '--eval', CALLS], app)
  expect(JSON.parse(stdout)).toEqual({
    documented: true,
    chainId: '0x133ef04',
    code: -32000,
    status: 'pending',
    refused: 404,
    faults: 'CallError',
    named: `${NAME}/0.1.0`,
    overPort: '0x133ef04',
  })
})

test('what declares checks names types, and spells none out', async () => {
  const { folder } = await packed()
  for (const name of ['validators.d.ts', 'explanations.d.ts']) {
    const text = await readFile(join(folder, 'dist', name), 'utf8')
    expect(text).toContain('ethGetBlockByNumber: Method')
    expect(text).not.toContain('baseFeePerGas')
    expect(text.length).toBeLessThan(30_000)
  }
})

test('a page with one method loads little of it', async () => {
  const app = await installed()
  const source = `import { createRpcConnection, ethChainId } from '${NAME}/rpc/methods'
const rpc = createRpcConnection({ server: 'http://127.0.0.1', auth: { apiKey: 'my-key' } })
console.log(await ethChainId(rpc))`
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: app, loader: 'js' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    absWorkingDir: '/',
    outdir: '/page',
    write: false,
    metafile: true,
  })
  const first = firstLoad(metafile)
  const sizes = outputFiles
    .filter(({ path }) => first.has(path.slice(1)))
    .map(({ contents }) => gzipSync(contents, { level: 9 }).length)
  const size = sizes.reduce((sum, one) => sum + one, 0)
  process.stderr.write(`a page with one method loads ${size} bytes (gzip)\n`)
  expect(size).toBeGreaterThan(1000)
  expect(size).toBeLessThanOrEqual(LIMIT)
})

/** Bytes, gzip. 13 KB until subscriptions, variants and handlers of clients: their parts are imported only by documents that need them. */
const LIMIT = 13.5 * 1024

/** What is loaded before anything runs: the entry, and what it imports but by \`import()\`. */
const firstLoad = ({ outputs }: Metafile): ReadonlySet<string> => {
  const found = new Set(
    Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === '<stdin>'),
  )
  for (const path of found) {
    for (const { path: to, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') found.add(to)
    }
  }
  return found
}

const CALLS = `
import { createServer as listen } from 'node:http'
import { createHttpClient, isHttpError } from '${NAME}/http'
import { clientPackage } from '${NAME}/client-package'
import openrpc from '${NAME}/openrpc.json' with { type: 'json' }
import { createRpcClient, isRpcError } from '${NAME}/rpc'
import { portLink } from '${NAME}/runtime/links/port'
import { RpcError } from '${NAME}/errors'
import { createServer, notOffered, toNodeListener } from '${NAME}/server'

const core = createServer({
  ...notOffered,
  ethChainId: () => '0x133ef04',
  ethGetBalance: () => { throw new RpcError({ code: -32000, message: 'unknown account' }) },
  getZktTransaction: ({ path }, { headers }) => (named = headers['x-client-package'],
    path.queueId.startsWith('0')
      ? { status: 404, body: { error: 'Transaction not found' } }
      : { status: 200, body: { status: 'pending', queueId: path.queueId } }),
})
let named
const http = listen(toNodeListener(core)).listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + http.address().port
  const rpc = createRpcClient({ server: url + '/zgt/{apiKey}', auth: { apiKey: 'my-key' } })
  const chainId = await rpc.ethChainId()
  const code = await rpc.ethGetBalance('0x' + '00'.repeat(20)).catch((error) => isRpcError(error) && error.code)
  const client = createHttpClient({ server: url, auth: { apiKey: 'my-key' }, clientPackage })
  const ask = (queueId) => client.getZktTransaction({ path: { queueId } })
  const { status } = await ask('3f0c9a1b-1111-4222-8333-444455556666')
  const refused = await ask('0f0c9a1b-1111-4222-8333-444455556666').catch((error) =>
    isHttpError(error, 'getZktTransaction', 404) ? error.status : error)
  const faults = await client.tryZkt({ body: { arguments: 'hello', to: 'nobody' } }).catch((error) => error.name)
  const { port1, port2 } = new MessageChannel()
  port2.onmessage = ({ data }) =>
    port2.postMessage(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(data).id, result: chainId }))
  const overPort = await createRpcClient({ link: portLink(port1) }).ethChainId()
  port1.close()
  console.log(JSON.stringify({ documented: openrpc.methods.length > 50, chainId, code, status, refused, faults, named, overPort }))
  http.close()
})
`

type Manifest = Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
  readonly [name in
    | 'exports'
    | 'dependencies'
    | 'peerDependencies'
    | 'peerDependenciesMeta'
    | 'imports']: Readonly<Record<string, unknown>>
}

type Attw = {
  readonly analysis: { readonly entrypoints: Readonly<Record<string, unknown>> }
  readonly problems: Readonly<Record<string, readonly { readonly resolutionKind: string }[]>>
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
