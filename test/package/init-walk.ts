import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { basicVariables } from '../variables.js'
import { borrowApp, installedToolkit, npmInstall, run } from './installed.js'

/** A folder below one where the toolkit is installed, so that `npx` finds that and asks no registry. */
export const createParcels = async (): Promise<Parcels> => {
  const home = await mkdtemp(join(tmpdir(), 'init-walk-'))
  await borrowApp(join(home, 'app'))
  // As where the app was installed: the tarball is not beside its copy.
  const { tgz } = await installedToolkit()
  const manifest = join(home, 'app/package.json')
  const { dependencies, ...rest } = JSON.parse(await readFile(manifest, 'utf8'))
  await rm(manifest)
  const copied = { ...rest, dependencies: { ...dependencies, twinspec: `file:${tgz}` } }
  await writeFile(manifest, JSON.stringify(copied))
  const parcels = join(home, 'app/parcels')
  await mkdir(parcels)
  return { parcels, remove: () => rm(home, { recursive: true, force: true }) }
}

export type Parcels = { readonly parcels: string; readonly remove: () => Promise<void> }

/** Starts a command that goes on until it is ended, and gives the first address that it prints. */
export const withStarted = async (
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

export const TWINSPEC = 'node_modules/twinspec/dist/src/cli/main.js'

/** Begins a project. Resolves with what init printed. */
export const beginProject = (parcels: string): Promise<string> =>
  run('npx', ['twinspec', 'init'], parcels)

/** Installs the project that was begun: what would come from a registry, were it published, comes from where it was packed. */
export const installProject = async (parcels: string): Promise<void> => {
  const { tgz } = await installedToolkit()
  await npmInstall(parcels, [tgz])
}

export type Row = readonly [
  name: string,
  flag: '--from-openapi' | '--from-openrpc',
  file: string,
  method: 'GET' | 'POST',
  path: string,
  member: string,
]

/** Takes over a document of another team below a project, whose packages it finds: generates, compiles, mocks and serves it. */
export const takeOver = async (
  parcels: string,
  [name, flag, file, method, path, member]: Row,
): Promise<void> => {
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
}
