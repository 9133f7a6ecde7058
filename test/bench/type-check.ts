import { fork } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emitAll } from '../../src/emit/emit.js'
import type { Api } from '../../src/model/api.js'
import { loadApi } from '../../src/model/load.js'
import type { Bench, BenchOptions, Row } from './bench.js'
import { githubDocument, prepareProject } from './github.js'
import { type Cost, interleave } from './rounds.js'

/** What processor time the compiler takes for a file that calls a few operations of GitHub's generated client. */
export const typeCheckBenches: readonly Bench[] = [
  { name: 'types-github', isLarge: true, run: typeCheck },
]

/** Number of operations -> milliseconds, of the processors, as the machine is shared. */
const LIMITS = new Map([
  [1, 600],
  [21, 1200],
])

async function typeCheck({ rounds, tell }: BenchOptions): Promise<readonly Row[]> {
  const openapi = await githubDocument()
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-bench-'))
  try {
    tell('generating')
    const api = await loadApi({ openapi })
    const ids = readers(api)
    await mkdir(join(folder, 'generated'))
    for (const { name, text } of await emitAll(api)) {
      await writeFile(join(folder, 'generated', name), text)
    }
    await prepareProject(folder)
    const sides = []
    for (const count of [0, ...LIMITS.keys()]) {
      const file = join(folder, `calls-${count}.ts`)
      await writeFile(file, callsOf(ids.slice(0, count)))
      const name = count === 0 ? 'an empty file' : `${count} operations`
      sides.push({ name, run: () => inItsOwnProcess(folder, file) })
    }
    const [empty, ...measured] = await interleave(sides, rounds, tell)
    if (!empty) throw new Error('nothing was type-checked')
    return [
      { what: 'type-check, GitHub', measured: empty },
      ...[...LIMITS.values()].flatMap((milliseconds, index) => {
        const one = measured[index]
        const against = { name: 'limit', milliseconds }
        return one ? [{ what: 'type-check, GitHub', measured: one, against, atMost: 1 }] : []
      }),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What reads something and may be called without any parameter. */
function readers({ operations }: Api): readonly string[] {
  const most = Math.max(...LIMITS.keys())
  const ids = operations.flatMap((one) =>
    one.kind === 'http' && one.method === 'GET' && one.parameters.every(({ required }) => !required)
      ? [one.id]
      : [],
  )
  if (ids.length < most) throw new Error(`only ${ids.length} operations need no parameter`)
  return ids.slice(0, most)
}

/** What a user writes: a client, and a call whose answer is used. */
function callsOf(ids: readonly string[]): string {
  if (ids.length === 0) return 'export {}\n'
  const calls = ids.map(
    (id) => `export const ${id} = () => http.${id}() satisfies Promise<unknown>\n`,
  )
  return `import { createHttpClient } from './generated/http.client.js'
const http = createHttpClient()
${calls.join('')}`
}

const inItsOwnProcess = async (folder: string, file: string): Promise<Cost> => {
  const { compilerOptions } = JSON.parse(await readFile(join(folder, 'tsconfig.json'), 'utf8'))
  return new Promise((resolve, reject) => {
    const program = fileURLToPath(new URL('type-check-side.mjs', import.meta.url))
    const child = fork(program, [JSON.stringify({ folder, file, compilerOptions })], {
      execArgv: ['--max-old-space-size=6144'],
    })
    child.once('message', (cost) => resolve(cost as Cost))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the compiler ended with exit code ${code}`)))
  })
}
