import { fork } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { namesIn } from '../../src/emit/order.js'
import type { Api, HttpOperation } from '../../src/model/api.js'
import { sectionsOf } from '../../src/model/groups.js'
import { httpOperations } from '../../src/model/operations.js'
import { loadApi } from '../../src/read/load.js'
import { grouped } from '../../src/schema/grouped.js'
import { referredName, type Schema } from '../../src/schema/schema.js'
import type { Bench, BenchOptions, Row } from './bench.js'
import { githubDocument } from './github.js'
import { type Cost, interleave, median } from './rounds.js'

/**
 * What processor time the compiler takes for a file that calls operations of GitHub's generated client, in a project as a
 * user has it: strict, the libraries of ECMAScript and the DOM, no other types, this package as it is installed, by its
 * declarations, which `skipLibCheck` has taken as they are. What an empty file takes in the same project stands beside.
 */
export const typeCheckBenches: readonly Bench[] = [
  { name: 'types-github', isLarge: true, run: typeCheck },
]

async function typeCheck({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  const openapi = await githubDocument()
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-bench-'))
  try {
    report('generating')
    const api = await loadApi({ openapi })
    const modules: ClientModule[] = []
    for (const { name, text } of emitAll(api, [], [...DEFAULT_KINDS, 'server'])) {
      await mkdir(dirname(join(folder, 'generated', name)), { recursive: true })
      await writeFile(join(folder, 'generated', name), text)
      for (const [, create = '', id = ''] of text.matchAll(SINGLE))
        modules.push({ create, module: `./generated/${name.replace(/\.ts$/, '.js')}`, id })
    }
    await install(folder)
    const sides = []
    const programs = programsOf(api, modules)
    const elapsedOf = new Map<string, readonly number[]>()
    for (const [index, { name, text }] of programs.entries()) {
      const file = join(folder, `program-${index}.ts`)
      await writeFile(file, text)
      const run = async () => {
        const { elapsed, ...cost } = await inItsOwnProcess(folder, file)
        elapsedOf.set(name, [...(elapsedOf.get(name) ?? []), elapsed])
        return cost
      }
      sides.push({ name, run })
    }
    const measured = await interleave(sides, rounds, report)
    return measured.flatMap((one, index): readonly Row[] => {
      const limit = programs[index]?.limit
      const target = limit && { against: { name: 'limit', milliseconds: limit }, atMost: 1 }
      const elapsed = { name: one.name, milliseconds: median(elapsedOf.get(one.name) ?? []) }
      return [
        { what: 'type-check, GitHub, processors', measured: one, ...target },
        { what: 'type-check, GitHub, by the clock', measured: elapsed },
      ]
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Program = { readonly name: string; readonly text: string; readonly limit?: number }

/** `export const createGetPetClient = (options?: Options): Pick<PetsOperations, 'getPet'>` */
const SINGLE = /^export const (create\w+Client) = .*Pick<\w+, '(\w+)'>/gm

/** Milliseconds of the processors, as the machine is shared. */
const ONE = 600
const MANY = 1200

/** A generated module, and the function in it that creates a client of one operation. */
type ClientModule = { readonly module: string; readonly create: string; readonly id: string }

/** Programs that import more and more of the output. */
function programsOf(api: Api, modules: readonly ClientModule[]): readonly Program[] {
  const sections = grouped(sectionsOf(httpOperations(api)), ([, section]) => section)
  const folders = [...sections]
    .map(([name, own]) => ({ name, operations: own.map(([operation]) => operation) }))
    .map((folder) => ({ ...folder, calls: folder.operations.flatMap((one) => callOf(one, api)) }))
    .filter(({ calls }) => calls.length > 0)
    .sort((a, b) => a.operations.length - b.operations.length)
  const middle = folders[folders.length >> 1]
  const largest = folders.at(-1)
  if (!middle || !largest || largest.calls.length < 21) throw new Error('the document is too small')
  const said = ({ name, operations }: typeof middle) => `${name} (${operations.length})`
  const widest = [...api.operations]
    .flatMap((one) => (one.kind === 'http' ? callOf(one, api) : []))
    .map((call) => ({ call, ofIt: readBy(api, call.id) }))
    .sort((a, b) => b.ofIt - a.ofIt)[0]
  if (!widest) throw new Error('nothing of the document can be called')
  const each = folders.slice(-21).flatMap(({ calls }) => calls.slice(0, 1))
  const one = (calls: readonly Called[]) => alone(calls.slice(0, 1), modules)
  return [
    { name: 'an empty file', text: 'export {}\n' },
    { name: 'a file with one call, written by hand', text: BY_HAND },
    { name: `one operation of ${said(middle)}`, text: one(middle.calls), limit: ONE },
    { name: `one operation of ${said(largest)}`, text: one(largest.calls), limit: ONE },
    {
      name: `the operation with the most schemas (${widest.ofIt})`,
      text: alone([widest.call], modules),
      limit: ONE,
    },
    {
      name: `21 operations of ${said(largest)}`,
      text: alone(largest.calls.slice(0, 21), modules),
      limit: MANY,
    },
    {
      name: 'an operation of each of the 21 largest tags',
      text: alone(each, modules),
      limit: MANY,
    },
    {
      name: `one operation of the whole client (${api.operations.length})`,
      text: byClient(largest.calls[0]),
    },
  ]
}

/** What a user writes: a client of each operation, and calls whose answers are used. */
const alone = (calls: readonly Called[], modules: readonly ClientModule[]): string =>
  calls
    .map((call) => {
      const client = modules.find(({ id }) => id === call.id)
      if (client === undefined) throw new Error(`${call.id} has no client of its own`)
      const { module, create } = client
      return `import { ${create} } from '${module}'\n${call.text(`${create}()`)}`
    })
    .join('')

const byClient = (call: Called | undefined): string =>
  `import { createHttpClient } from './generated/http.client.js'\n${call?.text('createHttpClient()')}`

/** What no layout can go below: the types of one call, and nothing of a client. */
const BY_HAND = `type Input = { readonly path: { readonly owner: string; readonly repo: string } }
type Options = { readonly signal?: AbortSignal; readonly timeout?: number }
type Answer = { readonly names: string[] }
declare const call: (input: Input, options?: Options) => Promise<Answer>
export const names = async () => (await call({ path: { owner: 'x', repo: 'x' } })).names
`

/** How many schemas an operation leads to. */
function readBy(api: Api, id: string): number {
  const operation = api.operations.find((one) => one.id === id)
  const all = operation?.kind === 'http' ? operation.responses.flatMap((one) => one.content) : []
  const seen = new Set(all.flatMap(({ schema }) => [...namesIn(schema)]))
  // A set hands over what is added to it while it is walked.
  for (const name of seen)
    for (const one of namesIn(api.schemas.get(name)?.schema ?? true)) seen.add(one)
  return seen.size
}

type Called = { readonly id: string; readonly text: (client: string) => string }

/** A call of an operation that reads something, with its parameters, and a look at a property of the answer. */
function callOf({ id, method, parameters, responses }: HttpOperation, api: Api): readonly Called[] {
  const content = responses.find(({ status }) => status === '200')?.content
  const answer = resolved(content?.find(({ type }) => type === 'application/json')?.schema, api)
  const item = resolved(answer?.items, api)
  const [property] = Object.keys((item ?? answer)?.properties ?? {})
  const needed = parameters.filter(({ required }) => required)
  const values = needed.map(({ name, schema }) => {
    const { type } = resolved(schema, api) ?? {}
    const value = type === 'string' ? `'x'` : type === 'integer' ? '1' : undefined
    return value && `${name}: ${value}`
  })
  if (method !== 'GET' || property === undefined || values.includes(undefined)) return []
  if (needed.some((one) => one.in !== 'path' || !/^\w+$/.test(one.name))) return []
  const input = values.length === 0 ? '' : `{ path: { ${values.join(', ')} } }`
  const use = item ? `map((one) => one?.${property})` : property
  const text = (client: string) =>
    `export const ${id} = async () => (await ${client}.${id}(${input}))?.${use}\n`
  return [{ id, text }]
}

function resolved(schema: Schema | undefined, api: Api) {
  const name = schema === undefined ? undefined : referredName(schema)
  const found = name === undefined ? schema : api.schemas.get(name)?.schema
  return typeof found === 'object' && found.enum === undefined ? found : undefined
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const OPTIONS = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: [],
  module: 'NodeNext',
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
}

/** This package as its users have it: declarations, where its own tests read the sources. */
async function install(folder: string) {
  const to = join(folder, 'node_modules/twinspec')
  await mkdir(to, { recursive: true })
  await writeFile(join(to, 'package.json'), await readFile(join(ROOT, 'package.json')))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const { config } = ts.readConfigFile(join(ROOT, 'scripts/build.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(ROOT, 'scripts'))
  const entries = ['http.ts', 'rpc.ts', 'server.ts'].map((name) => join(ROOT, 'src/runtime', name))
  const program = ts.createProgram(entries, {
    ...options,
    outDir: join(to, 'dist'),
    emitDeclarationOnly: true,
  })
  const { emitSkipped } = program.emit()
  if (emitSkipped) throw new Error('the declarations of the runtime could not be written')
}

type Timed = Cost & { readonly elapsed: number }

const inItsOwnProcess = (folder: string, file: string): Promise<Timed> =>
  new Promise((resolve, reject) => {
    const program = fileURLToPath(new URL('type-check-side.mjs', import.meta.url))
    const job = JSON.stringify({ folder, file, compilerOptions: OPTIONS })
    const child = fork(program, [job], { execArgv: ['--max-old-space-size=6144'] })
    child.once('message', (cost) => resolve(cost as Timed))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the compiler ended with exit code ${code}`)))
  })
