import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tarballOf } from '../pack/packed.js'
import { OPENRPC, ran } from './command.js'

let home = ''
let methods = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'twinspec-pack-'))
  methods = join(home, 'methods.yaml')
  await writeFile(methods, OPENRPC)
})

afterAll(() => rm(home, { recursive: true, force: true }))

const packing = (...args: readonly string[]) =>
  ran(['pack', '--openrpc', methods, ...args], { today: () => new Date('2026-11-22') })

describe('what cannot be packed is told in a sentence, and nothing is written', () => {
  it.each([
    [['--out', 'x'], /--name and --out say what is made and where/],
    [
      ['--name', 'Clock', '--out', 'x'],
      /npm takes no package called Clock: it has capital letters/,
    ],
    [
      ['--name', '@acme', '--out', 'x'],
      /called @acme: a name with a scope is written @scope\/name/,
    ],
    [['--name', '@acme/a b', '--out', 'x'], /it may have lower-case letters/],
    [['--name', '_clock', '--out', 'x'], /no part of it may begin with/],
    [['--name', 'fs', '--out', 'x'], /called fs: Node has a module of that name/],
    [['--name', 'node_modules', '--out', 'x'], /npm keeps it for itself/],
    [['--name', 'a'.repeat(215), '--out', 'x'], /longer than 214 characters/],
    [['--name', 'clock', '--out', 'x', '--without', 'vim'], /--without vim names no part/],
    [['--name', 'clock', '--out', 'x', '--against', 'none.tgz'], /there is no file none\.tgz/],
    [
      ['--name', 'clock', '--out', 'x', '--version', '1.0', '--without', 'msw'],
      /--version 1\.0 is no version/,
    ],
  ])('%j', async (args, sentence) => {
    const { code, stderr } = await packing(...args)
    expect([code, existsSync('x')]).toEqual([2, false])
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('a folder that holds something else', async () => {
    const out = join(home, 'foreign')
    await mkdir(out)
    await writeFile(join(out, 'package.json'), '{ "name": "clock" }')
    const { code, stderr } = await packing('--name', 'clock', '--out', out)
    expect([code, stderr]).toEqual([2, expect.stringContaining('package.json was not packed')])
    expect(await readFile(join(out, 'package.json'), 'utf8')).toBe('{ "name": "clock" }')
  })

  it('documents that cannot be generated from, with their place', async () => {
    const broken = join(home, 'broken.yaml')
    await writeFile(broken, 'openrpc: 1.3.2\ninfo: {}\n')
    const out = join(home, 'broken')
    const { code, stderr } = await ran([
      'pack',
      '--openrpc',
      broken,
      '--name',
      'clock',
      '--out',
      out,
    ])
    expect([code, existsSync(out)]).toEqual([2, false])
    expect(stderr).toContain('broken.yaml:')
  })

  it('an archive that is none', async () => {
    const file = join(home, 'no.tgz')
    await writeFile(file, 'no archive')
    const { code, stderr } = await packing('--name', 'clock', '--out', 'x', '--against', file)
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no\.tgz cannot be read as a package/),
    ])
  })
})

it('a version follows from the package before, in its tarball or its folder, and is written over it', async () => {
  const out = join(home, 'package')
  const first = await packing(
    '--name',
    '@acme/clock',
    '--out',
    out,
    '--license',
    'MIT',
    '--without',
    'msw',
  )
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/of @acme\/clock into .*: 0\.1\.0: /),
  })
  expect(await readFile(join(out, 'LICENSE'), 'utf8')).toContain('MIT')
  const tgz = await tarballOf(out, home)

  const same = await packing(
    '--name',
    '@acme/clock',
    '--out',
    out,
    '--against',
    out,
    '--without',
    'msw',
  )
  expect(same).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('0.1.0, as before: nothing changed'),
  })

  await writeFile(
    methods,
    `${OPENRPC}  - name: clock_zone\n    params: []\n    result: { name: zone, schema: { type: string } }\n`,
  )
  const more = await packing(
    '--name',
    '@acme/clock',
    '--out',
    out,
    '--against',
    tgz,
    '--without',
    'msw',
  )
  expect(more).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/0\.2\.0 after 0\.1\.0, minor: .*clock_zone/),
  })
  const changelog = await readFile(join(out, 'CHANGELOG.md'), 'utf8')
  expect(changelog.match(/^## \S+/gm)).toEqual(['## 0.2.0', '## 0.1.0'])
  expect(JSON.parse(await readFile(join(out, 'package.json'), 'utf8'))).toMatchObject({
    version: '0.2.0',
    exports: { './rpc': { types: './dist/rpc.client.d.ts', default: './dist/rpc.client.js' } },
  })
  expect(existsSync(join(out, 'dist/http.client.js'))).toBe(false)
  expect(existsSync(join(out, 'dist/runtime/http/ask.js'))).toBe(false)
}, 600_000)
