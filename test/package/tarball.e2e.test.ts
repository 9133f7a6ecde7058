import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsBy } from '../pack/declarations.js'
import { basicVariables } from '../variables.js'
import { borrowApp, borrowPackages, run } from './installed.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The program that npx finds, without npx. */
const twinspec = (args: readonly string[], app: string, env = basicVariables()) =>
  run(
    process.execPath,
    [join(app, 'node_modules/twinspec/dist/src/cli/main.js'), ...args],
    app,
    env,
  )

const MNEMONIC = 'test test test test test test test test test test test junk'

let home = ''

/** What this repository asks for besides: its own script says it. */
const extras = /--with ([\w,]+)/.exec(readFileSync(join(root, 'package.json'), 'utf8'))?.[1] ?? ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tarball-'))
  await borrowApp(join(home, 'app'))
}, 600_000)

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
    // The compiler's own; all that the package declares is checked.
    skipDefaultLibCheck: true,
    types: ['node'],
    rootDir: '.',
    outDir: 'out',
  }
  // What leans on a library that is not installed here is compiled by `test/emit/determinism.e2e.test.ts`.
  const leaning = ['contracts', 'msw', 'viem'].map((name) => `generated/${name}.ts`)
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
}, 120_000)

test('the mock says what to install, since Prism is no dependency of the package', async () => {
  await expect(twinspec(['mock'], join(home, 'app'))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('@stoplight/prism-cli'),
  })
})

test('the service says what to install, since its packages are no dependencies either', async () => {
  const { peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    peerDependencies: Record<string, string>
  }
  const { '@stoplight/prism-cli': _, abitype, msw, ...needed } = peerDependencies
  const packages = Object.entries(needed).map(([name, range]) => `"${name}@${range}"`)
  await expect(twinspec(['serve'], join(home, 'app'))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^twinspec serve needs \S+, which is not installed: npm install /m,
    ),
  })
  await expect(twinspec(['keys', 'mnemonic'], join(home, 'app'))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`npm install ${packages.join(' ')}\n`),
  })
})

test('with all but one of them it says so at once, whichever it is', async () => {
  const app = join(home, 'app')
  const database = { DATABASE_URL: 'postgres://127.0.0.1:1/none', TWINSPEC_MNEMONIC: MNEMONIC }
  // The packages of this repository stand in for what `npm install` would bring.
  await borrowPackages(app)
  for (const [name, env] of [
    ...['@fastify/cors', 'fastify', 'pino', 'prom-client', 'solc'],
    ...['viem', '@foundry-rs/anvil', '@electric-sql/pglite', 'fs-native-extensions'],
  ]
    .map((one) => [one, {}] as const)
    .concat([['pg', database]])) {
    const [here, aside] = [join(app, 'node_modules', name), join(app, 'aside')]
    await rename(here, aside)
    const serving = twinspec(['serve', '--port', '0', '--data', 'data'], app, {
      ...basicVariables(),
      ...env,
    })
    await expect(serving, name).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^twinspec serve needs ${name}, which is not installed: npm install `, 'm'),
      ),
    })
    await rename(aside, here)
  }
}, 600_000)

test('with them it serves: its chain, its compiler and its documents are in the package', async () => {
  const app = join(home, 'app')
  const args = [join(app, 'node_modules/twinspec/dist/src/cli/main.js'), 'serve', '--port', '0']
  const child = spawn(process.execPath, args, {
    cwd: app,
    env: basicVariables(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  try {
    const early = ended.then((how) => `it ended at once (${how}): ${said}`)
    const ready = expect.poll(() => said, { timeout: 90_000 }).toContain('Ctrl-C ends it.')
    expect(await Promise.race([ready.then(() => 'it is ready'), early])).toBe('it is ready')
    expect(said).not.toContain('Warning')
    const [, url] = /ready at (\S+)/.exec(said) ?? []
    const code =
      'pragma solidity ^0.8.0; contract Empty { function one() public pure returns (uint) { return 1; } }'
    const answer = await fetch(`${url}/zkt/try-it-out`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, arguments: [] }),
    })
    expect(await answer.json()).toMatchObject({
      success: true,
      contractAddress: expect.stringMatching(/^0x/),
    })
  } finally {
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), 15_000)
    expect(await ended).toEqual([0, null])
    clearTimeout(kill)
  }
}, 180_000)
