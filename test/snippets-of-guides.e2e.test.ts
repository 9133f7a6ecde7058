import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COMMANDS, type Verb } from '../src/cli/commands.js'
import { readFlags } from '../src/cli/flags.js'
import { ran } from './cli/command.js'
import { basicVariables } from './variables.js'

const ROOT = join(import.meta.dirname, '..')

const snippetsOf = (page: string, language: string): readonly string[] =>
  [
    ...readFileSync(join(ROOT, 'docs', page), 'utf8').matchAll(
      new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'),
    ),
  ].map(([, text = '']) => text)

const [events = '', importing = ''] = snippetsOf('streams.md', 'yaml')

/** Documents that have what the snippets name. */
const OPENAPI = `openapi: 3.2.0
info: { title: Orders, version: '1' }
servers: [{ url: 'http://127.0.0.1:4010' }]
paths:
${events.replace(/^/gm, '  ').trimEnd()}
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
${importing.replace(/^/gm, '  ').trimEnd()}
  /orders:
    get:
      operationId: listOrders
      deprecated: true
      x-pagination: { items: /data, next: { cursor: /next } }
      parameters:
        - { name: status, in: query, schema: { type: string } }
        - { name: cursor, in: query, schema: { type: string } }
      responses:
        '200':
          description: Orders
          content:
            application/json:
              schema:
                type: object
                required: [data]
                properties:
                  data: { type: array, items: { type: object, required: [id], properties: { id: { type: string } } } }
                  next: { type: string }
  /notes:
    get:
      operationId: listNotes
      security: [{ bearerAuth: [] }]
      responses:
        '200': { description: Notes, content: { application/json: { schema: { type: array, items: { type: string } } } } }
        '401': { description: Rejected }
  /chat:
    post:
      operationId: createChatCompletion
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [model, messages]
              properties:
                model: { type: string }
                messages: { type: array, items: { type: string } }
                stream: { type: boolean, default: false }
      responses:
        '200':
          description: Words
          content:
            application/json: { schema: { $ref: '#/components/schemas/Chunk' } }
            text/event-stream: { itemSchema: { $ref: '#/components/schemas/Chunk' } }
  /files:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [title, file]
              properties: { title: { type: string }, file: { type: string, format: binary } }
      responses:
        '200':
          description: Stored
          content:
            application/json:
              schema: { type: object, properties: { title: { type: string }, size: { type: integer } } }
  /report:
    get:
      operationId: download
      responses:
        '200': { description: Report, content: { application/octet-stream: {} } }
webhooks:
  order.created:
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { '204': { description: Seen } }
  order.shipped:
    post:
      parameters: [{ name: X-Attempt, in: header, schema: { type: integer } }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [parcel], properties: { parcel: { type: string } } }
      responses: { '204': { description: Seen } }
components:
  securitySchemes: { bearerAuth: { type: http, scheme: bearer } }
  schemas:
    Order: { type: object, required: [item], properties: { item: { type: string } } }
    OrderEvent: { type: object, required: [state], properties: { state: { type: string } } }
    Chunk:
      type: object
      required: [choices]
      properties:
        choices:
          type: array
          items: { type: object, properties: { delta: { type: object, properties: { content: { type: string } } } } }
`

const OPENRPC = `openrpc: 1.3.2
info: { title: Coins, version: '1' }
servers: [{ name: local, url: 'http://127.0.0.1:4010' }]
methods:
  - name: suix_getCoins
    x-pagination: { items: /data, next: { cursor: /next } }
    params:
      - { name: owner, required: true, schema: { type: string } }
      - { name: cursor, schema: { type: string } }
    result:
      name: page
      schema:
        type: object
        required: [data]
        properties:
          data: { type: array, items: { type: object, required: [balance], properties: { balance: { type: string } } } }
          next: { type: string }
`

