import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORPORA } from '../conformance/corpora.js'
import { ROOT } from '../pack/packed.js'
import { basicVariables } from '../variables.js'
import { borrowApp, installedToolkit, npmInstall, run } from './installed.js'

let home = ''
/** A folder below one where the toolkit is installed, so that `npx` finds that and asks no registry. */
let parcels = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'init-walk-'))
  await borrowApp(join(home, 'app'))
  // As where the app was installed: the tarball is not beside its copy.
  const { tgz } = await installedToolkit()
  const manifest = join(home, 'app/package.json')
  const { dependencies, ...rest } = JSON.parse(await readFile(manifest, 'utf8'))
  await rm(manifest)
  const copied = { ...rest, dependencies: { ...dependencies, twinspec: `file:${tgz}` } }
  await writeFile(manifest, JSON.stringify(copied))
  parcels = join(home, 'app/parcels')
  await mkdir(parcels)
}, 600_000)

afterAll(() => rm(home, { recursive: true, force: true }))

/** Starts a command that goes on until it is ended, and gives the first address that it prints. */
const withStarted = async (
  args: readonly string[],
  dir: string,
  work: (url: string) => Promise<void>,
): Promise<void> => {
  const child = spawn(process.execPath, [...args], {
    cwd: dir,
    env: { ...basicVariables(), PORT: '0' },
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
    const early = ended.then(() => `it ended: ${said}`)
    const ready = expect.poll(() => said, { timeout: 90_000 }).toMatch(/http:\/\/\S+\n/)
    expect(await Promise.race([ready.then(() => 'ready'), early])).toBe('ready')
    await work(new URL(/http:\/\/[^\s{]+/.exec(said)?.[0] ?? '').origin)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

const TWINSPEC = 'node_modules/twinspec/dist/src/cli/main.js'

const CALL = `import { createHttpClient } from './generated/http.client.js'
import { createRpcClient } from './generated/rpc.client.js'

const [url = ''] = process.argv.slice(2)
const { id } = await createHttpClient({ server: url, auth: { token: 'parcel-token' } }).sendParcel({ body: { to: 'Via Appia 7', grams: 850 } })
const rpc = createRpcClient({ server: url + '/rpc' })
console.log(id, (await rpc.parcelGet('p-1001')).status, await rpc.parcelCount())
`

describe('in an empty folder, from the package as it is published', () => {
  it('a project begins, is installed and generated, and its test passes', async () => {
    const said = await run('npx', ['twinspec', 'init'], parcels)
    expect(said).toMatch(
      /next:\n {2}mkdir -p vendor && cp .*\/twinspec-.*\.tgz vendor\/\n {2}npm install \.\/vendor\/twinspec-/,
    )
    const path = join(parcels, 'package.json')
    const manifest = JSON.parse(await readFile(path, 'utf8'))
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(manifest.dependencies.twinspec).toBe(`^${version}`)
    // What would come from a registry, were it published, comes from where it was packed.
    const { tgz } = await installedToolkit()
    await npmInstall(parcels, [tgz])
    await run('npx', ['twinspec', 'generate'], parcels)
    await run('npm', ['test'], parcels)
    await run('npx', ['twinspec', 'lint', '--fail-on', 'warning'], parcels)
  }, 600_000)

  it('its mock and its server answer its clients, and the server keeps the contract', async () => {
    await writeFile(join(parcels, 'call.ts'), CALL)
    const tsx = join(parcels, 'node_modules/tsx/dist/cli.mjs')
    await withStarted([TWINSPEC, 'mock', '--port', '0'], parcels, async (url) => {
      expect(await run(process.execPath, [tsx, 'call.ts', url], parcels)).toBe('p-1001 waiting 1\n')
    })
    await withStarted([tsx, 'src/server.ts'], parcels, async (url) => {
      expect(await run(process.execPath, [tsx, 'call.ts', url], parcels)).toBe('p-1002 waiting 2\n')
      await run(
        'npx',
        [
          'twinspec',
          'conform',
          url,
          '--rate',
          '0',
          '--max-examples',
          '2',
          '--api-key',
          'parcel-token',
        ],
        parcels,
      )
    })
  }, 600_000)
})

/** Below the first, whose packages they find. */
const FIGMA = join(ROOT, 'node_modules/@figma/rest-api-spec/openapi/openapi.yaml')
const METAMASK = join(ROOT, 'node_modules/@metamask/api-specs/dist/build/openrpc.json')
const ETHEREUM = join(CORPORA, 'execution-apis/openrpc.json')

describe('from documents that other teams have', () => {
  it.for([
    ['Figma', '--from-openapi', FIGMA, 'GET', '/v1/me', 'handle'],
    ['MetaMask', '--from-openrpc', METAMASK, 'POST', '/', 'result'],
    ['Ethereum', '--from-openrpc', ETHEREUM, 'POST', '/', 'result'],
  ] as const)(
    '%s: it is generated, compiles, is mocked and served',
    { timeout: 600_000 },
    async ([name, flag, file, method, path, member], { skip }) => {
      if (!existsSync(file)) skip('no corpora at ../shared/corpora, nor at CORPORA')
      const dir = join(parcels, name.toLowerCase())
      await mkdir(dir)
      const [twinspec = '', tsc = '', tsx = ''] = [
        ...[TWINSPEC, 'node_modules/typescript/bin/tsc', 'node_modules/tsx/dist/cli.mjs'],
      ].map((one) => join(parcels, one))
      // What npx finds, without npx, which takes as long as some of them.
      const ran = (...args: readonly string[]) => run(process.execPath, args, dir)
      const said = await ran(twinspec, 'init', flag, file)
      expect(said).toContain('  npx twinspec lint\n')
      const entry = flag === '--from-openapi' ? 'openapi.yaml' : 'openrpc.json'
      expect(await readFile(join(dir, 'spec', entry), 'utf8')).toBe(await readFile(file, 'utf8'))
      await ran(twinspec, 'generate')
      await ran(twinspec, 'generate', '--check')
      await ran(tsc, '--noEmit')
      const lint = await ran(twinspec, 'lint').then(
        () => 0,
        ({ code }) => code,
      )
      // What others left wrong are findings, and nothing that could not run.
      expect([0, 1]).toContain(lint)
      const ask = async (url: string) => {
        const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
        const headers = { 'content-type': 'application/json', 'x-figma-token': 'one' }
        const answer = await fetch(url + path, {
          method,
          headers,
          ...(method === 'POST' && { body }),
        })
        return { status: answer.status, body: await answer.json() }
      }
      // Wrong examples are warnings, and not served.
      await withStarted([twinspec, 'mock', '--port', '0'], dir, async (url) => {
        expect(await ask(url)).toMatchObject({
          status: 200,
          body: { [member]: expect.any(String) },
        })
      })
      await withStarted([tsx, 'src/server.ts'], dir, async (url) => {
        // The server that is written rejects every credential until its owner writes the check.
        expect(await ask(url)).toMatchObject(
          method === 'GET' ? { status: 401 } : { status: 200, body: { error: { code: -32601 } } },
        )
      })
    },
  )
})
