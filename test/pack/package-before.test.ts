import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { differing, readPackage } from '../../src/pack/package-before.js'

const LONG = `dist/${'deep/'.repeat(30)}ünder.js`

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: '@acme/orders',
    version: '1.2.0',
    exports: { './openapi.json': './dist/http.openapi.json' },
  }),
  'dist/http.openapi.json': '{"openapi":"3.1.0"}',
  'CHANGELOG.md': '# Changelog\n\n## 1.2.0 (2026-01-01)\n',
  [LONG]: 'export {}\n',
}

let room = ''
const inRoom = (name: string) => join(room, name)
const write = (folder: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(inRoom(join(folder, name))), { recursive: true })
    writeFileSync(inRoom(join(folder, name)), text)
  }
}

beforeAll(() => {
  room = mkdtempSync(join(tmpdir(), 'package-before-'))
  write('package', FILES)
  for (const format of ['ustar', 'pax', 'gnu']) {
    execFileSync('tar', [
      '-czf',
      inRoom(`${format}.tgz`),
      `--format=${format}`,
      '-C',
      room,
      'package',
    ])
  }
  write('documents', { 'openapi.json': '{}', 'package.json': '{"version":"9.0.0"}' })
  write('torn', { 'package.json': '{' })
  write('unversioned', {
    ...FILES,
    'package.json': '{"exports":{"./openapi.json":"./dist/http.openapi.json"}}',
  })
  writeFileSync(inRoom('text.tgz'), 'no archive')
  writeFileSync(inRoom('short.tgz'), gzipSync(Buffer.alloc(700, 7)))
  execFileSync('tar', ['-czf', inRoom('others.tgz'), '-C', room, 'documents'])
})
afterAll(() => rmSync(room, { recursive: true, force: true }))

it.each(['package', 'ustar.tgz', 'pax.tgz', 'gnu.tgz'])('reads %s', (path) => {
  const found = readPackage(inRoom(path))
  expect(found && { ...found, read: undefined }).toEqual({
    name: '@acme/orders',
    version: '1.2.0',
    openapi: {
      name: `${inRoom(path)}/dist/http.openapi.json`,
      text: FILES['dist/http.openapi.json'],
    },
    openrpc: undefined,
    changelog: FILES['CHANGELOG.md'],
    read: undefined,
  })
  expect(found?.read(LONG)).toBe('export {}\n')
  expect(found?.read('dist')).toBeUndefined()
})

it.each(['documents', 'nothing', 'documents/openapi.json'])(
  'leaves %s to those who read documents',
  (path) => {
    expect(readPackage(inRoom(path))).toBeUndefined()
  },
)

it.each([
  ['torn', /^the package\.json of .*torn is no JSON: /],
  ['unversioned', /^the package\.json of .*unversioned names no version$/],
  ['text.tgz', /^.*text\.tgz cannot be read as a tarball: incorrect header check$/],
  ['short.tgz', /^.*short\.tgz cannot be read as a tarball: a header is damaged$/],
  [
    'others.tgz',
    /^.*others\.tgz has neither \.\/openapi\.json nor \.\/openrpc\.json among its exports: it was not made by twinspec pack$/,
  ],
])('says what is wrong with %s', (path, sentence) => {
  expect(() => readPackage(inRoom(path))).toThrow(sentence)
})

it('says which files differ, whatever version they are of', () => {
  const before = readPackage(inRoom('package'))
  const files = Object.entries(FILES).map(([name, text]) => ({ name, text }))
  if (!before) throw new Error('there is no package')
  const raised = files.map(({ name, text }) => ({ name, text: text.replaceAll('1.2.0', '1.3.0') }))
  expect(differing(before, raised)).toEqual([])
  const other = files.map(({ name, text }) => ({ name, text: `${text} ` }))
  expect(differing(before, [...other, { name: 'README.md', text: '' }])).toEqual([
    'dist/http.openapi.json',
    LONG,
    'README.md',
  ])
})
