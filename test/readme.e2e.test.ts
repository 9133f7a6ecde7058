import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { transform } from 'esbuild'
import ts from 'typescript'
import { describe, expect, it, test } from 'vitest'
import { emitAll } from '../src/emit/emit.js'
import { builtFile } from './built/imports.js'
import { compileErrors } from './compile.js'
import { apiOf } from './read/api-of.js'

const root = join(import.meta.dirname, '..')

/** README.md, CONTRIBUTING.md and the guides: path and text. */
const pages = new Map(
  [
    'README.md',
    'CONTRIBUTING.md',
    'docs/examples/README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ].map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
)

/**
 * Guides whose snippets have documents of their own: `test/init` compiles and runs those of getting-started, and `test/peers` those
 * of libraries that the repository does not install.
 */
const ELSEWHERE = [
  'docs/getting-started.md',
  'docs/standard-schema.md',
  'docs/opentelemetry.md',
  'docs/tanstack-query.md',
  'docs/zod-and-valibot.md',
]

/** Each TypeScript snippet as a file at the top of the repository. */
const all = new Map(
  [...pages]
    .filter(([path]) => !ELSEWHERE.includes(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, snippet = ''], index) => [
        join(root, `${path.replace(/\W/g, '-')}-${index + 1}.ts`),
        snippet,
      ]),
    ),
)

/** Files that are generated only for documents with flows of OAuth or names of enum values. */
const OTHER_FILES = /generated\/(?:oauth2|enums)\.js/

const snippets = new Map([...all].filter(([, text]) => !OTHER_FILES.test(text)))

const OTHER_DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/order': {
      get: {
        operationId: 'getOrder',
        security: [{ shopAuth: ['orders:read'] }],
        responses: {
          200: {
            description: 'The order',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['status'],
        properties: {
          status: { type: 'string', enum: ['open', 'sent'], 'x-enum-varnames': ['Open', 'Sent'] },
        },
      },
    },
    securitySchemes: {
      shopAuth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://shop.example/token', scopes: {} } },
      },
    },
  },
}

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)

test('the snippets of OAuth and of enums compile with a document that has both', async () => {
  const folder = join(root, 'orders')
  const code = [...all].filter(([, text]) => OTHER_FILES.test(text))
  const files = new Map(code.map(([, text], index) => [join(folder, `${index + 1}.ts`), text]))
  expect(files.size).toBe(2)
  const api = await apiOf({ openapi: OTHER_DOCUMENT })
  const generated = emitAll(api).map(
    ({ name, text }) => [join(folder, 'generated', name), text] as const,
  )
  const texts = new Map([...files, ...generated])
  expect(compileErrors({ files: [...files.keys()], texts, options })).toEqual([])
})

test('every snippet of the README and the guides compiles', () => {
  expect(compileErrors({ files: [...snippets.keys()], texts: snippets, options })).toEqual([])
  expect(snippets.size).toBeGreaterThan(12)
})

test.each([
  ['Fastify', 'runtime/fastify', /Server listening at http/],
  ['Hono', "from 'hono'", /^\{"jsonrpc":"2\.0","id":null,"error":\{"code":-32600/],
  ['MSW', 'generated/msw.js', /^\{"error":"path\.queueId must match/],
])('the snippet for %s runs', async (_, mark, want) => {
  const [text = ''] = [...snippets.values()].filter((snippet) => snippet.includes(mark))
  const free = text.replace('port: 8080', 'port: 0')
  // In the folder of the build, where `./generated` and the name of the package need no compiler.
  const { code } = await transform(free, { loader: 'ts' })
  const flags = ['--input-type=module', '--eval', code]
  const child = spawn(process.execPath, flags, { cwd: builtFile('') })
  try {
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    // A server does not end by itself; each snippet prints one line.
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]).then(([chunk]) => {
      output = String(chunk) + output
    })
    expect(output).toMatch(want)
  } finally {
    child.kill()
  }
})

describe.each([...pages])('%s', (path, text) => {
  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  it('links only to files that exist', () => {
    const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
    const links = [...prose.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link))
    const missing = links.filter((link) => !existsSync(resolve(root, dirname(path), link)))
    expect(missing).toEqual([])
  })
})

test('the README has at most 200 lines and 9 kB, and CONTRIBUTING has at most 9 kB', () => {
  const bytes = (path: string) => Buffer.byteLength(pages.get(path) ?? '')
  expect(pages.get('README.md')?.split('\n').length).toBeLessThanOrEqual(200)
  expect(bytes('README.md')).toBeLessThanOrEqual(9_000)
  expect(bytes('CONTRIBUTING.md')).toBeLessThanOrEqual(9_000)
})

test('docs/README.md lists every guide', () => {
  const list = pages.get('docs/README.md') ?? ''
  const guides = [...pages.keys()].filter((path) => /^docs\/(?!README)[^/]*$/.test(path))
  expect(guides.filter((path) => !list.includes(`(${path.slice('docs/'.length)})`))).toEqual([])
  expect(guides.length).toBeGreaterThan(20)
})

test.each([
  'breaking change',
  'contract test',
  'SDK',
  'code generation',
  'mock server',
  'rate limit',
])('U10: a reader who searches the README for "%s" finds it', (words) => {
  expect(pages.get('README.md')?.toLowerCase()).toContain(words.toLowerCase())
})

test('U10: the client of the README prints one line where no server listens', async () => {
  const [first = ''] = [...snippets].find(([, text]) => text.includes('createClient')) ?? []
  const text = snippets.get(first)?.replace(':4010', ':9') ?? ''
  const { code } = await transform(text, { loader: 'ts' })
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: builtFile(''), encoding: 'utf8' },
  )
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  expect(stderr).toMatch(/^submitZkt: .*ECONNREFUSED.*\n$/)
})

test('U11: CONTRIBUTING names files that exist, and how to lay out code', () => {
  const text = pages.get('CONTRIBUTING.md') ?? ''
  const files = [...text.matchAll(/`((?:src|test|scripts|\.github|\.ci)\/[\w./-]+)`/g)]
  expect(files.length).toBeGreaterThan(12)
  const missing = files.map(([, file = '']) => file).filter((file) => !existsSync(join(root, file)))
  expect(missing).toEqual(['src/x/', 'test/x/'])
  expect(text).toContain('npm run format')
})

test('U11: a project installs Prism only where it wants to', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies)).not.toContain('@stoplight/prism-cli')
  expect(manifest.peerDependenciesMeta['@stoplight/prism-cli']).toEqual({ optional: true })
})
