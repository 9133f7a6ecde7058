import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsBy } from '../pack/declarations.js'
import { basicVariables } from '../variables.js'
import { borrowApp, installedToolkit, run } from './installed.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The program that npx finds, without npx. */
const twinspec = (args: readonly string[], app: string, env = basicVariables()) =>
  run(
    process.execPath,
    [join(app, 'node_modules/twinspec/dist/src/cli/main.js'), ...args],
    app,
    env,
  )

let home = ''

/** What this repository asks for besides: its own script says it. */
const configured = /with: \[([\w, -]+)\]/.exec(
  readFileSync(join(root, 'twinspec.config.yaml'), 'utf8'),
)?.[1]
const extras = (configured ?? '').replaceAll(' ', '')

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tarball-'))
  await borrowApp(join(home, 'app'))
})

afterAll(() => rm(home, { recursive: true, force: true }))

test('an empty folder generates what this repository generates', async () => {
  const app = join(home, 'app')
  await run('npx', ['twinspec', 'generate', '--with', extras], app)
  const names = (await readdir(join(root, 'generated'))).filter((name) => !name.startsWith('.'))
  expect((await readdir(join(app, 'generated'))).sort()).toEqual(names.sort())
  for (const name of names) {
    const [ours, theirs] = await Promise.all(
      [root, app].map((folder) => readFile(join(folder, 'generated', name), 'utf8')),
    )
    expect(theirs === ours, `${name} is the same`).toBe(true)
  }
})

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
    // The compiler's own; all that the package declares is checked.
    skipDefaultLibCheck: true,
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
  }
  // What leans on a library that is not installed here is compiled by `test/emit/determinism.e2e.test.ts`.
  const leaning = ['contracts', 'msw', 'openapi-fetch', 'viem'].map(
    (name) => `generated/${name}.ts`,
  )
  const config = { compilerOptions: strict, include: ['generated', 'main.ts'], exclude: leaning }
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
  expect(faultsBy(join(app, 'tsconfig.json'))).toEqual([])
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '--noCheck'], app)
  expect(await run('node', ['out/main.js'], app)).toBe('true 0x1\n')
})

test('mock --prism says what to install, since Prism is no dependency of the package', async () => {
  await expect(twinspec(['mock', '--prism'], join(home, 'app'))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('@stoplight/prism-cli'),
  })
})

test('the service is not in it, and its packages are not installed', async () => {
  const { tgz, app } = await installedToolkit()
  const names = (await run('tar', ['-tzf', tgz], app)).split('\n')
  expect(names).toContain('package/dist/src/cli/main.js')
  expect(names.filter((name) => /^package\/dist\/(generated|src\/service)\//.test(name))).toEqual(
    [],
  )
  const installed = await readdir(join(app, 'node_modules'))
  for (const name of ['@electric-sql', '@foundry-rs', 'fastify', 'pg', 'pino', 'solc', 'viem'])
    expect(installed).not.toContain(name)
  await expect(twinspec(['serve'], join(home, 'app'))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no command serve'),
  })
})
