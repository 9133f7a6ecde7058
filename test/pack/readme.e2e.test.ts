import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mock, startMock } from '../../src/mock/mock.js'
import { loadApi } from '../../src/read/load.js'
import { basicVariables } from '../variables.js'
import { answering, freePort } from './listening.js'
import { packed, ROOT, ran, shelved } from './packed.js'
import { READINGS } from './readings.js'
import { faultsOf, type LaidOut, layOut, programOf, run } from './snippets.js'

/** An app with a package in its `node_modules`, the code of that one's README in a file each, and a mock to call. */
type Scene = LaidOut & { readonly name: string; readonly app: string; readonly mock: Mock }

let room = ''
const scenes = new Map<string, Scene>()

beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'twinspec-readme-'))
  const documents = join(room, 'readings')
  await mkdir(documents)
  for (const kind of ['openapi', 'openrpc'] as const) {
    await writeFile(join(documents, `${kind}.yaml`), READINGS[kind])
  }
  const small = await shelved('packed-readings', async (place) => {
    const out = join(place, 'package')
    const main = join(ROOT, 'src/cli/main.ts')
    const named = [
      '--openapi',
      join(documents, 'openapi.yaml'),
      '--openrpc',
      join(documents, 'openrpc.yaml'),
    ]
    const args = ['pack', '--name', 'gauges', '--out', out, ...named]
    await ran(process.execPath, ['--import', 'tsx', '-C', 'twinspec-source', main, ...args], ROOT)
    return out
  })
  for (const [name, folder, from] of [
    ['@acme/zkt', (await packed()).folder, join(ROOT, 'spec')],
    ['gauges', small, documents],
  ] as const) {
    scenes.set(name, await setScene(name, folder, from))
  }
})

afterAll(async () => {
  await Promise.all([...scenes.values()].map(({ mock }) => mock.stop()))
  await rm(room, { recursive: true, force: true })
})

const setScene = async (name: string, folder: string, documents: string): Promise<Scene> => {
  const app = join(room, name.replace('/', '-'))
  const { readme, snippets } = await layOut(app, name, folder)
  const files = {
    openapi: join(documents, 'openapi.yaml'),
    openrpc: join(documents, 'openrpc.yaml'),
  }
  const api = await loadApi(files)
  return {
    name,
    app,
    readme,
    snippets,
    mock: await startMock(api),
  }
}

const sceneOf = (name: string): Scene => {
  const scene = scenes.get(name)
  if (!scene) throw new Error(`${name} was not packed`)
  return scene
}

const addresses = ({ mock }: Scene) => ({
  HTTP_SERVER: mock.httpUrl ?? '',
  RPC_SERVER: mock.rpcUrl ?? '',
})

const rpcPath = (scene: Scene) => addresses(scene).RPC_SERVER.replace(/^https?:\/\/[^/]*/, '')

const TITLES = ['A first call', 'A first call, 2', 'A server']

/** What the first calls print: the examples of the documents. */
const PRINTS: Readonly<Record<string, readonly RegExp[]>> = {
  '@acme/zkt': [/^0x133edcb\n$/, /status: 'completed'/],
  gauges: [/^2\.0 'beta'\n$/, /level: 112\.5/],
}

it('every snippet of either README compiles against the package as it was made', () => {
  const files = [...scenes.values()].flatMap(({ snippets }) => snippets.map(({ file }) => file))
  expect(faultsOf(files, room)).toEqual([])
})

describe.each(Object.entries(PRINTS))('the README of %s', (name, prints) => {
  it('shows what the package can do, each thing once', () => {
    expect(sceneOf(name).snippets.map(({ title }) => title)).toEqual(TITLES)
  })

  it('lists the parts that may be imported, and what it needs', () => {
    const { readme } = sceneOf(name)
    for (const part of ['/http', '/rpc', '/server', '/validators', '/msw', '/openapi.json'])
      expect(readme).toContain(`| \`${name}${part}\` | `)
    expect(readme).toMatch(/^Optional, .*`typebox@\^1\.[\d.]+`/m)
  })

  it('names nothing of this machine', () => {
    expect(sceneOf(name).readme).not.toMatch(new RegExp(`twinspec|NaN|object Object|${room}`))
  })

  it('has first calls that run', async () => {
    const scene = sceneOf(name)
    for (const [index, print] of prints.entries()) {
      const file = scene.snippets[index]?.file ?? ''
      expect(await run(file, addresses(scene))).toMatch(print)
    }
  })

  it('has a server that answers the first calls', async () => {
    const scene = sceneOf(name)
    const [first, , snippet] = scene.snippets
    if (!first || !snippet) throw new Error('snippets are missing')
    const port = await freePort()
    const running = execFile(process.execPath, [programOf(snippet.file)], {
      cwd: scene.app,
      env: { ...basicVariables(), PORT: String(port) },
    })
    try {
      await answering(port)
      const path = rpcPath(scene)
      const printed = await run(first.file, { RPC_SERVER: `http://127.0.0.1:${port}${path}` })
      expect(printed).toBe(await run(first.file, addresses(scene)))
    } finally {
      running.kill()
    }
  })
})
