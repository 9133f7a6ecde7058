import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts one of our own files as a process of its own, with an IPC channel: `forkOurs(new URL('./compile.js', import.meta.url))`.
 * The file is named as it is in the built package (`.js`); where only its `.ts` lies there, that runs by tsx.
 *
 * The child gets no variable of this process but those in `env`, so that no secret of ours reaches it. From source, tsx sends
 * messages of its own (`{ type: 'dependency' }`) through the channel: heed only messages of a shape that is yours.
 */
export function forkOurs(file: URL, options: OurForkOptions = {}): ChildProcess {
  const { args = [], execArgv = [], env = {}, ...rest } = options
  const source = sourceOf(file)
  return fork(fileURLToPath(source ?? file), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...rest,
    env: { ...basics(), ...env },
    // Stated in every case: the default would repeat this process's own flags, `--inspect` and test runners' hooks among them.
    execArgv: [...(source ? tsxFlags() : []), ...execArgv],
  })
}

type OurForkOptions = Pick<
  ForkOptions,
  'cwd' | 'detached' | 'execArgv' | 'serialization' | 'stdio'
> & {
  readonly args?: readonly string[]
  /** The child's whole environment, beside what programs need to start at all. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts one of our own files as a thread of a forked process; named as for `forkOurs`. */
export function threadOurs(file: URL, options: WorkerOptions = {}): Worker {
  const source = sourceOf(file)
  if (source === undefined) return new Worker(file, options)
  // tsx of the main thread does not reach into threads on every Node that we run on.
  const tsx = import.meta.resolve('tsx/esm/api')
  const script = `import('${tsx}').then(({ register }) => (register(), import('${source}')))`
  return new Worker(script, { ...options, eval: true })
}

/** The `.ts` of a file that is not built. */
function sourceOf(file: URL): URL | undefined {
  return existsSync(file) ? undefined : new URL(file.href.replace(/\.js$/, '.ts'))
}

const needed = ['PATH', 'TMPDIR', 'SystemRoot', 'TEMP', 'TMP']

/** Windows starts no program without SystemRoot; temporary folders are where the machine says. */
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
