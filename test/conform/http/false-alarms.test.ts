import { describe, expect, it } from 'vitest'
import { judgeSmall, type Serve } from './small-server.js'

const taking = (schema: string, example: string, type = 'application/json') => ({
  paths: `
  /things:
    post:
      operationId: put
      requestBody:
        required: true
        content:
          ${type}:
            schema: ${schema}
            examples: { one: { value: ${example} } }
      responses:
        '200': { description: Taken. }
        '400': { description: Refused. }
        '415': { description: Refused. }
`,
})

/** Takes what is JSON, and nothing else. */
const anyJson: Serve = ({ json }) => ({ status: json === undefined ? 400 : 200 })

describe('a body that is broken', () => {
  it.each([
    ['a list without a text', '{ type: array, items: { type: integer } }', '[1, 2]'],
    ['a number', '{ type: integer }', '5'],
    ['a flag', '{ type: boolean }', 'true'],
    ['a text', '{ type: string }', 'text'],
  ])('of %s is one that no reader of JSON takes', async (_, schema, example) => {
    const which = /single quotes|twice in one|comma|truncated|comment|no JSON|UTF-8|line feed/
    const { rules, names } = await judgeSmall(taking(schema, example), which, anyJson)
    expect(rules).toEqual([])
    expect(names).toContain('put, a comment before JSON')
  })
})

describe('the letters of a media type', () => {
  it('are changed in its name alone, and it is given one charset', async () => {
    const type = 'application/json; charset=utf-8; profile=Small'
    const { asked, rules } = await judgeSmall(
      taking('{ type: object }', '{}', `'${type}'`),
      /said to be application\/json/i,
      ({ headers }) => ({
        status: /profile=Small$/.test(headers['content-type'] ?? '') ? 200 : 415,
      }),
    )
    const types = new Set(asked.map(({ headers }) => headers['content-type']))
    expect([...types]).toEqual(['APPLICATION/JSON; charset=utf-8; profile=Small'])
    expect(rules).toEqual([])
  })
})

describe('an entity-tag that no answer ever had', () => {
  it('is one as HTTP writes them', async () => {
    const paths = `
  /things:
    get:
      operationId: look
      responses: { '200': { description: There. } }
`
    const { asked } = await judgeSmall({ paths }, /with a condition/, () => ({ status: 200 }))
    // RFC 9110, 8.8.3: etagc is no blank and no quote.
    expect(asked[0]?.headers['if-none-match']).toMatch(/^"[\x21\x23-\x7e]+"$/)
  })
})

describe('a field that nobody declares', () => {
  const form = (name: string, closed: boolean) =>
    `{ type: object, additionalProperties: ${!closed}, required: [${name}], properties: { ${name}: { type: string } } }`
  const paths = `
  /things:
    post:
      operationId: put
      x-variants:
        open: { request: { $ref: '#/components/schemas/Open' }, responses: [], errors: [], example: open }
        closed: { request: { $ref: '#/components/schemas/Closed' }, responses: [], errors: [], example: closed }
      requestBody:
        required: true
        content:
          application/json:
            schema: { oneOf: [{ $ref: '#/components/schemas/Open' }, { $ref: '#/components/schemas/Closed' }] }
            examples: { open: { value: { a: x } }, closed: { value: { b: x } } }
      responses:
        '200': { description: Taken. }
        '400': { description: Refused. }
components:
  schemas:
    Open: ${form('a', false)}
    Closed: ${form('b', true)}
`

  it('may be taken where a form is open and refused where it is closed', async () => {
    const { ways } = await judgeSmall({ paths }, /nobody declares/, ({ json }) => {
      const names = Object.keys(json as object)
      return { status: names.includes('a') || names.length === 1 ? 200 : 400 }
    })
    expect(ways).toEqual({
      'http-unknown-field of put, where it is not declared': ['accepted'],
      'http-unknown-field of put, where it is ruled out': ['rejected'],
    })
  })
})

