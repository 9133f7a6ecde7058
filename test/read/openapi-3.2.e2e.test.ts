import { readFileSync } from 'node:fs'
import { createServer as listen, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toFastifyPlugin } from '../../src/runtime/fastify.js'
import type { ServerCore } from '../../src/runtime/server.js'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'
import { diagnose } from '../emit/strictest.js'
import { findingsIn } from '../report/report-of.js'

const openapi = (paths: string, more = '') => `openapi: 3.2.0
info: { title: Things, version: '1' }
paths:
${paths}
${more}`

/** What lint finds wrong with the structure of a document. */
const readingFindings = async (path: string): Promise<readonly string[]> => {
  const { stdout } = await twinspec('lint', '--openapi', path, '--format', 'json')
  const findings = findingsIn(stdout)
  return findings
    .map(({ rule }) => rule)
    .filter((rule) => STRUCTURE.test(rule) && !rule.endsWith('-description'))
}

const STRUCTURE = /^(field|method|reference|document|parameter|querystring|schema|media|security)-/

it('OpenAPI 3.2: a stream may have the schema of its items alone', async () => {
  const folder = await folderOf({
    'api.yaml': openapi(`  /events:
    get:
      operationId: events
      responses:
        '200':
          description: Events
          content:
            application/jsonl: { itemSchema: { $ref: './event.yaml' } }`),
    'event.yaml': 'type: object\nproperties: { id: { type: integer } }\n',
  })
  const path = join(folder, 'api.yaml')
  expect(await readingFindings(path)).toEqual([])
  const out = join(folder, 'out')
  expect(await twinspec('generate', '--openapi', path, '--out', out)).toMatchObject({ code: 0 })
  // The schema of an item is read as any other: it has a name of its own, made from that of its file.
  expect(readFileSync(join(out, 'http.types.ts'), 'utf8')).toMatch(/Event[:=\s]/)
})

it('OpenAPI 3.2: a later minor version is read as the last known one, with a warning', async () => {
  const text = openapi(`  /a:
    get: { operationId: a, responses: { '204': { description: Done } } }`)
  const folder = await folderOf({ 'api.yaml': text.replace('3.2.0', '3.9.0') })
  const { code, stdout } = await twinspec('lint', '--openapi', join(folder, 'api.yaml'))
  expect(code).toBe(0)
  expect(stdout).toMatch(/api\.yaml:1:10 warning .*OpenAPI 3\.9\.0.*document-version-is-newer/)
})

it('OpenAPI 3.2: query and the methods of additionalOperations have types and compile', async () => {
  const folder = await folderOf({
    'api.yaml': openapi(`  /things:
    get: { operationId: list, responses: { '204': { description: Done } } }
    query:
      operationId: search
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [q], properties: { q: { type: string } } } } }
      responses:
        '200': { description: Found, content: { application/json: { schema: { type: array, items: { type: string } } } } }
    additionalOperations:
      LINK: { operationId: link, responses: { '204': { description: Done } } }`),
  })
  const path = join(folder, 'api.yaml')
  const out = join(folder, 'out')
  expect(await readingFindings(path)).toEqual([])
  const more = ['--with', 'server,typebox,openapi-fetch']
  expect(await twinspec('generate', '--openapi', path, ...more, '--out', out)).toMatchObject({
    code: 0,
  })
  const names = ['http.types.ts', 'http.client.ts', 'operations.ts', 'validators.ts', 'server.ts']
  const read = (name: string) => readFileSync(join(out, name), 'utf8')
  expect(read('http.types.ts')).toMatch(/query: operations\['search'\]/)
  expect(read('http.types.ts')).toMatch(/LINK: operations\['link'\]/)
  expect(read('operations.ts')).toContain("method: 'QUERY'")
  const files = ['explanations.ts', 'schemas.ts', 'client.ts', ...names]
  expect(diagnose(new Map(files.map((name) => [name, read(name)])), 'strictest')).toEqual([])
})

