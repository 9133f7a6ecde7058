import { fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Bench, BenchOptions, Row } from '../bench.js'
import { BUILT, installPeers } from '../peers.js'
import { type Cost, interleave } from '../rounds.js'

/** What users carry: bytes of bundles, minified and compressed, and the milliseconds until everything is ready. */
export const weighingBenches: readonly Bench[] = [
  { name: 'sizes-checks', run: sizesOfChecks },
  { name: 'sizes-clients', run: sizesOfClients },
  { name: 'validators-cold', run: coldStart },
]

async function sizesOfChecks(): Promise<readonly Row[]> {
  return [
    await weighed('checks of eth_chainId', exporting('ethChainId'), 500),
    await weighed('checks of eth_getBlockByNumber', exporting('ethGetBlockByNumber'), 2000),
    await weighed('checks of all methods', exporting('rpcValidators'), 8000),
  ]
}

const exporting = (name: string): string => `export { ${name} } from '${GENERATED}/validators.ts'`

async function sizesOfClients(): Promise<readonly Row[]> {
  // Ours stands on it, so that is where ours may begin.
  const base = await gzipped(`export { default } from 'openapi-fetch'`)
  const http = oneOperation('http', 'getZktTransaction')
  return [
    await weighed('one-method RPC client', oneOperation('rpc', 'ethChainId'), 3000),
    await weighed('one-operation HTTP client', http, base + 2000),
  ]
}

/**
 * As a user writes it who wants one operation and nothing else: its descriptor, its checks, the runtime. What loads only
 * when a call needs it is weighed by itself.
 */
function oneOperation(kind: 'rpc' | 'http', id: string): string {
  const create = kind === 'rpc' ? 'createRpc' : 'createHttp'
  return `
    import { ${create} } from 'twinspec/runtime/${kind}'
    import { ${id} as operation } from '${GENERATED}/operations.ts'
    import { ${id} } from '${GENERATED}/validators.ts'
    const service = { servers: [], path: '', operations: { ${id}: operation } }
    export const client = (server) => ${create}(service, { ${id} }, { server })`
}

/** The file of the validators that can explain. */
export const validatorsIn = (folder: string): string => join(folder, 'explanations.ts')

async function weighed(name: string, contents: string, limit: number): Promise<Row> {
  const { first, later } = await weigh(contents)
  const beside = later > 0 ? `${name} (and ${later} B later)` : name
  const against = { name: 'limit', bytes: limit }
  return { what: 'bundle, gzip', measured: { name: beside, bytes: first }, against, atMost: 1 }
}

const gzipped = async (contents: string): Promise<number> => (await weigh(contents)).first

/** Bytes of what a page loads before it runs, each file compressed by itself, and of what it loads when it is needed. */
async function weigh(
  contents: string,
): Promise<{ readonly first: number; readonly later: number }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    splitting: true,
    outdir: ROOT,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    conditions: ['twinspec-source'],
    legalComments: 'none',
    absWorkingDir: ROOT,
  })
  const { outputs } = metafile
  const atOnce = new Set(
    Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === '<stdin>'),
  )
  // A set is walked to its end, what is added on the way included.
  for (const name of atOnce) {
    for (const { kind, path } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement') atOnce.add(path)
    }
  }
  const bytes = { first: 0, later: 0 }
  for (const { path, contents: text } of outputFiles) {
    bytes[atOnce.has(relative(ROOT, path)) ? 'first' : 'later'] += gzipSync(text, {
      level: 9,
    }).length
  }
  return bytes
}

/** Fresh processes load the validators of all methods and use each once; starting Node is not in it. */
async function coldStart({ rounds, tell }: BenchOptions): Promise<readonly Row[]> {
  await installPeers()
  const bundle = join(BUILT, 'all-methods.mjs')
  const entry = `export { rpcValidators as validators } from '${GENERATED}/validators.ts'`
  await build({
    stdin: { contents: entry, resolveDir: ROOT, loader: 'ts' },
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['twinspec-source'],
  })
  const program = join(BUILT, 'cold.mjs')
  await writeFile(program, COLD)
  const side = { name: 'all methods', run: () => freshly(program, bundle) }
  const [measured] = await interleave([side], rounds * 3, tell)
  if (!measured) throw new Error('nothing was started')
  const against = { name: 'limit', milliseconds: 5 }
  return [{ what: 'cold start', measured, against, atMost: 1 }]
}

const COLD = `
const begun = performance.now()
const { validators } = await import(process.argv[2])
for (const { params, result } of Object.values(validators)) {
  params.check([])
  result.check('0x0')
}
process.send({ milliseconds: performance.now() - begun })
`

const freshly = (program: string, bundle: string): Promise<Cost> =>
  new Promise((resolve, reject) => {
    const child = fork(program, [bundle], { execArgv: [] })
    child.once('message', (cost) => resolve(cost as Cost))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`a cold start ended with exit code ${code}`)))
  })

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const GENERATED = join(ROOT, 'generated')
