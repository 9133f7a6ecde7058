import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.js'
import { ran } from './command.js'

const root = temporaryFolder('pack-other-languages')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(root, 'project-'))
})

const document = (...paths: readonly string[]): string => {
  const content = { 'application/json': { schema: { type: 'string' } } }
  const get = { responses: { 200: { description: 'Good.', content } } }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Small', version: '1' },
    paths: Object.fromEntries(paths.map((path) => [path, { get }])),
  })
}

/** Packs a document with these paths. */
const pack = (
  language: string,
  name: string,
  paths: readonly string[],
  ...more: readonly string[]
) => {
  const file = join(folder, 'api.json')
  writeFileSync(file, document(...paths))
  return ran(['pack', file, '--language', language, '--name', name, '--license', 'MIT', ...more])
}

describe('pack --against, for Python', () => {
  const version = (out: string) =>
    /^version = "(.*)"$/m.exec(readFileSync(join(out, 'pyproject.toml'), 'utf8'))?.[1]

  it.each([
    ['nothing', ['/a', '/b'], '1.0.0'],
    ['an addition', ['/a', '/b', '/c'], '1.1.0'],
    ['a removed path', ['/a'], '2.0.0'],
  ])('the version follows from %s', async (_, paths, expected) => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    const one = await pack(
      'python',
      'acme-small',
      ['/a', '/b'],
      '--out',
      first,
      '--version',
      '1.0.0',
    )
    expect(one).toMatchObject({ code: 0 })
    const two = await pack('python', 'acme-small', paths, '--out', second, '--against', first)
    expect(two).toMatchObject({ code: 0, stderr: expect.stringContaining(`${expected}`) })
    expect(version(second)).toBe(expected)
  })

  it('a lower version than the change requires needs --force', async () => {
    const first = join(folder, 'first')
    await pack('python', 'acme-small', ['/a', '/b'], '--out', first, '--version', '1.0.0')
    const lower = ['--out', join(folder, 'second'), '--against', first, '--version', '1.0.1']
    expect(await pack('python', 'acme-small', ['/a'], ...lower)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is lower than the change requires: 2.0.0 after 1.0.0'),
    })
    expect(await pack('python', 'acme-small', ['/a'], ...lower, '--force')).toMatchObject({
      code: 0,
    })
  })

  it('a package may be written over itself', async () => {
    const out = join(folder, 'package')
    await pack('python', 'acme-small', ['/a'], '--out', out)
    expect(
      await pack('python', 'acme-small', ['/a', '/b'], '--out', out, '--against', out),
    ).toMatchObject({ code: 0 })
    expect(version(out)).toBe('0.2.0')
  })

  it('another package, and documents without a version, are rejected', async () => {
    const first = join(folder, 'first')
    await pack('python', 'acme-small', ['/a'], '--out', first)
    const second = ['--out', join(folder, 'second'), '--against']
    expect(await pack('python', 'acme-other', ['/a'], ...second, first)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'is the package acme-small, not an earlier version of acme-other',
      ),
    })
    const documents = join(folder, 'old.json')
    writeFileSync(documents, document('/a'))
    expect(await pack('python', 'acme-small', ['/a'], ...second, documents)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('do not contain the version of their package'),
    })
  })
})

describe('pack --against, for Go', () => {
  it('a breaking change needs the path of the next major version', async () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    const name = 'example.com/acme/small'
    await pack('go', name, ['/a', '/b'], '--out', first, '--version', '1.4.0')
    const more = ['--out', second, '--against', first]
    expect(await pack('go', name, ['/a'], ...more)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`has the path ${name}/v2: name it in --name`),
    })
    expect(await pack('go', `${name}/v2`, ['/a'], ...more)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('tag the commit v2.0.0'),
    })
  })
})
