import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ran as command } from '../cli/command.js'
import { install, lend, ROOT, ran, tarballOf } from '../pack/packed.js'
import { basicVariables } from '../variables.js'

const NAME = '@town/library'
const HERE = join(ROOT, 'test/second-service')
const DOCUMENTS = [
  ...['--openapi', join(HERE, 'spec/openapi.yaml')],
  ...['--openrpc', join(HERE, 'spec/openrpc.json')],
]

let home = ''
let app = ''

/** The service and its visitor as they are, but for where they find what is generated: in the package. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'twinspec-library-'))
  const folder = join(home, 'package')
  const said = await command(['pack', '--name', NAME, '--out', folder, ...DOCUMENTS])
  expect(said).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/of @town\/library into .*: 0\.1\.0: /),
  })
  app = join(home, 'app')
  await install(app, [await tarballOf(folder, home)])
  await lend(app, ['typebox'])
  await mkdir(join(app, 'src'))
  for (const file of ['library.ts', 'main.ts', 'visit.ts', 'wrong.ts']) {
    const text = await readFile(join(HERE, 'service', file), 'utf8')
    await writeFile(join(app, 'src', file), text.replace(/(?<=from ')[^']+(?=')/g, partOf))
  }
  await writeFile(join(app, 'src/asks.ts'), ASKS)
  const { compilerOptions } = JSON.parse(await readFile(join(HERE, 'tsconfig.json'), 'utf8'))
  const own = { noEmit: false, outDir: 'out', typeRoots: [join(ROOT, 'node_modules/@types')] }
  const config = { compilerOptions: { ...compilerOptions, ...own }, include: ['src'] }
  await writeFile(join(app, 'tsconfig.json'), JSON.stringify(config))
})

afterAll(() => rm(home, { recursive: true, force: true }))

const partOf = (module: string): string => PARTS[module] ?? module

const PARTS: Readonly<Record<string, string>> = {
  'twinspec/runtime/errors': `${NAME}/errors`,
  '../generated/http.types.js': `${NAME}/http.types`,
  '../generated/server.js': `${NAME}/server`,
  '../generated/http.client.js': `${NAME}/http`,
  '../generated/rpc.client.js': `${NAME}/rpc`,
}

const ASKS = `import { visit } from './visit.js'

const [url = ''] = process.argv.slice(2)
console.log(JSON.stringify(await visit(url + '/v2', url + '/counter', 'card-4711')))
`

it('has the parts that its documents ask for, and no other', async () => {
  const manifest = JSON.parse(
    await readFile(join(app, 'node_modules', NAME, 'package.json'), 'utf8'),
  )
  expect(manifest).toMatchObject({ name: NAME, license: 'Apache-2.0' })
  const entries = Object.keys(manifest.exports)
  for (const entry of ['./http', './rpc', './server', './validators', './schemas', './msw']) {
    expect(entries).toContain(entry)
  }
  // No chain, and no contract that could be called.
  expect(entries.filter((one) => /viem|contracts/.test(one))).toEqual([])
  expect(existsSync(join(app, 'node_modules/twinspec'))).toBe(false)
})

it('serves the library and is its visitor, from the package alone', async () => {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  expect(await ran(process.execPath, [tsc, '-p', '.'], app)).toMatchObject({ stdout: '' })
  const server = spawn(process.execPath, ['out/main.js'], {
    cwd: app,
    env: basicVariables(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await once(server.stdout, 'data')
    const { stdout } = await ran(process.execPath, ['out/asks.js', String(line).trim()], app)
    expect(JSON.parse(stdout)).toMatchObject({
      book: { title: 'Solaris', loan: { member: 12, due: '2027-01-31' } },
      longer: { due: '2027-02-07' },
      tooLong: { most: 31, asked: 100 },
      refused: 'this card is not known',
      wasLent: true,
    })
  } finally {
    server.kill()
  }
})

it('raises its version by what changed, which the changelog tells', async () => {
  const next = join(home, 'next')
  await mkdir(next)
  for (const name of ['openapi.yaml', 'openrpc.json', 'library.yml']) {
    const text = await readFile(join(HERE, 'spec', name), 'utf8')
    await writeFile(join(next, name), text.replace('"maxLength": 500', '"maxLength": 50'))
  }
  const folder = join(home, 'package')
  const changed = ['--openapi', `${next}/openapi.yaml`, '--openrpc', `${next}/openrpc.json`]
  const args = ['pack', '--name', NAME, '--out', folder, '--against', folder, ...changed]
  expect(await command(args)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/0\.2\.0 after 0\.1\.0, minor, .*request-max-length-lowered/),
  })
  expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /### Breaking\n\n\*\*`shelf\.note`\*\*/,
  )
})
