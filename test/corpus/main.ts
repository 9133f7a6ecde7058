import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ended, install } from '../bench/install.js'
import { setup } from '../built/build.js'
import { builtFile } from '../built/imports.js'
import { COMPILERS, compile } from './compile.js'
import { LONGEST, problemOf, run } from './run.js'
import { type Cell, type DocumentRow, pageOf, sizeCells, toolPageOf } from './table.js'
import { installTools, sizeOf, toolRowOf } from './tools.js'
import { unreadCell } from './unread.js'

const USAGE = `npm run corpus -- [--only NAME,NAME] [--verbs NAME,NAME] [--folder FOLDER] [--tools] [--write]

Runs each command on each real document, and compiles what is generated with each TypeScript. Prints one row per document.

  --only NAMES     documents whose file contains one of these texts
  --verbs NAMES    of: generate, compile, lint, diff, mock, docs, pack, init, conform
  --folder FOLDER  an index.json and the documents; ../shared/corpora/documents by default
  --tools          other generators instead, with the same compilers and settings
  --write          writes docs/real-documents.md, or with --tools docs/other-generators.md

Exit 0 where every command reads every document, 1 where not, 2 where the documents are missing.
`

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HERE = fileURLToPath(new URL('.', import.meta.url))

const VERBS = ['generate', 'compile', 'lint', 'diff', 'mock', 'docs', 'pack', 'init', 'conform']

process.exitCode = await main(process.argv.slice(2))

async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      verbs: { type: 'string', default: VERBS.join(',') },
      folder: { type: 'string', default: join(ROOT, '../shared/corpora/documents') },
      tools: { type: 'boolean' },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const index = join(values.folder, 'index.json')
  if (!existsSync(index)) {
    process.stderr.write(`There is no ${index}.\n`)
    return 2
  }
  const asked = values.verbs.split(',')
  // What is compiled is generated first.
  const verbs = asked.includes('compile') ? ['generate', ...asked] : asked
  if (
    (values.tools || verbs.includes('compile')) &&
    !existsSync(join(HERE, 'node_modules/typescript-7'))
  )
    await install(HERE, 'TypeScript 6 and 7')
  if (values.tools) await installTools()
  const parts = values.only?.split(',')
  const chosen = (JSON.parse(readFileSync(index, 'utf8')) as readonly Indexed[]).filter(
    ({ file }) => parts === undefined || parts.some((part) => file.includes(part)),
  )
  const remove = await setup()
  try {
    if (!values.tools && (verbs.includes('compile') || verbs.includes('pack'))) await declarations()
    const rows: DocumentRow[] = []
    for (const [place, document] of chosen.entries()) {
      process.stderr.write(`${place + 1} of ${chosen.length}: ${document.file}\n`)
      const row = values.tools
        ? await toolRowOf(document, join(values.folder, document.file))
        : await rowOf(document, values.folder, verbs)
      for (const { verb, problem } of row.cells)
        if (problem !== undefined) process.stderr.write(`  ${verb}: ${problem}\n`)
      rows.push(row)
    }
    const [name, page] = values.tools
      ? ['other-generators', toolPageOf(rows)]
      : ['real-documents', pageOf(rows)]
    process.stdout.write(page)
    if (values.write) await writeFile(join(ROOT, `docs/${name}.md`), page)
    return rows.every(({ cells }) => cells.every(({ problem }) => problem === undefined)) ? 0 : 1
  } finally {
    await remove()
  }
}

type Indexed = { readonly file: string; readonly kind: 'openapi' | 'openrpc' }

