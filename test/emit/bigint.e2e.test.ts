import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { importFile } from './generated-code.js'
import { diagnose } from './strictest.js'

const LEDGER = `openapi: 3.1.0
info: { title: Ledger, version: '1' }
paths:
  /transfers:
    post:
      operationId: transfer
      parameters:
        - { name: after, in: query, schema: { type: integer, x-bigint: true } }
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Transfer' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Transfer' } }
          multipart/form-data: { schema: { $ref: '#/components/schemas/Transfer' } }
      responses:
        '200':
          description: The transfer
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Transfer' }
              example: { amount: 12345678901234567891, count: 1 }
        '400': { description: Invalid, content: { application/json: { schema: { type: object } } } }
  /events:
    get:
      operationId: events
      responses:
        '200':
          description: Transfers
          content:
            application/jsonl: { schema: { $ref: '#/components/schemas/Transfer' } }
components:
  schemas:
    Transfer:
      type: object
      required: [amount]
      properties:
        amount: { $ref: '#/components/schemas/Wei' }
        count: { type: integer, maximum: 18446744073709551615 }
        fee: { type: [integer, 'null'], x-bigint: true }
        parts: { type: array, items: { $ref: '#/components/schemas/Transfer' } }
        byToken: { type: object, additionalProperties: { $ref: '#/components/schemas/Wei' } }
    Wei: { type: integer, minimum: 0, x-bigint: true }
    Limited: { allOf: [{ $ref: '#/components/schemas/Wei' }, { maximum: 20, multipleOf: 5 }] }
`

const SHOWN = LEDGER.replace(
  "{ schema: { $ref: '#/components/schemas/Transfer' } }",
  "{ schema: { $ref: '#/components/schemas/Transfer' }, example: { amount: 12345678901234567891, count: 1 } }",
)

const METHODS = `openrpc: 1.3.2
info: { title: Ledger, version: '1' }
methods:
  - name: ledger_add
    params:
      - { name: amount, required: true, schema: { type: integer, minimum: 0, x-bigint: true } }
      - { name: note, schema: { type: string } }
    result:
      name: total
      schema:
        type: object
        required: [total]
        properties: { total: { type: integer, x-bigint: true }, count: { type: integer } }
    examples:
      - name: one
        params: [{ name: amount, value: 1 }]
        result: { name: total, value: { total: 12345678901234567891, count: 1 } }
`

/** A client, and a server whose handlers keep what they were given; as users write them. */
const PROGRAM = `
import { toFetchHandler } from 'twinspec/runtime/server'
import { createClient } from './client.js'
import { createServer } from './server.js'

export const seen: unknown[] = []
export const fetchHandler = toFetchHandler(
  createServer({
    transfer: ({ body, query }) => {
      seen.push(query?.after, body)
      return { status: 200, body: { ...body, amount: body.amount + 1n } }
    },
    events: () => ({
      status: 200,
      body: (async function* () {
        yield { amount: 12345678901234567891n }
        yield { amount: 2n, count: 3 }
      })(),
    }),
    ledgerAdd: ([amount, note]) => {
      seen.push(amount, note)
      return { total: amount * 2n, count: 1 }
    },
  }),
)

export const client = (server: string, isMock = false) =>
  createClient({ server, ...(!isMock && { fetch: (url, init) => fetchHandler(new Request(url, init)) }) })

export const events = async (server: string) => {
  const amounts: object[] = []
  for await (const { amount, count } of await client(server).http.events())
    amounts.push({ amount: amount - 1n, count })
  return amounts
}

export const transfer = async (server: string, isMock = false) => {
  const { http, rpc } = client(server, isMock)
  const { amount, count = 0 } = await http.transfer({ body: { amount: 1n } })
  const { total } = await rpc.ledgerAdd(1n)
  const exact: readonly bigint[] = [amount, total]
  return [...exact, count.toFixed()]
}
`

type Program = {
  readonly seen: unknown[]
  readonly fetchHandler: (request: Request) => Promise<Response>
  readonly client: (server: string) => {
    readonly http: Readonly<Record<string, (input?: object) => Promise<unknown>>>
    readonly rpc: {
      readonly ledgerAdd: (...params: unknown[]) => Promise<unknown>
      readonly request: (call: object) => Promise<unknown>
    }
  }
  readonly events: (server: string) => Promise<unknown>
  readonly transfer: (server: string, isMock?: boolean) => Promise<unknown>
}

type Validators = Readonly<
  Record<
    'Transfer' | 'Limited',
    {
      readonly check: (value: unknown) => boolean
      readonly explain?: (value: unknown) => readonly object[]
    }
  >
>

const SERVER = 'http://127.0.0.1:1'
const BIG = 12345678901234567891n