const IMPORTS = `
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { HttpError } from 'twinspec/runtime/errors'
import { portLink } from 'twinspec/runtime/links/port'
import { createClient as makeClient } from './generated/client.js'
import { createServer as makeServer, notOffered, toFetchHandler } from './generated/server.js'

const folder = '.'
const notesOf = (name) => ['a note of ' + name]
const users = new Map([['token-of-ada', { name: 'ada' }]])
const isKnownUser = (text) => text === 'user:password'
const coins = { suixGetCoins: ([, cursor]) => (cursor ? { data: [{ balance: '2' }] } : { data: [{ balance: '1' }], next: 'b' }) }
const orders = { listOrders: ({ query }) => ({ status: 200, body: query.cursor === 'b' ? { data: [{ id: 'o-2' }] } : { data: [{ id: 'o-1' }], next: 'b' }, headers: { deprecation: '@1769817600' } }) }
const handlers = { ...notOffered, ...coins, ...orders }
const clientOf = (server) => {
  const handle = toFetchHandler(server)
  return makeClient({ auth: { bearerAuth: 'token-of-ada' }, fetch: (url, init) => handle(new Request(url, init)) })
}
const createServer = (own, options) => makeServer({ ...handlers, ...own }, options)
const createClient = (options) => {
  const handle = toFetchHandler(makeServer(handlers))
  return makeClient({ ...options, auth: { bearerAuth: 'token-of-ada' }, fetch: (url, init) => (seen.push(init), handle(new Request(url, init))) })
}
const seen = []
`

const FILES = `const { http } = clientOf(makeServer({
  ...notOffered,
  upload: async ({ body: { file, title } }) => ({ status: 200, body: { title, size: file.size } }),
  download: async () => ({ status: 200, body: new Blob(['a report']) }),
}))
`

const STREAMS = `const { http: client } = clientOf(makeServer({
  ...notOffered,
  watchOrder: () => ({ status: 200, body: (async function* () { yield { state: 'sent' }; yield { state: 'delivered' } })() }),
  createChatCompletion: ({ body }) => {
    const chunk = { choices: [{ delta: { content: 'word' } }] }
    return { status: 200, body: body.stream ? (async function* () { yield chunk; yield chunk })() : chunk }
  },
}))
const [id, model, messages] = ['7', 'm', []]
`

/** A worker that is a server, and the same server as a function from text to text. */
const WORKER = `const respond = async (body) => {
  const handle = toFetchHandler(makeServer(handlers))
  const headers = { 'content-type': 'application/json', authorization: 'Bearer token-of-ada' }
  return (await handle(new Request('http://127.0.0.1:4010/', { method: 'POST', headers, body }))).text()
}
const worker = {
  postMessage: (port) => {
    port.onmessage = async ({ data }) => port.postMessage(await respond(data))
  },
}
`

