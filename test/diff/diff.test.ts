import { describe, expect, it } from 'vitest'
import { diff } from '../../src/diff/diff.js'
import { findDocuments, loadApi } from '../../src/read/load.js'
import { changesOf, findingsOf, method, orders, TODAY } from './versions.js'

describe('diff', () => {
  it('finds nothing between a version and itself', async () => {
    const spec = () => loadApi(findDocuments('spec'))
    expect(diff(await spec(), await spec(), { today: TODAY })).toEqual([])
  })

  it.each([
    [
      'two params of one name',
      method('params: [{ name: a, schema: {} }, { name: a, schema: {} }]'),
    ],
    [
      'one code with two messages',
      method('errors: [{ code: -32050, message: none }, { code: -32050, message: gone }]'),
    ],
    [
      'two templates that differ in names alone',
      {
        http: `${orders('').http}  /orders/{name}: { get: { responses: { '200': { description: a } } } }\n`,
      },
    ],
    [
      'two servers of one template',
      orders(
        '',
        "servers: [{ url: 'https://{h}', variables: { h: { default: a } } }, { url: 'https://{h}', variables: { h: { default: b } } }]",
      ),
    ],
  ])('finds nothing between a version and itself that has %s', async (_, texts) => {
    expect(await changesOf(texts, texts)).toEqual([])
  })

  it('takes a document that is gone for all of its operations', async () => {
    const before = { ...orders(''), ...method('') }
    const changes = await changesOf(before, orders(''))
    expect(
      changes.map(({ rule, operations, location }) => [rule, operations, location.file]),
    ).toEqual([['operation-removed-without-deprecation', ['order_get'], 'old.openrpc.yaml']])
  })

  it('takes a document that is new for all of its operations', async () => {
    const changes = await changesOf(orders(''), { ...orders(''), ...method('') })
    expect(changes.map(({ rule, operations }) => [rule, operations])).toEqual([
      ['document-is-new', undefined],
      ['operation-added', ['order_get']],
    ])
  })

  it('says once what many operations share', async () => {
    const shared = (required: boolean) => ({
      http: `openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders: { get: { parameters: [{ $ref: '#/components/parameters/Page' }], responses: { '200': { description: ok } } } }
  /items: { get: { parameters: [{ $ref: '#/components/parameters/Page' }], responses: { '200': { description: ok } } } }
  /users: { get: { x-stability-level: beta, parameters: [{ $ref: '#/components/parameters/Page' }], responses: { '200': { description: ok } } } }
components: { parameters: { Page: { in: query, name: page, required: ${required}, schema: { type: integer } } } }
`,
    })
    const [change, ...others] = await changesOf(shared(false), shared(true))
    expect(others).toEqual([])
    expect(change).toMatchObject({
      level: 'error',
      message:
        'the query parameter `page` of GET /orders is required now: callers who omit it may be rejected (and 2 more operations)',
      operations: ['GET /orders', 'GET /items', 'GET /users'],
      location: { file: 'new.openapi.yaml', line: 7 },
      before: { file: 'old.openapi.yaml', line: 7 },
    })
  })

  it('says both of two things of one place', async () => {
    const scheme = (name: string) => `${name}: { type: apiKey, in: header, name: ${name} }`
    const rest = `components: { securitySchemes: { ${['A', 'B', 'C'].map(scheme).join(', ')} } }`
    const text = await findingsOf(
      orders('security: [{ A: [] }, { B: [] }]', rest),
      orders('security: [{ C: [] }]', rest),
    )
    expect(text).toContain('no longer accepts A')
    expect(text).toContain('no longer accepts B')
  })

  it('tells what matters most first', async () => {
    const changes = await changesOf(
      orders('parameters: [{ in: query, name: a, schema: {} }]'),
      orders(
        "deprecated: true\nx-sunset: '2030-01-31'\nrequestBody: { required: true, content: {} }",
      ),
    )
    expect(changes.map(({ level }) => level)).toEqual(['error', 'warning', 'note'])
  })

  it('says how far it has come', async () => {
    const steps: string[] = []
    const spec = await loadApi(findDocuments('spec'))
    diff(spec, spec, { today: TODAY, onProgress: (done, total) => steps.push(`${done}/${total}`) })
    expect(steps[0]).toBe(`0/${spec.operations.length}`)
  })
})
