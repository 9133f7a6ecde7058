import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { twinspec } from '../cli/command-line.js'
import { importFile } from './generated-code.js'

const API = `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: 'http://127.0.0.1:9' }]
paths:
  /orders:
    post:
      operationId: order
      parameters:
        - { name: limit, in: query, schema: { type: integer, default: 20 } }
        - { name: wrong, in: query, schema: { type: integer, default: many } }
        - { name: tags, in: query, schema: { type: array, items: { type: string }, default: [a, b] } }
        - { name: X-Mode, in: header, schema: { $ref: '#/components/schemas/Mode' } }
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Order' } }
          application/x-www-form-urlencoded: { schema: { type: object, properties: { note: { type: string, default: form } } } }
      responses: { '204': { description: Done } }
components:
  schemas:
    Mode: { type: string, enum: [fast, slow], default: fast }
    Base: { type: object, properties: { id: { type: string, readOnly: true, default: '0' }, size: { type: integer, default: 1 } } }
    Order:
      allOf:
        - { $ref: '#/components/schemas/Base' }
        - type: object
          properties:
            mode: { $ref: '#/components/schemas/Mode' }
            options: { type: object, properties: { gift: { type: boolean, default: false } } }
            paid: { type: object, default: {}, properties: { by: { type: string, default: card } } }
            lines: { type: array, items: { $ref: '#/components/schemas/Order' } }
            byName: { type: object, additionalProperties: { $ref: '#/components/schemas/Base' } }
            either: { oneOf: [{ type: object, properties: { a: { type: string, default: x } } }, { type: integer }] }
            note: { type: [string, 'null'], default: none }
`

const PROGRAM = `import { createHttpClient } from './http.client.js'
export const sent = async (input: Parameters<ReturnType<typeof createHttpClient>['order']>[0], options = {}) => {
  const seen: unknown[] = []
  const http = createHttpClient({
    ...options,
    fetch: async (url, { headers, body }) => {
      seen.push(new URL(url).search, new Headers(headers).get('x-mode'), body?.toString())
      return new Response(null, { status: 204 })
    },
  })
  await http.order(input)
  return seen
}
`

type Sent = (input?: object, options?: object) => Promise<readonly unknown[]>

const folder = mkdtempSync(join(tmpdir(), 'twinspec-defaults-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const generate = async (name: string, ...flags: string[]): Promise<Sent> => {
  const out = join(folder, name)
  const { code, stderr } = await twinspec(
    'generate',
    join(folder, 'api.yaml'),
    '--out',
    out,
    ...flags,
  )
  expect(code, stderr).toBe(0)
  writeFileSync(join(out, 'use.ts'), PROGRAM)
  return (await importFile<{ readonly sent: Sent }>(out, 'use.ts')).sent
}

let sent: Sent
beforeAll(async () => {
  writeFileSync(join(folder, 'api.yaml'), API)
  sent = await generate('filled', '--defaults')
})

const bodyOf = async (body: object): Promise<unknown> =>
  JSON.parse(String((await sent({ body }))[2]))

const OWN = { size: 1, mode: 'fast', paid: { by: 'card' }, note: 'none' }

it('parameters that are left out have their default; a default that its schema rejects is left out', async () => {
  expect(await sent()).toEqual(['?limit=20&tags=a&tags=b', 'fast', undefined])
  const given = { query: { limit: 1, tags: ['c'] }, header: { 'X-Mode': 'slow' } }
  expect(await sent(given)).toEqual(['?limit=1&tags=c', 'slow', undefined])
  expect(await sent({}, { headers: { 'x-mode': 'slow' } })).toMatchObject({ 1: 'slow' })
})

it('bodies have them at every depth, not in alternatives and not where they are read only', async () => {
  expect(await bodyOf({})).toEqual(OWN)
  expect(await bodyOf({ options: {}, note: null, paid: { by: 'cash' } })).toEqual({
    ...OWN,
    options: { gift: false },
    note: null,
    paid: { by: 'cash' },
  })
  expect(
    await bodyOf({ lines: [{ size: 3, lines: [{}] }], byName: { a: {} }, either: {} }),
  ).toEqual({
    ...OWN,
    lines: [{ ...OWN, size: 3, lines: [OWN] }],
    byName: { a: { size: 1 } },
    either: {},
  })
})

it('each media type has its own; what the caller passes is not changed', async () => {
  const contentType = 'application/x-www-form-urlencoded'
  expect((await sent({ contentType, body: {} }))[2]).toBe('note=form')
  expect((await sent({ contentType, body: new URLSearchParams({ a: '1' }) }))[2]).toBe('a=1')
  const body = Object.freeze({ lines: Object.freeze([Object.freeze({})]) })
  await bodyOf(body)
  expect(body).toEqual({ lines: [{}] })
})

it('without the flag a client sends what it is given', async () => {
  const plain = await generate('plain')
  expect(await plain({ body: {} })).toEqual(['', null, '{}'])
})
