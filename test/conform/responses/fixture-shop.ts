import { checkExchange } from '../../../src/conform/responses/check-response.js'
import { createTarget } from '../../../src/conform/target.js'
import { parseDocument } from '../../../src/read/document.js'
import { loadApi } from '../../../src/read/load.js'
import { createChecker } from '../../../src/schema/check.js'
import type { Exchange, FailureCause, ReceivedResponse } from '../../../src/traffic/exchange.js'

const OPENAPI = `
openapi: 3.0.3
info: { title: Shop, version: '1' }
servers: [{ url: https://shop.example }]
x-limits: { payloadBytes: 1000 }
paths:
  /orders:
    post:
      operationId: order
      x-variants:
        buy:
          request: { $ref: '#/components/schemas/Buy' }
          responses: [{ $ref: '#/components/schemas/Bought' }]
          errors: [{ $ref: '#/components/schemas/Failure' }]
        ask:
          request: { $ref: '#/components/schemas/Ask' }
          responses: [{ $ref: '#/components/schemas/Asked' }]
          errors: [{ $ref: '#/components/schemas/Failure' }]
      requestBody:
        content:
          application/json:
            schema: { oneOf: [{ $ref: '#/components/schemas/Buy' }, { $ref: '#/components/schemas/Ask' }] }
      responses:
        '200':
          description: Answered.
          headers:
            X-Left: { required: true, schema: { type: integer, minimum: 0 } }
          content:
            application/json:
              schema:
                oneOf:
                  - { $ref: '#/components/schemas/Bought' }
                  - { $ref: '#/components/schemas/Asked' }
                  - { $ref: '#/components/schemas/Failure' }
        '202': { description: Taken. }
        '409':
          description: Taken by another.
          content:
            application/*: { schema: { type: object, required: [any] } }
            application/json: { schema: { $ref: '#/components/schemas/Failure' } }
            application/problem+json: { schema: { type: object, required: [title] } }
        '410': { description: Gone., content: { application/json: { schema: { type: object, required: [gone] } } } }
        '204': { description: Nothing to do. }
        4XX:
          description: Refused.
          content: { application/json: { schema: { $ref: '#/components/schemas/Failure' } } }
  /keyed/{apiKey}:
    get:
      operationId: keyed
      parameters: [{ name: apiKey, in: path, required: true, x-secret: true, schema: { type: string } }]
      responses:
        '200':
          description: Said.
          content: { application/json: { schema: { type: object, properties: { said: { type: string } } } } }
components:
  schemas:
    Buy: { type: object, additionalProperties: false, required: [item], properties: { item: { type: string } } }
    Ask: { type: object, additionalProperties: false, required: [price], properties: { price: { type: string } } }
    Bought:
      type: object
      required: [bought]
      properties:
        bought: { type: string, x-same-as: ticket }
        ticket: { type: string, x-same-as: bought }
        seal: { x-same-as: stamp, anyOf: [{ $ref: '#/components/schemas/Hex' }, { enum: [null] }] }
        stamp: { x-same-as: seal, anyOf: [{ $ref: '#/components/schemas/Hex' }, { enum: [null] }] }
        more: { type: object, properties: { known: { type: integer } } }
        notes: { type: object, additionalProperties: { type: string } }
    Asked: { type: object, required: [costs], properties: { costs: { type: integer } } }
    Failure: { type: object, required: [error], properties: { error: { type: string } } }
    Hex: { type: string, pattern: '^[0-9a-fA-F]*$' }
`

const OPENRPC = `
openrpc: 1.3.2
info: { title: Shop, version: '1' }
servers: [{ name: main, url: 'https://shop.example/rpc' }]
x-limits: { batchSize: 3, payloadBytes: 1000 }
methods:
  - name: count
    params: []
    result: { name: count, schema: { type: integer } }
    errors: [{ code: 7, message: Closed }, { code: -32601, message: Not offered }]
  - name: stock
    params: []
    result:
      name: stock
      schema: { type: object, required: [left], properties: { since: { type: string, format: date }, left: { type: array, items: { type: object, properties: { item: { type: string } } } } } }
`

export const KEY = 'a-key-of-nobody/1'

export const api = await loadApi({
  openapi: parseDocument(OPENAPI, 'openapi.yaml'),
  openrpc: parseDocument(OPENRPC, 'openrpc.yaml'),
})

export const target = createTarget(api, { url: 'http://127.0.0.1:9', key: KEY })

export type Came = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

const causeOf = (failure: string): FailureCause =>
  failure.startsWith('late') ? 'late' : failure.startsWith('ended') ? 'ended' : 'broken'

const answerOf = ({ status = 200, headers = {}, body = '' }: Came): ReceivedResponse => ({
  status,
  headers: Object.entries({ 'content-type': 'application/json', ...headers }).filter(
    ([, value]) => value !== '',
  ),
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  milliseconds: 1,
})

/** What is said of an exchange: rules, what was covered, and what was reported as not tested. */
export const judged = (exchange: Exchange) => {
  const covered: string[] = []
  const skipped: string[] = []
  const absent: string[] = []
  const complaints = checkExchange(
    {
      ...{ api, target, checker: createChecker(api.schemas) },
      cover: (kind, name) => void covered.push(`${kind} ${name}`),
      skip: (what) => void skipped.push(what),
      notOffered: ({ id }) => void absent.push(id),
    },
    exchange,
  )
  return { rules: complaints.map(({ rule }) => rule), complaints, covered, skipped, absent }
}

const exchangeOf = (sent: Exchange['sent'], came: Came | string): Exchange =>
  typeof came === 'string'
    ? { sent, answer: undefined, failure: came, cause: causeOf(came) }
    : { sent, answer: answerOf(came), failure: undefined }

/** A POST of JSON-RPC; a came text is why nothing came. */
export const rpc = (body: string, came: Came | string) =>
  judged(
    exchangeOf(
      { method: 'POST', url: target.rpc ?? '', headers: { accept: 'application/json' }, body },
      came,
    ),
  )

export const http = (
  body: string,
  came: Came | string,
  path = '/orders',
  headers: Readonly<Record<string, string>> = {},
) =>
  judged(
    exchangeOf(
      {
        method: path === '/orders' ? 'POST' : 'GET',
        url: `${target.http}${path}`,
        headers,
        body,
      },
      came,
    ),
  )
