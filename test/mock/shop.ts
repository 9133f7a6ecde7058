import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '../../src/model/api.js'
import { loadApi } from '../../src/read/load.js'

/** A shop that speaks both protocols, with two forms, a secret and a refusal; `change` edits its text. */
export const loadShop = async (
  change: (documents: { openapi: string; openrpc: string }) => {
    openapi: string
    openrpc: string
  } = (documents) => documents,
): Promise<Api> => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-shop-'))
  try {
    const texts = change({ openapi, openrpc })
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(join(folder, `${name}.yaml`), text)
    }
    const files = { openapi: join(folder, 'openapi.yaml'), openrpc: join(folder, 'openrpc.yaml') }
    return await loadApi(files)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const openapi = `openapi: 3.0.3
info: { title: Shop, version: '1' }
x-limits: { payloadBytes: 2000 }
servers: [{ url: https://shop.example }]
paths:
  /orders/public:
    post: &place
      operationId: placePublic
      x-variants: &forms
        buy:
          request: { $ref: '#/components/schemas/Buy' }
          responses: [{ $ref: '#/components/schemas/Bought' }]
          errors: []
          example: one apple
        gift:
          request: { $ref: '#/components/schemas/Gift' }
          responses: [{ $ref: '#/components/schemas/Wrapped' }]
          errors: []
      requestBody: &body
        required: true
        content:
          application/json:
            schema: { oneOf: [{ $ref: '#/components/schemas/Buy' }, { $ref: '#/components/schemas/Gift' }] }
            examples:
              one apple: { value: { item: apple, count: 1 } }
              no pears: { value: { item: pear, count: 1 } }
      responses: &responses
        '200':
          description: Done.
          content:
            application/json:
              schema: { oneOf: [{ $ref: '#/components/schemas/Bought' }, { $ref: '#/components/schemas/Wrapped' }] }
              examples:
                wrapped: { value: { paper: red } }
                many: { value: { order: 2 } }
                one apple: { value: { order: 1 } }
        '400': &problem
          description: The body fits no variant.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Problem' }
              examples: { bad body: { value: { error: bad body } } }
        '409':
          description: Sold out.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Problem' }
              examples: { no pears: { value: { error: sold out } } }
        '413':
          description: Too large.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Problem' }
              examples: { too large: { value: { error: too large } } }
  /orders/{key}:
    post:
      operationId: place
      x-variants: *forms
      parameters:
        - { name: key, in: path, required: true, x-secret: true, schema: { type: string } }
      requestBody: *body
      responses: *responses
  /orders/{key}/{order}:
    get:
      operationId: getOrder
      parameters:
        - { name: key, in: path, required: true, x-secret: true, schema: { type: string } }
        - name: order
          in: path
          required: true
          schema: { type: integer }
          examples: { paid: { value: 7 }, lost: { value: 8 } }
      responses:
        '200':
          description: The order.
          content:
            application/json:
              schema: { type: object, required: [state], properties: { state: { type: string } } }
              examples: { new: { value: { state: new } }, paid: { value: { state: paid } } }
        '400': *problem
        '404':
          description: No such order.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Problem' }
              examples: { lost: { value: { error: lost } } }
  /slogans/{day}:
    get:
      operationId: getSlogan
      parameters:
        - { name: day, in: path, required: true, schema: { type: integer }, example: 1 }
      responses:
        '200':
          description: The slogan of the day.
          content: { application/json: { schema: { type: string }, example: Pears! } }
        '400': { description: No day., content: { application/json: { schema: { type: string }, example: no day } } }
components:
  schemas:
    Buy:
      type: object
      required: [item, count]
      additionalProperties: false
      properties: { item: { type: string, pattern: '^[a-z]+$' }, count: { type: integer } }
    Gift:
      type: object
      required: [to]
      additionalProperties: false
      properties: { to: { type: string } }
    Bought: { type: object, required: [order], properties: { order: { type: integer } } }
    Wrapped: { type: object, required: [paper], properties: { paper: { type: string } } }
    Problem: { type: object, required: [error], properties: { error: { type: string } } }
`

const openrpc = `openrpc: 1.3.2
info: { title: Shop, version: '1' }
x-limits: { batchSize: 3, payloadBytes: 2000 }
servers:
  - name: main
    url: https://shop.example/rpc/{key}
    variables: { key: { default: key, x-secret: true } }
methods:
  - name: shop_price
    paramStructure: by-position
    params:
      - { name: item, required: true, schema: { type: string } }
      - { name: count, schema: { type: integer } }
    result: { name: price, schema: { type: integer } }
    errors: [{ code: 7, message: No such item }]
    examples:
      - name: no such item
        params: [{ name: item, value: unicorn }]
        x-error: { code: 7, message: No such item }
      - name: an apple
        params: [{ name: item, value: apple }]
        result: { name: price, value: 5 }
      - name: two pears
        params: [{ name: item, value: pear }, { name: count, value: 2 }]
        result: { name: price, value: 8 }
  - name: shop_open
    paramStructure: by-position
    params: []
    result: { name: open, schema: { type: boolean } }
    examples: [{ name: yes, params: [], result: { name: open, value: true } }]
`
