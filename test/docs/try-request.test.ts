import { beforeAll, describe, expect, it } from 'vitest'
import {
  checkHttpResponse,
  type ReceivedHttpResponse,
} from '../../src/docs/page/try/check-http-response.js'
import { rpcComplaints, rpcRequest } from '../../src/docs/page/try/check-rpc-response.js'
import { checksOf, type DocumentChecks } from '../../src/docs/page/try/checks.js'
import type { HttpTry, RpcTry } from '../../src/docs/page/try/data.js'
import { bodyKind, type EnteredInput, httpRequest } from '../../src/docs/page/try/http-request.js'
import { pretty } from '../../src/docs/page/try/response-view.js'
import { relocatedServer, resolvePlace, serverChoices } from '../../src/docs/page/try/where-form.js'
import { exactCommand, maskedCommand, unsendable } from '../../src/docs/page/try/wire.js'
import { plainText } from '../../src/docs/prose.js'
import { tryData } from '../../src/docs/try-data.js'
import { createSampler } from '../../src/schema/readable.js'
import { SHOP } from './fixture-shop.js'
import { apiOfData } from './site-of.js'

const NAMES = {
  openrpc: '1.3.2',
  info: { title: 'Names', version: '1' },
  methods: ['by-name', 'either'].map((paramStructure) => ({
    name: paramStructure,
    paramStructure,
    params: [
      { name: 'who', required: true, schema: { type: 'string' } },
      { name: 'loud', schema: { type: 'boolean' } },
    ],
    result: { name: 'ok', schema: { type: 'boolean' } },
  })),
}

let put: HttpTry
let byName: RpcTry
let either: RpcTry
let checks: DocumentChecks

beforeAll(async () => {
  const api = await apiOfData({ openapi: SHOP, openrpc: NAMES })
  const [first, second, third] = api.operations.map((operation) => tryData(api, operation))
  if (first?.kind !== 'http' || second?.kind !== 'rpc' || third?.kind !== 'rpc')
    throw new Error('not as written')
  ;[put, byName, either] = [first, second, third]
  checks = checksOf(put)
})

const given = (change: Partial<EnteredInput> = {}): EnteredInput => ({
  parameters: { 'path.id': '7', 'query.strict': 'true' },
  type: 'application/json',
  body: '{"name":"x"}',
  files: {},
  credentials: { token: 'secret' },
  ...change,
})

const written = (change?: Partial<EnteredInput>) =>
  httpRequest(put, checks, 'https://shop.example/v1', given(change))

it('marks the field of a parameter whose name has a slash', async () => {
  const parameters = [{ name: 'a/b', in: 'query', required: true, schema: { type: 'string' } }]
  const get = { parameters, responses: { 200: { description: 'Read.' } } }
  const info = { title: 'Slash', version: '1' }
  const api = await apiOfData({ openapi: { openapi: '3.1.0', info, paths: { '/a': { get } } } })
  const [data] = api.operations.map((operation) => tryData(api, operation))
  if (data?.kind !== 'http') throw new Error('not as written')
  const asked = given({ parameters: {}, credentials: {}, body: '' })
  const { complaints } = await httpRequest(data, checksOf(data), 'https://shop.example', asked)
  expect(complaints).toMatchObject([{ field: 'query.a/b', whose: 'a/b', pointer: '' }])
})

it('a list of items is entered as a JSON list, and sent as lines', async () => {
  const itemSchema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }
  const requestBody = { required: true, content: { 'application/jsonl': { itemSchema } } }
  const post = { requestBody, responses: { 200: { description: 'Added.' } } }
  const info = { title: 'Lines', version: '1' }
  const api = await apiOfData({ openapi: { openapi: '3.2.0', info, paths: { '/a': { post } } } })
  const [data] = api.operations.map((operation) => tryData(api, operation))
  if (data?.kind !== 'http') throw new Error('not as written')
  const sendOf = async (body: string) => {
    const asked = given({ parameters: {}, credentials: {}, type: 'application/jsonl', body })
    return await httpRequest(data, checksOf(data), 'https://shop.example', asked)
  }
  const { wire, complaints } = await sendOf('[{ "id": 1 },\n { "id": 12345678901234567890 }]')
  expect(complaints).toEqual([])
  expect(wire).toMatchObject({
    headers: { 'content-type': 'application/jsonl' },
    body: '{"id":1}\n{"id":12345678901234567890}\n',
  })
  expect((await sendOf('[{ "id": "x" }]')).complaints).toMatchObject([
    { field: 'body', pointer: '/0/id' },
  ])
})

