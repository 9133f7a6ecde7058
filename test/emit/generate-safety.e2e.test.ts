import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { FORMATS } from '../../src/report/formats.js'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { importGenerated } from './generated-code.js'
import { runInShell } from './shell.js'

const globals = globalThis as unknown as Record<string, unknown>

/** Ends a comment, and then is code. */
const ending = (name: string) => `*/;Reflect.set(globalThis,'${name}',1);/*`

const openapi = (document: object): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, ...document })

const NO_CONTENT = { responses: { 204: { description: 'Done.' } } }

describe('text of a document is never code', () => {
  afterEach(() => {
    for (const name of ['TITLE', 'VERSION', 'METHOD', 'TAG']) delete globals[name]
  })

  it('a title and a version that end a comment are not code', async () => {
    const info = { title: `Orders ${ending('TITLE')}`, version: `1 ${ending('VERSION')}` }
    const dir = await folderOf({
      'api.json': openapi({ info, paths: { '/o': { get: { operationId: 'o', ...NO_CONTENT } } } }),
    })
    const out = join(dir, 'out')
    expect(await twinspec('generate', '--openapi', `${dir}/api.json`, '--out', out)).toMatchObject({
      code: 0,
    })
    expect(await importGenerated(out)).toContain('http.client.ts')
    expect([globals.TITLE, globals.VERSION]).toEqual([undefined, undefined])
    expect(readFileSync(join(out, 'http.client.ts'), 'utf8')).toContain('Orders *\\/;')
  })

  it('nor are they in the clients of a large document, one for each tag', async () => {
    const info = { title: `Orders ${ending('TITLE')}`, version: '1' }
    const operation = (at: number) => ({
      get: {
        operationId: `get${at}`,
        tags: [at % 2 ? 'even' : `odd ${ending('TAG')}`],
        ...NO_CONTENT,
      },
    })
    const paths = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`/p${at}`, operation(at)]),
    )
    const dir = await folderOf({ 'api.json': openapi({ info, paths }) })
    const out = join(dir, 'out')
    await twinspec('generate', '--openapi', `${dir}/api.json`, '--out', out)
    const client = readFileSync(join(out, 'even/http.calls.ts'), 'utf8')
    expect(client).toContain('Orders')
    for (const text of [client, readFileSync(join(out, 'http.client.ts'), 'utf8')]) {
      expect(text).not.toContain('*/;')
    }
  })

  it('a title and the name of a method that end a comment are not code', async () => {
    const document = {
      openrpc: '1.3.2',
      info: { title: `Orders ${ending('TITLE')}`, version: `1 ${ending('VERSION')}` },
      methods: [
        {
          name: `get${ending('METHOD')}`,
          params: [],
          result: { name: 'r', schema: { type: 'string' } },
        },
      ],
    }
    const dir = await folderOf({ 'api.json': JSON.stringify(document) })
    const out = join(dir, 'out')
    await twinspec('generate', '--openrpc', `${dir}/api.json`, '--out', out)
    expect(await importGenerated(out)).toContain('rpc.client.ts')
    expect([globals.TITLE, globals.VERSION, globals.METHOD]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('printed curl lines', () => {
  it('a variable without a name is reported with its place when a document is loaded', async () => {
    const dir = await folderOf({
      'api.json': openapi({
        servers: [{ url: 'https://api.example/{}' }],
        paths: { '/{}/o': { get: { operationId: 'getO', ...NO_CONTENT } } },
      }),
      'rpc.json': JSON.stringify({
        openrpc: '1.3.2',
        info: { title: 'T', version: '1' },
        servers: [{ name: 'one', url: 'https://api.example/{}' }],
        methods: [],
      }),
    })
    const files = ['--openapi', `${dir}/api.json`, '--openrpc', `${dir}/rpc.json`]
    const args = [...files, '--out', `${dir}/out`, '--verbose']
    const { code, stderr } = await twinspec('generate', ...args)
    expect(code).toBe(0)
    expect(
      stderr.match(/(api|rpc)\.json:\d+:\d+ warning .* \[variable-has-no-name\]/g),
    ).toHaveLength(3)
  })

  const curlOf = async (document: object, name: string) => {
    const dir = await folderOf({ 'api.json': openapi(document) })
    const done = await twinspec('docs', '--openapi', `${dir}/api.json`, '--out', `${dir}/site`)
    const page = readFileSync(join(dir, 'site/operations', `${name}.html`), 'utf8')
    const [, text = ''] = /<code class="sh">([\s\S]*?)<\/code>/.exec(page) ?? []
    const line = text
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
      .trim()
    return { dir, line, done }
  }
  const ENTITIES: Readonly<Record<string, string>> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
  }

  it('a variable without a name in the address of a server does not begin a command', async () => {
    const document = {
      servers: [{ url: 'https://api.example/{}(canary)' }],
      paths: { '/o': { get: { operationId: 'getO', ...NO_CONTENT } } },
    }
    const { dir, line, done } = await curlOf(document, 'getO')
    expect(done.code).toBe(0)
    const { calls, hasSung } = runInShell(dir, line, { env: { VALUE: 'v' } })
    expect(hasSung).toBe(false)
    expect(calls).toEqual([expect.arrayContaining(['https://api.example/v(canary)/o'])])
  })

  it('nor does one in a path', async () => {
    const document = {
      servers: [{ url: 'https://api.example' }],
      paths: { '/{}(canary)/{日本}': { get: { operationId: 'getO', ...NO_CONTENT } } },
    }
    const { dir, line } = await curlOf(document, 'getO')
    const { calls, hasSung } = runInShell(dir, line, { env: { VALUE: 'v' } })
    expect(hasSung).toBe(false)
    expect(calls).toEqual([expect.arrayContaining(['https://api.example/v(canary)/text'])])
  })

  it('an example that begins with @ names no file of the reader', async () => {
    const document = {
      servers: [{ url: 'https://api.example' }],
      paths: {
        '/text': {
          post: {
            operationId: 'postText',
            requestBody: {
              required: true,
              content: { 'text/plain': { schema: { type: 'string' }, example: '@/etc/hostname' } },
            },
            ...NO_CONTENT,
          },
        },
      },
    }
    const { dir, line } = await curlOf(document, 'postText')
    const [call = []] = runInShell(dir, line).calls
    expect(call[call.indexOf('@/etc/hostname') - 1]).toBe('--data-raw')
  })
})

describe('names of a document in changelogs and reports', () => {
  const page = (name?: string) =>
    openapi({
      paths: {
        '/o': {
          get: {
            operationId: 'o',
            ...(name && {
              parameters: [{ name, in: 'query', required: true, schema: { type: 'string' } }],
            }),
            ...NO_CONTENT,
          },
        },
      },
    })

  const diffOf = async (name: string, format: string) => {
    const dir = await folderOf({ 'old.json': page(), 'new.json': page(name) })
    const files = ['--openapi', `${dir}/new.json`, '--against', `${dir}/old.json`]
    return (await twinspec('diff', ...files, '--format', format)).stdout
  }

  it('a changelog mentions nobody', async () => {
    const text = await diffOf('@octocat', 'markdown')
    expect(text).toContain('octocat')
    expect(text.replace(/`[^`]*`/g, '')).not.toContain('@octocat')
  })

  it.each(Object.keys(FORMATS))('--format %s has no control characters', async (format) => {
    const text = await diffOf('a\u001b[2Jb\u009bc\u202ed', format)
    expect(text).toContain('[2Jb')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  })
})

describe('the Markdown of the reference', () => {
  const referenceOf = async (operation: object, schemas: object = {}): Promise<Token[]> => {
    const paths = { '/o': { get: { operationId: 'o', ...NO_CONTENT, ...operation } } }
    const dir = await folderOf({ 'api.json': openapi({ paths, components: { schemas } }) })
    const out = join(dir, 'out')
    const args = ['--openapi', `${dir}/api.json`, '--with', 'reference', '--out', out]
    expect((await twinspec('generate', ...args)).code).toBe(0)
    return marked.lexer(readFileSync(join(out, 'reference.md'), 'utf8'))
  }

  it('a link of a description leads to no code', async () => {
    const hostile = [
      '[a](javascript:x)',
      '![a](JavaScript:x)',
      '[a](<javascript:x>)',
      '[a](\njavascript:x)',
      '[a](java&#115;cript:x)',
      '[a](javascript&colon;x)',
      '[a](data:text/html,x)',
      '[a]\n\n[a]: javascript:x',
      '[a]\n\n[a]:\njavascript:x',
      '> [a]\n>\n> [a]:\n> vbscript:x',
      '`one\n` [a](javascript:x) `two`',
    ]
    const good = ['https://e.org/a:b', 'mailto:a@b.c', '#o', '/a:b', 'a/b.md?c=d:e']
    const described = [...hostile, ...good.map((to) => `[good](${to})`)].join('\n\n')
    const parameter = { name: 'p', in: 'query', description: hostile.join(' '), schema: {} }
    const found: string[] = []
    const tokens = await referenceOf({ description: described, parameters: [parameter] })
    marked.walkTokens(tokens, (token) => {
      if (token.type === 'link' || token.type === 'image') found.push(token.href)
    })
    expect(found.filter((to) => to !== '#operation.o')).toEqual(good)
  })

  it('a backslash before a bar ends no cell of a table, and reads as it was written', async () => {
    const texts = ['a|b', 'a\\|b', 'a\\\\|b', 'a`\\|`b']
    const parameters = texts.map((name) => ({
      name,
      in: 'query',
      description: `one | two \\| three \\\\| four`,
      schema: { type: 'string', enum: texts },
    }))
    const tables: Tokens.Table[] = []
    marked.walkTokens(await referenceOf({ parameters }), (token) => {
      if (token.type === 'table') tables.push(token as Tokens.Table)
    })
    const table = tables.find(({ header }) => header[0]?.text === 'parameter')
    const shown = (cell: Tokens.TableCell | undefined) =>
      unescaped(String(marked.parseInline(cell?.text ?? '')).replace(/<\/?code>/g, ''))
    expect(table?.rows.map((row) => [shown(row[0]), shown(row.at(-1))])).toEqual(
      texts.map((name) => [name, 'one | two | three \\| four']),
    )
  })
})

const unescaped = (html: string): string => html.replaceAll('&#39;', "'").replaceAll('&quot;', '"')

describe('schemas that each name the one below twice', () => {
  /** The value of the last has 2^n members where all are required. */
  const doubling = (count: number, isRequired: boolean) => {
    const ref = (at: number) => ({ $ref: `#/components/schemas/S${at}` })
    const schema = (at: number) => ({
      type: 'object',
      ...(isRequired && { required: ['a', 'b'] }),
      properties: { a: ref(at - 1), b: ref(at - 1) },
    })
    const schemas = Object.fromEntries(
      Array.from({ length: count + 1 }, (_, at) => [
        `S${at}`,
        at === 0 ? { type: 'string' } : schema(at),
      ]),
    )
    const content = { content: { 'application/json': { schema: ref(count) } } }
    return openapi({
      servers: [{ url: 'https://api.example' }],
      paths: {
        '/o': {
          post: {
            operationId: 'o',
            requestBody: { required: true, ...content },
            responses: { 200: { description: 'Done.', ...content } },
          },
        },
      },
      components: { schemas },
    })
  }

  const sizeOf = (folder: string): number =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0)

  it('the reference of 18 of them has no sample of a million lines', async () => {
    const dir = await folderOf({ 'api.json': doubling(18, true) })
    await twinspec('docs', '--openapi', `${dir}/api.json`, '--out', `${dir}/site`)
    expect(sizeOf(`${dir}/site`)).toBeLessThan(2_000_000)
  })

  it.each([true, false])(
    '40 of them are written by every command, required: %s',
    async (isRequired) => {
      const dir = await folderOf({ 'api.json': doubling(40, isRequired) })
      const files = ['--openapi', `${dir}/api.json`]
      const asked = [
        ['lint', ...files],
        ['generate', ...files, '--with', 'msw', '--out', `${dir}/generated`],
        ['docs', ...files, '--out', `${dir}/site`],
        ['init', '--from-openapi', `${dir}/api.json`, '--dir', `${dir}/project`],
        ['pack', ...files, '--name', 'doubling', '--without', 'msw', '--out', `${dir}/package`],
      ]
      for (const args of asked)
        expect([args[0], (await twinspec(...args)).code]).toEqual([args[0], 0])
      for (const name of ['generated', 'site', 'project']) {
        expect(sizeOf(join(dir, name))).toBeLessThan(2_000_000)
      }
      const page = readFileSync(`${dir}/site/operations/o.html`, 'utf8')
      // What is optional is left out of a sample that would be too large; without what is required there is none.
      expect(page).toContain(
        isRequired ? `--data-raw &quot;\${BODY}&quot;` : '--data-raw &#39;{}&#39;',
      )
    },
  )

  it('the mock of 40 of them starts, and checks the deepest value', async () => {
    const dir = await folderOf({ 'api.json': doubling(40, false) })
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const mock = startTwinspec(['mock', `${dir}/api.json`, '--port', '0'], ending.signal)
    await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
    const [, url = ''] = /HTTP +(http:\S+)/.exec(mock.said.stdout) ?? []
    const send = async (deepest: unknown) => {
      let value = deepest
      for (let level = 0; level < 40; level += 1) value = { [level % 2 ? 'a' : 'b']: value }
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(value)
      const { status } = await fetch(`${url}/o`, { method: 'POST', headers, body })
      return status
    }
    expect([await send('a text'), await send(1)]).toEqual([200, 400])
    ending.abort()
    expect(await mock.code).toBe(0)
  })
})

it('pack does not take a server that is no address for a fault of its own', async () => {
  const dir = await folderOf({
    'api.json': openapi({
      servers: [{ url: '//[' }],
      paths: { '/o': { get: { operationId: 'o', ...NO_CONTENT } } },
    }),
  })
  const files = ['--openapi', `${dir}/api.json`, '--without', 'msw,viem']
  const done = await twinspec('pack', ...files, '--name', 'orders', '--out', `${dir}/package`)
  expect(done.stderr).not.toContain('fault of twinspec')
  expect(done.code).toBe(0)
})

it('pack names the file and the message of the compiler where a document cannot be generated', async () => {
  // Each of the fourteen has twelve alternatives: together they are 12^14 members of a union.
  const choice = (at: number) => ({
    anyOf: Array.from({ length: 12 }, (_, value) => ({
      type: 'object',
      required: [`k${at}`],
      properties: { [`k${at}`]: { const: value } },
    })),
  })
  const schema = { allOf: Array.from({ length: 14 }, (_, at) => choice(at)) }
  const content = { content: { 'application/json': { schema } } }
  const requestBody = { required: true, ...content }
  const dir = await folderOf({
    'api.json': openapi({
      paths: { '/o': { post: { operationId: 'o', requestBody, ...NO_CONTENT } } },
    }),
  })
  const files = ['--openapi', `${dir}/api.json`, '--without', 'msw,viem']
  const done = await twinspec('pack', ...files, '--name', 'orders', '--out', `${dir}/package`)
  expect(done.code).toBe(2)
  expect(done.stderr).toMatch(
    /no code can be generated for a construct of the document.*\n\S+\.ts:\d+:\d+: Expression produces a union type.* \(TS2590\)/,
  )
  expect(done.stderr).not.toMatch(/fault of twinspec|^ {4}at /m)
  expect(existsSync(`${dir}/package`)).toBe(false)
})
