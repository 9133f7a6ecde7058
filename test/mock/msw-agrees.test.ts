import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandlers } from '../../generated/msw.js'
import { type Mock, startMock } from '../../src/mock/mock.js'
import type { Api } from '../../src/model/api.js'
import { loadApi } from '../../src/read/load.js'

const MOCKED = 'http://mocked.example'
const handlers = setupServer(...createHandlers({ server: MOCKED }))
let api: Api
let mock: Mock

beforeAll(async () => {
  api = await loadApi({ openapi: 'spec/openapi.yaml', openrpc: 'spec/openrpc.yaml' })
  mock = await startMock(api)
  handlers.listen({ onUnhandledRequest: 'bypass' })
})
afterAll(async () => {
  handlers.close()
  await mock?.stop()
})

/** What both answer to the same request: status and body. */
const both = async (path: string, init: RequestInit) => {
  const [one, other] = await Promise.all(
    [mock.url, MOCKED].map(async (url) => {
      const response = await fetch(`${url}${path}`, init)
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    }),
  )
  return { mock: one, handlers: other }
}

const post = (body: unknown, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

describe('the handlers of MSW answer as the mock does', () => {
  it('every documented call of every method, the examples of refusals among them', async () => {
    const asked = await Promise.all(
      api.operations.flatMap((operation) => {
        if (operation.kind === 'http') return []
        const { method, examples } = operation
        return examples.map(async ({ name, params }) => {
          const call = { jsonrpc: '2.0', id: name, method, params }
          return { method, name, ...(await both('/zgt/my-key', post(call))) }
        })
      }),
    )
    for (const { method, name, mock: one, handlers: other } of asked) {
      // What breaks the schema of its params is refused by both, and each says where in words of its own.
      const isRefused = one?.body.error?.code === -32602
      if (isRefused) expect(other?.body.error.code, `${method} ${name}`).toBe(-32602)
      else expect(other, `${method} ${name}`).toEqual(one)
    }
    expect(asked.length).toBeGreaterThan(100)
  })

  it('every documented body of every form', async () => {
    let asked = 0
    for (const operation of api.operations) {
      if (operation.kind === 'rpc' || operation.body === undefined) continue
      const path = operation.path.replace(/\{[^}]*\}/g, 'my-key')
      for (const { name, value } of operation.body.content.flatMap(({ examples }) => examples)) {
        const answers = await both(path, post(value))
        expect(answers.handlers, `${operation.id} ${name}`).toEqual(answers.mock)
        asked += 1
      }
    }
    expect(asked).toBeGreaterThan(10)
  })

  it.each([
    ['a mixture of forms', '/zkt/k', post({ arguments: 'a', code: 'contract A {}' }), 400],
    ['half a body', '/zkt/k', post('{"arguments"'), 400],
    ['another media type', '/zkt/k', post('hi', 'text/plain'), 415],
    ['too large a body', '/zkt/k', post({ arguments: 'x'.repeat(1_048_576) }), 413],
    ['another method', '/zkt/k', { method: 'DELETE' }, 405],
    ['a wrong parameter', '/gtn/v1/zkt/transaction/none', {}, 400],
    ['no JSON for JSON-RPC', '/zgt/k', post('{'), 200],
    ['an empty batch', '/zgt/k', post([]), 200],
    ['text for JSON-RPC', '/zgt/k', post('hi', 'text/plain'), 415],
    ['GET for JSON-RPC', '/zgt/k', {}, 405],
    ['a notification', '/zgt/k', post({ jsonrpc: '2.0', method: 'eth_chainId' }), 204],
  ])('%s has one status from both', async (_, path, init, status) => {
    const answers = await both(path, init)
    expect([answers.mock?.status, answers.handlers?.status]).toEqual([status, status])
    const code = (body: { error?: { code?: number } } | undefined) => body?.error?.code
    expect(code(answers.handlers?.body)).toBe(code(answers.mock?.body))
  })
})
