import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mock, startMock } from '../../src/mock/mock.js'
import { loadApi } from '../../src/model/load.js'
import { basicVariables } from '../variables.js'
import { answering, freePort } from './listening.js'
import { packed, ROOT, ran, shelved } from './packed.js'
import { READINGS } from './readings.js'
import { asCode, faultsOf, type LaidOut, layOut, programOf, run, type Snippet } from './snippets.js'

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
}, 600_000)

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

const isServer = ({ text }: Snippet) => text.includes('process.env.PORT')

const TITLES = {
  '@acme/zkt': [
    'A first call',
    'A first call, 2',
    'Refusals by their code',
    'Batches',
    'The variant of a request decides its answer',
    'Waiting until something is done',
    'Where a key goes',
    'One method alone',
    'Validators',
    'Schemas',
    'A server',
    'Fastify',
    'Hono',
    'viem',
    'EIP-1193 and ethers',
    'Typed calls of contracts',
    'MSW',
  ],
  gauges: [
    'A first call',
    'A first call, 2',
    'Refusals by their code',
    'Batches',
    'Where a key goes',
    'One method alone',
    'Validators',
    'Schemas',
    'A server',
    'Fastify',
    'Hono',
    'MSW',
  ],
} as const

/** What answers others, and prints nothing. */
const SERVERS: readonly string[] = ['A server', 'Fastify', 'Hono']

const CHAIN = /^0x133edcb\n$/
const VERSION = /^2\.0 'beta'\n$/
const CHECKED = /^true \[/

/** By what the documents show. */
const PRINTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  '@acme/zkt': {
    'A first call': CHAIN,
    'A first call, 2': /status: 'completed'/,
    'Refusals by their code': /\S/,
    Batches: /^\[\s*'0x133edcb'/,
    'The variant of a request decides its answer': /\{[\s\S]*\} \{/,
    'Waiting until something is done': /completed\n$/,
    'Where a key goes': /^$/,
    'One method alone': CHAIN,
    Validators: CHECKED,
    Schemas: /^true \d+\n$/,
    viem: /^0x133edcb\n\{[\s\S]*status: 'completed'/,
    'EIP-1193 and ethers': /^20180427n \d+\n$/,
    'Typed calls of contracts': /^112n\n$/,
    MSW: CHAIN,
  },
  gauges: {
    'A first call': VERSION,
    'A first call, 2': /level: 112\.5/,
    'Refusals by their code': /\S/,
    Batches: /2\.0 'beta'/,
    'Where a key goes': /^$/,
    'One method alone': VERSION,
    Validators: CHECKED,
    Schemas: /^true \d+\n$/,
    MSW: VERSION,
  },
}

it('every snippet of either README compiles against the package as it was made', () => {
  const files = [...scenes.values()].flatMap(({ snippets }) => snippets.map(({ file }) => file))
  expect(faultsOf(files, room)).toEqual([])
})

describe.each(Object.entries(TITLES))('the README of %s', (name, titles) => {
  it('shows what the package can do, each thing once', () => {
    expect(sceneOf(name).snippets.map(({ title }) => title)).toEqual(titles)
  })

  it('names nothing of this machine', () => {
    expect(sceneOf(name).readme).not.toMatch(new RegExp(`twinspec|NaN|object Object|${room}`))
  })

  it.each(titles.filter((title) => !SERVERS.includes(title)))('runs: %s', async (title) => {
    const scene = sceneOf(name)
    const snippet = scene.snippets.find((one) => one.title === title)
    if (!snippet) throw new Error(`there is no ${title}`)
    expect(isServer(snippet)).toBe(false)
    const printed = await run(snippet.file, addresses(scene))
    expect(printed).toMatch(PRINTS[name]?.[title] ?? /nothing is expected/)
  })

  it.each(['A server', 'Fastify'])('serves: %s', async (title) => {
    const scene = sceneOf(name)
    const [first] = scene.snippets
    const snippet = scene.snippets.find((one) => one.title === title)
    if (!first || !snippet) throw new Error(`there is no ${title}`)
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

  it('serves: Hono', async () => {
    const scene = sceneOf(name)
    const [first] = scene.snippets
    const snippet = scene.snippets.find(({ title }) => title === 'Hono')
    if (!first || !snippet) throw new Error('there is no Hono')
    const path = rpcPath(scene)
    // The first call of the README, but for its client, which asks the app.
    const asking = first.text
      .replace(/createRpcClient\(\{ /, '$&fetch: (url, init) => app.request(url, init), ')
      .replace(/^/, `import app from './${basename(programOf(snippet.file))}'\n`)
    const file = join(scene.app, 'asks-hono.ts')
    await writeFile(programOf(file), asCode(asking))
    const printed = await run(file, { RPC_SERVER: `http://app.example${path}` })
    expect(printed).toBe(await run(first.file, addresses(scene)))
  })

  it('takes ten lines for each of Fastify and Hono', () => {
    for (const title of ['Fastify', 'Hono']) {
      const snippet = sceneOf(name).snippets.find((one) => one.title === title)
      const lines = snippet?.text.split('\n').filter((line) => line.trim() !== '')
      expect([title, lines?.length]).toEqual([title, expect.toSatisfy((count) => count <= 10)])
    }
  })
})
