import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { OPENAPI } from '../cli/command.js'
import { twinspec } from '../cli/command-line.js'
import { borrowApp, installedToolkit, run } from './installed.js'

const HALF_A_MINUTE = 30_000

const temporary = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-package-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('the manifest of the package has no scripts', { timeout: HALF_A_MINUTE * 8 }, async () => {
  const { tgz } = await installedToolkit()
  const text = execFileSync('tar', ['-xOf', tgz, 'package/package.json'], { encoding: 'utf8' })
  expect(JSON.parse(text)).not.toHaveProperty('scripts')
})

it(
  'pack leaves out parts whose libraries are not installed, and says what installs them',
  async () => {
    const app = join(await temporary(), 'app')
    await borrowApp(app)
    await writeFile(join(app, 'api.yaml'), OPENAPI)
    const command = `npx twinspec pack api.yaml --name @acme/clock --out package 2>&1`
    const printed = await run('sh', ['-c', command], app)
    expect(printed).toMatch(
      /omitted msw, tanstack-query, fastify, whose libraries are not installed: npm install --save-dev "msw@/,
    )
    const { exports } = JSON.parse(await readFile(join(app, 'package/package.json'), 'utf8'))
    expect(Object.keys(exports)).toContain('./http')
    expect(Object.keys(exports)).not.toContain('./msw')
    expect(Object.keys(exports)).not.toContain('./fastify')
    expect(existsSync(join(app, 'package/dist/server.js'))).toBe(true)
  },
  HALF_A_MINUTE * 4,
)

it(
  '--without names fastify',
  async () => {
    const out = join(await temporary(), 'package')
    const document = join(await temporary(), 'api.yaml')
    await writeFile(document, OPENAPI)
    const flags = ['--name', '@acme/clock', '--out', out, '--without', 'msw,fastify']
    expect((await twinspec('pack', document, ...flags)).code).toBe(0)
    expect(existsSync(join(out, 'dist/runtime/fastify.js'))).toBe(false)
  },
  HALF_A_MINUTE,
)

it('init says how to install the package from vendor/, as it is in no registry', async () => {
  const dir = join(await temporary(), 'clock')
  const { stdout } = await twinspec('init', '--dir', dir)
  expect(stdout).toMatch(
    /npm pack ".*" --pack-destination vendor\n {2}npm install \.\/vendor\/twinspec-\d/,
  )
})
