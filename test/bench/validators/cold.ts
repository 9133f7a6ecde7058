import { fork } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Api } from '../../../src/model/api.js'
import { findDocuments, loadApi } from '../../../src/read/load.js'
import type { Bench, BenchOptions, Row } from '../bench.js'
import { BUILT, installPeers } from '../peers.js'
import { type Cost, interleave } from '../rounds.js'
import { GENERATED, ROOT } from './bundle.js'
import { coldPeers } from './cold-peers.js'

/** What it takes until the validators of all methods are loaded and each has been asked once. */
export const coldBench: Bench = { name: 'validators-cold', run: coldStart }

/**
 * Fresh processes, on the methods' own examples; starting Node and reading the examples is not in it. It is the time of the
 * processors, a tenth more than the clock's on a machine with nothing else to do, as the engine's other threads are in it.
 */
async function coldStart({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  await installPeers()
  const program = join(BUILT, 'cold.mjs')
  await writeFile(program, COLD)
  const api = await loadApi(findDocuments(join(ROOT, 'spec')))
  const examples = join(BUILT, 'cold-examples.json')
  await writeFile(examples, JSON.stringify(exchanges(api)))
  const programs = [...OURS, ...(await coldPeers(api)), EMPTY]
  const sides = []
  for (const { name, contents } of programs) {
    const bundle = await bundled(name, contents)
    sides.push({ name, run: () => freshly(program, bundle, examples) })
  }
  const measured = await interleave(sides, rounds * 3, report)
  const limit = { name: 'limit', milliseconds: 5 }
  const [checks, asServer, ...others] = measured
  if (checks === undefined || asServer === undefined) throw new Error('nothing was measured')
  const what = 'cold start'
  return [
    { what, measured: checks, against: limit, atMost: 1 },
    { what, measured: asServer, against: limit, atMost: 1 },
    ...others.map((against) => ({ what, measured: checks, against })),
  ]
}

const ours = (file: string): string =>
  `export { rpcValidators as validators } from '${GENERATED}/${file}'`

const OURS = [
  { name: 'all methods', contents: ours('validators.ts') },
  { name: 'all methods, as a server loads them', contents: ours('explanations.ts') },
]

/** What it takes to import anything at all, which is in all the others. */
const EMPTY = {
  name: 'a module with next to nothing in it',
  contents: `
    const method = { params: { check: Array.isArray }, result: { check: () => true } }
    export const validators = new Proxy({}, { get: () => method })`,
}

/** The first example of each method; where there is none that answers, a value to refuse. */
function exchanges({ operations }: Api): readonly Exchange[] {
  return operations.flatMap((operation) => {
    if (operation.kind !== 'rpc') return []
    const { id, examples } = operation
    const answered = examples.find(({ outcome }) => outcome.kind === 'result')
    const [shown = answered] = examples
    const { outcome } = answered ?? {}
    return {
      id,
      params: shown?.params ?? [],
      isTaken: shown !== undefined,
      result: outcome?.kind === 'result' ? outcome.value : '0x0',
      isAnswer: answered !== undefined,
    }
  })
}

/** What is asked of one method's validators, and whether they have to accept it. */
type Exchange = {
  readonly id: string
  readonly params: readonly unknown[]
  readonly isTaken: boolean
  readonly result: unknown
  readonly isAnswer: boolean
}

async function bundled(name: string, contents: string): Promise<string> {
  const outfile = join(BUILT, `cold-${name.replaceAll(/\W+/g, '-')}.mjs`)
  await build({
    stdin: { contents, resolveDir: BUILT, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    conditions: ['twinspec-source'],
  })
  return outfile
}

const COLD = `
import { readFileSync } from 'node:fs'
const exchanges = JSON.parse(readFileSync(process.argv[3], 'utf8'))
const begun = process.cpuUsage()
const { validators } = await import(process.argv[2])
const wrong = []
for (const { id, params, isTaken, result, isAnswer } of exchanges) {
  const own = validators[id]
  if (!own.params.check(params) && isTaken) wrong.push(id)
  if (!own.result.check(result) && isAnswer) wrong.push(id)
}
const { user, system } = process.cpuUsage(begun)
if (wrong.length > 0) throw new Error('refused its own example: ' + wrong)
const loose = exchanges.filter(({ id }) => validators[id].params.check(null))
if (loose.length > 0) throw new Error('took null for params: ' + loose.map(({ id }) => id))
process.send({ milliseconds: (user + system) / 1000 })
`

const freshly = (program: string, bundle: string, examples: string): Promise<Cost> =>
  new Promise((resolve, reject) => {
    const child = fork(program, [bundle, examples], { execArgv: [] })
    child.once('message', (cost) => resolve(cost as Cost))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`a cold start ended with exit code ${code}`)))
  })
