import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { folderOf, twinspec } from './command-line.js'
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

  it('S2: a title and a version that end a comment are not code', async () => {
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

  it('S2: nor are they in the clients of a large document, one for each tag', async () => {
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
    const client = readFileSync(join(out, 'by-tag/even/http.client.ts'), 'utf8')
    expect(client).toContain('Orders')
    for (const text of [client, readFileSync(join(out, 'http.client.ts'), 'utf8')]) {
      expect(text).not.toContain('*/;')
    }
  })

  it('S3: a title and the name of a method that end a comment are not code', async () => {
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

  it('S10: a variable without a name in the address of a server does not begin a command', async () => {
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

  it('S10: nor does one in a path', async () => {
    const document = {
      servers: [{ url: 'https://api.example' }],
      paths: { '/{}(canary)/{日本}': { get: { operationId: 'getO', ...NO_CONTENT } } },
    }
    const { dir, line } = await curlOf(document, 'getO')
    const { calls, hasSung } = runInShell(dir, line, { env: { VALUE: 'v' } })
    expect(hasSung).toBe(false)
    expect(calls).toEqual([expect.arrayContaining(['https://api.example/v(canary)/text'])])
  })

  it('S11: an example that begins with @ names no file of the reader', async () => {
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

describe('S16: names of a document in changelogs and reports', () => {
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

  it('S16: a changelog mentions nobody', async () => {
    const text = await diffOf('@octocat', 'markdown')
    expect(text).toContain('octocat')
    expect(text.replace(/`[^`]*`/g, '')).not.toContain('@octocat')
  })

  it.each(['github', 'text', 'markdown', 'json', 'junit', 'sarif'])(
    'S16: --format %s has no control characters',
    async (format) => {
      const text = await diffOf('a\u001b[2Jb\u009bc\u202ed', format)
      expect(text).toContain('[2Jb')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    },
  )
})
