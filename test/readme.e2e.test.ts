import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { builtFile } from './built/imports.js'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** Each TypeScript snippet as if it stood in a file at the top of the repository. */
const snippets = new Map(
  [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = ''], index) => [
    join(root, `readme-${index + 1}.ts`),
    text,
  ]),
)

test('every snippet of the README compiles', () => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const read = host.readFile
  const exists = host.fileExists
  host.readFile = (file) => snippets.get(file) ?? read(file)
  host.fileExists = (file) => snippets.has(file) || exists(file)
  const program = ts.createProgram([...snippets.keys()], options, host)
  const faults = [...snippets.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  })
  expect(
    faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([])
  expect(snippets.size).toBeGreaterThan(5)
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
    // Beside what was built, where `./generated` and the package's own name lead to the same: nothing is to be compiled.
    const { code } = await transform(free, { loader: 'ts' })
    const flags = ['--input-type=module', '--eval', code]
    const child = spawn(process.execPath, flags, { cwd: builtFile('') })
    try {
      let said = ''
      child.stderr.on('data', (chunk) => {
        said += chunk
      })
      // What listens does not end by itself, and all of them say one thing.
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]).then(([chunk]) => {
        said = String(chunk) + said
      })
      expect(said).toMatch(want)
    } finally {
      child.kill()
    }
  },
  60_000,
)

test('every command of the README is a script of the package, or the package’s own', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})
