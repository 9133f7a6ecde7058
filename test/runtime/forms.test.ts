import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHttp } from 'twinspec/runtime/http'
import { createServerCore } from 'twinspec/runtime/server'
import { validator } from 'twinspec/runtime/validate'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Operation } from '../../src/model/api.js'
import { operationRecord } from '../../src/model/operation-record.js'
import type { HttpOperation } from '../../src/runtime/operation.js'
import { folderOf, twinspec } from '../cli/command-line.js'
import { importFile } from '../emit/generated-code.js'
import { diagnose } from '../emit/strictest.js'
import { apiOf, openapiOf } from '../read/api-of.js'
import { contentOf, declaredResponses } from './declared.js'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const open = { check: () => true, open: () => true }

const DEEP = { style: 'deepObject', explode: true } as const
const ENCODINGS = {
  filter: DEEP,
  items: DEEP,
  photo: { isFile: true, contentType: 'image/png, image/jpeg' },
  sound: { isFile: true, contentType: 'audio/wav' },
} as const

const operation: HttpOperation = {
  kind: 'http',
  id: 'send',
  method: 'POST',
  path: '/send',
  servers: [],
  parameters: [
    { name: 'filter', in: 'query', required: false, style: 'deepObject', explode: true },
  ],
  body: {
    required: true,
    content: contentOf([FORM, MULTIPART]).map((one) => ({ ...one, encoding: ENCODINGS })),
  },
  responses: declaredResponses({ 204: [] }),
  security: [],
  schemes: {},
}

const fields = validator(() => ({
  type: 'object',
  properties: {
    filter: { type: 'object', additionalProperties: true },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          price: { type: 'integer' },
          tags: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    names: { type: 'array', items: { type: 'string' } },
    photo: { type: 'string' },
    sound: { type: 'string' },
    title: { type: 'string' },
    about: { type: 'object', properties: { n: { type: 'integer' } } },
  },
}))

let body: unknown
const service = {
  http: { servers: [], operations: { send: operation } },
  validators: { send: { fields, responses: {}, parameters: {} } },
}
const handlers = {
  send: (input: { readonly body: unknown }) => {
    body = input.body
    return { status: 204 }
  },
}
const server = createServerCore(service, handlers)

beforeEach(() => {
  body = undefined
})

const post = (text: string, type: string = FORM, query = '') =>
  server.handle({
    method: 'POST',
    url: `/send${query}`,
    headers: { 'content-type': type },
    body: text,
  })

describe('urlencoded forms', () => {
  it.each([
    ['many names', Array.from({ length: 50_000 }, (_, at) => at.toString(36)).join('&')],
    ['a name many times', 'names=a&'.repeat(50_000)],
    ['a key many times', 'filter[a]=1&'.repeat(50_000)],
    ['empty brackets many times', 'items[]=1&'.repeat(20_000)],
    ['many keys', Array.from({ length: 50_000 }, (_, at) => `filter[${at}]=1`).join('&')],
    [
      'many invalid items',
      Array.from({ length: 20_000 }, (_, at) => `items[${at}][price]=x`).join('&'),
    ],
  ])('%s are read within seconds', async (_, text) => {
    const patient = createServerCore(service, handlers, { mostMembers: 1_000_000 })
    const start = process.cpuUsage()
    const headers = { 'content-type': FORM }
    const { status } = await patient.handle({ method: 'POST', url: '/send', headers, body: text })
    expect([204, 400]).toContain(status)
    // Three times as many fields took minutes, in which the server answered nobody.
    expect(process.cpuUsage(start).user).toBeLessThan(15e6)
  })

  it.each([150, 1_500])('%d numbers are converted, and a text of digits is not', async (count) => {
    const names = Array.from({ length: count }, (_, at) => `n${at}`)
    const numbers = names.map((name) => [name, { type: 'integer' }] as const)
    const wide = validator(() => ({
      type: 'object',
      properties: { code: { type: 'string' }, ...Object.fromEntries(numbers) },
      required: ['code', ...names],
    }))
    const { handle } = createServerCore(
      { ...service, validators: { send: { fields: wide, responses: {}, parameters: {} } } },
      handlers,
    )
    const text = `code=7&${names.map((name) => `${name}=1`).join('&')}`
    const headers = { 'content-type': FORM }
    const { status } = await handle({ method: 'POST', url: '/send', headers, body: text })
    expect(status).toBe(204)
    expect(body).toMatchObject({ code: '7', n0: 1, [`n${count - 1}`]: 1 })
  })

  it.each([
    ['10,000 by default', undefined, 10_000],
    ['as many as an object of JSON may have members', 3, 3],
  ])('fields are counted before they are read: %s', async (_, mostMembers, most) => {
    const options = mostMembers === undefined ? {} : { mostMembers }
    const { handle } = createServerCore(service, handlers, options)
    const headers = { 'content-type': FORM }
    for (const [count, expected] of [
      [most, 204],
      [most + 1, 400],
    ] as const) {
      const text = Array(count).fill('names=a').join('&')
      const { status } = await handle({ method: 'POST', url: '/send', headers, body: text })
      expect([count, status]).toEqual([count, expected])
    }
  })

  it.each<[string, unknown]>([
    [
      'items[][price]=1&items[][tags][]=a&items[][price]=2',
      { items: [{ price: 1, tags: ['a'] }, { price: 2 }] },
    ],
    ['items[1][price]=2&items[0][price]=1', { items: [{ price: 1 }, { price: 2 }] }],
    ['filter[a][]=x&filter[a][]=y&filter[b]=', { filter: { a: ['x', 'y'], b: '' } }],
  ])('%s', async (text, expected) => {
    expect([(await post(text)).status, body]).toEqual([204, expected])
  })

  it.each([
    ['a text in the place of an item', 'items[0]=1'],
    ['a text in the place of all items', 'items=1'],
  ])('%s is rejected, and not made an object', async (_, text) => {
    expect([(await post(text)).status, body]).toEqual([400, undefined])
  })

  it.each([
    ['an open bracket', 'filter[a=1'],
    ['brackets in brackets', 'filter[a[b]]=1'],
    ['more levels than anybody needs', `filter${'[a]'.repeat(17)}=1`],
  ])('%s is no part of the object', async (_, text) => {
    await post(text)
    expect(body).not.toHaveProperty('filter')
    const { status } = await post('title=x', FORM, `?${text}`)
    expect(status).toBe(400)
  })
})

