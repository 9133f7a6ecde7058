import { describe, expect, it } from 'vitest'
import { startMock } from '../../src/mock/mock.js'
import { BALANCES, ORDERS } from './documents.js'
import { apiOf, tryPair } from './try-pair.js'

/** What changes, the operation, what its cell says, and where the first difference is. */
type Row = readonly [
  what: string,
  change: readonly [from: string, to: string],
  operation: string,
  cell: string,
]

const HTTP: readonly Row[] = [
  ['nothing', ['1.0.0', '1.0.1'], 'POST /orders', 'works'],
  [
    'a property of responses is removed',
    [
      '        status: { type: string, enum: [open, paid] }\n        sku: { type: string }',
      '        status: { type: string, enum: [open, paid] }',
    ],
    'GET /orders/{id}',
    'works',
  ],
  [
    'a required property of responses is removed',
    [
      '      required: [id, status, sku]\n      properties:\n        id: { type: integer }\n',
      '      required: [status, sku]\n      properties:\n',
    ],
    'GET /orders/{id}',
    'breaks 200 : must have the property `id`',
  ],
  [
    'a property of responses has another type',
    ['        id: { type: integer }\n', '        id: { type: string }\n'],
    'GET /orders/{id}',
    'breaks 200 /id: must be an integer, is the string "text"',
  ],
  [
    'a listed value of responses is new',
    ['enum: [open, paid]', 'enum: [held]'],
    'GET /orders/{id}',
    'warns 200 /status: must be one of "open" or "paid"',
  ],
  [
    'a property of requests is removed',
    ['        note: { type: string, maxLength: 200 }\n', ''],
    'POST /orders',
    'breaks 422 /body: the new documents say that it must not have the property `note`',
  ],
  [
    'a text of requests must be shorter than an example',
    ['maxLength: 200', 'maxLength: 5'],
    'POST /orders',
    'breaks 422 /body/note: the new documents say that it must have at most 5 characters, has 7',
  ],
  [
    'a text of requests must be shorter, and every example is short',
    ['maxLength: 200', 'maxLength: 20'],
    'POST /orders',
    'works',
  ],
  [
    'a number of requests must be smaller than its example',
    ['maximum: 500', 'maximum: 50'],
    'GET /orders',
    'breaks 400 /query/limit: the new documents say that it must be at most 50',
  ],
  [
    'a parameter is new and required',
    [
      'schema: { type: integer, maximum: 500 }, example: 100 }',
      'schema: { type: integer } }\n        - { name: shop, in: query, required: true, schema: { type: string } }',
    ],
    'GET /orders',
    'breaks 400 /query/shop: the new documents say that it is required',
  ],
  [
    'the body of an error has another property',
    [
      '      required: [error]\n      properties:\n        error: { type: string }',
      '      required: [title]\n      properties:\n        title: { type: string }',
    ],
    'POST /orders',
    'breaks 422 : must have the property `error`',
  ],
  [
    'an operation is removed',
    ['  /orders/{id}:\n    get:', '  /orders/{id}:\n    put:'],
    'GET /orders/{id}',
    'breaks 405 : the new documents say that it is removed',
  ],
  [
    'the path of the server is another one',
    ['api.example/v1', 'api.example/v2'],
    'GET /orders',
    'breaks 404 undefined: a response of success',
  ],
]

