import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { parse } from 'yaml'
import { basicVariables } from '../../variables.js'
import { type Annotation, createReader, outputsIn } from './commands.js'
import { type Contexts, holds, rendered } from './expression.js'

/**
 * Runs the steps of a composite action as they are written, each `run` by bash as GitHub would. A step that uses another action is
 * stood in for. Throws for what is beyond this, so that nothing is taken for tried that was not.
 */
export const playAction = async (asked: Play): Promise<Played> => {
  const action = parse(readFileSync(join(asked.action, 'action.yml'), 'utf8')) as Action
  const inputs = inputsOf(action, asked.inputs)
  const temp = asked.runner ?? mkdtempSync(join(asked.temp, 'runner-'))
  const steps: Record<string, { readonly outputs: Contexts }> = {}
  const played: Step[] = []
  const contexts = (): Contexts => ({
    inputs,
    steps,
    env: asked.env ?? {},
    github: asked.github,
    runner: { temp },
  })
  const summary = join(temp, 'summary.md')
  writeFileSync(summary, '')
  let hasFailed = false
  for (const [index, step] of action.runs.steps.entries()) {
    if (!holds(step.if ?? 'success()', contexts(), hasFailed)) {
      played.push({ name: step.name, outcome: 'skipped', log: [], annotations: [], files: [] })
      continue
    }
    const given = Object.fromEntries(
      Object.entries({ ...step.env, ...step.with }).map(([name, value]) => [
        name,
        rendered(String(value), contexts()),
      ]),
    )
    if (step.uses !== undefined) {
      const done = stoodIn(step.name, step.uses, given)
      hasFailed ||= done.outcome === 'failure'
      played.push(done)
      continue
    }
    const files = Object.fromEntries(
      ['output', 'env', 'path'].map((name) => [name, join(temp, `${index}-${name}`)]),
    )
    for (const file of Object.values(files)) writeFileSync(file, '')
    const script = join(temp, `${index}.sh`)
    writeFileSync(script, step.run ?? '')
    const cwd = resolve(asked.workspace, rendered(step['working-directory'] ?? '.', contexts()))
    const done = await ranBash(step.name, script, cwd, {
      ...basicVariables(),
      ...asked.env,
      ...given,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: asked.action,
      GITHUB_WORKSPACE: asked.workspace,
      GITHUB_OUTPUT: files.output ?? '',
      GITHUB_ENV: files.env ?? '',
      GITHUB_PATH: files.path ?? '',
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: temp,
    })
    for (const name of ['env', 'path']) {
      const left = readFileSync(files[name] ?? '', 'utf8')
      if (left !== '') throw new Error(`${step.name} changes the ${name} of the job: ${left}`)
    }
    hasFailed ||= done.outcome === 'failure'
    if (step.id !== undefined)
      steps[step.id] = { outputs: outputsIn(readFileSync(files.output ?? '', 'utf8')) }
    played.push(done)
  }
  const outputs = Object.entries(action.outputs).map(
    ([name, { value }]) => [name, rendered(value, contexts())] as const,
  )
  return {
    conclusion: hasFailed ? 'failure' : 'success',
    steps: played,
    annotations: shown(played.flatMap(({ annotations }) => annotations)),
    outputs: Object.fromEntries(outputs),
    summary: readFileSync(summary, 'utf8'),
    files: played.flatMap(({ files }) => files),
  }
}

export type Play = {
  /** The folder of `action.yml`. */
  readonly action: string
  /** The checkout that it runs on. */
  readonly workspace: string
  readonly inputs: Readonly<Record<string, string>>
  /** The context `github`, as far as the action asks it. */
  readonly github: Contexts
  /** The environment of the job. */
  readonly env?: Readonly<Record<string, string>>
  /** Where folders for passing things may be made. */
  readonly temp: string
  /** The folder of the job, where steps before have left something; a new one by default. */
  readonly runner?: string
}

export type Played = {
  readonly conclusion: 'success' | 'failure'
  readonly steps: readonly Step[]
  /** Those that GitHub shows. */
  readonly annotations: readonly Annotation[]
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** What is kept as an artefact. */
  readonly files: readonly KeptFile[]
}

export type Step = {
  readonly name: string
  readonly outcome: 'success' | 'failure' | 'skipped'
  readonly log: readonly string[]
  readonly annotations: readonly Annotation[]
  readonly files: readonly KeptFile[]
}

export type KeptFile = { readonly name: string; readonly path: string; readonly bytes: number }

type Action = {
  readonly inputs: Readonly<
    Record<string, { readonly default?: string; readonly required?: boolean }>
  >
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: 'composite'; readonly steps: readonly WrittenStep[] }
}

type WrittenStep = {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly shell?: string
  readonly run?: string
  readonly uses?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

const inputsOf = ({ inputs }: Action, given: Play['inputs']): Readonly<Record<string, string>> => {
  const unknown = Object.keys(given).filter((name) => !(name in inputs))
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`)
  const missing = Object.entries(inputs).filter(([name, one]) => one.required && !(name in given))
  if (missing.length > 0) throw new Error(`the action needs ${missing.map(([name]) => name)}`)
  const defaults = Object.entries(inputs).map(([name, one]) => [name, one.default ?? ''])
  return { ...Object.fromEntries(defaults), ...given }
}

/** The runner of GitHub keeps ten of a kind for a step of a job, and a composite action is one. */
const shown = (annotations: readonly Annotation[]): readonly Annotation[] =>
  (['error', 'warning', 'notice'] as const).flatMap((kind) =>
    annotations.filter((one) => one.kind === kind).slice(0, 10),
  )

/** As `shell: bash` is run, its two outputs read as one log. */
const ranBash = async (
  name: string,
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Step> => {
  const read = createReader()
  const log: string[] = []
  const annotations: Annotation[] = []
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const both = new PassThrough()
  child.stdout.pipe(both, { end: false })
  child.stderr.pipe(both, { end: false })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      both.end()
      resolve(code)
    })
  })
  for await (const line of createInterface({ input: both })) {
    const heard = read(line)
    if (typeof heard === 'string') log.push(heard)
    else if (heard) annotations.push(heard)
  }
  const outcome = (await ended) === 0 ? 'success' : 'failure'
  return { name, outcome, log, annotations, files: [] }
}

const stoodIn = (name: string, uses: string, given: Readonly<Record<string, string>>): Step => {
  const done = { name, outcome: 'success', annotations: [], files: [] } as const
  const lines = Object.entries(given).map(([key, value]) => `${key}: ${value}`)
  if (uses.startsWith('actions/setup-node@')) return { ...done, log: [uses, ...lines] }
  if (!uses.startsWith('actions/upload-artifact@')) throw new Error(`nobody stands in for ${uses}`)
  const files = filesIn(given.path ?? '')
  if (files.length > 0) return { ...done, log: [uses, ...lines], files }
  const outcome = given['if-no-files-found'] === 'error' ? 'failure' : 'success'
  return { ...done, outcome, log: [`no files were found at ${given.path}`] }
}

const filesIn = (folder: string): readonly KeptFile[] => {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ name: relative(folder, path), path, bytes: statSync(path).size }))
}
