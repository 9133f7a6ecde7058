/** Orders over HTTP, with an example of each value. */
export const ORDERS = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
servers: [{ url: https://api.example/v1 }]
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 500 }, example: 100 }
      responses:
        '200':
          description: The orders
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Order' } }
    post:
      operationId: createOrder
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/NewOrder' }
            examples:
              gift: { value: { sku: tea, note: for you } }
      responses:
        '201':
          description: Created
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
              examples:
                gift: { value: { id: 7, status: open, sku: tea } }
        '422':
          description: Not possible
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Problem' }
  /orders/{id}:
    get:
      operationId: getOrder
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer }, example: 7 }
      responses:
        '200':
          description: The order
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
components:
  schemas:
    NewOrder:
      type: object
      additionalProperties: false
      required: [sku]
      properties:
        sku: { type: string }
        note: { type: string, maxLength: 200 }
        count: { type: integer }
    Order:
      type: object
      required: [id, status, sku]
      properties:
        id: { type: integer }
        status: { type: string, enum: [open, paid] }
        sku: { type: string }
    Problem:
      type: object
      required: [error]
      properties:
        error: { type: string }
`

/** Balances over JSON-RPC. */
export const BALANCES = `openrpc: 1.3.2
info: { title: Balances, version: 1.0.0 }
servers: [{ name: main, url: https://rpc.example/rpc }]
methods:
  - name: balance_get
    params:
      - { name: account, required: true, schema: { type: string, pattern: '^0x[0-9a-f]+$' } }
      - { name: block, schema: { type: string, enum: [latest, pending] } }
    result: { name: balance, schema: { type: string } }
    errors: [{ code: -32000, message: no such account }]
    examples:
      - name: one
        params: [{ name: account, value: '0x1' }, { name: block, value: latest }]
        result: { name: balance, value: '12' }
  - name: balance_watch
    params: []
    result:
      name: state
      schema:
        type: object
        required: [state]
        properties: { state: { type: string, enum: [idle, busy] } }
`
