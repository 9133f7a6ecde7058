import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { twinspec } from '../cli/command-line.js'
import { compileErrors, STRICT } from '../compile.js'
import { ROOT, whySkipped } from './project.js'

const skipped = whySkipped()
if (skipped) console.warn(`test/peers/leave-openapi-typescript.e2e.test.ts: ${skipped}`)

/** As in projects with a bundler. */
const OPTIONS: ts.CompilerOptions = {
  ...STRICT,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  noUncheckedIndexedAccess: true,
}

const DOCUMENT = `openapi: 3.1.0
info: { title: Pet store, version: 1.0.0 }
servers: [{ url: 'https://pets.example.com/v1' }]
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{ name: limit, in: query, schema: { type: integer, default: 20 } }]
      responses:
        '200': { description: Pets., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/pet' } } } } }
    post:
      operationId: createPet
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/pet' } } } }
      responses:
        '201': { description: Created., content: { application/json: { schema: { $ref: '#/components/schemas/pet' } } } }
        '400': { description: Wrong., content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } } }
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: A pet., content: { application/json: { schema: { $ref: '#/components/schemas/pet' } } } }
        '404': { description: None., content: { application/json: { schema: { $ref: '#/components/schemas/Problem' } } } }
webhooks:
  petSold:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/pet' } } } }
      responses: { '200': { description: Heard. } }
components:
  schemas:
    pet:
      type: object
      required: [name]
      properties: { name: { type: string }, kind: { enum: [cat, dog] } }
    Problem: { type: object, required: [message], properties: { message: { type: string } } }
`

const WITH_OPENAPI_FETCH = {
  'src/client.ts': `import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from './api/schema'

export type Pet = components['schemas']['pet']
const auth: Middleware = { onRequest: ({ request }) => request }
const client = createClient<paths>({ baseUrl: 'https://pets.example.com/v1/' })
client.use(auth)

export async function petNamed(id: string): Promise<Pet> {
  const { data, error } = await client.GET('/pets/{id}', { params: { path: { id } } })
  if (error) throw new Error(error.message)
  return data
}
export const create = (body: Pet) => client.POST('/pets', { body })
// @ts-expect-error no such path
client.GET('/cats')
`,
}

const WITH_REACT_QUERY = {
  'src/api/index.ts': `import createFetchClient from 'openapi-fetch'
import createClient from 'openapi-react-query'
import type { paths } from './schema.d.ts'

export const $api = createClient(createFetchClient<paths>({ baseUrl: '/v1' }))
`,
  'src/pets.ts': `import type { operations } from './api/schema.js'
import { $api } from './api/index.js'

type Query = operations['listPets']['parameters']['query']
export const usePets = (query: Query): readonly string[] => {
  const { data } = $api.useQuery('get', '/pets', { params: { query } })
  return (data ?? []).map(({ name }) => name)
}
`,
}

const TYPES_ALONE = {
  'src/pets.ts': `import type { SchemaPet, SchemaProblem as Problem, webhooks } from './api/schema'

export const named = (pet: SchemaPet): string => pet.name
export const said = (problem: Problem): string => problem.message
export type Sold = NonNullable<webhooks['petSold']['post']['requestBody']>['content']['application/json']
export type Kind = import('./api/schema').components['schemas']['pet']['kind']
export const sold: Sold = { name: 'Tom', kind: 'cat' satisfies Kind }
`,
}

const OLD = 'src/api/schema.d.ts'

/** A project that has packages of this folder and of the repository. */
const createProject = async (files: Readonly<Record<string, string>>, flags: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-leave-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules'))
  for (const [name, from] of [
    ['openapi-fetch', ROOT],
    ['openapi-react-query', import.meta.dirname],
  ] as const)
    symlinkSync(join(from, 'node_modules', name), join(folder, 'node_modules', name))
  const manifest = {
    type: 'module',
    scripts: { types: `openapi-typescript api.yaml -o ${OLD}${flags}` },
    devDependencies: { 'openapi-typescript': '^7.13.0' },
  }
  const all = { 'package.json': JSON.stringify(manifest, null, 2), 'api.yaml': DOCUMENT, ...files }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const cli = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js')
  const args = [cli, 'api.yaml', '-o', OLD, ...flags.split(' ').filter(Boolean)]
  await promisify(execFile)(process.execPath, args, { cwd: folder })
  return folder
}

const errorsIn = (folder: string): readonly string[] =>
  compileErrors({
    files: readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ts$/.test(name))
      .map((name) => join(folder, 'src', name)),
    options: OPTIONS,
  })

describe.skipIf(skipped)('init --from-openapi-typescript', () => {
  it.each([
    ['openapi-fetch', WITH_OPENAPI_FETCH, ''],
    ['openapi-react-query', WITH_REACT_QUERY, ''],
    ['types alone, with root types', TYPES_ALONE, ' --root-types'],
  ])('a project with %s compiles before and after', async (_, files, flags) => {
    const folder = await createProject(files, flags)
    expect(errorsIn(folder)).toEqual([])

    const written = await twinspec('init', '--from-openapi-typescript', '--dir', folder, '--write')
    expect([written.code, written.stderr]).toEqual([0, expect.stringContaining('changed')])
    rmSync(join(folder, OLD))
    const out = join(folder, 'src/api/schema')
    const args = ['generate', join(folder, 'api.yaml'), '--only', 'types', '--out', out]
    expect((await twinspec(...args)).code).toBe(0)
    expect(readdirSync(out)).toEqual(['http.types.ts'])
    expect(errorsIn(folder)).toEqual([])
  })
})
