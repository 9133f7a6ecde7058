import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bench, type BenchOptions, type Row, ratioOf } from '../bench.js'
import { growing } from '../growth.js'
import { interleave } from '../rounds.js'
import { openapiOf } from '../synthetic.js'
import {
  changedOperations,
  costOf,
  githubRelease,
  missingOasdiff,
  oasdiff,
  type Program,
  withTwinspec,
} from './sides.js'

/** Diff of GitHub's document against oasdiff, and its growth. */
export const diffBenches: readonly Bench[] = [
  { name: 'diff-github', isLarge: true, run: github, missing: missingOasdiff },
  {
    name: 'diff-histories',
    run: compareHistories,
    missing: () =>
      existsSync(HISTORIES) ? missingOasdiff() : 'there is no ../shared/corpora here',
  },
  { name: 'diff-growth', run: growth },
  { name: 'diff-itself', run: itself },
]

/** A release with many changes, and one with a single one. */
async function github({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  const rival = await oasdiff()
  report('compiling twinspec')
  return withTwinspec(async (twinspec) => {
    const rows: Row[] = []
    for (const [from, to] of [
      ['22.0.0', '23.0.0'],
      ['23.0.0', '23.0.1'],
    ] as const) {
      const [before, after] = [await githubRelease(from), await githubRelease(to)]
      const side = (name: string, program: Program) => ({
        name,
        run: () => costOf(program(before, after)),
      })
      const sides = [side('twinspec', twinspec), side('oasdiff', rival)]
      const [measured, against] = await interleave(sides, rounds, report)
      if (measured && against) {
        rows.push({ what: `diff, GitHub ${from} to ${to}, 13 MB`, measured, against })
      }
    }
    return rows
  })
}

/**
 * Each pair of successive versions of the real documents in `corpora/histories`. Times are processor times. OpenAPI pairs run
 * beside oasdiff, and the target is for the pair in the middle; OpenRPC pairs, which oasdiff does not read, run alone.
 */
async function compareHistories({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  const rival = await oasdiff()
  report('compiling twinspec')
  return withTwinspec(async (twinspec) => {
    const counts = { changed: 0, undecided: 0 }
    const beside: Row[] = []
    const alone: Row[] = []
    for (const { kind, before, after } of historyPairs()) {
      const what = `diff, processor time, ${before} to ${after}`
      const paths = [join(HISTORIES, before), join(HISTORIES, after)] as const
      const side = (name: string, program: Program) => ({
        name,
        run: async () => {
          const { processorMilliseconds, megabytes } = await costOf(program(...paths))
          return { milliseconds: processorMilliseconds, ...(megabytes && { megabytes }) }
        },
      })
      const ours = kind === 'openapi' ? twinspec : openrpc(twinspec)
      report(`counting the operations that changed from ${before} to ${after}`)
      const { changed, undecided } = await changedOperations(ours(...paths))
      counts.changed += changed.size
      counts.undecided += undecided.size
      const sides = [side('twinspec', ours)]
      if (kind === 'openapi') sides.push(side('oasdiff', rival))
      const [measured, against] = await interleave(sides, rounds, report)
      if (!measured) continue
      if (against) beside.push({ what, measured, against })
      else alone.push({ what, measured, against: LONGEST, atMost: 1 })
    }
    beside.sort((a, b) => (ratioOf(a) ?? 0) - (ratioOf(b) ?? 0))
    const middle = beside.length >> 1
    return [
      ...beside.map((row, index) =>
        index === middle ? { ...row, what: `${row.what} (median)`, atMost: 4 } : row,
      ),
      ...alone,
      {
        what: 'diff, operations of all histories',
        measured: { name: 'undecided', count: counts.undecided },
        against: { name: 'changed', count: counts.changed },
        atMost: 0.01,
      },
    ]
  })
}

/** The same program for OpenRPC documents. */
const openrpc =
  (program: Program): Program =>
  (before, after) => {
    const [command, ...argv] = program(before, after)
    return [command, ...argv.map((word) => (word === '--openapi' ? '--openrpc' : word))]
  }

const LONGEST = { name: 'bound', milliseconds: 60_000 }

function historyPairs(): readonly HistoryPair[] {
  const index: readonly History[] = JSON.parse(readFileSync(join(HISTORIES, 'index.json'), 'utf8'))
  return index.flatMap(({ kind, versions }) =>
    versions.slice(1).map((after, at) => ({ kind, before: versions[at] ?? '', after })),
  )
}

type History = { readonly kind: 'openapi' | 'openrpc'; readonly versions: readonly string[] }

type HistoryPair = {
  readonly kind: History['kind']
  readonly before: string
  readonly after: string
}

const HISTORIES = fileURLToPath(new URL('../../../../shared/corpora/histories', import.meta.url))

/** Time for each operation stays what it is: eight times the operations may take 8.8 times the time. */
async function growth({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  const job = { work: 'diff', sizes: SIZES, perRound: 4000, rounds: Math.min(rounds, 3) } as const
  const [against, ...larger] = await growing(job, report)
  return larger.flatMap((measured, index) => {
    const times = (SIZES[index + 1] ?? 0) / SIZES[0]
    const what = `diff, ${measured.name} operations`
    return against ? [{ what, measured, against, atMost: times * 1.1 }] : []
  })
}

const SIZES = [1000, 2000, 4000, 8000] as const

/** A document of 10 MB against itself, as a whole process, and its memory against that of a tenth. */
async function itself({ rounds, report }: BenchOptions): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-bench-'))
  try {
    report('compiling twinspec')
    return await withTwinspec(async (twinspec) => {
      const sides = []
      for (const size of [LARGE, LARGE / 10]) {
        const text = JSON.stringify(openapiOf(size), null, 2)
        const file = join(folder, `${size}.json`)
        await writeFile(file, text)
        const name = `${(text.length / 1e6).toFixed(1)} MB`
        // Nothing at all may be found, or it ends with 1.
        const command = [...twinspec(file, file), '--fail-on', 'note'] as const
        sides.push({ name, run: () => costOf(command, [0]) })
      }
      const [measured, against] = await interleave(sides, rounds, report)
      if (!measured || !against) return []
      return [{ what: 'diff, a document against itself', measured, against, atMost: 11 }]
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Operations of a document of 10 MB. */
const LARGE = 4000