describe('integers that the document marks with x-bigint', () => {
  const generated = async () => {
    const folder = await folderOf({ 'openapi.yaml': LEDGER, 'openrpc.yaml': METHODS })
    const documents = ['openapi', 'openrpc'].flatMap((one) => [
      `--${one}`,
      join(folder, `${one}.yaml`),
    ])
    const out = join(folder, 'out')
    const args = [...documents, '--with', 'server,typebox,documents,reference', '--out', out]
    expect(await twinspec('generate', ...args)).toMatchObject({ code: 0 })
    writeFileSync(join(out, 'program.ts'), PROGRAM)
    return { out, documents, load: () => importFile<Program>(out, 'program.ts') }
  }

  it('are bigint in the types of clients, handlers and the reference', async () => {
    const { out } = await generated()
    const names = readdirSync(out).filter((name) => name.endsWith('.ts') && name !== 'schemas.ts')
    const text = (name: string) => readFileSync(join(out, name), 'utf8')
    expect(diagnose(new Map(names.map((name) => [name, text(name)])))).toEqual([])
    expect(text('reference.md')).toContain('fee?: bigint | null')
    expect(text('schemas.ts')).toContain('amount: Wei')
    expect(text('schemas.ts')).not.toContain('bigint')
  })

  it('have all digits in the reference, its samples and what its try-it sends', async () => {
    const folder = await folderOf({ 'openapi.yaml': SHOWN, 'openrpc.yaml': METHODS })
    const documents = ['openapi', 'openrpc'].flatMap((one) => [
      `--${one}`,
      join(folder, `${one}.yaml`),
    ])
    const out = join(folder, 'docs')
    expect(await twinspec('docs', ...documents, '--out', out)).toMatchObject({ code: 0 })
    const text = (name: string) => readFileSync(join(out, name), 'utf8')
    const [http, rpc] = [text('operations/transfer.md'), text('operations/ledgerAdd.md')]
    expect(http).toContain(`await http.transfer({ body: { amount: ${BIG}n, count: 1 } })`)
    expect(http).toContain(`"amount": ${BIG}`)
    expect(http).toMatch(/curl .*"amount":\s?12345678901234567891/s)
    expect(rpc).toContain('await rpc.ledgerAdd(1n)')
    expect(rpc).toContain(`"total": ${BIG}`)
    expect(text('try/transfer.js')).toContain(`${BIG}`)
    for (const name of readdirSync(out, { recursive: true }))
      if (/\.(html|md|js)$/.test(String(name))) expect(text(String(name))).not.toContain('4567000')
  })

  it('numbers of generated documents have all digits that were written', async () => {
    const { out } = await generated()
    const text = (name: string) => readFileSync(join(out, name), 'utf8')
    expect(text('http.openapi.json')).toContain(`"amount": ${BIG}`)
    expect(text('http.openapi.json')).toContain('"maximum": 18446744073709551615')
    expect(text('rpc.openrpc.json')).toContain(`"total": ${BIG}`)
  })

  it('are bigint on both sides, in JSON, forms, queries, params and streams', async () => {
    const { client, seen, events } = await (await generated()).load()
    const { http, rpc } = client(SERVER)
    seen.length = 0
    const body = { amount: BIG, count: 2, fee: null, parts: [{ amount: 1n }], byToken: { a: BIG } }
    const next = { ...body, amount: BIG + 1n }
    expect(await http.transfer?.({ query: { after: 2n ** 53n + 1n }, body })).toEqual(next)
    expect(seen).toEqual([2n ** 53n + 1n, body])
    for (const contentType of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      seen.length = 0
      const form = { amount: BIG, fee: 7n, count: 3 }
      await http.transfer?.({ contentType, body: form })
      expect(seen).toEqual([undefined, form])
    }
    expect(await rpc.ledgerAdd(BIG)).toEqual({ total: BIG * 2n, count: 1 })
    const params = { amount: 3n, note: 'by name' }
    expect(await rpc.request({ method: 'ledger_add', params })).toEqual({ total: 6n, count: 1 })
    expect(await events(SERVER)).toEqual([{ amount: BIG - 1n }, { amount: 1n, count: 3 }])
  })

  it('are validated, and other integers that a number rounds are rejected', async () => {
    const { client, fetchHandler } = await (await generated()).load()
    await expect(client(SERVER).http.transfer?.({ body: { amount: -1n } })).rejects.toMatchObject({
      reason: 'invalid-input',
      issues: [{ pointer: '/body/amount', keyword: 'minimum' }],
    })
    const post = async (path: string, body: string, type = 'application/json') => {
      const init = { method: 'POST', headers: { 'content-type': type }, body }
      const response = await fetchHandler(new Request(SERVER + path, init))
      return [response.status, await response.text()]
    }
    const lost = [400, '{"error":"body.count would lose digits: send it as a string"}']
    expect(await post('/transfers', `{"amount":${BIG},"count":${BIG}}`)).toEqual(lost)
    const form = `amount=${BIG}&count=${BIG}`
    expect(await post('/transfers', form, 'application/x-www-form-urlencoded')).toEqual(lost)
    const call = (params: string) =>
      post('/', `{"jsonrpc":"2.0","id":${BIG},"method":"ledger_add","params":${params}}`)
    expect(await call(`{"amount":${BIG}}`)).toEqual([
      200,
      `{"jsonrpc":"2.0","id":${BIG},"result":{"total":${BIG * 2n},"count":1}}`,
    ])
    expect(String(await call('[-1]'))).toContain('amount must be at least 0')
  })

  it('are accepted by exported validators as bigint, and as the number of a small one', async () => {
    const { out } = await generated()
    for (const name of ['validators.ts', 'explanations.ts']) {
      const { Transfer, Limited } = await importFile<Validators>(out, name)
      const body = { amount: BIG, fee: null, parts: [{ amount: 1n }], byToken: { a: BIG } }
      const accepted = [body, { amount: 1 }, { amount: 0n, fee: 2n ** 70n }]
      expect(accepted.map((one) => Transfer.check(one))).toEqual([true, true, true])
      const wrong = [{ amount: -1n }, { amount: 1.5 }, { amount: 1n, count: 2n }, { amount: '1' }]
      expect(wrong.map((one) => Transfer.check(one))).toEqual([false, false, false, false])
      expect([15n, 12n, 25n, 2n ** 64n, 15].map(Limited.check)).toEqual([
        ...[true, false, false, false, true],
      ])
    }
    const { Transfer, Limited } = await importFile<Validators>(out, 'explanations.ts')
    const faults = [
      Transfer.explain?.({ amount: 1n, fee: '1', parts: [{ amount: -5n }] }),
      Limited.explain?.(2n ** 64n),
    ]
    expect(faults.flat().map((one) => Object(one).message)).toEqual([
      'must be an integer or null, is the string "1"',
      'must be at least 0, is -5',
      'must be at most 20, is 18446744073709551616',
      'must be a multiple of 5, is 18446744073709551616',
    ])
  })

  it('are read exactly in a form field of type JSON', async () => {
    const { seen, fetchHandler } = await (await generated()).load()
    const part = (json: string) => {
      const body = new FormData()
      body.set('amount', `${BIG}`)
      body.set('parts', new Blob([json], { type: 'application/json' }))
      return fetchHandler(new Request(`${SERVER}/transfers`, { method: 'POST', body }))
    }
    seen.length = 0
    expect((await part(`[{"amount":${BIG},"count":1},{"amount":2}]`)).status).toBe(200)
    const parts = [{ amount: BIG, count: 1 }, { amount: 2n }]
    expect(seen).toEqual([undefined, { amount: BIG, parts }])
    const lost = await part(`[{"amount":1,"count":${BIG}}]`)
    expect([lost.status, await lost.text()]).toEqual([
      400,
      '{"error":"body.parts.0.count would lose digits: send it as a string"}',
    ])
  })

  it('are sent by the mock with the digits of its examples', async () => {
    const { documents, load } = await generated()
    const ending = new AbortController()
    onTestFinished(() => ending.abort())
    const mock = startTwinspec(['mock', ...documents, '--port', '0'], ending.signal)
    await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(mock.said.stdout) ?? []
    expect(await (await load()).transfer(address, true)).toEqual([BIG, BIG, '1'])
    ending.abort()
    expect(await mock.code).toBe(0)
  })

  it('are those of the formats that `generate --bigint` names, too', async () => {
    const text = LEDGER.replaceAll('x-bigint: true', 'format: int64').replace(
      'count: { type: integer, maximum: 18446744073709551615 }',
      'count: { type: integer, format: int32 }\n        example: { type: integer, format: uint64 }',
    )
    const folder = await folderOf({ 'api.yaml': text })
    const types = async (...flags: readonly string[]) => {
      const out = join(folder, 'out')
      const args = ['--openapi', join(folder, 'api.yaml'), ...flags, '--out', out]
      expect(await twinspec('generate', ...args)).toMatchObject({ code: 0 })
      return readFileSync(join(out, 'http.types.ts'), 'utf8')
    }
    expect(await types()).not.toContain('bigint')
    const marked = await types('--bigint', 'int64,uint64')
    expect(marked).toContain('export type Wei = bigint')
    expect(marked).toContain('fee?: bigint | null')
    expect(marked).toContain('example?: bigint')
    expect(marked).toContain('count?: number')
  })
})