/** A page, the place of its snippet there, what comes before and after it, and what the program prints. */
const rows: readonly (readonly [string, number, string, string, string])[] = [
  [
    ...(['clients.md', 0] as const),
    'const metrics = { deprecated: (operation) => console.log("deprecated", operation) }\nconst log = console\n',
    'await client.http.listOrders()',
    'deprecated listOrders\n',
  ],
  ['clients.md', 1, FILES, "console.log(await readFile('report.pdf', 'utf8'))", 'a report\n'],
  [
    'clients.md',
    2,
    '',
    'for (const { credentials, cache, next } of seen) console.log(credentials, cache, next?.revalidate)',
    'include no-store undefined\ninclude undefined 60\n',
  ],
  ['clients.md', 3, '', 'console.log((await client.http.listOrders()).data[0].id)', 'o-1\n'],
  [
    ...(['clients.md', 4] as const),
    "const { http, rpc } = createClient()\nconst [owner, cursor] = ['ada', 'b']\n",
    '',
    'o-1\no-2\nundefined\n1\n2\n',
  ],
  ['clients.md', 5, WORKER, 'port1.close()', "[ { balance: '1' } ]\n"],
  [
    ...(['clients.md', 6] as const),
    `${WORKER}
class WebSocket extends EventTarget {
  constructor() {
    super()
    setTimeout(() => this.dispatchEvent(new Event('open')))
  }
  async send(text) {
    this.dispatchEvent(Object.assign(new Event('message'), { data: await respond(text) }))
  }
  close() {
    this.dispatchEvent(new Event('close'))
  }
}
const main = { invoke: async (_, text) => respond(text) }
`,
    `for (const link of [exchangeLink, socketLink('ws://127.0.0.1')])
  console.log((await createClient({ rpc: { link } }).rpc.suixGetCoins('ada')).next)`,
    'b\nb\n',
  ],
  [
    ...(['clients.md', 7] as const),
    `import { createRpcClient as makeRpcClient } from './generated/rpc.client.js'
const handle = toFetchHandler(makeServer(handlers, { jsonRpc1: true }))
const fetch = (url, init) => {
  const request = new Request(url, init)
  console.log(request.headers.get('authorization'), init.body)
  return handle(request)
}
const createRpcClient = (options) => makeRpcClient({ ...options, fetch })
`,
    "console.log(await rpc.suixGetCoins('ada'))",
    `Basic dXNlcjpwYXNzd29yZA== {"id":1,"method":"suix_getCoins","params":["ada"]}
{ data: [ { balance: '1' } ], next: 'b' }
`,
  ],
  [
    'server.md',
    0,
    '',
    'console.log(await clientOf(server).http.listNotes())',
    "[ 'a note of ada' ]\n",
  ],
  [
    ...(['server.md', 1] as const),
    '',
    `const send = (headers) => toFetchHandler(server)(new Request('http://127.0.0.1:4010/', { method: 'POST', headers: { 'content-type': 'text/plain', ...headers }, body: '{"method":"suix_getCoins","params":["ada","b"],"id":1}' }))
console.log((await send({})).status, await (await send({ authorization: 'Basic ' + btoa('user:password') })).text())`,
    '401 {"result":{"data":[{"balance":"2"}]},"error":null,"id":1}\n',
  ],
  [
    ...(['server.md', 2] as const),
    "await writeFile('report.pdf', 'a report')\n",
    `const { http } = clientOf(server)
console.log(await http.upload({ body: { title: 'Sales', file: new Blob(['abc']) } }), await (await http.download()).text())`,
    "{ title: 'Sales', size: 3 } a report\n",
  ],
  [
    ...(['server.md', 3] as const),
    '',
    `const sent = new Request('http://127.0.0.1:4010/chat', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"model":"m"}' })
const { operation, places } = await (await toFetchHandler(server)(sent)).json()
console.log(operation, places)`,
    "createChatCompletion [ '/body' ]\n",
  ],
  ['streams.md', 0, STREAMS, '', 'sent\ndelivered\n'],
  ['streams.md', 1, STREAMS, 'console.log(whole.choices.length)', 'wordword1\n'],
  [
    ...(['streams.md', 2] as const),
    'const changesOf = async function* (id, signal) { yield { state: id + signal.aborted } }\nconst { http } = clientOf(makeServer({ ...notOffered, ',
    '}))\nfor await (const { state } of await http.watchOrder({ path: { id: "7" } })) console.log(state)',
    '7false\n',
  ],
  [
    ...(['streams.md', 3] as const),
    `const lines = '{"item":"fig"}'
const importOrders = ({ body }) => (console.log(...body.map(({ item }) => item)), { status: 204 })
const client = clientOf(makeServer({ ...notOffered, importOrders })).http
`,
    '',
    'apple pear\nfig\n',
  ],
  [
    ...(['webhooks.md', 0] as const),
    `process.env.WEBHOOK_SECRET = 'whsec_' + btoa('a secret of this test')
const send = async (text, headers = {}) => {
  const body = new TextEncoder().encode(text)
  const at = Math.floor(Date.now() / 1000)
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode('a secret of this test'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(\`m1.\${at}.\${text}\`))
  const signed = { 'webhook-id': 'm1', 'webhook-timestamp': String(at), 'webhook-signature': 'v1,' + btoa(String.fromCharCode(...new Uint8Array(mac))) }
  return webhooks.handle(new Request('http://127.0.0.1/', { method: 'POST', body, headers: { 'content-type': 'application/json', ...signed, ...headers } }))
}
`,
    `await send('{"item":"fig"}')
await send('{"parcel":"7"}', { 'x-attempt': '2' })
console.log((await send('{"item":"fig"}', { 'webhook-id': 'm2' })).status)`,
    'fig\norder.shipped 7 2\n401\n',
  ],
  [
    'packages.md',
    0,
    '',
    'console.log(clientPackage, typeof http.listOrders)',
    '@acme/orders/0.1.0 function\n',
  ],
]

