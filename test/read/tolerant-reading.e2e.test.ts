import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { diagnose } from '../emit/strictest.js'
import { runText } from '../emit/validators/written.js'

const generatedFrom = async (kind: 'openapi' | 'openrpc', document: object) => {
  const folder = await folderOf({ 'api.json': JSON.stringify(document) })
  const out = join(folder, 'out')
  const args = [`--${kind}`, join(folder, 'api.json')]
  const { code, stderr } = await twinspec(
    'generate',
    ...args,
    '--with',
    'server,typebox',
    '--out',
    out,
  )
  const read = (name: string) => readFileSync(join(out, name), 'utf8')
  return { code, stderr, read, args }
}

const openrpc = (method: object, schemas: object = {}, more: object = {}) => ({
  openrpc: '1.2.6',
  info: { title: 'T', version: '1' },
  methods: [{ name: 'read_value', params: [], result: { name: 'r', schema: {} }, ...method }],
  components: { schemas },
  ...more,
})

describe('schemas of real documents that are wrong in a part', () => {
  it.each([
    [
      'a text in place of a schema (Bitcoin Core 30)',
      { properties: { a: 'see below', b: { type: 'integer' } } },
      'schema-is-no-object',
      [{ b: 1, a: [] }, { b: 'x' }],
    ],
    [
      'the name of a type in place of a schema',
      { properties: { a: 'string' } },
      'schema-is-no-object',
      [{ a: 'x' }, { a: 1 }],
    ],
    [
      'the type any',
      { properties: { a: { type: 'any' }, b: { type: 'integer' } } },
      'schema-type-is-unknown',
      [{ a: [], b: 1 }, { b: 'x' }],
    ],
    [
      'a type of another language',
      { properties: { a: { type: 'bool' } } },
      'schema-type-is-unknown',
      [{ a: true }, { a: 'x' }],
    ],
    [
      'a pattern of another language',
      { properties: { a: { type: 'string', pattern: '(?i)x' } } },
      'pattern-does-not-compile',
      [{ a: 'X' }, { a: 1 }],
    ],
    [
      'a length that is a text',
      { properties: { a: { type: 'string', maxLength: 'three' } } },
      'schema-keyword-invalid',
      [{ a: 'abcd' }, { a: 1 }],
    ],
    [
      'a length in quotes',
      { properties: { a: { type: 'string', maxLength: '3' } } },
      'schema-keyword-invalid',
      [{ a: 'abc' }, { a: 'abcd' }],
    ],
  ])('%s is a warning, and the rest is read', async (_, schema, rule, [good, bad]) => {
    const { code, stderr, read } = await generatedFrom(
      'openrpc',
      openrpc({}, { Value: { type: 'object', ...schema } }),
    )
    expect(code).toBe(0)
    expect(stderr).toMatch(new RegExp(`api\\.json:1:\\d+ warning .*\\[${rule}\\]`))
    const { Value } = await runText(read('validators.ts'))
    expect([Value?.check(good), Value?.check(bad)]).toEqual([true, false])
  })

  it('keywords of other drafts are read, or are annotations', async () => {
    const { code, stderr, read } = await generatedFrom('openapi', {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: {},
      components: {
        schemas: {
          Value: {
            id: 'value',
            $recursiveAnchor: true,
            definitions: { Size: { type: 'integer' } },
            type: 'object',
            properties: {
              size: { $ref: '#/components/schemas/Value/definitions/Size' },
              pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
            },
            dependencies: { size: ['pair'] },
          },
        },
      },
    })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const { Value } = await runText(read('validators.ts'))
    const values = [
      { size: 1, pair: ['a'] },
      { size: 'x', pair: [] },
      { size: 1 },
      { pair: ['a', 'b'] },
    ]
    expect(values.map((value) => Value?.check(value))).toEqual([true, false, false, false])
  })
})

it('a param that is a reference to a schema is an error with its place', async () => {
  const { code, stderr, read } = await generatedFrom(
    'openrpc',
    openrpc({ params: [{ $ref: '#/components/schemas/Value' }] }, { Value: { type: 'string' } }),
  )
  expect(code).toBe(0)
  expect(read('rpc.types.ts')).toContain('param1?: Value')
  expect(stderr).toMatch(/api\.json:1:\d+ error a param needs a name.*\[param-has-no-name\]/)
  expect(stderr).not.toContain('fault of twinspec')
})

describe('OpenRPC 1.0 to 1.4', () => {
  it('1.0: tags are texts, and params are by position or by name', async () => {
    const { code, stderr, read } = await generatedFrom(
      'openrpc',
      openrpc(
        {
          tags: ['wallet'],
          params: [{ name: 'size', required: true, schema: { type: 'integer' } }],
          result: { schema: { type: 'string' } },
        },
        {},
        { openrpc: '1.0.0', tags: [{ name: 'wallet' }] },
      ),
    )
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(read('operations.ts')).toContain("paramStructure: 'either'")
    expect(stderr).not.toMatch(/(error|warning) [^\n]*tags/)
    expect(stderr).toMatch(/warning result must have the property `name`.*\[field-is-missing\]/)
  })

  it('1.2: a param may be a choice of several', async () => {
    const { code, read } = await generatedFrom(
      'openrpc',
      openrpc({
        params: [
          {
            oneOf: [
              { name: 'block', required: true, schema: { type: 'integer' } },
              { name: 'block', required: true, schema: { type: 'string' } },
            ],
          },
        ],
      }),
    )
    expect(code).toBe(0)
    expect(read('rpc.types.ts')).toMatch(/block: number \| string/)
  })

  it.each(['1.3.0-rc1', '1.4.0'])('%s is read', async (version) => {
    const { code } = await generatedFrom('openrpc', openrpc({}, {}, { openrpc: version }))
    expect(code).toBe(0)
  })

  it('a later minor version is read with a warning', async () => {
    const { code, stderr } = await generatedFrom('openrpc', openrpc({}, {}, { openrpc: '1.7.0' }))
    expect(code).toBe(0)
    expect(stderr).toMatch(/warning .*OpenRPC 1\.7\.0.*read as 1\.4.*\[document-version-is-newer\]/)
  })
})

it('required names beside an allOf of a nullable schema give types that compile', async () => {
  const schema = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } })
  const { code, read } = await generatedFrom('openapi', {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } },
          },
          responses: { 204: { description: 'Done' } },
        },
      },
    },
    components: {
      schemas: {
        Item: {
          allOf: [{ $ref: '#/components/schemas/Base' }, { nullable: true }],
          required: ['x', 'y'],
        },
        Base: {
          type: 'object',
          nullable: true,
          additionalProperties: true,
          properties: schema('x').properties,
        },
      },
    },
  })
  expect(code).toBe(0)
  const names = [
    'http.types.ts',
    'http.client.ts',
    'operations.ts',
    'validators.ts',
    'schemas.ts',
    'explanations.ts',
  ]
  expect(diagnose(new Map(names.map((name) => [name, read(name)])), 'strict')).toEqual([])
})