it('a part without a media type has the declared one only where that is one', async () => {
  const part = (name: string) =>
    `--X\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\nx\r\n`
  const { status } = await post(
    `${part('photo')}${part('sound')}--X--\r\n`,
    `${MULTIPART}; boundary=X`,
  )
  expect([status, body]).toMatchObject([
    204,
    { photo: { type: 'application/octet-stream' }, sound: { type: 'audio/wav' } },
  ])
})

it('a field is a text if only `not` describes it as a file', async () => {
  const schema = {
    properties: { title: { type: 'string' } },
    not: { properties: { title: { type: 'string', format: 'binary' } } },
  }
  const post = {
    operationId: 'send',
    requestBody: { content: { [MULTIPART]: { schema } } },
    responses: { 204: { description: 'Sent.' } },
  }
  const api = await apiOf({ openapi: openapiOf({ paths: { '/send': { post } } }) })
  const send = operationRecord(api.operations[0] as Operation, api) as HttpOperation
  const { handle } = createServerCore(
    { ...service, http: { servers: [], operations: { send } } },
    handlers,
  )
  const part = '--X\r\nContent-Disposition: form-data; name="title"\r\n\r\nA title\r\n--X--'
  const headers = { 'content-type': `${MULTIPART}; boundary=X` }
  const { status } = await handle({ method: 'POST', url: '/send', headers, body: part })
  expect([status, body]).toEqual([204, { title: 'A title' }])
})

it.each<[string, number, unknown]>([
  ['{"n":1}', 204, { about: { n: 1 } }],
  ['{"n":"1"}', 400, undefined],
  ['{"n":', 400, undefined],
])('a part of JSON is what it says: %s', async (json, expected, read) => {
  const head =
    '--X\r\nContent-Disposition: form-data; name="about"\r\nContent-Type: application/json'
  const { status } = await post(`${head}\r\n\r\n${json}\r\n--X--`, `${MULTIPART}; boundary=X`)
  expect([status, body]).toEqual([expected, read])
})

it('what is written within quotes is no parameter of a part', async () => {
  const disposition = 'form-data; filename="a; name=title.txt"; name="photo"'
  await post(
    `--X\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--X--\r\n`,
    `${MULTIPART}; boundary=X`,
  )
  expect(body).toMatchObject({ photo: { name: 'a; name=title.txt', size: 1 } })
})

