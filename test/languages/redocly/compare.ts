/**
 * Prints Markdown tables of our clients in Python beside those of Redocly CLI, for the OpenAPI documents of the corpus: signatures with
 * `Any`, errors of mypy --strict, and what parameters are sent. `PYTHON` has httpx, which Redocly's clients need.
 *
 * `npx tsx -C twinspec-source test/languages/redocly/compare.ts PYTHON [part of the names of documents]`
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emitPython } from '../../../src/emit/python/python.js'
import type { Api } from '../../../src/model/api.js'
import { loadApi } from '../../../src/read/load.js'
import { CORPORA, readCorpus } from '../../conformance/corpora.js'
import { installTools, OPENAPI_TOOLS } from '../../corpus/tools.js'
import type { Request } from '../case.js'
import { OPENAPI } from '../documents.js'
import { pythonProgram } from '../python.js'
import { playCases, readCases } from '../run.js'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const [, , python = 'python3', part = ''] = process.argv
const folder = mkdtempSync(join(tmpdir(), 'twinspec-redocly-'))

const run = (command: string, args: readonly string[], cwd = folder) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { isDone: status === 0, text: `${stdout}${stderr}` }
}

/** Generates Redocly's client; undefined if it rejects the document. */
const redocly = (document: string, name: string): string | undefined => {
  const program = OPENAPI_TOOLS.find((tool) => tool.name === 'Redocly CLI')?.program ?? ''
  const args = ['generate-client', document, '--generator', 'python', '-o', `${name}/client.ts`]
  const file = join(folder, name, 'client.py')
  return run(process.execPath, [program, ...args]).isDone && existsSync(file) ? file : undefined
}

const ours = (api: Api, name: string): string => {
  for (const file of emitPython(api, { name: 'client' })) {
    const path = join(folder, name, file.name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.text)
  }
  return join(folder, name)
}

type Share = readonly [withAny: number, all: number]

const measured = (client: string, ...files: readonly string[]): string => {
  const { text } = run('python3', [here('measure.py'), client, ...files])
  const shares = JSON.parse(text) as Readonly<Record<string, Share>>
  return ['results', 'arguments', 'fields'].map((name) => shareOf(shares[name])).join(' | ')
}

const shareOf = (share: Share | undefined): string => (share ? `${share[0]} of ${share[1]}` : '')

const mypy = (cwd: string, target: string, executable: string): string => {
  const args = ['--strict', '--python-executable', executable, target]
  const { isDone, text } = run(pythonProgram('mypy') ?? 'mypy', args, cwd)
  return isDone ? '0' : (/Found (\d+) error/.exec(text)?.[1] ?? 'crash')
}

const rowOf = async (file: string): Promise<string> => {
  const path = join(CORPORA, 'documents', file)
  const name = file.replace(/\W+/g, '_')
  const own = ours(await loadApi({ openapi: path }), `${name}-own`)
  const cells = [
    measured(
      'HttpClient',
      ...['http_client', 'types', 'inputs'].map((file) => join(own, `src/client/${file}.py`)),
    ),
    mypy(own, 'src', pythonProgram('python') ?? python),
  ]
  const other = redocly(path, name)
  const others = other
    ? [measured('Client', other), mypy(dirname(other), 'client.py', python)]
    : ['rejected | | |']
  return `| ${[file, ...cells, ...others].join(' | ')} |`
}

/** The target and the parameter of a request, with the characters that are encoded: other spellings of them are no faults. */
const seen = (request: Request | undefined): string => {
  if (request === undefined) return 'not sent'
  try {
    return decodeURIComponent(request.target.replaceAll('+', '%20'))
  } catch {
    return request.target
  }
}

/** The values of a style that OpenAPI defines, and of whose text nobody doubts. */
const valuesOf = (style: string): readonly string[] => {
  if (style.includes('DelimitedExploded')) return []
  if (style.includes('Delimited')) return ['list', 'single', 'object']
  if (style === 'queryDeepObject') return ['object']
  return ['text', 'reserved', 'unicode', 'integer', 'boolean', 'list', 'single', 'object']
}

/** What Redocly's client sends for the parameters of the contract. Its reader rejects the style `cookie`. */
const wireTable = async (): Promise<readonly string[]> => {
  const paths = Object.entries(OPENAPI.paths).filter(([path]) => !/^\/cookieCookie/.test(path))
  const document = join(folder, 'contract.json')
  writeFileSync(document, JSON.stringify({ ...OPENAPI, paths: Object.fromEntries(paths) }))
  const client = redocly(document, 'contract')
  if (client === undefined) throw new Error('Redocly CLI rejects the document of the contract')
  const cases = readCases().filter(({ id, wanted }) => {
    const [, style = '', value = ''] = id.split('/')
    const isPlain = /^(path|query)/.test(style) && valuesOf(style).includes(value)
    return isPlain && id.startsWith('parameters/') && wanted?.requests?.length === 1
  })
  const rows = new Map<string, { wrong: number; all: number; example: string }>()
  for (const { one, requests } of await playCases([python, here('driver.py'), client], cases)) {
    const style = one.id.split('/')[1] ?? ''
    const row = rows.get(style) ?? { wrong: 0, all: 0, example: '' }
    const wanted = seen(one.wanted?.requests?.[0])
    const found = seen(requests[0])
    row.all += 1
    if (wanted !== found) {
      row.wrong += 1
      row.example ||= `\`${wanted}\` is sent as \`${found}\``
    }
    rows.set(style, row)
  }
  return [...rows].map(
    ([style, { wrong, all, example }]) =>
      `| ${style} | ${wrong} of ${all} | ${example.replaceAll('|', '\\|')} |`,
  )
}

await installTools()
try {
  const documents = JSON.parse(readCorpus('documents', 'index.json')) as readonly {
    readonly file: string
    readonly kind: string
  }[]
  console.log(
    '| document | results with Any | arguments | fields | mypy | Redocly: results | arguments | fields | mypy |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const { file, kind } of documents)
    if (kind === 'openapi' && file.includes(part)) console.log(await rowOf(file))
  console.log('\n| style | differs | first difference |\n| --- | --- | --- |')
  for (const row of await wireTable()) console.log(row)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
