import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { twinspec } from '../cli/command-line.js'
import { temporaryFolder } from '../temporary-folder.js'
import { documentOf, type Revision, readSchema } from './mcp-document.js'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(HERE, '../..')
export const PACKAGES = join(HERE, 'mcp/node_modules')

/** Why the tests with MCP are skipped; undefined if all is there. */
export const whyNoMcp = !existsSync(PACKAGES)
  ? 'skipped: npm ci --prefix test/link/mcp --ignore-scripts'
  : readSchema('2025-11-25')
    ? undefined
    : 'skipped: there is no ../shared/corpora/protocols'

/** Generates client and server of a revision. Returns their folder. */
export const generateMcp = async (revision: Revision): Promise<string> => {
  const folder = temporaryFolder('mcp')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/twinspec'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const document = join(folder, 'mcp.openrpc.json')
  const schema = readSchema(revision)
  if (!schema) throw new Error(whyNoMcp)
  writeFileSync(document, JSON.stringify(documentOf(schema, revision)))
  const out = join(folder, 'generated')
  const generated = await twinspec(
    'generate',
    '--openrpc',
    document,
    '--with',
    'server',
    '--out',
    out,
  )
  if (generated.code !== 0) throw new Error(generated.stderr)
  return out
}

/** The command line of a program of this folder. */
export const programOf = (file: string): readonly string[] => [
  process.execPath,
  ...(file.endsWith('.ts') ? ['--import', 'tsx', '-C', 'twinspec-source'] : []),
  join(HERE, file),
]

/** Runs a command line to its end, and parses the last line that it prints. */
export const lastLineOf = async (command: readonly string[]): Promise<unknown> => {
  const [first = '', ...args] = command
  const { stdout } = await promisify(execFile)(first, args, { cwd: ROOT, timeout: 120_000 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill()
})

/** Starts a server until the end of the tests. Returns the URL that it prints. */
export const startServer = async (command: readonly string[]): Promise<string> => {
  const [first = '', ...args] = command
  const child = spawn(first, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  for await (const line of createInterface({ input: child.stdout })) return line
  throw new Error(`${command.join(' ')} printed no URL`)
}

/** Runs a conformance suite against a server. Returns each scenario with its number of failures. */
export const conformanceOf = async (
  suite: string,
  url: string,
  args: readonly string[] = [],
): Promise<Readonly<Record<string, number>>> => {
  const all = [...suiteOf(suite), 'server', '--url', url, ...args]
  const options = { cwd: temporaryFolder('conformance'), timeout: 300_000, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(process.execPath, all, options).catch(
    (error) => error,
  )
  const lines = [...String(stdout).matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)]
  return Object.fromEntries(lines.map(([, name = '', , failed]) => [name, Number(failed)]))
}

/** Runs a scenario of a suite with a client. Returns what it counts. */
export const clientConformanceOf = async (
  suite: string,
  client: readonly string[],
  args: readonly string[],
): Promise<string> => {
  const all = [
    ...suiteOf(suite),
    'client',
    '--command',
    client.join(' '),
    '--scenario',
    ...args,
    '--timeout',
    '90000',
  ]
  const run = promisify(execFile)(process.execPath, all, { cwd: ROOT, timeout: 120_000 })
  const { stdout, stderr } = await run.catch((error) => error)
  return /Passed: .*/.exec(`${stdout}${stderr}`)?.[0] ?? 'nothing'
}

const suiteOf = (suite: string): readonly string[] => {
  const loader = join(HERE, 'mcp/glob-of-node-20.mjs')
  return ['--import', loader, join(PACKAGES, suite, 'dist/index.js')]
}
