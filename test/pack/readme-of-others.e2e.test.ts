import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pack } from '../../src/pack/pack.js'
import { loadApi } from '../../src/read/load.js'
import { basicVariables } from '../variables.js'
import { answering, freePort } from './listening.js'
import { ROOT } from './packed.js'
import { faultsOf, type LaidOut, layOut, programOf, run } from './snippets.js'

const OTHERS = join(ROOT, 'node_modules/@readme/oas-examples/3.0/json')

/** Without names, chains or examples mostly: servers are relative, keys lie in paths, and what is asked for has limits. */
const RELATIVE = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Beds', version: '1' },
    servers: [{ url: '/api/v2' }],
    paths: {
      '/beds/{bed}': {
        put: {
          operationId: 'fillBed',
          parameters: [
            {
              name: 'bed',
              in: 'path',
              required: true,
              schema: { type: 'integer', minimum: 3 },
            },
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['since', 'id', 'ill', 'names', 'colour'],
                  properties: {
                    since: { type: 'string', format: 'date-time' },
                    id: { type: 'string', pattern: '^0x[0-9a-f]{4}$', minLength: 6, maxLength: 6 },
                    ill: { oneOf: [{ const: 'badly' }, { type: 'boolean' }] },
                    names: { type: 'array', minItems: 1, items: { type: 'string', minLength: 9 } },
                    colour: { enum: ['white', 'blue'] },
                    note: { type: 'string' },
                  },
                },
              },
            },
          },
          responses: {
            200: {
              description: 'Filled.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Bed' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Bed: {
          allOf: [
            { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
            { type: 'object', required: ['free'], properties: { free: { type: 'boolean' } } },
          ],
        },
      },
    },
  },
  openrpc: {
    openrpc: '1.3.2',
    info: { title: 'Beds', version: '1' },
    servers: [{ url: 'https://beds.example/calls/{apiKey}' }],
    methods: [
      {
        name: 'bed_free',
        'x-idempotent': true,
        params: [
          { name: 'ward', schema: { type: 'string' } },
          { name: 'bed', required: true, schema: { type: 'integer', maximum: 0 } },
        ],
        result: { name: 'free', schema: { type: 'boolean' } },
      },
    ],
  },
} as const

type Scene = LaidOut & { readonly app: string }

let room = ''
const scenes = new Map<string, Scene>()

beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'twinspec-others-'))
  for (const [kind, document] of Object.entries(RELATIVE)) {
    await writeFile(join(room, `${kind}.json`), JSON.stringify(document))
  }
  const library = join(ROOT, 'test/second-service/spec')
  for (const [name, files] of [
    ...['petstore', 'server-variables', 'security', 'request-examples'].map(
      (one) => [one, { openapi: join(OTHERS, `${one}.json`) }] as const,
    ),
    ['library', { openapi: join(library, 'openapi.yaml'), openrpc: join(library, 'openrpc.json') }],
    ['beds', { openapi: join(room, 'openapi.json'), openrpc: join(room, 'openrpc.json') }],
  ] as const) {
    const made = await pack(await loadApi(files), { name, today: new Date('2026-01-01') })
    if (made.kind === 'rejected') throw new Error(made.sentence)
    const folder = join(room, 'packed', name)
    for (const { name: file, text } of made.files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }
    const app = join(room, name)
    scenes.set(name, { app, ...(await layOut(app, name, folder)) })
  }
})

afterAll(() => rm(room, { recursive: true, force: true }))

const sceneOf = (name: string): Scene => {
  const scene = scenes.get(name)
  if (!scene) throw new Error(`${name} was not packed`)
  return scene
}

it('every snippet of every README compiles', () => {
  const files = [...scenes.values()].flatMap(({ snippets }) => snippets.map(({ file }) => file))
  expect(faultsOf(files, room)).toEqual([])
})

/** What each README shows: a first call for each protocol, and a server. */
const TITLES = {
  petstore: ['A first call', 'A server'],
  'server-variables': ['A first call', 'A server'],
  security: ['A first call', 'A server'],
  'request-examples': ['A first call', 'A server'],
  library: ['A first call', 'A first call, 2', 'A server'],
  beds: ['A first call', 'A first call, 2', 'A server'],
}

/** What a first call prints at the server of the same README: what the documents show, or what was made up. */
const ANSWERS: Readonly<Record<keyof typeof TITLES, RegExp>> = {
  petstore: /^\{\}\n$/,
  'server-variables': /^undefined\n$/,
  security: /^undefined\n$/,
  'request-examples': /email: 'test\+response@example\.com'/,
  library: /\S/,
  beds: /^true\n/,
}

const names = Object.keys(TITLES) as (keyof typeof TITLES)[]

describe.each(names)('the README of %s', (name) => {
  it('shows what the package can do', () => {
    expect(sceneOf(name).snippets.map(({ title }) => title)).toEqual(TITLES[name])
  })

  it('has a server that answers its first calls, at the addresses that it names', async () => {
    const { app, readme, snippets } = sceneOf(name)
    const server = snippets.find(({ title }) => title === 'A server')
    if (!server) throw new Error('there is no server')
    const port = await freePort()
    const addresses = Object.fromEntries(
      [...readme.matchAll(/`(HTTP_SERVER|RPC_SERVER)=([^`]+)`/g)].map(
        ([, variable = '', url = '']) => [
          variable,
          url.replace('8080', String(port)).replace('{apiKey}', 'my-key'),
        ],
      ),
    )
    const running = execFile(process.execPath, [programOf(server.file)], {
      cwd: app,
      env: { ...basicVariables(), PORT: String(port) },
    })
    try {
      await answering(port)
      const first = snippets.filter(
        ({ title, text }) =>
          title.startsWith('A first call') &&
          server.text.includes(` ${/await \w+\.(\w+)\(/.exec(text)?.[1]}: () =>`),
      )
      const printed = await Promise.all(first.map(({ file }) => run(file, addresses)))
      expect(printed.join('')).toMatch(ANSWERS[name])
    } finally {
      const ended = once(running, 'exit')
      running.kill()
      await ended
    }
  })
})

it('appends the path of a relative server', () => {
  expect(sceneOf('beds').readme).toContain(
    "process.env.HTTP_SERVER ?? 'http://127.0.0.1:8080/api/v2'",
  )
})

it('shows where the key of a path goes', () => {
  const { readme } = sceneOf('beds')
  expect(readme).toContain('`RPC_SERVER=http://127.0.0.1:8080/calls/{apiKey}`')
})

it('says of values that they are made up, and of no others', () => {
  expect(sceneOf('beds').readme).toContain('generated: the documents have no examples')
  expect(sceneOf('request-examples').readme).not.toContain('made up')
})
