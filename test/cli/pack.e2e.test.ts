import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
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

describe('what cannot be packed is reported in a sentence, and nothing is written', () => {
  it.each([
    [['--out', 'x'], /--name and --out are required/],
    [
      ['--name', 'Clock', '--out', 'x'],
      /Clock is not a valid name of an npm package: it has capital letters/,
    ],
    [
      ['--name', '@acme', '--out', 'x'],
      /@acme is not a valid name of an npm package: a name with a scope is written @scope\/name/,
    ],
    [['--name', '@acme/a b', '--out', 'x'], /it may have lower-case letters/],
    [['--name', '_clock', '--out', 'x'], /no part of it may begin with/],
    [
      ['--name', 'fs', '--out', 'x'],
      /fs is not a valid name of an npm package: Node has a module of that name/,
    ],
    [['--name', 'node_modules', '--out', 'x'], /npm reserves it/],
    [['--name', 'a'.repeat(215), '--out', 'x'], /longer than 214 characters/],
    [['--name', 'clock', '--out', 'x', '--without', 'vim'], /--without vim is not a part/],
    [['--name', 'clock', '--out', 'x', '--against', 'none.tgz'], /there is no file none\.tgz/],
    [
      ['--name', 'clock', '--out', 'x', '--version', '1.0', '--without', 'msw'],
      /--version 1\.0 is not a version/,
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
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('package.json was not written by twinspec pack'),
    ])
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

  it.each([
    ['a file', 'package', 'ours', /package is not a folder: choose another --out$/],
    [
      'notes',
      'package/notes.md',
      'ours',
      /notes\.md was not written by twinspec pack, and .* choose another --out/,
    ],
    [
      'a repository',
      'package/.git/HEAD',
      'ours',
      /\.git was not written by twinspec pack, and .* would be replaced/,
    ],
    [
      'documents',
      'package/package.json',
      'null',
      /package\.json was not written by twinspec pack, and/,
    ],
  ])('--out that holds %s', async (_, path, text, sentence) => {
    const own = await mkdtemp(join(home, 'foreign-'))
    await mkdir(dirname(join(own, path)), { recursive: true })
    await writeFile(join(own, path), text)
    const said = await packing('--name', 'clock', '--out', join(own, 'package'))
    expect(said).toMatchObject({ code: 2, stdout: '' })
    expect(said.stderr.trim()).toMatch(sentence)
    expect(said.stderr.trim().split('\n')).toHaveLength(1)
    expect(await readFile(join(own, path), 'utf8')).toBe(text)
  })

  it.each([
    ['no archive at all', () => Buffer.from('no archive'), /cannot be read as a package: /],
    ['half an archive', (whole) => whole.subarray(0, whole.length / 2), /as a package: .*end of/],
    ['something else', () => gzipSync('x'.repeat(600)), /as a package: it is not a tar archive/],
    [
      'the head of a file alone',
      (whole) => gzipSync(gunzipSync(whole).subarray(0, 700)),
      /as a package: the archive is truncated/,
    ],
    [
      'half a file',
      (whole) => gzipSync(gunzipSync(whole).subarray(0, 1100)),
      /as a package: the archive is truncated/,
    ],
    [
      'nothing',
      () => gzipSync(Buffer.alloc(1024)),
      /as a package: there is no package\.json in it/,
    ],
  ] as readonly Damaged[])('--against %s', async (_, damaged, sentence) => {
    const file = join(home, 'before.tgz')
    await writeFile(
      file,
      damaged(await archive({ 'package.json': `{ "a": "${'b'.repeat(900)}" }` })),
    )
    const said = await packing('--name', 'clock', '--out', 'x', '--against', file)
    expect([said.code, existsSync('x')]).toEqual([2, false])
    expect(said.stderr).toMatch(sentence)
    expect(said.stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each([
    ['broken JSON', { 'package.json': '{' }, /before\.tgz cannot be read as a package: /],
    ['no manifest', { 'package.json': '7' }, /as a package: its package\.json is not an object/],
    [
      'the package of somebody else',
      {
        'package.json':
          '{ "name": "sundial", "version": "1.0.0", "exports": { "./openrpc.json": "./rpc.json" } }',
        'rpc.json':
          '{ "openrpc": "1.3.2", "info": { "title": "Sun", "version": "1" }, "methods": [] }',
      },
      /before\.tgz is the package sundial, not an earlier version of clock: name an earlier version, or the old documents and --version/,
    ],
    [
      'a package that was not packed',
      { 'package.json': '{ "name": "clock", "version": "1.0.0" }' },
      /is a package without \.\/openapi\.json and \.\/openrpc\.json: name a package of twinspec pack/,
    ],
    [
      'a package without exports',
      { 'package.json': '{ "name": "clock", "exports": null }' },
      /is a package without \.\/openapi\.json and \.\/openrpc\.json/,
    ],
    [
      'a package whose document is damaged',
      {
        'package.json': '{ "name": "clock", "exports": { "./openrpc.json": "./rpc.json" } }',
        'rpc.json': '{ "openrpc": "1.3.2", ',
      },
      /before\.tgz:\.\/rpc\.json:1:/,
    ],
    [
      'a version that is none',
      {
        'package.json':
          '{ "name": "clock", "version": "one", "exports": { "./openrpc.json": "./rpc.json" } }',
        'rpc.json':
          '{ "openrpc": "1.3.2", "info": { "title": "", "version": "1" }, "methods": [] }',
      },
      /the version before, one, is not a version of npm: write it as 1\.2\.3/,
    ],
  ] as readonly Foreign[])('--against %s', async (_, files, sentence) => {
    const file = join(home, 'before.tgz')
    await writeFile(file, await archive(files))
    const said = await packing('--name', 'clock', '--out', 'x', '--against', file)
    expect([said.code, existsSync('x')]).toEqual([2, false])
    expect(said.stderr).toMatch(sentence)
  })

  it('--against documents, which have no version of a package', async () => {
    const said = await packing('--name', 'clock', '--out', 'x', '--against', methods)
    expect([said.code, existsSync('x')]).toEqual([2, false])
    expect(said.stderr).toMatch(
      /do not contain the version .*: name that package, or add --version\n$/,
    )
  })
})

type Damaged = readonly [name: string, damaged: (whole: Buffer) => Buffer, sentence: RegExp]

type Foreign = readonly [name: string, files: Readonly<Record<string, string>>, sentence: RegExp]

/** As `npm pack` makes one. */
const archive = async (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const folder = await mkdtemp(join(home, 'archive-'))
  await mkdir(join(folder, 'package'))
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, 'package', name), text)
  }
  const tar = join(folder, 'whole.tgz')
  await execute('tar', ['-czf', tar, '-C', folder, 'package'])
  return readFile(tar)
}

const execute = promisify(execFile)

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

  const whole = await readFile(join(out, 'package.json'), 'utf8')
  const rest = ['--without', 'msw']
  for (const [args, sentence] of [
    [
      ['--name', 'sundial', '--against', out],
      /is the package @acme\/clock, not an earlier version of/,
    ],
    [
      ['--name', '@acme/clock', '--against', out, '--version', '0.0.9', ...rest],
      /--version 0\.0\.9 is lower than the change requires: 0\.1\.0, as before/,
    ],
  ] as const) {
    const refused = await packing('--out', out, ...args)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(sentence) })
    expect(await readFile(join(out, 'package.json'), 'utf8')).toBe(whole)
  }

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
  expect(existsSync(join(out, 'dist/runtime/http/send.js'))).toBe(false)
})
