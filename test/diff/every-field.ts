/** An OpenAPI document with every kind of field that the specification has. */
export const EVERY_OPENAPI = `
openapi: 3.1.0
info: { title: Shop, version: '1', summary: s, description: d, termsOfService: 'https://a.example', contact: { name: n, url: 'https://a.example', email: a@a.example }, license: { name: MIT, identifier: MIT } }
jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base
x-own: 1
servers: [{ url: 'https://{region}.a.example', description: d, variables: { region: { default: eu, enum: [eu, us], description: d } } }]
security: [{ key: [] }]
tags: [{ name: t, description: d, externalDocs: { url: 'https://a.example', description: d } }]
externalDocs: { url: 'https://a.example', description: d }
paths:
  /orders/{id}:
    summary: s
    description: d
    servers: [{ url: 'https://b.example' }]
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    post:
      tags: [t]
      summary: s
      description: d
      externalDocs: { url: 'https://a.example' }
      operationId: order
      deprecated: true
      x-own: { a: 1 }
      x-sunset: '2027-01-01'
      security: [{ oauth: [read] }, {}]
      servers: [{ url: 'https://c.example' }]
      parameters:
        - { name: q, in: query, description: d, required: true, deprecated: true, allowEmptyValue: true, style: form, explode: false, allowReserved: true, schema: { type: array, items: { type: string } }, example: [a] }
        - { name: f, in: query, content: { application/json: { schema: { type: object } } }, x-own: 1 }
        - { name: h, in: header, schema: { type: integer, default: 1 }, examples: { one: { summary: s, description: d, value: 1 } } }
        - { name: c, in: cookie, schema: { type: boolean } }
        - { $ref: '#/components/parameters/Page' }
      requestBody:
        description: d
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Order' }, example: { kind: a, name: n } }
          multipart/form-data:
            schema: { type: object, properties: { file: { type: string }, list: { type: array, items: { type: string } } } }
            encoding: { file: { contentType: image/png, headers: { x-part: { description: d, required: true, schema: { type: string } } } }, list: { style: form, explode: true, allowReserved: true } }
      responses:
        '200':
          description: d
          headers: { x-left: { description: d, required: true, deprecated: true, style: simple, explode: true, schema: { type: array, items: { type: integer } }, example: [1] }, x-json: { content: { application/json: { schema: { type: object } } } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }
          links: { next: { operationId: order, parameters: { id: $response.body#/id }, requestBody: a, description: d, server: { url: 'https://d.example' } } }
        default: { $ref: '#/components/responses/Failure' }
      callbacks:
        done:
          '{$request.query.q}':
            summary: s
            post:
              operationId: done
              summary: s
              security: [{ key: [] }]
              servers: [{ url: 'https://e.example' }]
              deprecated: true
              parameters: [{ name: s, in: header, required: true, allowReserved: true, deprecated: true, schema: { type: string } }]
              requestBody: { description: d, required: true, content: { application/json: { schema: { type: object, properties: { a: { type: string } } } } } }
              responses: { '200': { description: d, headers: { x-ok: { required: true, explode: true, schema: { type: string } } }, links: { next: { operationId: order } } } }
webhooks:
  paid:
    parameters: [{ name: sign, in: header, required: true, style: simple, schema: { type: string } }]
    post:
      security: [{ key: [] }]
      servers: [{ url: 'https://e.example' }]
      requestBody: { required: true, content: { application/json: { schema: { type: integer } } } }
      responses: { '204': { description: d, content: { application/json: { schema: { type: integer } } } } }
      callbacks: { again: { '{$request.body}': { post: { responses: { '200': { description: d } } } } } }
components:
  parameters: { Page: { name: page, in: query, schema: { type: integer, minimum: 1, maximum: 9 } } }
  responses: { Failure: { description: d, content: { application/json: { schema: { type: object, required: [code], properties: { code: { type: integer } } } } } }, Unused: { description: d } }
  securitySchemes:
    key: { type: apiKey, in: header, name: x-key, description: d }
    basic: { type: http, scheme: bearer, bearerFormat: JWT }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.example/t', refreshUrl: 'https://a.example/r', scopes: { read: d } } } }
    openid: { type: openIdConnect, openIdConnectUrl: 'https://a.example/o' }
  examples: { Unused: { summary: s, value: 1 } }
  schemas:
    Unused: { type: string }
    Cat: { type: object, required: [kind], properties: { kind: { const: cat }, purrs: { type: boolean } } }
    Dog: { type: object, required: [kind], properties: { kind: { const: dog } } }
    Order:
      title: t
      description: d
      type: object
      required: [kind, name]
      minProperties: 1
      maxProperties: 99
      additionalProperties: { type: string }
      patternProperties: { '^p-': { type: integer } }
      propertyNames: { maxLength: 50 }
      dependentRequired: { name: [kind] }
      dependentSchemas: { name: { properties: { more: { type: string } } } }
      externalDocs: { url: 'https://a.example' }
      properties:
        kind: { type: string, enum: [a, b], default: a, x-extensible-enum: [a, b] }
        name: { type: string, minLength: 1, maxLength: 9, pattern: '^[a-z]+$', examples: [n], deprecated: true }
        at: { type: string, format: date-time, readOnly: true }
        secret: { type: string, writeOnly: true, contentEncoding: base64, contentMediaType: image/png }
        count: { type: integer, minimum: 1, maximum: 99, multipleOf: 1 }
        rate: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 10 }
        list: { type: array, items: { type: string }, minItems: 1, maxItems: 9, uniqueItems: true, contains: { const: a }, minContains: 1, maxContains: 3 }
        pair: { type: array, prefixItems: [{ type: string }, { type: integer }], items: false }
        pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' } } }
        any: { anyOf: [{ type: string }, { type: integer }] }
        all: { allOf: [{ type: object, properties: { a: { type: string } } }, { required: [a] }] }
        other: { not: { type: 'null' } }
        when: { if: { type: string }, then: { minLength: 1 }, else: { type: integer } }
        open: { type: object, unevaluatedProperties: false, xml: { name: open, attribute: true } }
`

