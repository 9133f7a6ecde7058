import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../../pack/packed.js'
import { setup as setUpShelf } from '../../pack/packed-tarball.js'
import { RUNTIMES } from './runtimes.js'
import { differences, type Table, versionsOf, writeTable } from './table.js'

const USAGE = `npm run runtimes -- [--only NAME,NAME] [--write | --check] [--offline]

Installs the package of this repository's documents into an empty project, uses each of its parts in each runtime, and
prints what works where. Runtimes that are missing are installed (720 MB), but for Chromium.

  --only NAMES  these runtimes: ${RUNTIMES.map(({ id }) => id).join(', ')}
  --write       puts the table into docs/packages.md
  --check       says whether the table in docs/packages.md is this one, in the columns that were tried
  --offline     takes the package's peers from this repository, and not from the registry

Exit 0 where all that is meant to work does, 1 where something does not, 2 where something could not be tried.
`

const PAGE = join(ROOT, 'docs/packages.md')
const MARKERS = ['<!-- compatibility -->', '<!-- end of compatibility -->']

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  const flags = flagsOf(argv)
  if (typeof flags === 'string') {
    process.stderr.write(`${flags}\n\n${USAGE}`)
    return 2
  }
  if (flags.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const tidy = await setUpShelf()
  const place = await mkdtemp(join(tmpdir(), 'compatibility-'))
  try {
    // What runs pages and bundles them takes seconds to load, and an unknown flag is reported before.
    const { tryOut } = await import('./columns.js')
    const table = await tryOut(flags.runtimes, { place, isOffline: flags.isOffline, report: show })
    show('')
    const text = writeTable(table)
    process.stdout.write(`${text}\n\n${versionsOf(table)}\n`)
    const code = codeOf(table)
    if (flags.isChecked) return Math.max(code, await check(text))
    if (flags.isWritten) return code === 0 ? await write(text, versionsOf(table)) : refuse(code)
    return code
  } catch (error) {
    show('')
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return 2
  } finally {
    await rm(place, { recursive: true, force: true })
    await tidy()
  }
}

/** What is to be done, or a sentence that says why that cannot be. */
function flagsOf(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        only: { type: 'string', multiple: true },
        write: { type: 'boolean' },
        check: { type: 'boolean' },
        offline: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    })
    const names = values.only?.flatMap((list) => list.split(','))
    const unknown = names?.find((name) => !RUNTIMES.some(({ id }) => id === name))
    if (unknown !== undefined) return `There is no runtime ${unknown}.`
    if (values.write && values.check) return 'Either --write or --check, not both.'
    if (values.write && names)
      return '--write takes no --only: the table in docs/packages.md is a whole one.'
    return {
      help: values.help ?? false,
      runtimes: RUNTIMES.filter(({ id }) => names === undefined || names.includes(id)),
      isWritten: values.write ?? false,
      isChecked: values.check ?? false,
      isOffline: values.offline ?? false,
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** What failed weighs less than what was not tried: nobody knows about that. */
function codeOf({ columns }: Table): number {
  const kinds = new Set(columns.flatMap(({ cells }) => cells.map(({ kind }) => kind)))
  if (kinds.has('untried')) return 2
  return kinds.has('fails') ? 1 : 0
}

async function check(text: string): Promise<number> {
  const { kept } = await readPage()
  const changes = differences(text, kept)
  for (const one of changes) process.stderr.write(`docs/packages.md: ${one}\n`)
  if (changes.length > 0)
    process.stderr.write('Where all works, npm run runtimes -- --write mends it.\n')
  return changes.length > 0 ? 1 : 0
}

async function write(text: string, versions: string): Promise<number> {
  const { before, after } = await readPage()
  await writeFile(PAGE, `${before}\n${text}\n\n${versions}\n${after}`)
  return 0
}

function refuse(code: number): number {
  process.stderr.write('docs/packages.md was left as it is: it is to say what works everywhere.\n')
  return code
}

/** docs/packages.md as far as the marker before the table, the table, and the rest from the marker behind it. */
async function readPage() {
  const text = await readFile(PAGE, 'utf8')
  const [start, end] = MARKERS.map((marker) => text.indexOf(marker)) as [number, number]
  if (start < 0 || end < start)
    throw new Error(`docs/packages.md has to hold ${MARKERS.join(' and ')}`)
  const from = start + (MARKERS[0] ?? '').length
  return { before: text.slice(0, from), kept: text.slice(from, end), after: text.slice(end) }
}

/** How far it has come, on a terminal. */
function show(words: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${words}`)
}
