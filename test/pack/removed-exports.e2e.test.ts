import { beforeAll, describe, expect, it } from 'vitest'
import { type PackOptions, pack } from '../../src/pack/pack.js'
import { removedExports } from '../../src/pack/removed-exports.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'

const REMOVE = `    delete:
      operationId: delete
      tags: [zkt]
      responses: { '200': { description: ok } }
`
const READ = `    get:
      operationId: getOrder
      tags: [zkt]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
`
const LINE = `    Line: { type: object, properties: { count: { type: integer } } }
`
const ORDER = `    Order: { type: object, properties: { line: { $ref: '#/components/schemas/Line' } } }
`
const openapi = (operations: string, schemas: string) => `openapi: 3.1.0
info: { title: Orders, version: '1', license: { name: MIT } }
servers: [{ url: 'https://orders.example', x-name: testnet }]
security: [{ basic: [] }]
paths:
  /orders/{id}:
    parameters: [{ in: path, name: id, required: true, schema: { type: string } }]
${operations}components:
  schemas:
${schemas}  securitySchemes: { basic: { type: http, scheme: basic } }
`

const OPENAPI = openapi(REMOVE + READ, LINE + ORDER)

const OPENRPC = `openrpc: 1.3.2
info: { title: Orders, version: '1' }
servers:
  - name: testnet
    url: https://rpc.orders.example
    x-chain-id: 7
    x-native-currency: { name: Coin, symbol: C, decimals: 2 }
methods:
  - { name: order_count, params: [], result: { name: count, schema: { type: integer } } }
`

type Texts = { readonly http?: string; readonly rpc?: string }

const apiOf = ({ http, rpc }: Texts) =>
  loadApi({
    openapi: http === undefined ? undefined : parseDocument(http, 'openapi.yaml'),
    openrpc: rpc === undefined ? undefined : parseDocument(rpc, 'openrpc.yaml'),
  })

const made = async (texts: Texts, options: Partial<PackOptions>) => {
  const today = new Date('2026-11-22')
  const answer = await pack(await apiOf(texts), { name: 'orders', today, ...options })
  if (answer.kind === 'rejected') throw new Error(answer.sentence)
  const files = new Map(answer.files.map(({ name, text }) => [name, text]))
  return { why: answer.why, files, changelog: files.get('CHANGELOG.md') ?? '' }
}

type Made = Awaited<ReturnType<typeof made>>

const BOTH = { http: OPENAPI, rpc: OPENRPC }