async function rowOf(
  { file, kind }: Indexed,
  documents: string,
  verbs: readonly string[],
): Promise<DocumentRow> {
  const path = resolve(documents, file)
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-corpus-'))
  const out = join(folder, 'generated')
  // A document in a folder of its own refers to files beside it: the folder is the repository of its owner.
  const [, owner = '', ...below] = file.split('/')
  const allowed = below.length > 0 ? ['--allow-outside', resolve(documents, kind, owner)] : []
  const flag = [`--${kind}`, path, ...allowed]
  const cells: Cell[] = []
  /** Exit code 1 is findings: the document was read. `strictly` where only 0 will do. */
  const command = async (verb: string, args: readonly string[], highest = 0) => {
    if (!verbs.includes(verb)) return
    const ran = await run([builtFile('src/cli/main.js'), verb, ...args], folder)
    const isRead =
      ran.code !== undefined && ran.code <= highest && !/^\s+at .+:\d+:\d+\)?$/m.test(ran.output)
    cells.push({ verb, ...(isRead ? {} : { problem: problemOf(ran) }), seconds: ran.seconds })
  }
  try {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await mkdir(join(folder, 'node_modules'), { recursive: true })
    await symlink(join(builtFile(''), '..'), join(folder, 'node_modules/twinspec'))
    await symlink(join(ROOT, 'node_modules/typebox'), join(folder, 'node_modules/typebox'))
    if (verbs.includes('generate')) {
      await command('generate', [...flag, '--out', out])
      if (existsSync(out)) cells.push(await unreadCell(kind, path, allowed[1], out))
      if (verbs.includes('compile') && existsSync(out)) {
        const compiled = await compile(folder)
        cells.push(...sizeCells(sizeOf(out), compiled), ...compiled)
      }
    }
    await command('lint', flag, 1)
    await command('diff', [...flag, '--against', path])
    if (verbs.includes('mock') || verbs.includes('conform'))
      cells.push(...(await mock([path, ...allowed], folder, flag, verbs)))
    await command('docs', [...flag, '--out', join(folder, 'site')])
    const pack = ['--name', '@acme/one', '--version', '1.0.0', '--license', 'MIT']
    await command('pack', [...flag, ...pack, '--out', join(folder, 'package')])
    await command('init', [`--from-${kind}`, path, ...allowed, '--dir', join(folder, 'begun')])
    return { file, cells }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the compiler reads of the package, beside its JavaScript. */
async function declarations(): Promise<void> {
  const project = ['-p', join(ROOT, 'scripts/build.json'), '--emitDeclarationOnly']
  await ended(process.execPath, [COMPILERS['5.9'], ...project, '--outDir', builtFile('')], ROOT)
}

/** The mock starts and answers its root; where it is asked for, `conform` tests it. */
async function mock(
  documents: readonly string[],
  folder: string,
  flag: readonly string[],
  verbs: readonly string[],
): Promise<readonly Cell[]> {
  const cells: Cell[] = []
  const started = performance.now()
  const args = [builtFile('src/cli/main.js'), 'mock', ...documents, '--port', '0']
  const child = spawn(process.execPath, args, { cwd: folder })
  let output = ''
  const exited = new Promise<void>((end) => child.once('exit', () => end()))
  const address = new Promise<string | undefined>((found) => {
    const read = (chunk: Buffer) => {
      output += String(chunk)
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
      if (url !== undefined) found(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void exited.then(() => found(undefined))
    setTimeout(() => found(undefined), LONGEST).unref()
  })
  try {
    const url = await address
    const root = url === undefined ? undefined : await fetch(url).catch(() => undefined)
    const problem =
      url === undefined
        ? problemOf({ code: child.exitCode ?? undefined, output })
        : root?.status === 200
          ? undefined
          : `GET / is answered ${root?.status}`
    const seconds = (performance.now() - started) / 1_000
    if (verbs.includes('mock'))
      cells.push({ verb: 'mock', seconds, ...(problem !== undefined && { problem }) })
    if (verbs.includes('conform') && url !== undefined) {
      const args = [
        ...flag,
        '--api-key',
        'corpus:corpus-key',
        '--stateless',
        '--rate',
        '0',
        '--max-time',
        '60s',
        '--max-examples',
        '2',
      ]
      const ran = await run([builtFile('src/cli/main.js'), 'conform', url, ...args], folder)
      const isTested = ran.code === 0 || ran.code === 1
      cells.push({
        ...{ verb: 'conform', seconds: ran.seconds },
        ...(isTested ? {} : { problem: problemOf(ran) }),
      })
    }
    return cells
  } finally {
    child.kill()
    await exited
  }
}
