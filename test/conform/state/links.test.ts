import { describe, expect, it } from 'vitest'
import { judgeSmall, type Serve } from '../http/small-server.js'

const leadingTo = (link: string, more = '') => ({
  paths: `
  /orders:
    post:
      operationId: order
      responses:
        '200':
          description: Taken.
          content: { application/json: { schema: { type: object } } }
          links: { next: ${link} }
  /orders/{id}:
    get:
      operationId: look
      parameters: [&id { name: id, in: path, required: true, schema: { type: string }, example: a }]
      responses: { '200': { description: There. }, '404': { description: Nothing. } }
    delete:
      operationId: cancel
      parameters: [*id]
      ${more}
      responses: { '204': { description: Gone. }, '400': { description: No. } }
`,
  methods: `
  - name: book_read
    x-idempotent: true
    params: [&id { name: id, required: true, schema: { type: string } }]
    result: { name: r, schema: {} }
  - name: book_write
    params: [*id]
    result: { name: r, schema: {} }
`,
})

const serve: Serve = ({ method, json }) => {
  if (method === 'DELETE') return { status: 400 }
  if (json) return { status: 200, body: { jsonrpc: '2.0', id: 1, result: null } }
  return method === 'POST' ? { status: 200, body: { id: 'a' } } : { status: 404 }
}

const id = '{ id: $response.body#/id }'

it('a polled record that links to the next one is no other response to the submission', async () => {
  const links = (names: string) =>
    `links: { ${names.split(' ').map((name) => `${name}: { operationId: look, parameters: { id: $response.body#/${name} } }`)} }`
  const paths = `
  /orders:
    post:
      operationId: order
      responses: { '200': { description: Taken., ${links('id')} } }
  /orders/{id}:
    get:
      operationId: look
      x-poll: { field: state, order: [open, done], terminal: [done] }
      parameters: [{ name: id, in: path, required: true, schema: { type: string }, example: a }]
      responses: { '200': { description: There., ${links('next')} } }
`
  const judge = (next: object) =>
    judgeSmall({ paths }, /followed/, ({ method, path }) => {
      if (method === 'POST') return { status: 200, body: { id: 'a' } }
      return { status: 200, body: { id: path.split('/').at(-1), state: 'done', ...next } }
    })
  expect((await judge({ next: 'b' })).rules).toEqual([])
})

describe('a 2xx that only a default beside a success describes', () => {
  it('is no resource that a link leads to', async () => {
    const { paths } = leadingTo(`{ operationId: look, parameters: ${id} }`)
    const declared = paths.replace(
      "'404': { description: Nothing. }",
      'default: { description: E. }',
    )
    const judge = (status: number) =>
      judgeSmall({ paths: declared }, /followed/, ({ method }) =>
        method === 'POST' ? { status: 200, body: { id: 'a' } } : { status },
      )
    expect((await judge(202)).rules).toEqual(['link-target-missing'])
    expect((await judge(200)).rules).toEqual([])
  })

  it('is no record with a state', async () => {
    const paths = `
  /orders:
    post:
      operationId: order
      responses:
        '200': { description: A., links: { it: { operationId: look, parameters: ${id} } } }
  /orders/{id}:
    get:
      operationId: look
      x-poll: { field: status, order: [open, done], terminal: [done] }
      parameters: [{ name: id, in: path, required: true, schema: { type: string }, example: a }]
      responses: { '200': { description: There. }, default: { description: A problem. } }
`
    let count = 0
    const { rules } = await judgeSmall({ paths }, /followed/, ({ method }) => {
      if (method === 'POST') return { status: 200, body: { id: 'a' } }
      count += 1
      const headers = { 'cache-control': 'no-store' }
      if (count === 2) return { status: 203, body: { status: 'done' }, headers }
      return { status: 200, body: { status: 'open' }, headers }
    })
    // The error is no final state that would change afterwards.
    expect(rules).toEqual([])
  })
})

describe('a link', () => {
  it.each([
    ['look', `{ operationId: look, parameters: ${id} }`],
    ['book_read', `{ x-rpc-method: book_read, parameters: ${id} }`],
  ])('to what is only read is followed: %s', async (_, link) => {
    const { rules } = await judgeSmall(leadingTo(link), /followed/, serve)
    expect(rules).toEqual(['link-target-missing'])
  })

  it.each([
    ['200', ['200', '2XX', 'default'], ['link-target-missing']],
    ['2XX', ['2XX', 'default'], ['link-target-missing']],
    ['default', ['default', '400'], ['link-target-missing']],
    ['default', ['200', 'default'], []],
    ['default', ['2XX', 'default'], []],
    ['2XX', ['200', '2XX'], []],
  ])('of the response %s is followed if it applies among %j', async (own, statuses, rules) => {
    const responses = statuses.map((status) => {
      const links = `links: { next: { operationId: look, parameters: ${id} } }`
      return `'${status}': { description: A., ${status === own ? links : ''} }`
    })
    const paths = leadingTo('').paths.replace(
      /responses:\s+'200':[\s\S]*?links.*/,
      `responses: { ${responses.join(', ')} }`,
    )
    expect((await judgeSmall({ paths }, /followed/, serve)).rules).toEqual(rules)
  })

  it.each([
    ['cancel', `{ operationId: cancel, parameters: ${id} }`, ''],
    [
      'cancel',
      `{ operationId: cancel, parameters: ${id} }`,
      'x-poll: { field: state, order: [a], terminal: [a] }',
    ],
    ['book_write', `{ x-rpc-method: book_write, parameters: ${id} }`, ''],
  ])('to what may change something is not: %s', async (name, link, more) => {
    const { rules, asked, skipped } = await judgeSmall(leadingTo(link, more), /followed/, serve)
    expect(rules).toEqual([])
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST http://small.test/orders',
    ])
    expect(skipped).toEqual([
      `order, the link next: ${name} is not known to be read-only, and links are followed repeatedly`,
    ])
  })
})
