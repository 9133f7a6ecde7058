import { describe, expect, test } from 'vitest'
import { findingsOf, orders } from './versions.js'

const answer = (schema: string) =>
  `{ description: said, content: { application/json: { schema: ${schema} } } }`
const CODED = '{ type: object, required: [code], properties: { code: { type: integer } } }'
const WORDED = '{ type: object, required: [error], properties: { error: { type: string } } }'

describe('a status that the default declared', () => {
  const only = (responses: string) => orders(`responses: { ${responses} }`)
  const ok = "'200': { description: ok }"

  test('may say no other things of its own', async () => {
    const [before, after] = [
      only(`${ok}, default: ${answer(CODED)}`),
      only(`${ok}, default: ${answer(CODED)}, '404': ${answer(WORDED)}`),
    ]
    expect(await findingsOf(before, after)).toMatchInlineSnapshot(`
      "error response-property-became-optional
        \`code\` in the 404 response of GET /orders/{id}, which the default response described before, is removed; it was always present: clients do not expect it
        at new.openapi.yaml:7 (old.openapi.yaml:7)
        shown by: {"error":""}
        instead: keep sending it
      note error-status-added
        GET /orders/{id} may return 404 now
        at new.openapi.yaml:7 (old.openapi.yaml:7)
      note response-property-added
        \`error\` in the 404 response of GET /orders/{id}, which the default response described before, is new
        at new.openapi.yaml:7 (old.openapi.yaml:7)"
    `)
  })

  test('may say the same of its own', async () => {
    const [before, after] = [
      only(`${ok}, default: ${answer(CODED)}`),
      only(`${ok}, default: ${answer(CODED)}, '404': ${answer(CODED)}`),
    ]
    expect(await findingsOf(before, after)).toBe(
      'note error-status-added\n  GET /orders/{id} may return 404 now\n  at new.openapi.yaml:7 (old.openapi.yaml:7)',
    )
  })

  test('is success where nothing else is', async () => {
    const before = only(`default: ${answer(CODED)}`)
    expect(await findingsOf(before, only(`'200': ${answer(WORDED)}`))).toMatch(
      /error response-property-became-optional/,
    )
    const both = only(`${ok}, default: ${answer(CODED)}`)
    const created = only(`${ok}, default: ${answer(CODED)}, '201': ${answer(WORDED)}`)
    expect(await findingsOf(both, created)).not.toMatch(/^error/)
  })

  test('may not lose a header', async () => {
    const headers = 'headers: { ETag: { required: true, schema: { type: string } } }'
    const found = await findingsOf(
      only(`${ok}, default: { description: said, ${headers} }`),
      only(`${ok}, default: { description: said, ${headers} }, '404': { description: none }`),
    )
    expect(found).toContain(
      'the header `ETag` of the 404 response of GET /orders/{id}, which the default response described before, is removed: clients that need it fail',
    )
  })
})

describe('a status that another response describes now', () => {
  const only = (responses: string) => orders(`responses: { ${responses} }`)
  const ok = "'200': { description: ok }"
  const lost = 'is removed; it was always present: clients do not expect it'

  test('may say no other things in the default response', async () => {
    const found = await findingsOf(
      only(`${ok}, '404': ${answer(CODED)}`),
      only(`${ok}, default: ${answer(WORDED)}`),
    )
    expect(found).toContain('GET /orders/{id} no longer declares 404')
    expect(found).toContain(
      `\`code\` in the 404 response of GET /orders/{id}, which the default response describes now, ${lost}`,
    )
  })

  test('may say the same in the default response', async () => {
    const found = await findingsOf(
      only(`${ok}, '404': ${answer(CODED)}, default: ${answer(CODED)}`),
      only(`${ok}, default: ${answer(CODED)}`),
    )
    expect(found).toBe(
      'note error-status-removed\n  GET /orders/{id} no longer declares 404\n  at new.openapi.yaml:7 (old.openapi.yaml:7)',
    )
  })

  test.each([
    ['it was declared alone', ''],
    ['it was declared beside the range', `, '4XX': ${answer(WORDED)}`],
    ['it was declared beside another status', `, '404': ${answer(WORDED)}`],
  ])('may say no other things in the response of its range: %s', async (_, beside) => {
    const found = await findingsOf(
      only(`${ok}, '409': ${answer(CODED)}${beside}`),
      only(`${ok}, 4XX: ${answer(WORDED)}`),
    )
    expect(found).toContain(`\`code\` in the 409 response of GET /orders/{id} ${lost}`)
  })

  test('is success in the default response where nothing else is', async () => {
    const created = only(`'200': ${answer(CODED)}, '201': { description: made }`)
    const found = await findingsOf(
      created,
      only(`'201': { description: made }, default: ${answer(WORDED)}`),
    )
    expect(found).not.toContain('which the default response describes now')
    expect(await findingsOf(created, only(`default: ${answer(WORDED)}`))).toContain(lost)
  })
})

test('an address that serves another chain', async () => {
  const at = (servers: string) => orders('', `servers: [${servers}]`)
  const chain = (id: number) => `{ url: 'https://chain.example', x-chain-id: ${id} }`
  expect(await findingsOf(at(chain(1)), at(chain(5)))).toMatchInlineSnapshot(`
    "error server-chain-changed
      the chain id at https://chain.example is 5 now, and was 1: transactions that callers sign for the old chain are rejected
      at new.openapi.yaml:3 (old.openapi.yaml:3)
      instead: serve the other chain at another URL"
  `)
  expect(await findingsOf(at(`${chain(1)}, ${chain(5)}`), at(`${chain(5)}, ${chain(1)}`))).toBe('')
})
