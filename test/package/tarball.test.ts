import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const execute = promisify(execFile)

/** Runs a program to its end; what it printed stands in the error where it fails. */
const run = async (command: string, args: readonly string[], cwd: string) => {
  const { stdout } = await execute(command, [...args], {
    cwd,
    timeout: 240_000,
    maxBuffer: 1 << 26,
  })
  return stdout
}

let home = ''

/** The package is built as it is published, and installed as another team would. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tarball-'))
  const source = join(home, 'source')
  await mkdir(source)
  for (const name of ['package.json', 'tsconfig.json', 'src', 'scripts', 'README.md', 'LICENSE']) {
    await cp(join(root, name), join(source, name), { recursive: true })
  }
  await run('ln', ['-s', join(root, 'node_modules'), join(source, 'node_modules')], home)
  await run('npm', ['run', 'build', '--silent'], source)
  const tarball = (await readdir(source)).find((name) => name.endsWith('.tgz'))
  const app = join(home, 'app')
  await mkdir(app)
  await writeFile(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }')
  const { version } = JSON.parse(
    await readFile(join(root, 'node_modules/typescript/package.json'), 'utf8'),
  ) as { version: string }
  const packages = [
    join(source, tarball ?? 'missing.tgz'),
    `typescript@${version}`,
    '@types/node@20',
  ]
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], app)
  await cp(join(root, 'spec'), join(app, 'spec'), { recursive: true })
}, 300_000)

afterAll(() => rm(home, { recursive: true, force: true }))

test('an empty folder generates what this repository generates', async () => {
  const app = join(home, 'app')
  await run('npx', ['twinspec', 'generate'], app)
  const names = (await readdir(join(root, 'generated'))).filter((name) => !name.startsWith('.'))
  expect((await readdir(join(app, 'generated'))).sort()).toEqual(names.sort())
  for (const name of names) {
    const [ours, theirs] = await Promise.all(
      [root, app].map((folder) => readFile(join(folder, 'generated', name), 'utf8')),
    )
    expect(theirs === ours, `${name} is the same`).toBe(true)
  }
}, 120_000)

test('what it generates compiles there under the strictest settings, and runs', async () => {
  const app = join(home, 'app')
  const strict = {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    isolatedModules: true,
    resolveJsonModule: true,
    skipLibCheck: false,
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
  }
  const config = { compilerOptions: strict, include: ['generated', 'main.ts'] }
  await writeFile(join(app, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(
    join(app, 'main.ts'),
    `import { createHttpClient } from './generated/http.client.js'
import { createRpcClient } from './generated/rpc.client.js'

const answer = (body: unknown) => async () =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })

const hash = \`0x\${'ab'.repeat(32)}\`
const http = createHttpClient({ server: 'testnet', fetch: answer({ success: true, hash }) })
const submitted = await http.tryZkt({ body: { arguments: 'hello' } })
const rpc = createRpcClient({ server: 'testnet', fetch: answer({ jsonrpc: '2.0', id: 1, result: '0x1' }) })
console.log(submitted.hash === hash, await rpc.ethChainId())
`,
  )
  await run('npx', ['tsc'], app)
  expect(await run('node', ['out/main.js'], app)).toBe('true 0x1\n')
}, 120_000)

test('the mock says what to install, since Prism is no dependency of the package', async () => {
  await expect(run('npx', ['twinspec', 'mock'], join(home, 'app'))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('@stoplight/prism-cli'),
  })
}, 60_000)
