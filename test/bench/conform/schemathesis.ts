import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ended } from '../install.js'

/** The release that the figures in the guide are of. */
export const VERSION = '4.32.5'

const FOLDER = fileURLToPath(
  new URL(`../../../node_modules/.cache/twinspec-bench/schemathesis-${VERSION}`, import.meta.url),
)

/** What one run says of a server. */
export type SchemathesisRun = {
  /** `AcceptedNegativeData PUT /books/{id}`, the same in each run. */
  readonly complaints: ReadonlyMap<string, readonly string[]>
  readonly seconds: number
}

export type Schemathesis = (url: string) => Promise<SchemathesisRun>

/** Runs its command line with its defaults on a document; a text is why it cannot be run here. */
export const schemathesis = async (
  document: string,
  more: readonly string[] = [],
): Promise<Schemathesis | string> => {
  const program = await installed()
  if (typeof program !== 'string') return program.why
  return async (url) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-schemathesis-'))
    try {
      const [file, report] = [join(folder, 'openapi.yaml'), join(folder, 'report.json')]
      await writeFile(file, document)
      const options = [
        '--seed',
        '1',
        '--no-color',
        '--report',
        'json',
        '--report-json-path',
        report,
      ]
      const began = performance.now()
      await run(program, ['run', file, '--url', url, ...options, ...more], folder)
      const seconds = (performance.now() - began) / 1_000
      const { failures } = JSON.parse(await readFile(report, 'utf8')) as Report
      return { complaints: new Map(failures.map((one) => [one.type, one.operations])), seconds }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

type Report = {
  readonly failures: readonly { readonly type: string; readonly operations: readonly string[] }[]
}

/** In a virtual environment of its own, below the caches of this repository. */
const installed = async (): Promise<string | { readonly why: string }> => {
  const program = join(FOLDER, 'bin', 'schemathesis')
  if (existsSync(program)) return program
  process.stderr.write(`installing schemathesis ${VERSION} from PyPI in ${FOLDER}\n`)
  try {
    await ended('python3', ['-m', 'venv', FOLDER], tmpdir())
    const pip = ['-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`]
    await ended(join(FOLDER, 'bin', 'python'), pip, tmpdir())
    return program
  } catch (error) {
    await rm(FOLDER, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message : String(error)
    return { why: `Python 3 with venv, or the package, could not be had: ${reason}` }
  }
}

/** Resolves when it has ended; 1 means that it found something. */
const run = (program: string, argv: readonly string[], cwd: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...argv], { cwd, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0 || code === 1) resolve()
      else reject(new Error(`schemathesis ended with ${code}`))
    })
  })
