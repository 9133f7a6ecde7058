import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { basicVariables } from '../variables.js'
import { outputsIn } from './pull-request/commands.js'
import { type Contexts, rendered } from './pull-request/expression.js'
import { playAction } from './pull-request/play-action.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let room = ''

beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'own-workflow-'))
})

afterAll(() => rm(room, { recursive: true, force: true }))

/** What actions/checkout and `npm ci` leave. */
const checkout = async (): Promise<string> => {
  const workspace = join(room, 'work')
  await mkdir(workspace)
  for (const name of ['package.json', 'src', 'generated', 'spec', 'scripts', '.github']) {
    await cp(join(ROOT, name), join(workspace, name), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(workspace, 'node_modules'))
  return workspace
}

it('the workflow of this repository makes a key, starts the service and finds that it keeps the contract', async () => {
  const workspace = await checkout()
  const runner = join(room, 'runner')
  await mkdir(runner)
  const text = await readFile(join(workspace, '.github/workflows/contract.yml'), 'utf8')
  const { steps } = (parse(text) as Workflow).jobs.contract
  const before: Record<string, { readonly outputs: Contexts }> = {}
  for (const { id = '', run = '' } of steps.filter((step) => step.run && step.run !== 'npm ci')) {
    const output = join(runner, `output-${id}`)
    await writeFile(output, '')
    await promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: workspace,
      env: { ...basicVariables(), GITHUB_OUTPUT: output, RUNNER_TEMP: runner },
    })
    before[id] = { outputs: outputsIn(await readFile(output, 'utf8')) }
  }
  const contract = steps.find(({ uses }) => uses === './.github/actions/twinspec')
  const given = Object.entries(contract?.with ?? {}).map(
    ([name, value]) => [name, rendered(value, { steps: before })] as const,
  )
  const inputs = Object.fromEntries(given)
  const flags = `${inputs['conform-flags']} --only tryZkt,submitZkt,eth_chainId`
  const played = await playAction({
    action: join(workspace, '.github/actions/twinspec'),
    workspace,
    inputs: { ...inputs, checks: 'conform', 'conform-flags': flags, 'conform-wait': '300' },
    github: {},
    temp: room,
    runner,
  })
  expect(played.annotations).toEqual([])
  expect(played.summary).toMatch(/\| ✅ conform \| 0 \| 0 \| 0 \| no findings in \d+ cases/)
  expect(played.conclusion).toBe('success')
})

type Workflow = {
  readonly jobs: { readonly contract: { readonly steps: readonly Step[] } }
}

type Step = {
  readonly id?: string
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string>>
}
