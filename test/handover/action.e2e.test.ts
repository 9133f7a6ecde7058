import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { builtFile } from '../built/imports.js'
import { basicVariables } from '../variables.js'
import { type Play, type Played, playAction } from './pull-request/play-action.js'
import { handoverTools } from './tools.js'

const begun = readFileSync(
  new URL('../../src/init/templates/contract.yml', import.meta.url),
  'utf8',
)

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const ACTION = join(ROOT, '.github/actions/twinspec')

const action = readFileSync(join(ACTION, 'action.yml'), 'utf8')

const guide = readFileSync(join(ROOT, 'docs/github-actions.md'), 'utf8')

const workflows: readonly (readonly [string, string])[] = [
  ['ours', readFileSync(join(ROOT, '.github/workflows/contract.yml'), 'utf8')],
  ['that of init', begun],
  ...[...guide.matchAll(/^```yaml\n(on: pull_request\n[\s\S]*?)^```$/gm)].map(
    ([, text = ''], index) => [`guide ${index + 1}`, text] as const,
  ),
]

describe('what GitHub reads', () => {
  let programs = ''
  beforeAll(async () => {
    programs = await handoverTools()
  })

  const validator = () => {
    const load = createRequire(join(dirname(programs), '@action-validator/cli/package.json'))
    return load('@action-validator/core') as {
      readonly validateAction: Validate
      readonly validateWorkflow: Validate
    }
  }

  it('action.yml is one by its schema', () => {
    const { validateAction } = validator()
    expect(validateAction(action).errors).toEqual([])
    expect(validateAction(action.replace('using: composite', 'using: magic')).errors).not.toEqual(
      [],
    )
  })

  it.each(workflows)('%s is a workflow, by its schema and by actionlint', async (_, text) => {
    const { validateWorkflow } = validator()
    expect(validateWorkflow(text).errors).toEqual([])
    const entry = pathToFileURL(join(dirname(programs), 'actionlint/node.mjs')).href
    const { createLinter } = (await import(/* @vite-ignore */ entry)) as Actionlint
    const lint = await createLinter()
    expect(lint(text, '.github/workflows/contract.yml')).toEqual([])
    const broken = text.replace('github.event.pull_request', 'gitub.event.pull_request')
    expect(lint(broken, '.github/workflows/contract.yml')).not.toEqual([])
  })
})

type Validate = (text: string) => { readonly errors: readonly unknown[] }

type Actionlint = {
  readonly createLinter: () => Promise<(text: string, path: string) => readonly unknown[]>
}

describe('action.yml', () => {
  const { inputs, runs } = parse(action) as Written

  it('hands inputs to bash by the environment alone', () => {
    expect(runs.steps.flatMap(({ run = '' }) => run.match(/\$\{\{.*?\}\}/g) ?? [])).toEqual([])
  })

  it('explains each input, and uses it', () => {
    const idle = Object.entries(inputs).filter(
      ([name, { description }]) => !description || !action.includes(`inputs.${name} `),
    )
    expect(idle.map(([name]) => name)).toEqual([])
  })

  it('is given nothing that it does not know', () => {
    const given = workflows.flatMap(([, text]) =>
      Object.values((parse(text) as Jobs).jobs).flatMap(({ steps }) =>
        steps.flatMap(({ uses = '', with: values = {} }) =>
          uses.includes('actions/twinspec') ? Object.keys(values) : [],
        ),
      ),
    )
    expect(given.length).toBeGreaterThan(5)
    expect(given.filter((name) => !(name in inputs))).toEqual([])
  })
})

type Written = {
  readonly inputs: Readonly<Record<string, { readonly description?: string }>>
  readonly runs: { readonly steps: readonly { readonly run?: string }[] }
}

type Jobs = {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly steps: readonly {
          readonly uses?: string
          readonly with?: Record<string, string>
        }[]
      }
    >
  >
}

