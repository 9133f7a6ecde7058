import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { anchor } from '../../src/docs/site.js'
import { tryData } from '../../src/docs/try-data.js'
import { unknownsOf } from '../../src/model/unknowns.js'
import { siteOf, siteOfSpec, type WrittenSite } from './site-of.js'

let site: WrittenSite

beforeAll(async () => {
  site = await siteOfSpec()
})

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

const pageOf = (id: string) => `operations/${id}.html`

const idsIn = (text: string) => [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)

describe('what stands on the pages of spec/', () => {
  it('has a page for every operation and method, with its way over the wire and its promises', () => {
    expect(site.api.operations.length).toBeGreaterThan(70)
    for (const operation of site.api.operations) {
      const said = site.read(pageOf(operation.id))
      expect(said).toContain(
        operation.kind === 'http'
          ? `HTTP ${operation.method} ${operation.path}`
          : `JSON-RPC method ${operation.method}`,
      )
      expect(said).toContain(`as a function: ${operation.id}`)
      if (operation.access)
        expect(said).toContain(operation.access === 'key' ? 'needs a key' : 'public')
      if (operation.stability) expect(said).toContain(operation.stability)
      if (operation.idempotent) expect(said).toContain('may be repeated')
    }
  })

  it('shows every parameter, status, param and error, each at an address of its own', () => {
    for (const operation of site.api.operations) {
      const ids = idsIn(site.file(pageOf(operation.id)))
      const wanted =
        operation.kind === 'http'
          ? [
              ...operation.parameters.map((one) => anchor('parameter', one.in, one.name)),
              ...operation.responses.map(({ status }) => anchor('response', status)),
              ...operation.variants.map(({ name }) => anchor('form', name)),
            ]
          : [
              ...operation.params.map(({ name }) => anchor('param', name)),
              ...operation.errors.map(({ code }) => anchor('error', code)),
            ]
      expect(ids).toEqual(expect.arrayContaining(wanted))
      if (operation.kind === 'http') continue
      for (const { code, message } of operation.errors) {
        expect(site.read(pageOf(operation.id))).toContain(`${code}${message}`)
        expect(idsIn(site.file('errors.html'))).toContain(anchor('error', code))
      }
    }
  })

  it('shows every example, of requests and of answers, with its line of curl and its call', () => {
    for (const operation of site.api.operations) {
      const said = site.read(pageOf(operation.id))
      const sent =
        operation.kind === 'http'
          ? (operation.body?.content ?? []).flatMap(({ examples }) => examples)
          : operation.examples
      for (const { name } of sent) {
        expect(said).toContain(`curl, ${name}`)
        expect(said).toContain(`TypeScript, ${name}`)
      }
      const answers =
        operation.kind === 'http'
          ? operation.responses.flatMap(({ content }) =>
              content.flatMap(({ examples }) => examples.map(({ value }) => value)),
            )
          : operation.examples.flatMap(({ outcome }) =>
              outcome.kind === 'none'
                ? []
                : [
                    outcome.kind === 'result'
                      ? { result: outcome.value }
                      : { error: outcome.error },
                  ],
            )
      for (const value of answers) {
        const shown =
          operation.kind === 'http' ? value : { jsonrpc: '2.0', id: 1, ...(value as object) }
        expect(said).toContain(flat(JSON.stringify(shown, null, 2)))
      }
    }
  })

  it('has a page for every schema, with each of its properties and what is asked of them', () => {
    expect(site.api.schemas.size).toBeGreaterThan(100)
    for (const { name, schema } of site.api.schemas.values()) {
      const ids = idsIn(site.file(`schemas/${name}.html`))
      const said = site.read(`schemas/${name}.html`)
      if (typeof schema === 'boolean') continue
      for (const key of Object.keys(schema.properties ?? {}))
        expect(ids).toContain(anchor('property', key))
      if (schema.pattern) expect(said).toContain(`matches ${flat(schema.pattern)}`)
      for (const value of schema.enum ?? []) expect(said).toContain(JSON.stringify(value))
    }
  })

  it('tells everything that is not shown where it stands', () => {
    const all = site.files
      .filter(({ name }) => name.endsWith('.html'))
      .map(({ name }) => site.read(name))
    const said = all.join(' ')
    const unknowns = unknownsOf(site.api)
    expect(unknowns.length).toBeGreaterThan(30)
    const plain = (text: string) => flat(text.replaceAll('`', ''))
    expect(unknowns.filter(({ notShown }) => !said.includes(plain(notShown)))).toEqual([])
    expect(
      unknowns.filter(({ assumption }) => assumption && !said.includes(plain(assumption))),
    ).toEqual([])
  })

  it('says on the first page where the service stands, how one proves who one is, what is limited, and what extensions mean', () => {
    const said = site.read('index.html')
    for (const words of [
      'testnetHTTPhttps://{rpcHost}rpcHost = rpc.testnet.example20180427',
      'in the path, /zkt/{apiKey}',
      'in the URL of JSON-RPC, https://{rpcHost}/zgt/{apiKey}',
      'JSON-RPC: 200 requests a minute, 40 requests in a batch, 1,048,576 bytes a body',
      'x-poll',
    ])
      expect(said).toContain(words)
    for (const { id } of site.api.operations)
      expect(site.file('index.html')).toContain(`href="${pageOf(id)}"`)
  })

  it('says what to call next, and until when to ask again', () => {
    const said = site.read(pageOf('getZktTransaction'))
    expect(said).toContain('Poll until status is completed or error.')
    const next = site.read(pageOf('submitZkt'))
    expect(next).toContain(
      'GET /gtn/v1/zkt/transaction/{queueId}, with queueId from $response.body#/queueId',
    )
  })
})