const SHOP = openapi(
  `  /things:
    query:
      tags: [internal, found]
      operationId: search
      summary: Searches
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [q], properties: { q: { type: string, minLength: 1 } } }
            examples: { one: { dataValue: { q: tea } } }
      responses:
        '200':
          summary: What was found
          content:
            application/json:
              schema: { type: array, items: { type: string } }
              examples: { one: { serializedValue: '["tea"]' } }
        default: { $ref: '#/components/responses/Refused' }
    additionalOperations:
      LINK:
        tags: [links]
        operationId: link
        summary: Links
        responses: { '204': { description: Done }, default: { $ref: '#/components/responses/Refused' } }
  /filtered:
    get:
      tags: [found]
      operationId: filter
      summary: Filters
      parameters:
        - name: filter
          in: querystring
          required: true
          content:
            application/x-www-form-urlencoded:
              schema: { type: object, required: [size], properties: { size: { type: integer }, tag: { type: array, items: { type: string } } } }
              examples: { one: { value: { size: 3, tag: [a, b] } } }
        - { name: token, in: cookie, style: cookie, required: true, schema: { type: string }, example: 'a/b=c' }
      responses: { '200': { description: Seen, content: { application/json: { schema: {}, example: 1 } } }, default: { $ref: '#/components/responses/Refused' } }`,
  `tags:
  - { name: catalogue, summary: The catalogue, kind: nav }
  - { name: found, summary: Findings, parent: catalogue, kind: nav }
  - { name: internal, kind: audience }
  - { name: links, parent: links }
components:
  responses: { Refused: { description: Refused, content: { application/json: { schema: {} } } } }
  securitySchemes:
    device: { type: oauth2, deprecated: true, flows: { deviceAuthorization: { deviceAuthorizationUrl: 'https://example.com/d', tokenUrl: 'https://example.com/t', scopes: {} } } }
`,
)

type Generated = {
  readonly createServer: (handlers: object, options?: object) => ServerCore
  readonly toNodeListener: (server: ServerCore) => RequestListener
}

type Client = Readonly<Record<string, (input?: object) => Promise<unknown>>>

/** A generated client, and a generated server that answers with the input of each call. */
const generatedShop = async () => {
  const folder = await folderOf({ 'api.yaml': SHOP })
  const out = join(folder, 'out')
  const args = ['--openapi', join(folder, 'api.yaml'), '--with', 'server', '--out', out]
  expect(await twinspec('generate', ...args)).toMatchObject({ code: 0 })
  const { createServer, toNodeListener } = await importFile<Generated>(out, 'server.ts')
  const seen: unknown[] = []
  const server = createServer({
    search: ({ body }: { body: { q: string } }) => ({ status: 200, body: [body.q] }),
    link: () => ({ status: 204 }),
    filter: ({ query, cookie }: { query: object; cookie: object }) => {
      seen.push({ query, cookie })
      return { status: 200, body: 1 }
    },
  })
  const { createHttpClient } = await importFile<{ createHttpClient: (options: object) => Client }>(
    out,
    'http.client.ts',
  )
  return {
    server,
    toNodeListener,
    seen,
    clientOf: (url: string) => createHttpClient({ server: url }),
  }
}

describe('OpenAPI 3.2: generated clients and servers', () => {
  const exchange = async (client: Client, seen: readonly unknown[]) => {
    expect(await client.search?.({ body: { q: 'tea' } })).toEqual(['tea'])
    expect(await client.link?.()).toBeUndefined()
    const input = { query: { filter: { size: 3, tag: ['a b', 'c'] } }, cookie: { token: 'a/b=c' } }
    expect(await client.filter?.(input)).toBe(1)
    expect(seen).toEqual([input])
    await expect(client.search?.({ body: { q: '' } })).rejects.toThrow()
  }

  it('QUERY, LINK, a whole query and a cookie are sent and received, over Node', async () => {
    const { server, toNodeListener, seen, clientOf } = await generatedShop()
    const listener = listen(toNodeListener(server)).listen(0, '127.0.0.1')
    onTestFinished(() => void listener.close())
    await new Promise((resolve) => listener.once('listening', resolve))
    const { port } = listener.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    await exchange(clientOf(url), seen)
    const refused = await fetch(`${url}/things`, { method: 'POST' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'QUERY, LINK'])
  })

  it('the same over Fastify', async () => {
    const { server, seen, clientOf } = await generatedShop()
    const app = fastify()
    onTestFinished(() => app.close())
    await app.register(toFastifyPlugin(server))
    await exchange(clientOf(await app.listen({ port: 0, host: '127.0.0.1' })), seen)
  })
})

