import { expect, it } from 'vitest'
import { documentFaults } from '../../src/diff/document-faults.js'
import { parseDocument } from '../../src/model/document.js'
import { loadApi } from '../../src/model/load.js'
import { written } from './versions.js'

const load = (paths: string, version: string) =>
  loadApi({
    openapi: parseDocument(
      `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${paths}`,
      `${version}.openapi.yaml`,
    ),
  })
const get = (path: string, id: string, schema = '{ type: string }') =>
  `  ${path}: { get: { operationId: ${id}, responses: { '200': { description: d, content: { application/json: { schema: ${schema} } } } } } }\n`

it('reports a duplicate operationId and an empty list of either version, as warnings', async () => {
  const fine = await load(get('/a', 'a'), 'old')
  const faulty = await load(get('/a', 'a', '{ enum: [] }') + get('/b', 'a'), 'new')
  expect(written(documentFaults(fine, faulty))).toMatchInlineSnapshot(`
    "warning schema-unsatisfiable
      enum is an empty list, so no value is valid: list the values, or remove enum
      at new.openapi.yaml:4
      instead: list the values or the alternatives, or remove the keyword
    warning operation-id-not-unique
      the operationId \`a\` of GET /b is also that of GET /a: both are compared by method and path
      at new.openapi.yaml:5
      instead: give each operation an operationId of its own"
  `)
  const [fault, ...others] = documentFaults(faulty, fine)
  expect(others).toHaveLength(1)
  expect(fault?.message).toMatch(/^in the old version, /)
})

it('reports nothing of a version against itself', async () => {
  const faulty = await load(get('/a', 'a') + get('/b', 'a'), 'new')
  expect(documentFaults(faulty, faulty)).toEqual([])
})