describe('a version by what code may name of the package', () => {
  let both: Made
  let http: Made

  beforeAll(async () => {
    both = await made(BOTH, { version: '1.0.0' })
    http = await made({ http: OPENAPI }, { version: '1.0.0' })
  })

  const packed = async (before: Made, was: Texts, now: Texts, options: Partial<PackOptions> = {}) =>
    made(now, {
      ...options,
      before: { api: await apiOf(was), version: '1.0.0', files: before.files },
    })

  it('a server and a tag under other names are gone', async () => {
    const renamed = (text: string) =>
      text.replaceAll('testnet', 'sandbox').replaceAll('zkt', 'messages')
    const now = { http: renamed(OPENAPI), rpc: renamed(OPENRPC) }
    const { why, changelog } = await packed(both, BOTH, now)
    expect(why).toContain('`ZktActions` and `zktActions` of `./viem` are gone')
    expect(why).toMatch(/^2\.0\.0 after 1\.0\.0, major: /)
    expect(changelog).toContain(`**Names in code**

- \`ZktActions\` and \`zktActions\` of \`./viem\` are gone
`)
  })

  it('a part that is left out is gone', async () => {
    const without = ['msw']
    const gone = await packed(http, { http: OPENAPI }, { http: OPENAPI }, { without })
    expect(gone.why).toBe('2.0.0 after 1.0.0, major: `./msw` is gone')
    expect(gone.changelog).toContain('### Breaking\n\n**Names in code**\n\n- `./msw` is gone\n')
  })

  it('the constant with the version has the new one, and is no change by itself', async () => {
    const same = await packed(http, { http: OPENAPI }, { http: OPENAPI })
    expect(same.why).toBe('1.0.0, as before: nothing changed')
    const forced = await packed(
      http,
      { http: OPENAPI },
      { http: OPENAPI },
      { version: '1.1.0-rc.1' },
    )
    expect(forced.changelog).not.toContain('client-package')
    const text = forced.files.get('dist/client-package.js')
    expect(text).toBe("export const clientPackage = 'orders/1.1.0-rc.1'\n")
    expect(http.files.get('dist/client-package.js')).toContain("'orders/1.0.0'")
  })

  it('a security scheme under another name is gone from what a client is given', async () => {
    const now = { http: OPENAPI.replaceAll(/\bbasic(?=:)/g, 'basic2') }
    const { why } = await packed(http, { http: OPENAPI }, now)
    expect(why).toMatch(/^2\.0\.0 after 1\.0\.0, major: .*security-scheme-(renamed|removed)/)
  })

  it('another order and other descriptions are a patch, and tell of no name', async () => {
    const described = READ.replace('description: ok', 'description: As it was sent')
    const now = { http: openapi(described + REMOVE, ORDER + LINE) }
    const { why, changelog } = await packed(http, { http: OPENAPI }, now)
    expect(why).toMatch(
      /^1\.0\.1 after 1\.0\.0, patch: the changes have no effect on callers, only texts differ/,
    )
    expect(changelog).not.toContain('Names in code')
  })
})

/** A package of one part, as its texts are read. */
const holding = (texts: Readonly<Record<string, string>>, entry = './viem', module = 'viem.js') => {
  const files = Object.entries(texts).map(([name, text]) => ({ name: `dist/${name}`, text }))
  const parts = [{ entry, module, gives: '' }]
  const manifest = JSON.stringify({ exports: { [entry]: { default: `./dist/${module}` } } })
  const before = new Map(
    [...files, { name: 'package.json', text: manifest }].map(({ name, text }) => [name, text]),
  )
  return { files, parts, before }
}

describe('what is read of declarations', () => {
  it.each([
    [
      'what is passed on, by its own name or another',
      "export * from './even.js';\nexport { Even as Pair } from './even.js';",
      "export type { Even } from './even.js';",
      ['`count` and `Pair` of `./viem` are gone'],
    ],
    [
      'what is declared, and not what is new',
      'export interface A {}\nexport declare function b(): void;\ndeclare const c: 1;\nexport { c as d };',
      'export interface A {}\nexport type E = 1;',
      ['`b` and `d` of `./viem` are gone'],
    ],
    [
      'a circle',
      "export * from './viem.js';\nexport type A = 1;",
      'export type B = 1;',
      ['`A` of `./viem` is gone'],
    ],
  ])('%s', (_, old, young, want) => {
    const even = 'export type Even = { readonly even: 1 };\nexport declare const count: number;'
    const { before } = holding({ 'viem.d.ts': old, 'even.d.ts': even })
    const { files, parts } = holding({ 'viem.d.ts': young, 'even.d.ts': even })
    expect(removedExports(before, files, parts)).toEqual(want)
  })

  it('the operations of a folder, and not what goes with them', () => {
    const entry = './http/even/*'
    const texts = ['get-a.d.ts', 'get-b.d.ts', 'get-a.schemas.d.ts', 'get-c.schemas.d.ts']
    const of = (names: readonly string[]) =>
      holding(Object.fromEntries(names.map((name) => [name, ''])), entry, '*.js')
    const { before } = of(texts)
    const { files, parts } = of(texts.slice(1, 3))
    expect(removedExports(before, files, parts)).toEqual(['`./http/even/get-a` is gone'])
  })

  it('nothing where there is no package before', () => {
    const { files, parts } = holding({ 'viem.d.ts': 'export declare const a: 1;' })
    expect(removedExports(new Map(), files, parts)).toEqual([])
  })
})
