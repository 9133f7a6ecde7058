import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a file of this project as a process, with an IPC channel: `forkOurs(new URL('./compile.js', import.meta.url))`. The
 * file has its name in the built package (`.js`); if only its `.ts` exists, tsx runs that.
 *
 * The child inherits no variables of this process except those in `env`, so that it gets no secrets. From source, tsx sends its
 * own messages (`{ type: 'dependency' }`) through the channel: ignore messages of unknown shape.
 */
export function forkOurs(file: URL, options: OurForkOptions = {}): ChildProcess {
  const { args = [], execArgv = [], env = {}, ...rest } = options
  const source = sourceOf(file)
  return fork(fileURLToPath(source ?? file), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...rest,
    env: { ...basics(), ...env },
    // Always set: the default would inherit this process's own flags, including `--inspect` and hooks of test runners.
    execArgv: [...(source ? tsxFlags() : []), ...execArgv],
  })
}

type OurForkOptions = Pick<
  ForkOptions,
  'cwd' | 'detached' | 'execArgv' | 'serialization' | 'stdio'
> & {
  readonly args?: readonly string[]
  /** The child's whole environment, except for the variables that every program needs. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a file of this project as a thread of a forked process; named as for `forkOurs`. */
export function threadOurs(file: URL, options: WorkerOptions = {}): Worker {
  const source = sourceOf(file)
  if (source === undefined) return new Worker(file, options)
  // Not every supported version of Node applies tsx of the main thread to threads.
  const tsx = import.meta.resolve('tsx/esm/api')
  const script = `import('${tsx}').then(({ register }) => (register(), import('${source}')))`
  return new Worker(script, { ...options, eval: true })
}

/** The `.ts` of a file that is not built. */
function sourceOf(file: URL): URL | undefined {
  return existsSync(file) ? undefined : new URL(file.href.replace(/\.js$/, '.ts'))
}

const needed = ['PATH', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP']

/** Windows starts no program without SystemRoot; the others are the folders for temporary files. */
function basics(): Record<string, string> {
  return Object.fromEntries(
    needed.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function tsxFlags(): string[] {
  const loader = createRequire(import.meta.url).resolve('tsx')
  return ['-C', 'twinspec-source', '--import', pathToFileURL(loader).href]
}