const complaints = async (change: Partial<EnteredInput>) =>
  (await written(change)).complaints.map(
    ({ field, whose, pointer, message }) => `${field} | ${whose} ${pointer} ${message}`,
  )

describe('an HTTP request of the try-it', () => {
  it('is the one that the document asks for', async () => {
    const { wire, complaints: wrong } = await written({
      parameters: {
        'path.id': '7',
        'query.tag': '["aa","b c"]',
        'query.where': '{"size":{"min":1}}',
        'query.strict': 'false',
        'query.code': '0123',
        'header.X-Trace': 'a',
      },
    })
    expect(wrong).toEqual([])
    expect(wire).toEqual({
      method: 'PUT',
      url: 'https://shop.example/v1/things/7?tag=aa&tag=b%20c&where%5Bsize%5D%5Bmin%5D=1&strict=false&code=0123',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-trace': 'a',
        authorization: 'Bearer secret',
      },
      body: '{"name":"x"}',
    })
  })

  it('carries credentials as their schemes say, the first that are given whole', async () => {
    const { wire } = await written({ credentials: { headerKey: 'h', queryKey: 'q/1' } })
    expect(wire?.url).toBe('https://shop.example/v1/things/7?strict=true&key=q%2F1')
    expect(wire?.headers).toMatchObject({ 'x-key': 'h' })
    expect(await complaints({ credentials: { headerKey: 'h' } })).toEqual([
      'auth. | the request  needs the credentials token, or queryKey',
    ])
    const anyway = await written({ credentials: { headerKey: 'h' } })
    expect(anyway.wire?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
    })
  })

  it('writes each media type as it is, and JSON letter by letter', async () => {
    const bodyOf = async (change: Partial<EnteredInput>) => (await written(change)).wire?.body
    expect(await bodyOf({ body: '{ "name": "x", "count": 12345678901234567890 }' })).toBe(
      '{ "name": "x", "count": 12345678901234567890 }',
    )
    const fields = { body: '{"name":"a b","count":2}' }
    expect(await bodyOf({ type: 'application/x-www-form-urlencoded', ...fields })).toBe(
      'name=a+b&count=2',
    )
    const picture = new File(['bytes'], 'a.png')
    const form = await bodyOf({ type: 'multipart/form-data', ...fields, files: { picture } })
    const parts = await (form instanceof Blob ? form.text() : '')
    expect([...parts.matchAll(/; name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      ...['name', 'count', 'picture'],
    ])
    expect(await bodyOf({ type: 'text/plain', body: 'as it is' })).toBe('as it is')
    const whole = new File(['bytes'], 'a.bin')
    expect(await bodyOf({ type: 'application/octet-stream', files: { '': whole } })).toBe(whole)
  })

  it.each<[string, Partial<EnteredInput>, readonly string[]]>([
    ['a body that is no JSON', { body: '{' }, ['body | the body  is not JSON: ']],
    ['no body', { body: ' ' }, ['body | the body  is required']],
    [
      'a body that breaks its schema',
      { body: '{"count":"x","more":1}' },
      [
        'body | the body  must have the property `name`',
        'body | the body  must not have the property `more`',
        'body | the body /count must be',
      ],
    ],
    [
      'parameters that break theirs',
      { parameters: { 'path.id': '0', 'query.tag': '["aa","b"]', 'query.code': '12x' } },
      [
        'path.id | id  must be',
        'query.tag | tag /1 must have',
        'query.strict | strict  is required',
        'query.code | code  must match',
      ],
    ],
    [
      'a parameter that is text where a number is asked for',
      { parameters: { 'path.id': 'seven', 'query.strict': 'true' } },
      ['path.id | id  must be an integer'],
    ],
  ])('tells of %s', async (_, change, want) => {
    const said = await complaints(change)
    expect(said).toHaveLength(want.length)
    for (const [at, words] of want.entries()) expect(said[at]).toContain(words)
  })

  it('names one place for a secret, which code can give in two', async () => {
    const parameter = (name: string, schema: object) => ({ name, required: true, schema })
    const api = await apiOfData({
      openapi: {
        openapi: '3.1.0',
        info: { title: 'Keys', version: '1' },
        paths: {
          '/{key}': {
            get: {
              operationId: 'read',
              parameters: [
                { in: 'path', 'x-secret': true, ...parameter('key', { type: 'string' }) },
                {
                  in: 'query',
                  style: 'deepObject',
                  ...parameter('where', { type: 'object', required: ['size'] }),
                },
              ],
              responses: { 204: { description: 'none' } },
            },
          },
        },
      },
    })
    const [operation] = api.operations
    const data = operation && tryData(api, operation)
    if (data?.kind !== 'http') throw new Error('not as written')
    const filled = given({ parameters: { 'query.where': '{"x":1}' }, type: undefined, body: '' })
    const { complaints: all } = await httpRequest(data, checksOf(data), 'https://a.example', filled)
    expect(all.map(({ whose, message }) => `${whose} ${message}`)).toEqual([
      'key is required',
      'where must have the property `size`',
    ])
  })

  it('writes a form by its encoding, and begins with a body that is made up', async () => {
    const [style, explode] = ['deepObject', true]
    const schema = {
      type: 'object',
      required: ['metadata', 'file'],
      properties: {
        metadata: {
          type: 'object',
          required: ['order'],
          properties: { order: { type: 'string' } },
        },
        file: { type: 'string', format: 'binary' },
      },
    }
    const encoding = { metadata: { style, explode } }
    const api = await apiOfData({
      openapi: {
        openapi: '3.1.0',
        info: { title: 't', version: '1' },
        paths: {
          '/files': {
            post: {
              operationId: 'upload',
              requestBody: {
                required: true,
                content: { 'multipart/form-data': { schema, encoding } },
              },
              responses: { 204: { description: 'none' } },
            },
          },
        },
      },
    })
    const [operation] = api.operations
    const data = operation && tryData(api, operation, createSampler(api.schemas))
    if (data?.kind !== 'http') throw new Error('not as written')
    expect(data.examples).toMatchObject([{ body: { metadata: { order: 'text' } } }])
    const { wire } = httpRequest(data, checksOf(data), 'https://a.example', {
      ...given({ parameters: {}, type: 'multipart/form-data' }),
      body: '{"metadata":{"order":"6735"}}',
      files: { file: new File(['x'], 'a.txt') },
    })
    expect(wire?.parts?.map(({ name }) => name)).toEqual(['metadata[order]', 'file'])
  })

  it('sends a file as a body in a codec that the page does not have, and says that it reads none', async () => {
    const schema = { type: 'object', required: ['name'] }
    const api = await apiOfData({
      openapi: {
        openapi: '3.1.0',
        info: { title: 't', version: '1' },
        paths: {
          '/orders': {
            post: {
              operationId: 'order',
              requestBody: { required: true, content: { 'application/cbor': { schema } } },
              responses: {
                200: { description: 'done', content: { 'application/cbor': { schema } } },
              },
            },
          },
        },
      },
    })
    const data = api.operations[0] && tryData(api, api.operations[0])
    if (data?.kind !== 'http') throw new Error('not as written')
    expect(bodyKind('application/cbor', data)).toBe('file')
    const file = new File([new Uint8Array([0xa0])], 'order.cbor')
    const { wire, complaints } = httpRequest(data, checksOf(data), 'https://a.example', {
      ...given({ parameters: {}, type: 'application/cbor', files: { '': file } }),
    })
    expect([wire?.body, wire?.headers['content-type'], complaints]).toEqual([
      ...[file, 'application/cbor', []],
    ])
    const received = { method: 'POST', status: 200, variant: undefined, isSameOrigin: true }
    const headers = new Map([['content-type', 'application/cbor']])
    const verdict = checkHttpResponse(data, checksOf(data), { ...received, headers, text: '' })
    expect(verdict).toMatchObject({
      tone: 'fits',
      notes: ['This page cannot read CBOR: the body was not checked.'],
    })
  })

  it('keeps all digits of large integers in parameters and forms', async () => {
    const { wire } = await written({
      parameters: { 'path.id': '12345678901234567891', 'query.strict': 'true' },
      type: 'application/x-www-form-urlencoded',
      body: '{"name":"x","size":12345678901234567891}',
    })
    expect(wire?.url).toContain('/things/12345678901234567891?')
    expect(String(wire?.body)).toContain('size=12345678901234567891')
  })

  it('goes out as it was written where it is sent anyway, what cannot be left out apart', async () => {
    const { wire } = await written({
      body: '{',
      credentials: {},
      parameters: { 'path.id': 'seven/..', 'query.tag': '[]' },
    })
    expect(wire).toMatchObject({
      url: 'https://shop.example/v1/things/seven%2F..',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    const lost = await written({ parameters: {} })
    expect(lost.wire).toBe(undefined)
    expect(lost.complaints.map(({ field }) => field)).toEqual(['path.id', 'query.strict'])
  })

  it('says which headers only curl carries', async () => {
    const { wire } = await written({
      parameters: { ...given().parameters, 'cookie.session': 's' },
    })
    expect(wire && unsendable(wire)).toEqual(['cookie'])
    expect(wire && exactCommand(wire)).toContain("-H 'cookie: session=s'")
  })

  it('is a line of curl, whatever its body is', async () => {
    const { wire } = await written({
      type: 'multipart/form-data',
      body: '{"name":"@it\'s"}',
      files: { picture: new File([''], 'a.png') },
    })
    expect(wire && exactCommand(wire)).toBe(
      [
        'curl -sS',
        '-X PUT',
        "'https://shop.example/v1/things/7?strict=true'",
        "-H 'accept: application/json'",
        "-H 'authorization: Bearer secret'",
        "--form-string 'name=@it'\\''s'",
        "-F 'picture=@a.png'",
      ].join(' \\\n  '),
    )
    const head = { method: 'HEAD', url: 'http://a.test/{b}', headers: {}, body: undefined }
    expect(exactCommand(head)).toBe("curl -sS -g \\\n  -I \\\n  'http://a.test/{b}'")
  })

  const SECRET = `it's "k"!12`
  it.each([
    ['a query', { url: 'http://a.test/?key=it%27s%20%22k%22%2112' }, "'http://a.test/?key=•••'"],
    ['a form', { body: 'a=1&key=it%27s+%22k%22%2112' }, "--data-raw 'a=1&key=•••'"],
    ['a header', { headers: { 'x-key': SECRET } }, "-H 'x-key: •••'"],
    ['JSON', { body: JSON.stringify({ key: SECRET }) }, `--data-raw '{"key":"•••"}'`],
    ['Basic', { headers: { authorization: `Basic ${btoa(SECRET)}` } }, 'authorization: Basic •••'],
    ['a part', { parts: [{ name: 'key', value: SECRET, type: undefined }] }, "'key=•••'"],
  ])('masks a secret in %s', (_, changed, shown) => {
    const request = { method: 'POST', url: 'http://a.test/', headers: {}, body: undefined }
    expect(maskedCommand({ ...request, ...changed }, [SECRET])).toContain(shown)
  })
})

describe('an HTTP answer in the try-it', () => {
  const checked = (response: Partial<ReceivedHttpResponse> = {}) =>
    checkHttpResponse(put, checks, {
      method: 'PUT',
      status: 200,
      headers: new Map([
        ['content-type', 'application/json'],
        ['x-left', '3'],
      ]),
      text: '{"receipt":"r1","more":1}',
      variant: undefined,
      isSameOrigin: true,
      ...response,
    })

  it('is named by the branch that it fits', () => {
    expect(checked()).toMatchObject({
      tone: 'fits',
      headline: 'Fits the schema of 200 OK (Receipt).',
      link: { href: '#response--200' },
    })
  })

  it('is held to its headers, as far as the page may see them', () => {
    const json: [string, string] = ['content-type', 'application/json']
    expect(checked({ headers: new Map([json, ['x-left', '-1']]) })).toMatchObject({
      tone: 'wrong',
      faults: [{ whose: 'X-Left', pointer: '' }],
    })
    expect(checked({ headers: new Map([json]) }).faults).toEqual([
      { whose: 'X-Left', pointer: '', message: 'is a header that must be sent' },
    ])
    const elsewhere = checked({ headers: new Map([json]), isSameOrigin: false })
    expect(elsewhere.tone).toBe('fits')
    expect(elsewhere.notes.join()).toMatch(/^Not seen: X-Left\. /)
  })

  it('may have no body, where none is declared', () => {
    const headers = new Map<string, string>()
    expect(checked({ status: 204, text: '', headers })).toMatchObject({
      tone: 'fits',
      headline: '204 No Content, as declared; it has no body.',
    })
    expect(checked({ text: '' }).headline).toBe(
      '200 OK has no body, and the document declares application/json for it.',
    )
  })

  it('may be declared for a range', () => {
    const headers = new Map([['content-type', 'text/plain; charset=utf-8']])
    expect(checked({ status: 409, text: 'no', headers })).toMatchObject({
      tone: 'error',
      headline: expect.stringContaining('409, declared as 4XX'),
      link: { href: '#response--4XX' },
    })
  })

  it('is an error if only the default beside a success describes its 2xx', () => {
    const { operation, responses } = put
    const rest = responses['4XX']
    if (!rest) throw new Error('not as written')
    const asDefault = <Response extends { readonly status: string }>(one: Response) =>
      one.status === '4XX' ? { ...one, status: 'default' } : one
    const data: HttpTry = {
      ...put,
      operation: { ...operation, responses: operation.responses.map(asDefault) },
      responses: { ...responses, default: rest },
    }
    const toneOf = (status: number, text: string, type = 'text/plain') => {
      const headers = new Map([
        ['content-type', type],
        ['x-left', '3'],
      ])
      const received = { method: 'PUT', status, headers, text, variant: undefined }
      return checkHttpResponse(data, checks, { ...received, isSameOrigin: true }).tone
    }
    expect(toneOf(200, '{"receipt":"r1"}', 'application/json')).toBe('fits')
    expect(toneOf(202, 'no')).toBe('error')
  })
})

describe('a JSON-RPC request of the try-it', () => {
  it('is one envelope with the params letter by letter', () => {
    expect(rpcRequest(byName, 'https://a.test/rpc', ' {"who": 1.0} ')).toEqual({
      method: 'POST',
      url: 'https://a.test/rpc',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"by-name","params":{"who": 1.0}}',
    })
  })

  it('has params by name, by position, or either', () => {
    const said = (data: RpcTry, text: string) =>
      rpcComplaints(data, checksOf(data), text).map(
        ({ whose, pointer, message }) => `${whose} ${pointer} ${message}`,
      )
    expect(said(byName, '{"who":"a"}')).toEqual([])
    expect(said(byName, '["a"]')).toEqual([
      expect.stringContaining('the params  must be an object'),
    ])
    expect(said(byName, '{"who":1,"loud":true}')).toEqual([
      expect.stringContaining('the params /who must be a string'),
    ])
    expect(said(either, '["a"]')).toEqual([])
    expect(said(either, '{"who":"a"}')).toEqual([])
    expect(said(either, '["a", 1]')).toEqual([
      expect.stringContaining('loud /1 must be true or false'),
    ])
    expect(said(either, '')).toHaveLength(1)
  })
})