describe('the site stands by itself', () => {
  it('every link leads to a page of the site, or to a place on it', () => {
    const ids = new Map(site.files.map(({ name, text }) => [name, new Set(idsIn(text))]))
    const lost: string[] = []
    let count = 0
    for (const { name, text } of site.files) {
      if (!name.endsWith('.html')) continue
      for (const [, href = ''] of text.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
        if (/^https?:|^mailto:/.test(href)) continue
        count++
        const [path = '', fragment] = href.split('#')
        const target = path === '' ? name : posix.join(posix.dirname(name), decodeURI(path))
        if (!ids.has(target) || (fragment !== undefined && !ids.get(target)?.has(fragment)))
          lost.push(`${name}: ${href}`)
      }
    }
    expect(lost).toEqual([])
    expect(count).toBeGreaterThan(5000)
  })

  it('no id stands twice on a page', () => {
    const twice = site.files.flatMap(({ name, text }) => {
      const ids = idsIn(text)
      return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${name}: ${id}`)
    })
    expect(twice).toEqual([])
  })

  it('loads nothing from elsewhere and from no path of its own, and its policy forbids it', () => {
    for (const { name, text } of site.files) {
      if (name.endsWith('.css')) expect(text).not.toMatch(/url\(|@import/)
      if (!name.endsWith('.html')) continue
      const loaded = [
        ...text.matchAll(
          /<(?:script|link(?! rel="alternate")|img|iframe)\s[^>]*?(?:src|href)="([^"]*)"/g,
        ),
      ]
      expect(loaded.map(([, address]) => address)).toEqual(
        ['data:,', 'style.css', 'theme.js', 'page.js'].map((one) =>
          one.startsWith('data:') || !name.includes('/') ? one : `../${one}`,
        ),
      )
      expect(text.replaceAll('&#39;', "'")).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'",
      )
      expect(text).not.toMatch(/<script>|\son\w+="|\sstyle="/)
    }
  })

  it('has at most 100 KB of script before the first try-it, what the search looks in included', () => {
    const sizeOf = (names: readonly string[], size: (text: string) => number) =>
      names.map((name) => size(site.file(name))).reduce((sum, bytes) => sum + bytes)
    const raw = (text: string) => Buffer.byteLength(text)
    const served = (text: string) => gzipSync(text).length
    const scripts = ['theme.js', 'page.js', 'search.js']
    const all = [...scripts, 'search-index.js']
    expect(sizeOf(all, raw)).toBeLessThan(100_000)
    // The figures of the decision, in KB.
    const figures = [sizeOf(scripts, raw), sizeOf(all, raw), sizeOf(all, served)]
    const decision = readFileSync('docs/decisions/0011-the-reference-is-our-own.md', 'utf8')
    const written = /scripts are (\d+) KB .*?\sand (\d+) KB with .*? to (\d+) KB/s
    const said = written.exec(decision)?.slice(1).map(Number)
    for (const [at, bytes] of figures.entries())
      expect(Math.abs(bytes / 1000 - (said?.[at] ?? 0))).toBeLessThan(3)
  })

  it('every page of an operation has a try-it, each of its examples fills it, and what it knows stands beside', () => {
    for (const operation of site.api.operations) {
      const text = site.file(pageOf(operation.id))
      const known = site.file(`try/${operation.id}.js`)
      expect(text).toContain(`data-try="../try/${operation.id}.js"`)
      const data = JSON.parse(JSON.parse(/JSON\.parse\((".*")\)\n$/.exec(known)?.[1] ?? 'null'))
      expect(data).toEqual(JSON.parse(JSON.stringify(tryData(site.api, operation))))
      const sent =
        operation.kind === 'http'
          ? (operation.body?.content ?? []).flatMap(({ examples }) => examples)
          : operation.examples
      expect(data.examples.length).toBeGreaterThanOrEqual(sent.length)
      for (const [at, { name }] of sent.entries()) {
        expect(data.examples[at].name).toBe(name)
        expect(text).toContain(`href="#${anchor('try', name)}" data-at="${at}"`)
      }
    }
  })

  it('is the same whenever it is written', async () => {
    expect((await siteOfSpec()).files).toEqual(site.files)
  })
})

describe('other documents', () => {
  const openrpc = (method: object, schemas: object = {}) => ({
    openrpc: '1.3.2',
    info: { title: 'Small', version: '1' },
    methods: [method],
    components: { schemas },
  })

  it('may come alone, without examples, servers or schemas', async () => {
    const { read, files } = await siteOf({
      openrpc: openrpc({ name: 'ping', params: [], result: { name: 'pong', schema: {} } }),
    })
    expect(read('operations/ping.html')).toContain('JSON-RPC method ping')
    expect(files.map(({ name }) => name)).not.toContain('schemas.html')
    expect(read('index.html')).toContain('The documents name no credentials.')
  })

  it('shows a request where they show none, and says what of it is made up', async () => {
    const { read } = await siteOf({
      openrpc: openrpc({
        name: 'wait',
        params: [{ name: 'seconds', required: true, schema: { type: 'integer', minimum: 5 } }],
        result: { name: 'ok', schema: { type: 'boolean' } },
      }),
      openapi: {
        openapi: '3.1.0',
        info: { title: 'Small', version: '1' },
        paths: {
          '/naps/{id}': {
            delete: {
              operationId: 'endNap',
              parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
              responses: { 204: { description: 'Awake.' } },
            },
          },
        },
      },
    })
    const method = read('operations/wait.html')
    expect(method).toContain('Generated, because the document has no example: the params.')
    expect(method).toContain('await rpc.wait(5)')
    const operation = read('operations/endNap.html')
    expect(operation).toContain('Generated, because the document has no example: id.')
    expect(operation).toContain('await http.endNap({ path: { id: 1 } })')
  })

  it('unfolds what is recursive once, and says so', async () => {
    const { read } = await siteOf({
      openrpc: openrpc(
        {
          name: 'tree',
          params: [],
          result: { name: 'root', schema: { $ref: '#/components/schemas/Node' } },
        },
        { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
      ),
    })
    expect(read('operations/tree.html')).toContain('recursive: as Node above')
  })

  it('tells the branches of a union apart by what each asks for', async () => {
    const { read } = await siteOf({
      openrpc: openrpc({
        name: 'shape',
        params: [
          {
            name: 'one',
            schema: {
              oneOf: [
                {
                  type: 'object',
                  properties: {
                    kind: { const: 'circle' },
                    radius: { type: 'number', exclusiveMinimum: 0 },
                  },
                },
                {
                  type: 'object',
                  required: ['side'],
                  properties: { side: { type: 'integer', minimum: 1, maximum: 9 } },
                },
                { type: 'string', title: 'A name', minLength: 2, maxLength: 2 },
              ],
            },
          },
        ],
        result: { name: 'ok', schema: { type: 'boolean' } },
      }),
    })
    const said = read('operations/shape.html')
    for (const words of [
      'Exactly one of these holds',
      'where kind is "circle"',
      'more than 0',
      'with side:',
      'at least 1',
      'at most 9',
      'A name',
      'exactly 2 characters',
    ])
      expect(said).toContain(words)
  })

  it('says what the items of an array ask for, and folds nothing where they ask for nothing', async () => {
    const { read } = await siteOf({
      openrpc: openrpc({
        name: 'list',
        params: [
          { name: 'a', schema: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } } },
          { name: 'b', schema: { type: 'array', items: { type: 'string' } } },
        ],
        result: { name: 'ok', schema: { type: 'boolean' } },
      }),
    })
    const said = read('operations/list.html')
    expect(said).toContain('array of string each item one of "x", "y"')
    expect(said.match(/each item/g)?.length).toBe(1)
  })

  it('gives names that differ in case alone a file each', async () => {
    const { files, api } = await siteOf({
      openrpc: openrpc(
        {
          name: 'both',
          params: [{ name: 'a', schema: { $ref: '#/components/schemas/Block' } }],
          result: { name: 'b', schema: { $ref: '#/components/schemas/block' } },
        },
        { Block: { type: 'object' }, block: { type: 'string' } },
      ),
    })
    expect([...api.schemas.keys()].length).toBe(2)
    const names = files.map(({ name }) => name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
  })

  it('imports the clients of the package that is named', async () => {
    const { read } = await siteOf(
      {
        openrpc: openrpc({
          name: 'ping',
          params: [],
          result: { name: 'pong', schema: {} },
          examples: [{ name: 'one', params: [], result: { name: 'pong', value: 1 } }],
        }),
      },
      { packageName: '@acme/small', title: 'Our pings' },
    )
    const said = read('operations/ping.html')
    expect(said).toContain("import { createRpcClient } from '@acme/small/rpc'")
    expect(said).toContain('Our pings')
  })
})

describe('a site of a document with unusual names', () => {
  const responses = { 200: { description: 'Done.' } }
  const openapi = (paths: object, more: object = {}) => ({
    openapi: '3.1.0',
    info: { title: 'Odd', version: '1' },
    paths,
    ...more,
  })

  it('has names that every object has, as undeclared variables and schemes', async () => {
    const { file } = await siteOf({
      openapi: openapi(
        { '/a': { get: { operationId: 'a', security: [{ constructor: [] }], responses } } },
        { servers: [{ url: 'https://{constructor}.example' }] },
      ),
    })
    expect(file(pageOf('a'))).toContain('{constructor}.example')
  })

  it('has each address once on a page whose examples have one name', async () => {
    const media = { examples: { one: { value: 'a' } } }
    const content = { 'application/json': media, 'application/xml': media }
    const { file } = await siteOf({
      openapi: openapi({
        '/a': {
          post: {
            operationId: 'a',
            requestBody: { content },
            responses: { 200: { description: 'Done.', content } },
          },
        },
      }),
    })
    const ids = idsIn(file(pageOf('a')))
    expect(ids).toContain('example--one-2')
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has one line for each name in llms.txt, without markup', async () => {
    const title = 'Odd\n## Injected [here](https://evil.example)'
    const { file } = await siteOf({
      openapi: openapi(
        { '/a': { get: { operationId: 'a', tags: [title], summary: '<b>x</b>', responses } } },
        { info: { title, version: '1' } },
      ),
    })
    expect(file('llms.txt')).not.toMatch(/^## Injected|(?<!\\)\]\(https:|(?<!\\)<b/m)
  })

  it('is written fast for many operations of a document with many tags', {
    timeout: 20_000,
  }, async () => {
    const numbers = Array.from({ length: 300 }, (_, at) => at)
    const paths = numbers.map((at) => [`/a${at}`, { get: { operationId: `a${at}`, responses } }])
    const tags = Array.from({ length: 4_000 }, (_, at) => ({ name: `tag ${at}` }))
    const { files } = await siteOf({ openapi: openapi(Object.fromEntries(paths), { tags }) })
    expect(files.length).toBeGreaterThan(900)
  })
})
