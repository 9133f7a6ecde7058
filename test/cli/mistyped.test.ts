import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readPackage } from '../../src/cli/read-package.js'
import { ran } from './command.js'

it.each<[string, readonly string[], string]>([
  [
    'a part of a name of a rule',
    ['explain', 'stream-item'],
    'stream-item: did you mean stream-item-invalid?',
  ],
  ['a word of no rule', ['explain', 'zebra'], 'zebra: twinspec explain lists all rules'],
  [
    'a word of very many rules',
    ['explain', 'property'],
    'property: twinspec explain lists all rules',
  ],
  ['no shell', ['completion'], 'name your shell: bash, zsh, fish'],
  [
    'a flag that every object has',
    ['completion', '--constructor'],
    'there is no flag --constructor: there is --config',
  ],
  [
    'how hey-api and orval name documents',
    ['generate', '-i', 'api.yaml'],
    'there is no flag -i: documents are named without a flag',
  ],
  ['a command of Redocly CLI', ['build-docs', 'api.yaml'], 'build-docs: did you mean docs?'],
  ['a command that every object has', ['constructor'], 'usage, explain, completion'],
  [
    'a file for the folder of generated code',
    ['generate', 'api.yaml', '-o', 'src/api.d.ts'],
    '--out names a folder, and src/api.d.ts ends like a file: write --out src/api',
  ],
  ['a longer word for a flag', ['generate', '--output', 'x'], '--output: did you mean --out?'],
  ['the beginning of a flag', ['lint', '--fetch'], '--fetch: did you mean --fetch-references?'],
  ['a mistyped flag', ['lint', '--opnapi', 'x'], '--opnapi: did you mean --openapi?'],
  ['the beginning of several flags', ['lint', '--f'], '--config'],
  ['two shells', ['completion', 'bash', 'zsh'], 'name one shell: bash, zsh, fish'],
  ['an unknown shell', ['completion', 'powershell'], 'powershell: there are bash, zsh, fish'],
])('%s: the message says what to write', async (_, args, end) => {
  const { code, stderr } = await ran(args)
  expect({ code, stderr: stderr.slice(-end.length - 1) }).toEqual({ code: 2, stderr: `${end}\n` })
})

it('a package that is installed in node_modules can be read, without the packages in it', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'twinspec-')), 'node_modules', 'orders')
  const openapi = { openapi: '3.1.0', info: { title: 'Orders', version: '1' }, paths: {} }
  const manifest = { name: 'orders', exports: { './openapi.json': './openapi.json' } }
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openapi))
  writeFileSync(join(folder, 'node_modules', 'other.js'), '')
  expect([...(readPackage(folder)?.files.keys() ?? [])].sort()).toEqual([
    'openapi.json',
    'package.json',
  ])
})
