import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { projectRpc } from '../../src/emit/projection.js'
import { apiOf, method, openrpcOf } from '../read/api-of.js'

const param = (name: string, schema: object, required = true) => ({ name, schema, required })

const example = (name: string, params: readonly unknown[], outcome: object) => ({
  name,
  params: params.map((value, index) => ({ name: `p${index}`, value })),
  ...outcome,
})

const api = () =>
  apiOf({
    openrpc: openrpcOf({
      servers: [
        {
          name: 'main',
          url: 'https://{host}/rpc/{key}',
          variables: { host: { default: 'h.example' }, key: { default: 'k', 'x-secret': true } },
        },
      ],
      methods: [
        {
          ...method(
            'thing_read',
            [
              param('id', { $ref: '#/components/schemas/Id' }),
              param('at', { type: 'integer' }, false),
            ],
            { type: 'string' },
          ),
          paramStructure: 'by-position',
          errors: [{ code: 7, message: 'gone' }],
          examples: [
            example('Read one', ['a'], { result: { name: 'r', value: 'x' } }),
            example('It is gone', ['b', 1], { 'x-error': { code: 7, message: 'gone' } }),
          ],
        },
        method('thing_list'),
      ],
      schemas: { Id: { type: 'string' } },
    }),
  })

test('a method becomes a path whose body is the whole request', async () => {
  const projected = projectRpc(await api()) as { paths: Record<string, unknown>; servers: unknown }
  expect(projected.paths['/thing_read']).toMatchInlineSnapshot(`
    {
      "post": {
        "operationId": "thingRead",
        "requestBody": {
          "content": {
            "application/json": {
              "examples": {
                "it-is-gone": {
                  "value": {
                    "id": 1,
                    "jsonrpc": "2.0",
                    "method": "thing_read",
                    "params": [
                      "b",
                      1,
                    ],
                  },
                },
                "read-one": {
                  "value": {
                    "id": 1,
                    "jsonrpc": "2.0",
                    "method": "thing_read",
                    "params": [
                      "a",
                    ],
                  },
                },
              },
              "schema": {
                "properties": {
                  "id": {
                    "type": [
                      "string",
                      "number",
                      "null",
                    ],
                  },
                  "jsonrpc": {
                    "const": "2.0",
                  },
                  "method": {
                    "const": "thing_read",
                  },
                  "params": {
                    "items": false,
                    "minItems": 1,
                    "prefixItems": [
                      {
                        "$ref": "#/components/schemas/Id",
                      },
                      {
                        "type": "integer",
                      },
                    ],
                    "type": "array",
                  },
                },
                "required": [
                  "jsonrpc",
                  "method",
                  "params",
                ],
                "type": "object",
              },
            },
          },
          "required": true,
        },
        "responses": {
          "200": {
            "content": {
              "application/json": {
                "examples": {
                  "it-is-gone": {
                    "value": {
                      "error": {
                        "code": 7,
                        "message": "gone",
                      },
                      "id": 1,
                      "jsonrpc": "2.0",
                    },
                  },
                  "read-one": {
                    "value": {
                      "id": 1,
                      "jsonrpc": "2.0",
                      "result": "x",
                    },
                  },
                },
                "schema": {
                  "oneOf": [
                    {
                      "properties": {
                        "error": {
                          "not": {},
                        },
                        "id": {
                          "type": [
                            "string",
                            "number",
                            "null",
                          ],
                        },
                        "jsonrpc": {
                          "const": "2.0",
                        },
                        "result": {
                          "type": "string",
                        },
                      },
                      "required": [
                        "jsonrpc",
                        "id",
                        "result",
                      ],
                      "title": "Result",
                      "type": "object",
                    },
                    {
                      "properties": {
                        "error": {
                          "description": "Declared: 7 (gone).",
                          "properties": {
                            "code": {
                              "type": "integer",
                            },
                            "data": true,
                            "message": {
                              "type": "string",
                            },
                          },
                          "required": [
                            "code",
                            "message",
                          ],
                          "type": "object",
                        },
                        "id": {
                          "type": [
                            "string",
                            "number",
                            "null",
                          ],
                        },
                        "jsonrpc": {
                          "const": "2.0",
                        },
                        "result": {
                          "not": {},
                        },
                      },
                      "required": [
                        "jsonrpc",
                        "id",
                        "error",
                      ],
                      "title": "Error",
                      "type": "object",
                    },
                  ],
                },
              },
            },
            "description": "The result, or the error of the method.",
          },
        },
      },
    }
  `)
  expect(projected.servers).toMatchInlineSnapshot(`
    [
      {
        "description": "main",
        "url": "https://{host}/rpc/{key}",
        "variables": {
          "host": {
            "default": "h.example",
          },
          "key": {
            "default": "k",
          },
        },
      },
    ]
  `)
})

test('the projection refuses what the method refuses', async () => {
  const { default: Ajv } = createRequire(import.meta.url)('ajv/dist/2020.js') as {
    default: new (options: object) => { compile: (schema: object) => (value: unknown) => boolean }
  }
  const projected = projectRpc(await api()) as unknown as Projected
  const accepts = (name: string, value: unknown) => {
    const schema =
      projected.paths[`/${name}`]?.post.requestBody.content['application/json'].schema ?? {}
    const whole = { ...schema, components: projected.components }
    return new Ajv({ strict: false }).compile(whole)(value)
  }
  const call = (name: string, params?: unknown) => ({ jsonrpc: '2.0', id: 1, method: name, params })
  expect(
    [
      ['thing_read', call('thing_read', ['a'])],
      ['thing_read', call('thing_read', ['a', 1])],
      ['thing_read', call('thing_read', [])],
      ['thing_read', call('thing_read', ['a', 1, 2])],
      ['thing_read', call('thing_list', ['a'])],
      ['thing_list', { jsonrpc: '2.0', method: 'thing_list' }],
      ['thing_list', call('thing_list', [1])],
    ].map(([name, value]) => accepts(name as string, JSON.parse(JSON.stringify(value)))),
  ).toEqual([true, true, false, false, false, true, false])
})

type Projected = {
  readonly components: object
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: {
            readonly content: { readonly 'application/json': { readonly schema: object } }
          }
        }
      }
    >
  >
}
