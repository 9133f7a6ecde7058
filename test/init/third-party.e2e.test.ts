import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isExpected } from '../../src/cli/io.js'
import { startVersions } from '../../src/cli/version.js'
import { emitAll } from '../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { adoptDocuments, type Sources } from '../../src/init/adopt-documents.js'
import { initFiles } from '../../src/init/init.js'
import { disk } from '../../src/read/file-tree.js'
import { findDocuments, loadApi } from '../../src/read/load.js'
import { ran } from '../cli/command.js'
import { CORPORA, corpus, named } from '../conformance/corpora.js'
import { sized } from '../trials/size.js'
import { createFolder } from './begun-project.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const taken = { kinds: [], isSwagger: false, files: [], bundled: [], rewritten: [], leftOut: [] }
const EMPTY_SERVER =
  initFiles({ name: 'Theirs', isNew: true, adopted: taken, versions: startVersions }).find(
    ({ path }) => path === 'src/server.ts',
  )?.text ?? ''
const installed = (path: string): string => join(root, 'node_modules', path)

/** Each stands there in both formats: one of them will do. */
const examples = ['3.0/yaml', '3.1/json'].flatMap((folder) =>
  readdirSync(installed(`@readme/oas-examples/${folder}`))
    .filter((file) => /\.(json|yaml)$/.test(file))
    .map((file): Row => {
      const openapi = installed(`@readme/oas-examples/${folder}/${file}`)
      return [`oas-examples ${folder} ${file}`, { openapi }]
    }),
)

type Row = readonly [name: string, sources: Sources]

const ethereum = join(CORPORA, 'execution-apis/openrpc.json')

const installedRows: readonly Row[] = [
  ['Directus', { openapi: installed('@directus/specs/dist/openapi.json') }],
  ['Figma', { openapi: installed('@figma/rest-api-spec/openapi/openapi.yaml') }],
  ['MetaMask', { openrpc: installed('@metamask/api-specs/dist/build/openrpc.json') }],
  [
    'MetaMask multichain',
    { openrpc: installed('@metamask/api-specs/dist/build/multichain-openrpc.json') },
  ],
  ['our own, of many files', { openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' }],
  ...(existsSync(ethereum) ? [['Ethereum', { openrpc: ethereum }] as const] : []),
]

const oasdiff = corpus('oasdiff')
  .filter((file) => /\.(ya?ml|json)$/.test(file) && file !== 'pairs.json')
  .filter((_, index) => index % sized(4, 1) === 0)
  .map((file): Row => [file, { openapi: join(CORPORA, 'oasdiff', file) }])

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'init-third-party-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** What a row reads as before and after it was taken over. */
const both = async ([name, sources]: Row) => {
  const dir = join(home, name.replace(/[^\w.]/g, '-'))
  const before = await loadApi(sources)
  const { files, bundled } = adoptDocuments(sources, disk)
  for (const { path, text } of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  const after = await loadApi(findDocuments(join(dir, 'spec')))
  return { before, after, files, bundled }
}

describe('other people’s documents are taken over as they are', () => {
  it.each([...examples, ...installedRows])('%s', async (name, sources) => {
    const { before, after, files, bundled } = await both([name, sources])
    expect(bundled).toEqual([])
    expect([after.http?.bundled, after.rpc?.bundled]).toEqual([
      before.http?.bundled,
      before.rpc?.bundled,
    ])
    expect(after.findings.length).toBe(before.findings.length)
    for (const { path, text, from = '' } of files) {
      expect(text === readFileSync(from, 'utf8'), path).toBe(true)
      expect(extname(path)).toBe(extname(from))
    }
  })

  it(named('those that a tool for differences is tried with', oasdiff), async ({ skip }) => {
    if (oasdiff.length === 0) skip()
    let taken = 0
    for (const [name, sources] of oasdiff) {
      const outcome = await both([name, sources]).catch((error) => {
        // What is rejected is reported, never half taken.
        expect(isExpected(error), `${name}: ${error}`).toBe(true)
      })
      if (!outcome) continue
      expect([name, outcome.bundled]).toEqual([name, []])
      expect(outcome.after.http?.bundled).toEqual(outcome.before.http?.bundled)
      taken++
    }
    expect(taken).toBeGreaterThan(oasdiff.length / 2)
  })

  it('and Swagger 2.0, with the converter among the packages', async () => {
    const folder = installed('@readme/oas-examples/2.0/json')
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const dir = join(home, `swagger-${name}`)
      const { code } = await ran(['init', '--dir', dir, '--from-openapi', join(folder, name)])
      expect([name, code]).toEqual([name, 0])
      expect(readFileSync(join(dir, 'package.json'), 'utf8')).toContain('@scalar/openapi-upgrader')
    }
  })
})

describe('the server that such a project begins with', () => {
  const project = createFolder()
  afterAll(() => project.remove())

  it.each([
    ['Figma', 'GET', '/v1/files/a'],
    ['MetaMask', 'POST', '/'],
  ])('starts, and refuses what nobody has written: %s', async (name, method, path) => {
    const row = installedRows.find(([one]) => one === name)
    const api = await loadApi(row?.[1] ?? {})
    const files = emitAll(api, [], [...DEFAULT_KINDS, 'server'])
    const folder = name.toLowerCase()
    project.write([
      { path: 'package.json', text: '{ "type": "module" }' },
      { path: `${folder}/src/server.ts`, text: EMPTY_SERVER },
      ...files.map(({ name, text }) => ({ path: `${folder}/generated/${name}`, text })),
    ])
    const url = await project.start(`${folder}/src/server.ts`)
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-figma-token': 'one' },
      ...(method === 'POST' && {
        body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
      }),
    })
    const text = await answer.text()
    expect([answer.status, text]).toEqual(
      method === 'POST' ? [200, expect.stringContaining('-32601')] : [501, expect.any(String)],
    )
  })
})
