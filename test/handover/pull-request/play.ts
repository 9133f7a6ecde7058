import { mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Annotation } from './commands.js'
import type { Contexts } from './expression.js'
import { type Played, playAction } from './play-action.js'

/**
 * Plays the job of a pull request on a checkout, with what the workflow there gives the Action, but for what is given here; and
 * prints what its reviewer sees. Ends as the job does.
 */
const main = async (workspace: string, base: string, head: string, own: readonly string[]) => {
  const top = realpathSync(workspace)
  const workflow = readFileSync(join(top, '.github/workflows/contract.yml'), 'utf8')
  const written = (parse(workflow) as Workflow).jobs.contract.steps.find(
    ({ uses }) => uses === './.github/actions/twinspec',
  )
  if (!written) throw new Error('the workflow does not use the Action')
  const given = own.map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  const github: Contexts = {
    event_name: 'pull_request',
    event: { pull_request: { base: { sha: base }, head: { sha: head } } },
  }
  const played = await playAction({
    action: join(top, '.github/actions/twinspec'),
    workspace: top,
    inputs: { ...written.with, ...Object.fromEntries(given) },
    github,
    temp: mkdtempSync(join(tmpdir(), 'pull-request-')),
  })
  process.stdout.write(`${seen(played).join('\n')}\n`)
  process.exitCode = played.conclusion === 'success' ? 0 : 1
}

type Workflow = {
  readonly jobs: {
    readonly contract: {
      readonly steps: readonly {
        readonly uses?: string
        readonly with?: Readonly<Record<string, string>>
      }[]
    }
  }
}

/** The page of the pull request, as text. */
const seen = ({ steps, annotations, outputs, files, conclusion }: Played): readonly string[] => [
  'THE STEPS',
  ...steps.flatMap(({ name, outcome, log }) => [
    `  ${MARKS[outcome]} ${name}`,
    ...log.map((line) => `      ${line}`),
  ]),
  '',
  'BESIDE THE LINES',
  ...(annotations.length === 0 ? ['  nothing'] : annotations.flatMap(beside)),
  '',
  'THE COMMENT',
  ...indented(outputs.changelog ?? ''),
  '',
  'THE ARTEFACT',
  ...files.map(({ name, bytes }) => `  ${name}, ${(bytes / 1024).toFixed(1)} KB`),
  '',
  `THE JOB: ${conclusion} (breaking: ${outputs.breaking}, version: ${outputs.bump})`,
]

const MARKS = { success: '+', failure: 'x', skipped: '-' } as const

const beside = ({ kind, file, line, title, message }: Annotation): readonly string[] => [
  `  ${kind} ${file === undefined ? '' : `${file}:${line} `}${title}`,
  ...message.split('\n').map((one) => `      ${one}`),
]

const indented = (text: string): readonly string[] =>
  text.split('\n').map((line) => `  ${line}`.trimEnd())

const [workspace = '', base = '', head = '', ...own] = process.argv.slice(2)
await main(workspace, base, head, own)
