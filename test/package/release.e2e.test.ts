import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { basicVariables } from '../variables.js'
import { installedToolkit, run } from './installed.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Job = {
  readonly needs?: readonly string[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
}

let scratch = ''
let workflow: { readonly jobs: Readonly<Record<string, Job>>; readonly permissions: object }
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'twinspec-release-'))
  workflow = parse(await readFile(join(root, '.github/workflows/release.yml'), 'utf8'))
  for (const folder of ['scripts', 'docs', 'package']) await mkdir(join(scratch, folder))
  const check = 'scripts/release-check.mjs'
  await copyFile(join(root, check), join(scratch, check))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Checks a release; what it printed for each fault. */
const faultsOf = async (tag: string, tarball: string): Promise<readonly string[]> => {
  const checked = promisify(execFile)(
    process.execPath,
    [join(scratch, 'scripts/release-check.mjs'), tag, tarball],
    { env: basicVariables() },
  )
  const { stderr } = await checked.catch((error) => error)
  return stderr.trim() === '' ? [] : stderr.trim().split('\n')
}

/** The tarball with a package.json that `change` has changed by npm. */
const changedTarball = async (change: readonly string[]): Promise<string> => {
  const { tgz } = await installedToolkit()
  const folder = join(scratch, 'package')
  await run('tar', ['-xzf', tgz, '-C', scratch], scratch)
  await run('npm', ['pkg', ...change], folder)
  const tarball = join(scratch, 'changed.tgz')
  await run('tar', ['-czf', tarball, 'package'], scratch)
  return tarball
}

describe('scripts/release-check.mjs', () => {
  it('accepts a package with a repository and a section of the changelog', async () => {
    await writeFile(join(scratch, 'docs/changelog.md'), '# Changelog\n\n## 0.1.0 (2026-12-01)\n')
    const env = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'acme/twinspec' }
    const commands = workflow.jobs.package?.steps.map((step) => step.run ?? '') ?? []
    const [set = ''] = commands.filter((command) => command.startsWith('npm pkg set'))
    const words = await promisify(execFile)('bash', ['-ec', `printf '%s\\n' ${set.slice(8)}`], {
      env: { ...basicVariables(), ...env },
    })
    const tarball = await changedTarball(words.stdout.trim().split('\n'))
    const manifest = JSON.parse(await readFile(join(scratch, 'package/package.json'), 'utf8'))
    expect(manifest.repository.url).toBe('git+https://git.example/acme/twinspec.git')
    expect(await faultsOf('v0.1.0', tarball)).toEqual([])
  })

  it('reports another version, a missing section, scripts of an installation and a missing repository', async () => {
    await writeFile(join(scratch, 'docs/changelog.md'), '# Changelog\n\n## 0.0.9 (2026-12-01)\n')
    const { tgz } = await installedToolkit()
    expect(await faultsOf('v0.2.0', tgz)).toEqual([
      'release-check: the tag is v0.2.0, and the version of the package is 0.1.0',
      'release-check: docs/changelog.md has no section "## 0.1.0": run npm run changelog -- v0.1.0',
      'release-check: package.json names no repository, so npm rejects the provenance',
    ])
    const tarball = await changedTarball(['set', 'scripts.postinstall=node x.js'])
    expect(await faultsOf('v0.1.0', tarball)).toContain(
      'release-check: the package has scripts (postinstall), which may run at its installation',
    )
  })
})

describe('the release workflow', () => {
  it('publishes with provenance what CI has passed, in a job that runs nothing else', () => {
    const { ci, package: packing, publish } = workflow.jobs
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(ci?.steps.at(-1)?.run).toBe('.ci/run')
    expect(packing?.permissions).toBeUndefined()
    expect(publish?.needs).toEqual(['ci', 'package'])
    expect(publish?.permissions).toEqual({ 'id-token': 'write' })
    expect(publish?.steps.map(({ uses, run }) => uses?.split('@')[0] ?? run)).toEqual([
      'actions/setup-node',
      'actions/download-artifact',
      'npm publish ./twinspec-*.tgz --provenance --access public --ignore-scripts',
    ])
  })
})
