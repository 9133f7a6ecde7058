import { type Logger, pino } from 'pino'
import { afterAll } from 'vitest'
import {
  type CompilerOptions,
  createCompiler,
  type StartedCompiler,
} from '../../../src/service/compiler/create-compiler.js'
import { compilingProcesses, until } from './processes.js'

/** A compiler that the test file closes at its end. */
export function started(options: Partial<CompilerOptions> = {}): StartedCompiler {
  const compiler = createCompiler({
    processes: 1,
    seconds: 100,
    megabytes: 340,
    log: pino({ level: 'silent' }),
    ...options,
  })
  afterAll(() => compiler.close())
  return compiler
}

/** What became of it: `compiled`, or the name of the error. */
export function nameOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'compiled',
    (error: Error) => error.name,
  )
}

/** The one process of this compiler, where there is no other; never 0, which `kill` takes for all of this group. */
export async function startedProcess(compiler: StartedCompiler): Promise<number> {
  await compiler.ready()
  return oneProcess()
}

/** The one that there is, starting perhaps, as soon as there is one. */
export async function oneProcess(parent = process.pid): Promise<number> {
  let found: number[] = []
  await until(() => {
    found = compilingProcesses(parent)
    return found.length === 1
  })
  return found[0] ?? Number.NaN
}

/** A log whose lines are kept. */
export function keptLog(): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = []
  return { log: pino({}, { write: (line) => void lines.push(line) }), lines }
}
