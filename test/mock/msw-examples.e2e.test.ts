import { join } from 'node:path'
import { getResponse, type RequestHandler } from 'msw'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, startTwinspec, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'

const LEDGER = `openapi: 3.1.0
info: { title: Ledger, version: '1' }
servers: [{ url: 'http://api.example' }]
paths:
  /balance:
    get:
      operationId: balance
      responses:
        '200':
          description: The balance
          headers:
            X-Height: { schema: { type: integer }, example: 12345678901234567891 }
            X-Page: { required: true, schema: { type: integer, enum: [7] } }
          content:
            application/json:
              schema: { type: object, properties: { wei: { type: integer } } }
              example: { wei: 12345678901234567891, small: 1, list: [{ wei: 98765432109876543210 }] }
  /total:
    get:
      operationId: total
      responses:
        '200':
          description: The total
          content: { application/json: { schema: { type: integer }, example: 12345678901234567891 } }
  /csv:
    get:
      operationId: csv
      responses:
        '200':
          description: A text that is written as JSON
          content: { text/plain: { schema: { type: object }, example: { wei: 12345678901234567891 } } }
`

const METHODS = `openrpc: 1.3.2
info: { title: Ledger, version: '1' }
servers: [{ name: main, url: 'http://api.example/rpc' }]
methods:
  - name: ledger_total
    params: []
    result: { name: total, schema: { type: integer } }
    examples: [{ name: one, params: [], result: { name: total, value: 12345678901234567891 } }]
`

type Mock = { readonly createHandlers: (options?: object) => readonly RequestHandler[] }

const CALL = '{"jsonrpc":"2.0","id":1,"method":"ledger_total"}'

/** What a request is answered with: its text, and the headers that the document shows. */
const ask = async (send: (path: string, init?: RequestInit) => Promise<Response | undefined>) => {
  const balance = await send('/balance')
  const rpc = { method: 'POST', body: CALL, headers: { 'content-type': 'application/json' } }
  const others = ['/total', '/csv'].map(async (path) => (await send(path))?.text())
  return [
    await balance?.text(),
    balance?.headers.get('x-height'),
    balance?.headers.get('x-page'),
    ...(await Promise.all(others)),
    await (await send('/rpc', rpc))?.text(),
  ]
}

const BIG = '12345678901234567891'
const EXPECTED = [
  `{"wei":${BIG},"small":1,"list":[{"wei":98765432109876543210}]}`,
  ...[BIG, '7', BIG, `{"wei":${BIG}}`],
  `{"jsonrpc":"2.0","id":1,"result":${BIG}}`,
]

it('MSW and the mock send examples with all digits, and their headers', async () => {
  const folder = await folderOf({ 'openapi.yaml': LEDGER, 'openrpc.yaml': METHODS })
  const documents = ['openapi', 'openrpc'].flatMap((one) => [
    `--${one}`,
    join(folder, `${one}.yaml`),
  ])
  const out = join(folder, 'out')
  const flags = [...documents, '--out', out, '--with', 'msw']
  expect(await twinspec('generate', ...flags)).toMatchObject({ code: 0 })
  const handlers = [...(await importFile<Mock>(out, 'msw.ts')).createHandlers()]
  const msw = (path: string, init?: RequestInit) =>
    getResponse(handlers, new Request(`http://api.example${path}`, init))
  expect(await ask(msw)).toEqual(EXPECTED)

  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const mock = startTwinspec(['mock', ...documents, '--port', '0'], ending.signal)
  await expect.poll(() => mock.said.stdout, { timeout: 120_000 }).toContain('Ctrl-C')
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(mock.said.stdout) ?? []
  expect(await ask((path, init) => fetch(address + path, init))).toEqual(EXPECTED)
  ending.abort()
  expect(await mock.code).toBe(0)
})
