import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { CORPORA } from '../conformance/corpora.js'
import { ROOT } from '../pack/packed.js'
import { beginProject, createParcels, installProject, type Parcels, takeOver } from './init-walk.js'

let project: Parcels

beforeAll(async () => {
  project = await createParcels()
  await beginProject(project.parcels)
  await installProject(project.parcels)
})

afterAll(() => project?.remove())

const FIGMA = join(ROOT, 'node_modules/@figma/rest-api-spec/openapi/openapi.yaml')
const ETHEREUM = join(CORPORA, 'execution-apis/openrpc.json')

it.for([
  ['Figma', '--from-openapi', FIGMA, 'GET', '/v1/me', 'handle'],
  ['Ethereum', '--from-openrpc', ETHEREUM, 'POST', '/', 'result'],
] as const)(
  'the document of %s is generated, compiles, is mocked and served',
  { timeout: 600_000 },
  async (row, { skip }) => {
    if (!existsSync(row[2])) skip('no corpora at ../shared/corpora, nor at CORPORA')
    await takeOver(project.parcels, row)
  },
)