let project = ''

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'twinspec-snippets-'))
  const at = (name: string) => join(project, name)
  writeFileSync(at('api.yaml'), OPENAPI)
  writeFileSync(at('rpc.yaml'), OPENRPC)
  writeFileSync(at('package.json'), '{ "type": "module" }')
  writeFileSync(at('large.csv'), 'a,b\n')
  writeFileSync(at('a.csv'), 'a,b\n')
  mkdirSync(at('node_modules/@acme'), { recursive: true })
  symlinkSync(ROOT, at('node_modules/twinspec'))
  const documents = [at('api.yaml'), at('rpc.yaml')]
  const made = await ran(['generate', ...documents, '--with', 'server', '--out', at('generated')])
  expect(made.code, made.stderr).toBe(0)
  const out = at('node_modules/@acme/orders')
  const packed = await ran(['pack', ...documents, '--name', '@acme/orders', '--out', out])
  expect(packed.code, packed.stderr).toBe(0)
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

it.each(rows)('%s, JavaScript snippet %i, runs', (page, index, before, after, printed) => {
  const text = snippetsOf(page, 'js')[index] ?? ''
  const own = page === 'packages.md' ? '' : IMPORTS
  const file = join(project, 'snippet.ts')
  writeFileSync(file, `${own}${before}${text}${after}\n`)
  const args = ['--import', join(ROOT, 'node_modules/tsx/dist/loader.mjs'), '-C', 'twinspec-source']
  const output = execFileSync(process.execPath, [...args, file], {
    cwd: project,
    env: basicVariables(),
    encoding: 'utf8',
  })
  expect(output).toBe(printed)
})

it('every JavaScript snippet of the guides has a row', () => {
  const pages = ['clients.md', 'server.md', 'streams.md', 'webhooks.md', 'packages.md']
  const all = pages.flatMap((page) => snippetsOf(page, 'js').map((_, index) => `${page} ${index}`))
  expect(rows.map(([page, index]) => `${page} ${index}`)).toEqual(all)
})

/** Command lines of all guides: the page and the words after `twinspec`. Files that they name need not exist. */
const commandLines = readdirSync(join(ROOT, 'docs'))
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) =>
    snippetsOf(page, 'sh')
      .flatMap((text) => text.split('\n'))
      .flatMap((line) => /(?:npx|npm run) (?:.* )?twinspec (?:-- )?(.*)$/.exec(line)?.[1] ?? [])
      .map((line) => [page, line.replace(/ +#.*| [|>] .*/g, '').trim()] as const),
  )

it.each(commandLines)('%s: the flags of `twinspec %s` exist', (_, line) => {
  const [verb = '', ...words] = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  expect(Object.keys(COMMANDS)).toContain(verb)
  expect(() => readFlags(verb as Verb, words)).not.toThrow()
})

it('the guides have many command lines', () => {
  expect(commandLines.length).toBeGreaterThan(40)
})

it('docs/configuration.md: its configuration is valid', async () => {
  const [text = ''] = snippetsOf('configuration.md', 'yaml')
  const file = join(project, 'guide.config.yaml')
  writeFileSync(file, text)
  const { stdout, stderr } = await ran(['lint', join(project, 'api.yaml'), '--config', file])
  expect(stdout + stderr).not.toMatch(/config-|cannot be/)
  expect(stdout + stderr).toMatch(/by \d+ rules/)
})

it.each([
  ['breaking-changes.md', ['diff', 'api.yaml', '--against', 'api.yaml'], 'parameter-removed'],
  ['contract-testing.md', ['conform', 'http://127.0.0.1:9', 'api.yaml'], 'cannot be reached'],
] as const)('%s: its baseline is read', async (page, [verb, ...words], want) => {
  const file = join(project, 'baseline.yaml')
  writeFileSync(file, snippetsOf(page, 'yaml').find((text) => text.startsWith('accepted:')) ?? '')
  const args = words.map((word) => (word === 'api.yaml' ? join(project, word) : word))
  const { stdout, stderr } = await ran([verb, ...args, '--baseline', file])
  expect(stdout + stderr).toContain(want)
})