const RPC: readonly Row[] = [
  ['nothing', ['1.0.0', '1.0.1'], 'balance_get', 'works'],
  [
    'a method is removed',
    ['name: balance_watch', 'name: balance_follow'],
    'balance_watch',
    'breaks -32601 : the new documents say that it is removed',
  ],
  [
    'a param is new and required',
    [
      '      - { name: block, schema: { type: string, enum: [latest, pending] } }',
      '      - { name: block, schema: { type: string, enum: [latest, pending] } }\n      - { name: unit, required: true, schema: { type: string } }',
    ],
    'balance_get',
    'breaks -32602 /params/2: the new documents say that it is required',
  ],
  [
    'a result has another type',
    [
      'result: { name: balance, schema: { type: string } }',
      'result: { name: balance, schema: { type: object, required: [wei], properties: { wei: { type: string } } } }',
    ],
    'balance_get',
    'breaks 200 : must be a string, is an object',
  ],
  [
    'a listed value of results is new',
    ['enum: [idle, busy]', 'enum: [gone]'],
    'balance_watch',
    'warns 200 /state: must be one of "idle" or "busy"',
  ],
]

/** Clients of the same documents are generated once. */
const known = new Map<string, ReturnType<typeof apiOf>>()

const old = (text: string) => {
  const api = known.get(text) ?? apiOf(text)
  known.set(text, api)
  return api
}

const WORKFLOW = `---
arazzo: 1.0.1
info: { title: Buying, version: '1' }
sourceDescriptions: [{ name: orders, url: openapi.yaml, type: openapi }]
workflows:
  - workflowId: buy
    steps:
      - stepId: create
        operationId: createOrder
        requestBody: { contentType: application/json, payload: { sku: tea, count: 3 } }
        successCriteria: [{ condition: $statusCode == 201 }]
        outputs: { id: $response.body#/id }
      - stepId: read
        operationId: getOrder
        parameters: [{ name: id, in: path, value: $steps.create.outputs.id }]
`

describe('a cell', () => {
  for (const [kind, text, rows] of [
    ['HTTP', ORDERS, HTTP],
    ['JSON-RPC', BALANCES, RPC],
  ] as const) {
    it.each(rows)(`${kind}: %s`, async (_, [from, to], operation, expected) => {
      expect(text).toContain(from)
      const changed = text.replaceAll(from, to)
      const { cells, contradictions } = await tryPair(await old(text), await apiOf(changed))
      const cell = cells.find((one) => one.operation === operation)
      const { difference } = cell ?? {}
      const shown = difference
        ? ` ${difference.code ?? difference.status} ${difference.pointer}: ${difference.expected}`
        : ''
      expect(`${cell?.verdict}${shown}`).toContain(expected)
      expect(cell?.requests).toBeGreaterThan(0)
      expect(contradictions).toEqual([])
    })
  }

  it('is untested where no value of a parameter can be made, and no request was sent', async () => {
    const text = ORDERS.replace(
      'schema: { type: integer }, example: 7 }',
      () => "schema: { type: string, pattern: '^(?!)$' } }",
    )
    const { cells } = await tryPair(await apiOf(text), await apiOf(text))
    expect(cells.find((one) => one.operation === 'GET /orders/{id}')).toMatchObject({
      verdict: 'untested',
      requests: 0,
      why: expect.stringContaining('not sent'),
    })
  })

  it('has the steps of workflows, with values of responses before them', async () => {
    const before = await apiOf(ORDERS + WORKFLOW)
    const plain = await tryPair(await old(ORDERS), await old(ORDERS))
    const { cells } = await tryPair(before, await old(ORDERS))
    const requests = (all: typeof cells, name: string) =>
      all.find(({ operation }) => operation === name)?.requests ?? 0
    for (const name of ['POST /orders', 'GET /orders/{id}'])
      expect(requests(cells, name)).toBe(requests(plain.cells, name) + 1)
  })

  it('has no step of a workflow that may write, if only reads may be sent', async () => {
    const now = await old(ORDERS)
    const lines: string[] = []
    const mock = await startMock(now, { onLog: (line) => lines.push(line) })
    try {
      await tryPair(await apiOf(ORDERS + WORKFLOW), now, mock.url, { readOnly: true })
    } finally {
      await mock.stop()
    }
    expect(lines).toContain('GET /v1/orders 200')
    expect(lines.filter((line) => !line.startsWith('GET'))).toEqual([])
  })
})
