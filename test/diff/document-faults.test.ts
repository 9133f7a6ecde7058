import { expect, it } from 'vitest'
import { differences } from '../../src/diff/differences.js'
import { documentFaults, roundedFindings } from '../../src/diff/document-faults.js'
import { parseDocument } from '../../src/read/document.js'
import { loadApi } from '../../src/read/load.js'
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
      instead: list the values, or make a property optional
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

it('reports numbers that only their digits tell apart, as a double does not hold them', async () => {
  const version = (most: string, name: string) =>
    load(get('/a', 'a', `{ type: integer, maximum: ${most} }`), name)
  const old = await version('9007199254740993', 'old')
  const now = await version('9007199254740992', 'new')
  expect(written(roundedFindings(differences(old, now)))).toMatchInlineSnapshot(`
    "warning number-change-is-undecided
      cannot decide whether this breaks anybody: the number is 9007199254740992 now (it was 9007199254740993), and both are read as 9007199254740992
      at new.openapi.yaml:4 (old.openapi.yaml:4)
      instead: check it, and accept it if it is intended"
  `)
  expect(roundedFindings(differences(old, old))).toEqual([])
})