it('OpenAPI 3.2: the mock server answers QUERY and LINK, and its lines of curl name them', async () => {
  const folder = await folderOf({ 'api.yaml': SHOP })
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const mock = startTwinspec(['mock', join(folder, 'api.yaml'), '--port', '0'], ending.signal)
  await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
  const url = /HTTP +(http:\S+)/.exec(mock.said.stdout)?.[1] ?? ''
  const found = await fetch(`${url}/things`, {
    method: 'QUERY',
    headers: { 'content-type': 'application/json' },
    body: '{"q":"tea"}',
  })
  expect([found.status, await found.json()]).toEqual([200, ['tea']])
  expect((await fetch(`${url}/things`, { method: 'LINK' })).status).toBe(204)
  expect(mock.said.stdout).toContain('-X QUERY')
  expect(mock.said.stdout).toContain('-X LINK')
  expect(mock.said.stdout).toContain('/filtered?size=3&tag=a&tag=b')
})

it('OpenAPI 3.2: the reference shows tags within tags, by their summaries', async () => {
  const folder = await folderOf({ 'api.yaml': SHOP })
  const out = join(folder, 'site')
  const args = ['--openapi', join(folder, 'api.yaml'), '--out', out]
  expect(await twinspec('docs', ...args)).toMatchObject({ code: 0 })
  const page = readFileSync(join(out, 'index.html'), 'utf8')
  expect(page).toContain('HTTP: The catalogue › Findings</h3>')
  expect(page).toMatch(/<summary>The catalogue <span class="count">2<\/span><\/summary><details/)
  expect(page).toContain('HTTP: links</h3>')
  expect(page).toContain('QUERY /things')
})

it('OpenAPI 3.2: diff reports a removed QUERY, and conform calls QUERY and LINK', async () => {
  const folder = await folderOf({
    'old.yaml': SHOP,
    'new.yaml': SHOP.replace('    query:\n', '    post:\n'),
  })
  const [older, newer] = [join(folder, 'old.yaml'), join(folder, 'new.yaml')]
  const changed = await twinspec('diff', '--openapi', newer, '--against', older)
  expect(changed.code).toBe(1)
  expect(changed.stdout).toMatch(/QUERY \/things/)
  expect(await twinspec('diff', '--openapi', older, '--against', older)).toMatchObject({ code: 0 })
  const { server, toNodeListener } = await generatedShop()
  const listener = listen(toNodeListener(server)).listen(0, '127.0.0.1')
  onTestFinished(() => void listener.close())
  await new Promise((resolve) => listener.once('listening', resolve))
  const { port } = listener.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const { code, stdout } = await twinspec('conform', url, older, '--stateless')
  expect({ code, stdout }).toMatchObject({ code: 0 })
})

it.each([
  ['LINK', 'a b', /not a valid HTTP method.*method-is-invalid/],
  ['LINK', 'POST', /POST has a field of its own.*method-has-a-field/],
])('OpenAPI 3.2: additionalOperations %s as %s is a warning', async (from, to, message) => {
  const folder = await folderOf({ 'api.yaml': SHOP.replace(`      ${from}:`, `      ${to}:`) })
  const { code, stdout } = await twinspec('lint', '--openapi', join(folder, 'api.yaml'))
  expect(code).toBe(0)
  expect(stdout).toMatch(message)
})

it('OpenAPI 3.2: a media type may be a component, and a discriminator has a default mapping', async () => {
  const text = openapi(
    `  /a:
    get:
      operationId: a
      responses: { '200': { description: A, content: { application/json: { $ref: '#/components/mediaTypes/Pet' } } } }`,
    `components:
  mediaTypes: { Pet: { schema: { $ref: '#/components/schemas/Pet' } } }
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Other' }]
      discriminator: { propertyName: kind, defaultMapping: Other }
    Cat: { type: object, required: [kind], properties: { kind: { const: cat } } }
    Other: { type: object, properties: { kind: { not: { const: cat } } } }
`,
  )
  const folder = await folderOf({ 'api.yaml': text })
  const path = join(folder, 'api.yaml')
  expect(await readingFindings(path)).toEqual([])
  const out = join(folder, 'out')
  expect(await twinspec('generate', '--openapi', path, '--out', out)).toMatchObject({ code: 0 })
  expect(readFileSync(join(out, 'http.types.ts'), 'utf8')).toMatch(/'application\/json': Pet/)
})
