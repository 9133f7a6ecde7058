import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeReadme } from '../../src/pack/readme.js'
import { loadApi } from '../../src/read/load.js'
import { OPENAPI, OPENRPC } from '../cli/command.js'
import { temporaryFolder } from '../temporary-folder.js'

const home = temporaryFolder('head')

const put = (name: string, text: string): string => {
  writeFileSync(join(home, name), text)
  return join(home, name)
}

const openapi = put('openapi.yaml', OPENAPI)
const openrpc = put('openrpc.yaml', OPENRPC)
const versionless = put('versionless.yaml', OPENAPI.replace(", version: '1'", ''))

it.each([
  ['Clock `1` (HTTP) and Clock `1` (JSON-RPC)', { openapi, openrpc }],
  ['Clock `1` (HTTP)', { openapi }],
  ['Clock `1` (JSON-RPC)', { openrpc }],
  // No version is made up.
  ['Clock (HTTP)', { openapi: versionless }],
])('documents are known by name and version: %s', async (want, files) => {
  const about = { name: 'clock', version: '1.0.0', description: '', license: 'MIT' }
  const manifest = { ...about, exports: {} }
  const readme = writeReadme(await loadApi(files), { manifest, parts: [] })
  expect(readme).toContain(`\n\nClients, types, validators and server stubs of ${want}.\n`)
})

it('the heading is the name of the package as it is, and the contents say that parts are imported', async () => {
  const about = { name: '@acme/clock', version: '1.0.0', description: '', license: 'MIT' }
  const manifest = { ...about, exports: {} }
  const readme = writeReadme(await loadApi({ openapi }), { manifest, parts: [] })
  expect(readme.split('\n')[0]).toBe('# `@acme/clock`')
  expect(readme).toContain('The package has no main module.')
})
