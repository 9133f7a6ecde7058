import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { transform } from 'esbuild'
import ts from 'typescript'
import { describe, expect, it, test } from 'vitest'
import { builtFile } from './built/imports.js'
import { compileErrors } from './compile.js'

const root = join(import.meta.dirname, '..')

/** README.md and the guides: path and text. */
const pages = new Map(
  [
    'README.md',
    'docs/examples/README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ].map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
)

/** Guides to libraries that the repository does not install: `test/peers` compiles and runs their snippets. */
const ELSEWHERE = ['docs/standard-schema.md', 'docs/opentelemetry.md', 'docs/tanstack-query.md']

/** Each TypeScript snippet as a file at the top of the repository. */
const snippets = new Map(
  [...pages]
    .filter(([path]) => !ELSEWHERE.includes(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, snippet = ''], index) => [
        join(root, `${path.replace(/\W/g, '-')}-${index + 1}.ts`),
        snippet,
      ]),
    ),
)

test('every snippet of the README and the guides compiles', () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  expect(compileErrors({ files: [...snippets.keys()], texts: snippets, options })).toEqual([])
  expect(snippets.size).toBeGreaterThan(12)
}, 120_000)

test.each([
  ['Fastify', 'runtime/fastify', /Server listening at http/],
  ['Hono', "from 'hono'", /^\{"jsonrpc":"2\.0","id":null,"error":\{"code":-32600/],
  ['MSW', 'generated/msw.js', /^\{"error":"path\.queueId must match/],
])(
  'the snippet for %s runs',
  async (_, mark, want) => {
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
  },
  60_000,
)

describe.each([...pages])('%s', (path, text) => {
  // docs/upgrading.md lists the old names.
  it.skipIf(path.endsWith('upgrading.md'))('names only scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  it('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link))
    const missing = links.filter((link) => !existsSync(resolve(root, dirname(path), link)))
    expect(missing).toEqual([])
  })
})

test('the README has at most 200 lines and 9 kB', () => {
  const text = pages.get('README.md') ?? ''
  expect(text.split('\n').length).toBeLessThanOrEqual(200)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9_000)
})
