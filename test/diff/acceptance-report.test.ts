import { expect, it } from 'vitest'
import { accept, readAcceptances } from '../../src/diff/acceptance.js'
import { parseDocument } from '../../src/read/document.js'
import { changesOf, findingsOf, method, orders, TODAY, written } from './versions.js'

const accepted = async (until: string, rule = 'parameter-removed'): Promise<string> => {
  const changes = await changesOf(
    orders('parameters: [{ in: query, name: page, schema: {} }]'),
    orders(''),
  )
  const entry = `{ rule: ${rule}, where: 'GET /orders/{id}', reason: nobody used it, until: '${until}' }`
  const list = parseDocument(`accepted:\n  - ${entry}\n`, 'accepted.yaml')
  return written(accept(changes, readAcceptances(list, [rule]), TODAY))
}

it('tells that a change is no longer accepted', async () => {
  expect(await accepted('2026-06-14')).toMatchInlineSnapshot(`
    "warning parameter-removed
      the query parameter \`page\` of GET /orders/{id} is removed: the service ignores or rejects it (accepted until 2026-06-14, which is over)
      at new.openapi.yaml:8 (old.openapi.yaml:7)
      instead: keep it, mark it deprecated, and remove it later
    note acceptance-expired
      parameter-removed at GET /orders/{id} was accepted until 2026-06-14
      at accepted.yaml:2
      instead: undo the change, or accept it until a later date"
  `)
})

it('tells that a change is accepted which nobody made', async () => {
  expect(await accepted('2030-01-01', 'operation-added')).toMatchInlineSnapshot(`
    "warning parameter-removed
      the query parameter \`page\` of GET /orders/{id} is removed: the service ignores or rejects it
      at new.openapi.yaml:8 (old.openapi.yaml:7)
      instead: keep it, mark it deprecated, and remove it later
    warning acceptance-is-unused
      operation-added at GET /orders/{id} is accepted, but there is no such change
      at accepted.yaml:2
      instead: remove the entry"
  `)
})

it('tells that there was nothing to compare with', async () => {
  expect(await findingsOf(method(''), { ...method(''), ...orders('') })).toMatchInlineSnapshot(`
    "warning document-is-new
      the old version has no OpenAPI document, so all of Orders 1 is new
      at new.openapi.yaml:1
      instead: if it was moved or renamed, name its old place with --against
    note operation-added
      GET /orders/{id} is new
      at new.openapi.yaml:8"
  `)
})
