import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROJECT } from '../corpus/compile.js'
import { installTools, OPENAPI_TOOLS } from '../corpus/tools.js'
import type { Bench, BenchOptions, Row } from './bench.js'
import { costOf, withPackage } from './diff/sides.js'
import { githubDocument } from './github.js'
import { installPeers } from './peers.js'
import { interleave, type Measured, type Side } from './rounds.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const STRIPE = join(ROOT, '../shared/corpora/documents/openapi/stripe.json')

/** A client beside that of hey-api, and types beside those of openapi-typescript: each a whole process, as its guide calls it. */
export const generatorBenches: readonly Bench[] = [
  {
    name: 'generators-stripe',
    missing: () => (existsSync(STRIPE) ? undefined : 'there is no ../shared/corpora here'),
    run: (options) => beside('Stripe', STRIPE, 1.05, options),
  },
  {
    name: 'generators-github',
    isLarge: true,
    run: async (options) => beside('GitHub', await githubDocument(), 1.3, options),
  },
  {
    name: 'generators-call',
    missing: () => (existsSync(STRIPE) ? undefined : 'there is no ../shared/corpora here'),
    run: oneCall,
  },
]

/** Ours, theirs, and the goals of the ratios. Our client checks responses; theirs does with its plugin for zod. */
const PAIRS = [
  { kind: 'client', peer: 'hey-api', more: [], targets: { time: 0.8, bytes: 2.8 } },
  {
    kind: 'client',
    peer: 'hey-api',
    more: ['--plugins', '@hey-api/sdk', 'zod'],
    targets: { bytes: 2 },
  },
  { kind: 'types', peer: 'openapi-typescript', more: [], targets: {} },
] as const

async function beside(
  what: string,
  document: string,
  /** The goal for the compiler beside hey-api alone. */
  check: number,
  { rounds, report }: BenchOptions,
): Promise<readonly Row[]> {
  await Promise.all([installTools(), installPeers()])
  return withPackage(async (twinspec, main) => {
    const folder = await mkdtemp(join(tmpdir(), 'twinspec-generators-'))
    try {
      await symlinked(folder, twinspec)
      const rows: Row[] = []
      for (const { kind, peer, more, targets: goals } of PAIRS) {
        const targets = 'time' in goals ? { ...goals, check } : goals
        const tool = OPENAPI_TOOLS.find(({ name }) => name === peer)
        if (!tool) throw new Error(`there is no tool ${peer}`)
        const ours = ['generate', '--openapi', document, '--only', kind, '--out', 'generated']
        const sides = [
          await sideOf(folder, `twinspec --only ${kind}`, [main, ...ours]),
          await sideOf(folder, [peer, ...more.slice(2)].join(', '), [
            tool.program,
            ...tool.args(document),
            ...more,
          ]),
        ]
        const [measured, against] = await interleave(
          sides.map((one) => one.generate),
          rounds,
          report,
        )
        const [checked, checkedAgainst] = await interleave(
          sides.map((one) => one.check),
          rounds,
          report,
        )
        if (!measured || !against || !checked || !checkedAgainst) throw new Error('nothing ran')
        const [own = measured, other = against] = sides.map((one) => one.size())
        rows.push(
          row(`generation of ${kind}, ${what}`, measured, against, targets, 'time'),
          row(`peak of memory, ${kind}, ${what}`, peak(measured), peak(against), targets, 'memory'),
          row(`output, ${kind}, ${what}`, own, other, targets, 'bytes'),
          row(`tsc of the output, ${kind}, ${what}`, checked, checkedAgainst, targets, 'check'),
        )
      }
      return rows
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

/** The compiler on a project that calls one operation of Stripe, beside an empty project, by processor time. */
async function oneCall({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  return withPackage(async (twinspec, main) => {
    const folder = await mkdtemp(join(tmpdir(), 'twinspec-call-'))
    try {
      await symlinked(folder, twinspec)
      const out = join(folder, 'generated')
      await costOf(
        [process.execPath, main, 'generate', '--openapi', STRIPE, '--only', 'client', '--out', out],
        [0],
      )
      const projects = { 'an empty project': 'export {}\n', 'one call of Stripe': ONE_CALL }
      const sides: Side[] = []
      for (const [name, text] of Object.entries(projects)) {
        const at = join(folder, `call-${sides.length}`)
        await mkdir(at)
        await writeFile(join(at, 'main.ts'), text)
        const compilerOptions = { ...PROJECT, strict: true }
        await writeFile(
          join(at, 'tsconfig.json'),
          JSON.stringify({ compilerOptions, files: ['main.ts'] }),
        )
        const run = async () => {
          const { processorMilliseconds } = await costOf([process.execPath, TSC, '-p', at], [0])
          return { milliseconds: processorMilliseconds }
        }
        sides.push({ name, run })
      }
      const [against, measured] = await interleave(sides, rounds, report)
      if (!measured || !against) throw new Error('nothing ran')
      return [{ what: 'tsc of a project', measured, against, atMost: 1.5 }]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

const ONE_CALL = `import { createGetAccountsAccountClient } from '../generated/accounts/http.calls.js'

const { GetAccountsAccount } = createGetAccountsAccountClient()
const { id } = await GetAccountsAccount({ path: { account: 'acct_1' } })
export const text: string = id
`

function row(
  what: string,
  measured: Row['measured'],
  against: Row['measured'],
  targets: Readonly<Record<string, number>>,
  target: string,
): Row {
  const { [target]: atMost } = targets
  return { what, measured, against, ...(atMost !== undefined && { atMost }) }
}

const peak = ({ name, megabytes = Number.NaN }: Measured) => ({ name, bytes: megabytes * 2 ** 20 })

/** What both sides need to compile. */
async function symlinked(folder: string, twinspec: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  await symlink(twinspec, join(folder, 'node_modules/twinspec'), 'junction')
  for (const library of ['node_modules/typebox', 'test/bench/peers/node_modules/zod'])
    await symlink(join(ROOT, library), join(folder, 'node_modules', basename(library)), 'junction')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
}

/** One generator with a folder of its own, which each round empties. */
async function sideOf(around: string, name: string, argv: readonly string[]) {
  const folder = await mkdtemp(join(around, 'side-'))
  const out = join(folder, 'generated')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  const generate: Side = {
    name,
    run: async () => {
      await rm(out, { recursive: true, force: true })
      await mkdir(out)
      const absolute = argv.map((one) => one.replace(/^generated(?=\/|$)/, out))
      return costOf([process.execPath, ...absolute], [0])
    },
  }
  // Code that does not compile is checked all the same.
  const check: Side = { name, run: () => costOf([process.execPath, TSC, '-p', folder], [0, 2]) }
  const size = () => {
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
    const sizes = files.map((file) => statSync(join(out, file))).filter((one) => one.isFile())
    return { name, bytes: sizes.reduce((sum, one) => sum + one.size, 0) }
  }
  return { generate, check, size }
}

/** The same flags for all. */
const TSCONFIG = {
  compilerOptions: { ...PROJECT, strict: true },
  include: ['generated'],
}