describe('where requests go', () => {
  const filled = { variables: {}, secrets: {} }

  it('the servers of the document, the origin of the page, or an address', () => {
    const keys = (origin?: string) => serverChoices(put, origin).map(({ key }) => key)
    expect(keys()).toEqual([expect.stringMatching(/^server:/), 'address'])
    const served = serverChoices(put, 'http://127.0.0.1:80')
    expect(served.map(({ server }) => server?.url)).toEqual([
      'https://{host}/v1',
      'http://127.0.0.1:80/v2',
      'http://127.0.0.1:80/v1',
      undefined,
    ])
  })

  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1'],
    ['http://127.0.0.1:8080/other/', 'http://127.0.0.1:8080/other/v1'],
    ['http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080/v1'],
  ])('%s is %s', (address, url) => {
    expect(resolvePlace(relocatedServer(put.servers[0], address), filled)).toEqual({ url })
  })

  it('variables are filled in, and what is missing is reported', () => {
    const [server] = put.servers
    expect(resolvePlace(server, filled)).toEqual({ url: 'https://shop.example/v1' })
    expect(resolvePlace(server, { ...filled, variables: { host: 'a.test' } })).toEqual({
      url: 'https://a.test/v1',
    })
    expect(resolvePlace(relocatedServer(server, 'http://a.test/{key}'), filled)).toEqual({
      wrong: 'The URL needs a value for key.',
    })
  })
})

it('JSON is shown with a line for each member, and its tokens as they came', () => {
  expect(pretty('{"a":[],"a":{ },"b":[1.0,12345678901234567890,"{,}\\""],"c":{"d":null}}')).toBe(
    '{\n  "a": [],\n  "a": {},\n  "b": [\n    1.0,\n    12345678901234567890,\n    "{,}\\""\n  ],\n  "c": {\n    "d": null\n  }\n}',
  )
})

it('reads the plain text of a description of many brackets and blank lines fast', {
  timeout: 5_000,
}, () => {
  expect(plainText('['.repeat(100_000))).toHaveLength(100_000)
  expect(plainText(`${'\n'.repeat(100_000)}x`)).toBe('x')
})
