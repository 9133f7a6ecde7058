import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Finding } from '../../../src/model/finding.js'
import { bundle } from '../../../src/read/bundle.js'
import { parseDocument } from '../../../src/read/document.js'
import { disk } from '../../../src/read/file-tree.js'
import { loadApi } from '../../../src/read/load.js'
import { repairDocument } from '../../../src/read/repair/repair.js'
import { REPAIRS, withRepairTable } from '../../../src/read/repair/rows.js'
import { SWAGGER_ROWS } from '../../../src/read/repair/swagger-rows.js'

const documentOf = (value: object) => parseDocument(JSON.stringify(value), 'api.json')

/** A bundled document after its repairs, with their findings. */
function repaired(value: object, rows = 'swagger' in value ? SWAGGER_ROWS : REPAIRS) {
  const findings: Finding[] = []
  const faults = {
    attempt: <T>(work: () => T) => work(),
    report: (one: Finding) => findings.push(one),
  }
  if ('swagger' in value) {
    const after = repairDocument(documentOf(value), 'swagger', rows, faults.report)
    return { after, findings }
  }
  const read = () => documentOf({})
  const tree = { ...disk, filesBelow: () => [] }
  const { value: after } = bundle(documentOf(value), read, tree, faults, rows)
  return { after, findings }
}

const ALL = [...REPAIRS, ...SWAGGER_ROWS]

const rows = ALL.map((row) => [row.id, row] as const)

it.each(rows)('%s: the document is rewritten, and the finding is at the fault', (_id, row) => {
  const { before, after, at } = row.example
  const done = repaired(before)
  expect(done.after).toEqual(repaired(after, []).after)
  expect(done.findings.map(({ level, rule, location }) => [level, rule, location.pointer])).toEqual(
    [['warning', row.rule, at]],
  )
})

it.each(rows)('%s: the rewritten document has no such fault', (_id, { example }) => {
  const done = repaired(example.after)
  expect(done.after).toEqual(repaired(example.after, []).after)
  expect(done.findings).toEqual([])
})

it.each(rows)('%s: the Api is that of the rewritten document', async (_id, { example }) => {
  const api = async (value: object) => {
    const openrpc = 'openrpc' in value
    const { operations, schemas } = await loadApi({
      [openrpc ? 'openrpc' : 'openapi']: documentOf(value),
    })
    return JSON.stringify([operations, [...schemas.values()]])
  }
  expect(await api(example.before)).toBe(await api(example.after))
})

it('no two rows have one id', () => {
  const ids = ALL.map(({ id }) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

it('the table of docs/documents.md is printed from the rows: npm run rules', () => {
  const page = readFileSync('docs/documents.md', 'utf8')
  expect(page).toBe(withRepairTable(page))
  expect(page).toContain(REPAIRS[0]?.fault)
})