/** An OpenRPC document with every kind of field that the specification has. */
export const EVERY_OPENRPC = `
openrpc: 1.3.2
info: { title: Chain, version: '1', description: d, termsOfService: 'https://a.example', contact: { name: n, email: a@a.example }, license: { name: MIT, url: 'https://a.example' } }
servers: [{ name: main, url: 'https://{region}.a.example', summary: s, description: d, x-chain-id: 1, variables: { region: { default: eu, enum: [eu, us], description: d } } }]
externalDocs: { url: 'https://a.example', description: d }
methods:
  - name: call
    tags: [{ name: t, description: d, externalDocs: { url: 'https://a.example' } }]
    summary: s
    description: d
    externalDocs: { url: 'https://a.example' }
    deprecated: true
    x-sunset: '2027-01-01'
    x-own: 1
    paramStructure: by-name
    servers: [{ url: 'https://b.example' }]
    params:
      - { name: first, summary: s, description: d, required: true, deprecated: true, schema: { type: string, minLength: 1 } }
      - { $ref: '#/components/contentDescriptors/Second' }
    result: { name: result, summary: s, description: d, required: true, deprecated: true, schema: { $ref: '#/components/schemas/Block' } }
    errors: [{ code: 40, message: Failed, data: { $ref: '#/components/schemas/Cause' } }, { $ref: '#/components/errors/Gone' }]
    links: [{ name: next, summary: s, description: d, method: call, params: { first: $params.first }, server: { url: 'https://d.example' } }]
    examples: [{ name: one, summary: s, description: d, params: [{ name: first, value: a }], result: { name: result, value: { number: 1 } } }]
components:
  contentDescriptors: { Second: { name: second, schema: { type: integer, maximum: 9 } }, Unused: { name: unused, schema: { type: integer } } }
  errors: { Gone: { code: 41, message: Gone, data: 7 } }
  schemas:
    Cause: { type: string }
    Unused: { type: string }
    Block: { type: object, required: [number], properties: { number: { type: integer, title: t }, parent: { $ref: '#/components/schemas/Block' } } }
`