it.each([
  ['a query', { query: { filter: { 'a[b]': '1' } }, body: {} }, '/query/filter'],
  ['a form', { body: { filter: { a: { 'b]': '1' } } } }, '/body'],
  ['a multipart form', { body: { filter: { '[': 1 } }, contentType: MULTIPART }, '/body'],
])('a key with a bracket is not sent as another key, in %s', async (_, input, pointer) => {
  type Client = { readonly send: (input: object) => Promise<unknown> }
  let count = 0
  const client = createHttp<Client>(
    { servers: [], limits: {}, operations: { send: operation } },
    { send: { responses: { 204: open }, parameters: {} } },
    {
      server: 'http://127.0.0.1:1',
      fetch: async () => {
        count += 1
        return new Response(null, { status: 204 })
      },
    },
  )
  await expect(client.send({ contentType: FORM, ...input })).rejects.toMatchObject({
    reason: 'invalid-input',
    issues: [{ pointer }],
  })
  await client.send({ contentType: FORM, body: { filter: { a: 1 } } })
  expect(count).toBe(1)
})

describe('OpenAPI 3.2: the parts of multipart/mixed have positions', () => {
  const DOCUMENT = `openapi: 3.2.0
info: { title: T, version: '1' }
paths:
  /tuple:
    post:
      operationId: tuple
      requestBody:
        required: true
        content:
          multipart/mixed:
            schema:
              type: array
              minItems: 2
              prefixItems:
                - { type: object, required: [id], properties: { id: { type: integer } } }
                - { type: string, format: binary }
              items: { type: string }
            prefixEncoding:
              - { contentType: application/problem+json }
              - { contentType: image/png, headers: { X-Fixed: { schema: { const: a } } } }
            itemEncoding: { contentType: text/csv }
      responses: { '204': { description: Taken. } }
  /list:
    post:
      operationId: list
      requestBody:
        required: true
        content:
          multipart/related; type="text/plain":
            itemSchema: { type: [string, array, 'null'] }
      responses: { '204': { description: Taken. } }
`
  const USE = `import { createHttpClient } from './http.client.js'
const client = createHttpClient()
export const calls = () => [
  client.tuple({ body: [{ id: 1 }, new Uint8Array(1), 'a', 'b'] }),
  client.tuple({ body: 'bytes or text that is already written' }),
  client.list({ body: ['a', [1], null] }),
  // @ts-expect-error the second part is required
  client.tuple({ body: [{ id: 1 }] }),
  // @ts-expect-error the id is an integer
  client.tuple({ body: [{ id: 'a' }, new Blob([])] }),
]
`
  const generated = async () => {
    const folder = await folderOf({ 'api.yaml': DOCUMENT })
    const out = join(folder, 'out')
    const args = ['--openapi', join(folder, 'api.yaml'), '--with', 'server,typebox', '--out', out]
    expect(await twinspec('generate', ...args)).toMatchObject({ code: 0 })
    return out
  }

  it('clients send them in order with their media types', async () => {
    type Client = Readonly<Record<'tuple' | 'list', (input: object) => Promise<unknown>>>
    type Exports = { readonly createHttpClient: (options: object) => Client }
    const { createHttpClient } = await importFile<Exports>(await generated(), 'http.client.ts')
    const sent: Request[] = []
    const fetch = async (url: string, init: RequestInit) => {
      sent.push(new Request(url, init))
      return new Response(null, { status: 204 })
    }
    const client = createHttpClient({ server: 'http://127.0.0.1:1', fetch })
    await client.tuple({ body: [{ id: 1 }, new Blob(['png']), 'a', 'b'] })
    await client.list({ body: ['ä', [1, 2], null] })
    const read = await Promise.all(
      sent.map(async (request) => {
        const type = request.headers.get('content-type') ?? ''
        const boundary = type.split('boundary=')[1] ?? ''
        return [type, await request.text()].map((text) => text.replaceAll(boundary, 'X'))
      }),
    )
    const lines = (...all: readonly string[]) => all.map((line) => `${line}\r\n`).join('')
    const part = (type: string, text: string) => ['--X', `Content-Type: ${type}`, '', text]
    expect(read).toEqual([
      [
        'multipart/mixed; boundary=X',
        lines(
          ...part('application/problem+json', '{"id":1}'),
          ...part('image/png\r\nX-Fixed: a', 'png'),
          ...[...part('text/csv', 'a'), ...part('text/csv', 'b')],
          '--X--',
        ),
      ],
      [
        'multipart/related; type="text/plain"; boundary=X',
        lines(
          ...part('text/plain; charset=utf-8', 'ä'),
          ...[...part('application/json', '[1,2]'), ...part('application/json', 'null')],
          '--X--',
        ),
      ],
    ])
  })

  it('clients have the types of the parts', async () => {
    const out = await generated()
    const names = readdirSync(out).filter((name) => name.endsWith('.ts') && name !== 'schemas.ts')
    const files = names.map((name) => [name, readFileSync(join(out, name), 'utf8')] as const)
    expect(diagnose(new Map([...files, ['use.ts', USE]]))).toEqual([])
  })
})
