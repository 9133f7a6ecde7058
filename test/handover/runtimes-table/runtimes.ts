import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { install } from '../../bench/install.js'
import { CHROMIUM } from '../../docs/chromium.js'
import { basicVariables } from '../../variables.js'

/** Where each runtime lies on this machine, after what is missing was installed. */
export const locate = async (runtimes: readonly Runtime[]): Promise<readonly Located[]> => {
  const first = await Promise.all(runtimes.map(find))
  if (!first.some(({ runtime, found }) => runtime.isInstalled && found.kind === 'absent'))
    return first
  try {
    await install(RUNTIMES_FOLDER, 'other runtimes (720 MB)')
  } catch (error) {
    const why = `it could not be installed: ${error instanceof Error ? error.message : error}`
    return first.map((one) =>
      one.runtime.isInstalled && one.found.kind === 'absent'
        ? { ...one, found: { kind: 'absent', why } }
        : one,
    )
  }
  return Promise.all(runtimes.map(find))
}

export type Located = { readonly runtime: Runtime; readonly found: Found }

/** The first program of a runtime that runs; or why none does, in a sentence without a full stop. */
const find = async (runtime: Runtime): Promise<Located> => {
  const there = runtime.programs().filter((program) => existsSync(program))
  const failures: string[] = []
  for (const program of there) {
    const settings = { env: basicVariables(), timeout: 300_000 }
    const result = await execute(program, ['--version'], settings).catch((error: Error) => error)
    if (!(result instanceof Error)) {
      const [version = 'of no version'] = /\d+(\.\d+)+/.exec(result.stdout) ?? []
      return { runtime, found: { kind: 'found', program, version } }
    }
    failures.push(result.message.trim().split('\n').at(-1) ?? '')
  }
  const why =
    failures.length > 0
      ? `it does not run here: ${failures.join('; ')}`
      : `it is not there: ${runtime.absence}`
  return { runtime, found: { kind: 'absent', why } }
}

export type Found =
  | { readonly kind: 'found'; readonly program: string; readonly version: string }
  | { readonly kind: 'absent'; readonly why: string }

/** What programs run in: a column of the table. */
export type Runtime = {
  /** As `--only` names it. */
  readonly id: string
  readonly title: string
  /** Which of `platforms/` the programs are given. */
  readonly platform: 'node' | 'bun' | 'deno' | 'browser'
  /** Whether it makes functions of texts. */
  readonly mayEval: boolean
  /** Where it may lie; the first that runs is taken. */
  readonly programs: () => readonly string[]
  /** What stands between it and a program. */
  readonly flags: readonly string[]
  /** Whether `locate` installs it. */
  readonly isInstalled: boolean
  /** What to do, or that nothing can be done, where it is not there. */
  readonly absence: string
}

/** Where what else would not be there is installed, by its lock file. */
const RUNTIMES_FOLDER = fileURLToPath(new URL('../runtimes', import.meta.url))

const node = (major: number): Runtime => {
  const isThis = Number(process.versions.node.split('.')[0]) === major
  return {
    id: `node${major}`,
    title: `Node ${major}`,
    platform: 'node',
    mayEval: true,
    programs: () => [isThis ? process.execPath : join(MODULES, `node-${major}/bin/node`)],
    flags: [],
    isInstalled: !isThis,
    absence: NOT_MADE,
  }
}

const NOT_MADE = 'the packages in test/handover/runtimes are made for Linux on x64'

const browser = {
  platform: 'browser',
  programs: () => [CHROMIUM],
  flags: [],
  isInstalled: false,
  absence: `${CHROMIUM} is what is looked for (apt-get install chromium)`,
} as const

const MODULES = join(RUNTIMES_FOLDER, 'node_modules')

/** Packages for each platform, of which npm takes those that suit this one. */
const inScope = (scope: string, program: string): readonly string[] => {
  const folder = join(MODULES, scope)
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, program)) : []
}

export const RUNTIMES: readonly Runtime[] = [
  node(20),
  node(22),
  node(24),
  {
    id: 'no-eval',
    title: 'Node, no eval',
    platform: 'node',
    mayEval: false,
    programs: () => [process.execPath],
    flags: ['--disallow-code-generation-from-strings'],
    isInstalled: false,
    absence: NOT_MADE,
  },
  {
    id: 'bun',
    title: 'Bun',
    platform: 'bun',
    mayEval: true,
    programs: () => inScope('@oven', 'bin/bun'),
    flags: ['run', '--no-install'],
    isInstalled: true,
    absence: NOT_MADE,
  },
  {
    id: 'deno',
    title: 'Deno',
    platform: 'deno',
    mayEval: true,
    programs: () => inScope('@deno', 'deno'),
    flags: ['run', '--allow-all', '--no-remote', '--no-lock', '--node-modules-dir=manual'],
    isInstalled: true,
    absence: NOT_MADE,
  },
  { ...browser, id: 'chromium', title: 'Chromium', mayEval: true },
  { ...browser, id: 'csp', title: 'Chromium, CSP', mayEval: false },
]

const execute = promisify(execFile)
