import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { readable } from './site-of.js'

/** The site of one OpenRPC document, by the command line. */
const siteOf = async (schemas: object, result: object, ...flags: readonly string[]) => {
  const document = {
    openrpc: '1.3.2',
    info: { title: 'Ledger', version: '1' },
    methods: [{ name: 'entry', params: [], result: { name: 'entry', schema: result } }],
    components: { schemas },
  }
  const folder = await folderOf({ 'openrpc.json': JSON.stringify(document) })
  const site = join(folder, 'site')
  const done = await twinspec('docs', join(folder, 'openrpc.json'), '--out', site, ...flags)
  expect(done).toMatchObject({ code: 0 })
  return { html: (name: string) => readFileSync(join(site, name), 'utf8') }
}

const ENTRY = {
  type: 'object',
  required: ['to'],
  properties: {
    gas: { $ref: '#/components/schemas/Uint64' },
    to: { anyOf: [{ $ref: '#/components/schemas/Address' }, { const: null }] },
    parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
  },
}

const SCHEMAS = {
  Address: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  Uint64: { type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]{0,15})$' },
  Part: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } },
}

it('a nullable reference is "Address or null", and scalars are described in their line', async () => {
  const { html } = await siteOf(SCHEMAS, ENTRY)
  const said = readable(html('operations/entry.html'))
  // Required properties come first.
  expect(said).toContain('to Address or null hex, 20 bytes requiredgas Uint64 hex quantity, 64 bit')
  expect(said).not.toMatch(/or value|what (Uint64|Address) is/)
  expect(said).toContain('parts array of Part what Part is')
})

it('every property has an address of its own, however deep it is', async () => {
  const { html } = await siteOf(SCHEMAS, ENTRY)
  const ids = [...html('operations/entry.html').matchAll(/<li id="([^"]*)"/g)].map(([, id]) => id)
  expect(ids).toEqual([
    'result--to',
    'result--gas',
    'result--parts',
    expect.stringMatching(/:size$/),
  ])
})

it('each page has Markdown beside it, and llms.txt lists all operations', async () => {
  const { html: file } = await siteOf(SCHEMAS, ENTRY)
  expect(file('operations/entry.html')).toContain('href="../operations/entry.md"')
  const page = file('operations/entry.md')
  expect(page).toMatch(/^# entry$/m)
  expect(page).toContain('`to` [Address](../schemas/Address.md) or null hex, 20 bytes required')
  expect(page).toMatch(/```ts\n[^`]*rpc\.entry\(\)/)
  expect(page).not.toMatch(/Open the form|Expand all|import requests/)
  expect(file('schemas/Address.md')).toContain('matches `^0x[0-9a-fA-F]{40}$`')
  expect(file('llms.txt')).toContain('- [entry](operations/entry.md)')
  expect(file('llms.txt')).toMatch(/^# Ledger$/m)
})

it('a quick start has the first request; a changelog says what changed since another version', async () => {
  const before = await folderOf({
    'old.json': JSON.stringify({
      openrpc: '1.3.2',
      info: { title: 'Ledger', version: '0' },
      methods: [
        { name: 'entry', params: [], result: { name: 'entry', schema: ENTRY } },
        { name: 'gone', params: [], result: { name: 'entry', schema: { type: 'string' } } },
      ],
      components: { schemas: SCHEMAS },
    }),
  })
  const { html } = await siteOf(SCHEMAS, ENTRY, '--against', join(before, 'old.json'))
  const said = readable(html('changelog.html'))
  expect(said).toContain(
    'Breaking gone gone is removed without a deprecation: its callers are rejected',
  )
  expect(said).toContain('This requires a major version')
  expect(html('index.html')).toContain('href="changelog.html"')
  expect(readable(html('quick-start.html'))).toMatch(/First JSON-RPC request.*rpc\.entry\(\)/)
})

it('a site has the logo, the colour and the links of its owner, and loads nothing for them', async () => {
  const folder = await folderOf({ 'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  const flags = [
    '--logo',
    join(folder, 'logo.svg'),
    '--color',
    '#ffee00',
    '--link',
    'Status=https://status.example',
  ]
  const { html } = await siteOf(SCHEMAS, ENTRY, ...flags)
  expect(html('style.css')).toContain('url("data:image/svg+xml;base64,')
  // Yellow on white cannot be read, so that it is darker there.
  expect(html('style.css')).toMatch(/--light-accent: #[0-7][\da-f][0-7][\da-f]00;/)
  expect(html('index.html')).toContain('<a class="link" href="https://status.example"')
  const wrong = await twinspec('docs', '--out', join(folder, 'site'), '--color', 'yellow')
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--color yellow is not a colour'),
  })
})
