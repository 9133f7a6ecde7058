/** A small Api of orders, and its traffic, for the tests of usage. */
export const ORDERS = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
servers: [{ url: https://api.example/v1 }]
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 500 } }
        - { name: status, in: query, schema: { type: string, enum: [open, paid, sent] } }
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
            schema: { $ref: '#/components/schemas/Order' }
      responses:
        '201':
          description: Created
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
  /orders/{id}:
    delete:
      operationId: deleteOrder
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
      responses:
        '204': { description: Deleted }
components:
  schemas:
    Order:
      type: object
      required: [items]
      properties:
        status: { type: string, enum: [open, paid, sent] }
        note: { type: string, maxLength: 200 }
        email: { type: string, pattern: '^[^@]+@[^@]+$' }
        amount: { type: number }
        billing: { $ref: '#/components/schemas/Address' }
        shipping: { $ref: '#/components/schemas/Address' }
        parent: { $ref: '#/components/schemas/Order' }
        items:
          type: array
          items:
            type: object
            required: [sku]
            properties:
              sku: { type: string }
              count: { type: integer }
    Address:
      type: object
      properties:
        zip: { type: string }
        city: { type: string }
`

type Given = {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status?: number
  readonly reply?: unknown
  readonly time?: string
}

/** A line of NDJSON: one exchange. */
export const exchange = (call: string, given: Given = {}): string => {
  const [method, path] = call.split(' ')
  const { body, status = 200, reply, time = '2026-10-02T08:00:00Z' } = given
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return JSON.stringify({
    time,
    request: {
      method,
      url: `https://api.example/v1${path}`,
      headers: { ...type, ...given.headers },
      ...(body !== undefined && { body }),
    },
    response: { status, ...(reply !== undefined && { body: reply }) },
  })
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
