import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Ajv2020 from 'ajv/dist/2020.js'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { emitAll } from '../../../src/emit/emit.js'
import { DEFAULT_KINDS } from '../../../src/emit/kinds.js'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { refTo } from '../../../src/schema/schema.js'
import { BUILT, bundleSide, installPeers } from '../peers.js'
import { shapeOf } from './shape.js'
import { schemaOf } from './shape-schema.js'
import { readSubjects, type Subjects } from './subjects.js'
import { validatorsIn } from './weigh.js'

/** Builds all sides and the program that times them. */
export async function buildRace(): Promise<Race> {
  await installPeers()
  const subjects = await readSubjects()
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
  const program = await bundleSide(new URL('race.mjs', import.meta.url), 'validators', {
    '#requests': validatorsIn(join(BUILT, 'requests')),
    '#documents': validatorsIn(fileURLToPath(new URL('../../../generated', import.meta.url))),
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
  for (const { name, text } of emitAll(
    await loadApi({ openapi }),
    [],
    [...DEFAULT_KINDS, 'server'],
  )) {
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
