import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Ajv2020 from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { build } from 'esbuild'
import { emitAll } from '../../../src/emit/emit.js'
import { parseDocument } from '../../../src/model/document.js'
import { loadApi } from '../../../src/model/load.js'
import { refTo } from '../../../src/model/schema.js'
import { install } from '../install.js'
import { shapeOf } from './shape.js'
import { schemaOf } from './shape-schema.js'
import { readSubjects, type Subjects } from './subjects.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PEERS = fileURLToPath(new URL('../peers/', import.meta.url))

/** Beside the packages, so that they are found, and where no other tool looks. */
const BUILT = join(PEERS, 'node_modules/.built')

export async function installPeers(): Promise<void> {
  if (!existsSync(join(PEERS, 'node_modules/zod'))) {
    await install(PEERS, 'the libraries that ours are measured beside (46 MB)')
  }
}

/** Builds all sides and the program that times them. */
export async function buildRace(): Promise<Race> {
  await installPeers()
  const subjects = await readSubjects()
  await rm(BUILT, { recursive: true, force: true })
  await mkdir(join(BUILT, 'requests'), { recursive: true })
  const file = join(BUILT, 'subjects.json')
  await writeFile(file, JSON.stringify(subjects))
  await emitRequests(subjects)
  for (const [name, allErrors] of [
    ['ajv-first.cjs', false],
    ['ajv-all.cjs', true],
  ] as const) {
    await writeFile(join(BUILT, name), standalone(subjects, allErrors))
  }
  const program = join(BUILT, 'race.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('race.mjs', import.meta.url))],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['twinspec-source'],
    alias: {
      '#requests': join(BUILT, 'requests/validators.ts'),
      'twinspec/runtime': join(ROOT, 'src/runtime'),
    },
    external: ['@sinclair/*', 'typebox', 'zod', 'valibot', 'arktype'],
  })
  return { program, subjects: file, names: subjects.list.map(({ name }) => name) }
}

export type Race = {
  readonly program: string
  /** The file of the values and their schemas. */
  readonly subjects: string
  readonly names: readonly string[]
}

/** Ours for requests and batches, which no document of this repository has a schema of: emitted as everything is. */
async function emitRequests({ definitions, list }: Subjects): Promise<void> {
  const names = list.map(({ schema }) => schema)
  const document = {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'What is measured', version: '1.0.0' },
    paths: Object.fromEntries(
      names.map((name) => [
        `/${name}`,
        {
          post: {
            operationId: `take${name}`,
            requestBody: { content: { 'application/json': { schema: { $ref: refTo(name) } } } },
            responses: { 204: { description: 'Taken.' } },
          },
        },
      ]),
    ),
    components: { schemas: definitions },
  }
  const openapi = parseDocument(JSON.stringify(document), 'openapi.json')
  for (const { name, text } of await emitAll(await loadApi({ openapi }))) {
    await writeFile(join(BUILT, 'requests', name), text)
  }
}

function standalone({ definitions, list }: Subjects, allErrors: boolean): string {
  const ajv = new Ajv2020.default({
    strict: false,
    allErrors,
    discriminator: true,
    code: { source: true, optimize: 2 },
  })
  for (const { schema } of list) {
    const shape = shapeOf(definitions[schema] ?? false, definitions)
    ajv.addSchema({ $id: schema, ...schemaOf(shape) })
  }
  return standaloneCode.default(ajv, Object.fromEntries(list.map(({ schema }) => [schema, schema])))
}
