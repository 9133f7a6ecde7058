import { expect, it } from 'vitest'
import { findingsOf, http, rpc } from './lint-documents.js'

const errors = (...codes: readonly number[]) => codes.map((code) => ({ code, message: `e${code}` }))
const statuses = (...all: readonly (number | string)[]) => ({
  responses: Object.fromEntries(all.map((status) => [status, { description: 'So.' }])),
})

it('error-code-is-reserved', async () => {
  expect(
    await findingsOf('error-code-is-reserved', rpc({ errors: errors(-32500) })),
  ).toMatchInlineSnapshot(`
    [
      "error /methods/0/errors/0/code -32500 is reserved by JSON-RPC: choose a code of -32099 to -32000, or one outside of -32768 to -32000",
    ]
  `)
  const fine = errors(-32603, -32099, -32000, -31999, -32769, 4444)
  expect(await findingsOf('error-code-is-reserved', rpc({ errors: fine }))).toEqual([])
})

it('error-code-is-declared-twice', async () => {
  const twice = [
    { code: 7, message: 'lost' },
    { code: 7, message: 'late' },
  ]
  expect(
    await findingsOf('error-code-is-declared-twice', rpc({ errors: twice })),
  ).toMatchInlineSnapshot(`
    [
      "warning /methods/0/errors/1 one declares 7 twice, as "lost" and as "late": give one of them another code",
    ]
  `)
  expect(await findingsOf('error-code-is-declared-twice', rpc({ errors: errors(7, 8) }))).toEqual(
    [],
  )
})

it('example-error-is-undeclared', async () => {
  const examples = [{ name: 'lost', params: [], 'x-error': { code: 7, message: 'lost' } }]
  expect(await findingsOf('example-error-is-undeclared', rpc({ examples }))).toMatchInlineSnapshot(`
    [
      "warning /methods/0/examples/0/x-error the example lost of one shows the error 7, which the method does not declare: add it to its errors",
    ]
  `)
  expect(
    await findingsOf('example-error-is-undeclared', rpc({ examples, errors: errors(7) })),
  ).toEqual([])
})

it('operation-declares-no-error', async () => {
  expect(await findingsOf('operation-declares-no-error', rpc({}))).toMatchInlineSnapshot(`
    [
      "note /methods/0 one declares no error: add those that it may return, under errors",
    ]
  `)
  expect(
    await findingsOf('operation-declares-no-error', http(statuses(200))),
  ).toMatchInlineSnapshot(`
    [
      "note /paths/~1a/get GET /a declares no error: add a 4XX, 5XX or default response",
    ]
  `)
  expect(await findingsOf('operation-declares-no-error', rpc({ errors: errors(7) }))).toEqual([])
  expect(await findingsOf('operation-declares-no-error', http(statuses(200, '4XX')))).toEqual([])
})

it('operation-declares-no-success', async () => {
  expect(
    await findingsOf('operation-declares-no-success', http(statuses(404))),
  ).toMatchInlineSnapshot(`
    [
      "warning /paths/~1a/get/responses GET /a declares no success: add the response of a successful call",
    ]
  `)
  expect(await findingsOf('operation-declares-no-success', http(statuses(204, 404)))).toEqual([])
  expect(await findingsOf('operation-declares-no-success', http(statuses(302, 404)))).toEqual([])
  expect(await findingsOf('operation-declares-no-success', http(statuses(304, 404)))).toHaveLength(
    1,
  )
})

it('status-is-unassigned', async () => {
  expect(await findingsOf('status-is-unassigned', http(statuses(200, 498)))).toMatchInlineSnapshot(`
    [
      "note /paths/~1a/get/responses/498 498 is not a registered status: clients that do not know it treat it as 400",
    ]
  `)
  expect(
    await findingsOf('status-is-unassigned', http(statuses(200, 404, '5XX', 'default'))),
  ).toEqual([])
})

it('method-name-is-reserved', async () => {
  expect(
    await findingsOf('method-name-is-reserved', rpc({ name: 'rpc.time' })),
  ).toMatchInlineSnapshot(`
    [
      "warning /methods/0/name rpc.time begins with rpc., which JSON-RPC reserves: choose another name",
    ]
  `)
  expect(await findingsOf('method-name-is-reserved', rpc({ name: 'rpc.discover' }))).toEqual([])
})

it('server-status-is-undeclared', async () => {
  const rule = 'server-status-is-undeclared'
  const body = { requestBody: { content: { 'application/json': { schema: {} } } } }
  expect(await findingsOf(rule, http({ ...body, ...statuses(200, 404) }))).toEqual([
    expect.stringContaining(
      'does not declare 400 (an invalid request), 413 (a body that is too large), 415',
    ),
  ])
  expect(await findingsOf(rule, http(statuses(200)))).toEqual([
    expect.stringContaining('does not declare 400 (an invalid request), which'),
  ])
  expect(await findingsOf(rule, http({ ...body, ...statuses(200, 413, 415, 422) }))).toEqual([])
  expect(await findingsOf(rule, http(statuses(200, 422)))).toEqual([])
  expect(await findingsOf(rule, http({ ...body, ...statuses(200, '4XX') }))).toEqual([])
  expect(await findingsOf(rule, http({ ...body, ...statuses('default') }))).toEqual([])
})