describe('played in a repository of several services', { timeout: 900_000 }, () => {
  let room = ''
  let workspace = ''
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: workspace,
      encoding: 'utf8',
      env: { ...basicVariables(), GIT_CONFIG_GLOBAL: '/dev/null' },
    }).trim()
  const document = (params: string) => `openrpc: 1.3.2
info: { title: Clock, version: '1' }
methods:
  - name: clock_now
    params: ${params}
    result: { name: now, schema: { type: string } }
`
  const play = (inputs: Play['inputs'], github: Play['github'] = {}): Promise<Played> =>
    playAction({
      action: ACTION,
      workspace,
      inputs: { 'working-directory': 'services/clock', ...inputs },
      github,
      temp: room,
    })

  beforeAll(() => {
    room = realpathSync(mkdtempSync(join(tmpdir(), 'action-')))
    workspace = join(room, 'work')
    const service = join(workspace, 'services/clock')
    mkdirSync(join(service, 'node_modules/.bin'), { recursive: true })
    mkdirSync(join(service, 'spec'))
    symlinkSync(ROOT, join(service, 'node_modules/twinspec'))
    writeFileSync(join(service, 'package.json'), '{ "private": true }\n')
    const program = join(service, 'node_modules/.bin/twinspec')
    writeFileSync(program, `#!/bin/sh\nexec node ${builtFile('src/cli/main.js')} "$@"\n`)
    chmodSync(program, 0o755)
    writeFileSync(join(workspace, '.gitignore'), 'node_modules\n')
    writeFileSync(join(service, 'spec/openrpc.yaml'), document('[]'))
    git('init', '--quiet', '--initial-branch=main')
    git('add', '.')
    git('commit', '--quiet', '-m', 'one')
    const zone = '[{ name: zone, required: true, schema: { type: string } }]'
    writeFileSync(join(service, 'spec/openrpc.yaml'), document(zone))
  })
  afterAll(() => rmSync(room, { recursive: true, force: true }))

  it('names files from the top of the repository, and goes on after what it finds', async () => {
    const base = git('rev-parse', 'HEAD')
    const github = { event: { pull_request: { base: { sha: base } } } }
    const played = await play({ checks: 'diff,lint', annotate: 'error' }, github)
    expect(played.annotations.map(({ kind, file, title }) => ({ kind, file, title }))).toEqual([
      {
        kind: 'error',
        file: 'services/clock/spec/openrpc.yaml',
        title: 'parameter-added-required',
      },
    ])
    expect(played.outputs).toMatchObject({ breaking: 'true', bump: 'major', errors: '1' })
    expect(played.steps.find(({ name }) => name === 'Lint')?.outcome).toBe('success')
    expect(played.summary).toMatch(/^Not shown beside their lines: .*They stand below\.$/m)
    expect(played.conclusion).toBe('failure')
  })

  it('says what cannot be compared with, and what was left out', async () => {
    const strange = await play({ checks: 'diff, conform', base: '$(touch hit)`touch hit`' })
    expect(strange.annotations.map(({ message }) => message)).toEqual([
      'git neither knows $(touch hit)`touch hit` nor could fetch it: give actions/checkout fetch-depth: 0, and leave its credentials in place',
    ])
    expect(strange.summary).toContain('Left out: conform, since no server was named.')
    expect(strange.outputs).toMatchObject({ breaking: '', bump: '' })
    expect(strange.conclusion).toBe('failure')
    expect(git('status', '--short', '--untracked-files=all')).toBe(
      'M services/clock/spec/openrpc.yaml',
    )
  })

  it('reads flags of conform from every line', async () => {
    const played = await play({
      checks: 'conform',
      'conform-url': 'http://127.0.0.1:1',
      'conform-flags': '--max-time 5m\n--read-only  --only clock_now\n\n--none-such\n',
    })
    expect(played.annotations.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^twinspec conform: there is no flag --none-such/),
    ])
    expect(played.conclusion).toBe('failure')
  })

  it('tries clients of older versions where some are named, and shows the table', async () => {
    const played = await play({ checks: 'lint', compatibility: '--version git:HEAD' })
    expect(played.annotations.filter(({ kind }) => kind === 'error')).toMatchObject([
      { file: 'services/clock/spec/openrpc.yaml', title: 'old-client-breaks' },
    ])
    expect(played.summary).toMatch(/^\| `clock_now` \| \*\*breaks\*\* \|$/m)
    expect(played.summary).toMatch(/^\| ❌ compatibility \| 1 \| 0 \| 0 \|/m)
    expect(played.conclusion).toBe('failure')
  })

  it('knows its checks', async () => {
    const played = await play({ checks: 'lint, conforms' })
    expect(played.annotations.map(({ message }) => message)).toEqual([
      'there is no check called conforms: there are diff, lint, drift and conform',
    ])
    expect(played.conclusion).toBe('failure')
  })
})