describe('a UUID that nobody knows', () => {
  const lookup = (statuses: string, schema = '{ type: string, format: uuid }') => ({
    paths: `
  /tenants/{id}/orders:
    get:
      operationId: orders
      parameters:
        - { name: id, in: path, required: true, schema: ${schema}, example: 0b8e4d57-3f1a-4c62-9e80-d2a7c5164f3b }
      responses:
        '200': { description: A list., content: { application/json: { schema: { type: array } } } }
        '400': { description: Refused. }
${statuses}`,
  })
  const none = `        '404': { description: Nobody. }\n`
  const list: Serve = () => ({ status: 200, body: [] })

  it('may have an empty list, unless 404 is declared', async () => {
    const open = await judgeSmall(lookup(''), /an unknown UUID$/, list)
    expect(open.rules).toEqual([])
    expect(open.skipped).toEqual([
      'orders, id, an unknown UUID: it declares no 404, so the response to an unknown identifier is not defined',
    ])
    const { rules } = await judgeSmall(lookup(none), /an unknown UUID$/, list)
    expect(rules).toEqual(['unknown-identifier-found'])
  })

  it('is asked for in capitals only where its schema takes them', async () => {
    const small = '{ type: string, pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" }'
    expect((await judgeSmall(lookup(none, small), /in capitals/, list)).names).toEqual([])
    expect((await judgeSmall(lookup(none), /in capitals/, list)).names).toHaveLength(1)
  })
})

describe('a limit that is looked for', () => {
  it('is reported as not tested for what came, not for how many requests there could have been', async () => {
    const paths = `
  /things:
    get:
      operationId: look
      responses: { '200': { description: There. }, '429': { description: Too many. } }
`
    let count = 0
    const { skipped, asked } = await judgeSmall({ paths }, /more often/, () =>
      ++count < 8 ? { status: 200 } : 'the connection was closed',
    )
    expect(asked).toHaveLength(8)
    expect(skipped).toEqual([
      'look, more often than is allowed: request 8 got no response: the connection was closed',
    ])
  })
})

describe('an operation that declares no responses', () => {
  const paths = `
  /things:
    get:
      operationId: look
`
  it.each<readonly [number, readonly string[]]>([
    [200, []],
    [404, []],
    [500, ['server-fails']],
  ])('may answer %i unless it is a failure', async (status, expected) => {
    const { always } = await judgeSmall({ paths }, /./, () => ({ status }))
    expect([...new Set(always)]).toEqual(expected)
  })
})

describe('a range of bytes', () => {
  const paths = `
  /things:
    get:
      operationId: look
      responses:
        '200': { description: All., content: { application/json: { schema: { type: object } } } }
        '206': { description: A page. }
        '416': { description: No such page. }
`
  it.each(['none', 'items'])('is not asked of a server that has ranges of %s', async (units) => {
    const { rules, asked, skipped } = await judgeSmall({ paths }, /parts of it/, () => ({
      ...{ status: 200, body: { a: 1 } },
      headers: { 'accept-ranges': units },
    }))
    expect(rules).toEqual([])
    expect(asked.length).toBe(1)
    expect(skipped).toEqual([`look, parts of it: Accept-Ranges of its response is ${units}`])
  })
})

describe('concurrent writes', () => {
  const found = (name: string) => `
  /${name}/{id}:
    get:
      operationId: ${name}
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: Found. } }
`
  const link = (name: string) =>
    `{ operationId: ${name}, parameters: { id: '$response.body#/${name}' } }`
  const paths = `
  /orders:
    post:
      operationId: order
      responses:
        '201':
          description: Ordered.
          content: { application/json: { schema: { type: object } } }
          links: { one: ${link('orders')}, two: ${link('customers')} }
${found('orders')}${found('customers')}`

  it.each([
    ['have one customer', (count: number) => ({ orders: `o${count}`, customers: 'c1' }), []],
    ['get the first response again', () => ({ orders: 'o1', customers: 'c1' }), []],
    [
      'get one identifier',
      (count: number) => ({ orders: `o${Math.floor(count / 2)}`, customers: 'c1' }),
      ['concurrent-writes-mixed-up'],
    ],
  ])('that %s', async (_, body, expected) => {
    let count = 0
    const { rules } = await judgeSmall({ paths }, /50 at once/, () => {
      count += 1
      return { status: 201, body: body(count) }
    })
    expect(rules).toEqual(expected)
  })
})
