import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf, twinspec } from '../cli/command-line.js'
import { findingsIn } from '../report/report-of.js'

type Row = {
  readonly name: string
  /** The operation, with `COLOURS` in place of the values that a colour may have. */
  readonly operation: (colours: readonly string[]) => object
  readonly path?: string
  readonly method?: string
  /** A request that has the colour. */
  readonly request: (colour: string) => Request
}

type Request = {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const colour = (colours: readonly string[]) => ({ type: 'string', enum: colours })
const list = (colours: readonly string[]) => ({ type: 'array', items: colour(colours) })
const object = (colours: readonly string[]) => ({
  type: 'object',
  properties: { c: colour(colours), n: { type: 'integer' } },
})
type SchemaOf = (colours: readonly string[]) => object

const parameter = (
  name: string,
  place: string,
  more: object,
  schemaOf: SchemaOf,
  request: Row['request'],
): Row => {
  const isContent = 'content' in more
  return {
    name,
    path: place === 'path' ? '/paint/{v}' : '/paint',
    method: 'get',
    operation: (colours) => ({
      parameters: [
        {
          ...{ name: 'v', in: place, required: place === 'path' },
          ...(isContent
            ? { content: { [String(more.content)]: { schema: schemaOf(colours) } } }
            : { ...more, schema: schemaOf(colours) }),
        },
      ],
    }),
    request,
  }
}

const inPath = (
  style: string,
  explode: boolean,
  kind: string,
  schemaOf: SchemaOf,
  text: (c: string) => string,
) =>
  parameter(
    `path ${style} ${explode ? 'exploded' : 'joined'} ${kind}`,
    'path',
    { style, explode },
    schemaOf,
    (c) => ({ url: `/paint/${text(c)}` }),
  )
const inQuery = (
  style: string,
  explode: boolean,
  kind: string,
  schemaOf: SchemaOf,
  text: (c: string) => string,
) =>
  parameter(
    `query ${style} ${explode ? 'exploded' : 'joined'} ${kind}`,
    'query',
    { style, explode },
    schemaOf,
    (c) => ({ url: `/paint?${text(c)}` }),
  )
const inHeader = (
  explode: boolean,
  kind: string,
  schemaOf: SchemaOf,
  text: (c: string) => string,
) =>
  parameter(
    `header ${explode ? 'exploded' : 'joined'} ${kind}`,
    'header',
    { explode },
    schemaOf,
    (c) => ({ url: '/paint', headers: { V: text(c) } }),
  )
const inCookie = (
  style: string,
  explode: boolean,
  kind: string,
  schemaOf: SchemaOf,
  text: (c: string) => string,
) =>
  parameter(
    `cookie ${style} ${explode ? 'exploded' : 'joined'} ${kind}`,
    'cookie',
    { style, explode },
    schemaOf,
    (c) => ({ url: '/paint', headers: { cookie: `sid=1; ${text(c)}` } }),
  )

const PARAMETERS: readonly Row[] = [
  inPath('simple', false, 'text', colour, (c) => c),
  inPath('simple', false, 'list', list, (c) => `blue,${c}`),
  inPath('simple', false, 'object', object, (c) => `n,1,c,${c}`),
  inPath('simple', true, 'object', object, (c) => `n=1,c=${c}`),
  inPath('label', false, 'text', colour, (c) => `.${c}`),
  inPath('label', false, 'list', list, (c) => `.blue,${c}`),
  inPath('label', true, 'list', list, (c) => `.blue.${c}`),
  inPath('label', false, 'object', object, (c) => `.c,${c}`),
  inPath('label', true, 'object', object, (c) => `.n=1.c=${c}`),
  inPath('matrix', false, 'text', colour, (c) => `;v=${c}`),
  inPath('matrix', false, 'list', list, (c) => `;v=blue,${c}`),
  inPath('matrix', true, 'list', list, (c) => `;v=blue;v=${c}`),
  inPath('matrix', false, 'object', object, (c) => `;v=c,${c}`),
  inPath('matrix', true, 'object', object, (c) => `;n=1;c=${c}`),
  inQuery('form', true, 'text', colour, (c) => `v=${c}`),
  inQuery('form', true, 'list', list, (c) => `v=blue&v=${c}`),
  inQuery('form', true, 'list of one', list, (c) => `v=${c}`),
  inQuery('form', false, 'list', list, (c) => `v=blue,${c}`),
  inQuery('form', true, 'object', object, (c) => `n=1&c=${c}`),
  inQuery('form', false, 'object', object, (c) => `v=n,1,c,${c}`),
  inQuery('spaceDelimited', false, 'list', list, (c) => `v=blue%20${c}`),
  inQuery('pipeDelimited', false, 'list', list, (c) => `v=blue|${c}`),
  inQuery('pipeDelimited', false, 'object', object, (c) => `v=n%7C1%7Cc%7C${c}`),
  inQuery('deepObject', true, 'object', object, (c) => `v[n]=1&v%5Bc%5D=${c}`),
  inHeader(false, 'text', colour, (c) => ` ${c} `),
  inHeader(false, 'list', list, (c) => `blue ,  ${c}`),
  inHeader(false, 'object', object, (c) => `n, 1, c, ${c}`),
  inHeader(true, 'object', object, (c) => `n=1, c=${c}`),
  inCookie('form', true, 'text', colour, (c) => `v=${c}`),
  inCookie('form', false, 'list', list, (c) => `v=blue,${c}`),
  inCookie('form', true, 'list', list, (c) => `v=blue; v=${c}`),
  inCookie(
    'form',
    true,
    'object',
    (colours) => ({ ...object(colours), additionalProperties: false }),
    (c) => `n=1; c=${c}`,
  ),
  inCookie('form', false, 'object', object, (c) => `v=n,1,c,${c}`),
  parameter('query as JSON', 'query', { content: 'application/json' }, object, (c) => ({
    url: `/paint?v=${encodeURIComponent(`{"c":"${c}"}`)}`,
  })),
  parameter('query as text', 'query', { content: 'text/plain' }, colour, (c) => ({
    url: `/paint?v=${c}`,
  })),
  parameter('header as JSON', 'header', { content: 'application/json' }, object, (c) => ({
    url: '/paint',
    headers: { v: `{"c":"${c}"}` },
  })),
  parameter(
    'the whole query as a form',
    'querystring',
    { content: 'application/x-www-form-urlencoded' },
    object,
    (c) => ({ url: `/paint?n=1&c=${c}` }),
  ),
  parameter(
    'the whole query as JSON',
    'querystring',
    { content: 'application/json' },
    object,
    (c) => ({ url: `/paint?${encodeURIComponent(`{"c":"${c}"}`)}` }),
  ),
  parameter('the whole query as text', 'querystring', { content: 'text/plain' }, colour, (c) => ({
    url: `/paint?${c}`,
  })),
]

const FORM = 'application/x-www-form-urlencoded'
const part = (name: string, text: string, type?: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${text}\r\n`
const MULTIPART = 'multipart/form-data; boundary=b'

const body = (
  name: string,
  type: string,
  schemaOf: SchemaOf,
  text: (c: string) => unknown,
  {
    encoding,
    contentType = type,
    as = 'schema',
  }: { encoding?: object; contentType?: string; as?: string } = {},
): Row => ({
  name: `body ${name}`,
  operation: (colours) => ({
    requestBody: {
      content: { [type]: { [as]: schemaOf(colours), ...(encoding && { encoding }) } },
    },
  }),
  request: (c) => ({ url: '/paint', headers: { 'Content-Type': contentType }, body: text(c) }),
})

const inField = (schemaOf: SchemaOf) => (colours: readonly string[]) => ({
  type: 'object',
  properties: { v: schemaOf(colours), n: { type: 'integer' } },
})

const BODIES: readonly Row[] = [
  body('form', FORM, object, (c) => `n=1&c=${c}`),
  body('form with a charset', FORM, object, (c) => `c=${c}`, {
    contentType: `${FORM}; charset=UTF-8`,
  }),
  body('form with a repeated field', FORM, inField(list), (c) => `v=blue&v=${c}`),
  body('form with a list of one', FORM, inField(list), (c) => `v=${c}`),
  body(
    'form with JSON in a field',
    FORM,
    inField(object),
    (c) => `v=${encodeURIComponent(`{"c":"${c}"}`)}`,
  ),
  body('form with deepObject', FORM, inField(object), (c) => `v%5Bc%5D=${c}`, {
    encoding: { v: { style: 'deepObject', explode: true } },
  }),
  body('form with commas', FORM, inField(list), (c) => `v=blue,${c}`, {
    encoding: { v: { style: 'form', explode: false } },
  }),
  body('form that a program has parsed', FORM, object, (c) => ({ n: '1', c })),
  body(
    'multipart',
    'multipart/form-data',
    object,
    (c) => `${part('n', '1')}${part('c', c)}--b--\r\n`,
    { contentType: MULTIPART },
  ),
  body(
    'multipart with a repeated part',
    'multipart/form-data',
    inField(list),
    (c) => `${part('v', 'blue')}${part('v', c)}--b--\r\n`,
    { contentType: MULTIPART },
  ),
  body(
    'multipart with a part of JSON',
    'multipart/form-data',
    inField(object),
    (c) => `${part('v', `{"c":"${c}"}`, 'application/json')}--b--\r\n`,
    { contentType: MULTIPART },
  ),
  body(
    'multipart beside a file',
    'multipart/form-data',
    (colours) => ({
      type: 'object',
      properties: { c: colour(colours), f: { type: 'string', format: 'binary' } },
    }),
    (c) =>
      `--b\r\nContent-Disposition: form-data; name="f"; filename="a.bin"\r\nContent-Type: image/png\r\n\r\n\u0001\u0002\r\n${part('c', c)}--b--\r\n`,
    { contentType: MULTIPART },
  ),
  body('text', 'text/plain', colour, (c) => c),
  body('text with a charset', 'text/plain', colour, (c) => c, {
    contentType: 'text/plain; charset=utf-8',
  }),
  body('text of a range', 'text/*', colour, (c) => c, { contentType: 'text/csv' }),
  body('JSON', 'application/json', object, (c) => `{"c":"${c}"}`),
  body('JSON as its value', 'application/json', object, (c) => ({ c })),
  body('vendor JSON', 'application/vnd.paint+json', object, (c) => `{"c":"${c}"}`),
  body('JSON of a range', 'application/*', object, (c) => `{"c":"${c}"}`, {
    contentType: 'application/json',
  }),
  body('JSON Lines', 'application/jsonl', object, (c) => `{"n":1}\n{"c":"${c}"}\n`, {
    as: 'itemSchema',
  }),
]

const documentOf = (
  { operation, path = '/paint', method = 'post' }: Row,
  colours: readonly string[],
) =>
  JSON.stringify({
    openapi: '3.2.0',
    info: { title: 'Paint', version: '1' },
    servers: [{ url: 'https://a.example' }],
    paths: {
      [path]: { [method]: { ...operation(colours), responses: { 204: { description: 'Done.' } } } },
    },
  })

const lineOf = (
  { method = 'post' }: Row,
  { url, headers = {}, body: sent }: Request,
  more: object = {},
) =>
  JSON.stringify({
    request: {
      method,
      url: `https://a.example${url}`,
      headers,
      ...(sent !== undefined && { body: sent }),
      ...more,
    },
    response: { status: 204, headers: {} },
  })

const diffUsage = async (row: Row, files: Readonly<Record<string, string>>) => {
  const [name = ''] = Object.keys(files)
  const folder = await folderOf({
    'old.json': documentOf(row, ['red', 'blue']),
    'new.json': documentOf(row, ['blue']),
    ...files,
  })
  const at = (file: string) => join(folder, file)
  const recorded = await twinspec(
    ...[
      'usage',
      at(name),
      '--openapi',
      at('old.json'),
      '--consumer',
      'user-agent',
      '--out',
      at('u.json'),
    ],
  )
  expect(recorded.stderr).toMatch(/^\d+ requests? of/m)
  const diff = [
    'diff',
    '--openapi',
    at('new.json'),
    '--against',
    at('old.json'),
    '--usage',
    at('u.json'),
    '--fail-on',
    'used',
  ]
  const { code } = await twinspec(...diff)
  const { stdout } = await twinspec(...diff, '--format', 'json')
  const all = findingsIn(stdout)
  const finding = all.find(({ rule }) => rule === 'request-value-removed')
  return { code, usage: finding?.usage }
}

const verdict = async (row: Row, line: string) => {
  const { code, usage } = await diffUsage(row, { 'a.ndjson': line })
  return [usage?.verdict, usage?.unread === undefined ? [] : Object.keys(usage.unread), code]
}

describe.each([...PARAMETERS, ...BODIES])('$name', (row) => {
  it('is used where a request met the change, and unused where none did', async () => {
    expect(await verdict(row, lineOf(row, row.request('red')))).toEqual(['used', [], 1])
    expect(await verdict(row, lineOf(row, row.request('blue')))).toEqual(['unused', [], 0])
  })
})

const named = (name: string): Row => {
  const row = [...PARAMETERS, ...BODIES].find((one) => one.name === name)
  if (!row) throw new Error(`there is no row ${name}`)
  return row
}

const typed = (type: string, sent: unknown, headers: object = {}): Request => ({
  url: '/paint',
  headers: { 'content-type': type, ...headers },
  ...(sent !== undefined && { body: sent }),
})

describe('what could not be read makes a change possible, with the reason', () => {
  it.each<[what: string, row: string, request: Request, reason: string, more?: object]>([
    ['a form that was left out', 'body form', typed(FORM, undefined), 'not-recorded'],
    [
      'a form of a known size',
      'body form',
      typed(FORM, undefined, { 'content-length': '9' }),
      'not-recorded',
    ],
    [
      'a body of an unknown size',
      'body form',
      typed(FORM, undefined, { 'transfer-encoding': 'chunked' }),
      'not-recorded',
    ],
    ['neither headers nor a body', 'body form', { url: '/paint' }, 'not-recorded'],
    ['JSON that was left out', 'body JSON', typed('application/json', undefined), 'not-recorded'],
    [
      'a form that is cut off',
      'body form',
      typed(FORM, 'n=1', { 'content-length': '99' }),
      'incomplete',
    ],
    ['JSON that is cut off', 'body JSON', typed('application/json', '{"c":"re'), 'json'],
    [
      'JSON Lines that are cut off',
      'body JSON Lines',
      typed('application/jsonl', '{"n":1}\n{"c'),
      'json',
    ],
    ['an empty body of JSON', 'body JSON', typed('application/json', ''), 'json'],
    [
      'a compressed form',
      'body form',
      typed(FORM, 'H4sIAAAA', { 'content-encoding': 'gzip' }),
      'content-encoding',
    ],
    [
      'compressed JSON',
      'body JSON',
      typed('application/json', 'H4sIAAAA', { 'Content-Encoding': 'br' }),
      'content-encoding',
    ],
    [
      'text of another charset',
      'body text',
      typed('text/plain; charset=iso-8859-1', 'r'),
      'charset',
    ],
    ['a form whose bytes were lost', 'body form', typed(FORM, 'c=r\ufffd'), 'charset'],
    ['invalid percent-encoding', 'body form', typed(FORM, 'c=%zz'), 'percent-encoding'],
    ['another charset in percent-encoding', 'body form', typed(FORM, 'c=%E9'), 'percent-encoding'],
    ['an undeclared media type', 'body form', typed('text/xml', '<c>red</c>'), 'media-type'],
    ['a list where a form has one value', 'body form', typed(FORM, 'c=blue&c=red'), 'form'],
    [
      'a text where a form has an object',
      'body form with JSON in a field',
      typed(FORM, 'v=red'),
      'form',
    ],
    ['multipart without its end', 'body multipart', typed(MULTIPART, part('c', 'red')), 'form'],
    ['multipart without a boundary', 'body multipart', typed('multipart/form-data', 'x'), 'form'],
    [
      'multipart with another boundary',
      'body multipart',
      typed('multipart/form-data; boundary=z', `${part('c', 'red')}--b--`),
      'form',
    ],
    ['a label without a full stop', 'path label joined text', { url: '/paint/red' }, 'style'],
    ['a matrix without its name', 'path matrix joined text', { url: '/paint/red' }, 'style'],
    ['an object with a name alone', 'path simple joined object', { url: '/paint/n,1,c' }, 'style'],
    [
      'a text where an object is declared',
      'query form joined object',
      { url: '/paint?v=red' },
      'style',
    ],
    [
      'two values where one is declared',
      'query form exploded text',
      { url: '/paint?v=blue&v=red' },
      'style',
    ],
    [
      'invalid percent-encoding in a query',
      'query form exploded text',
      { url: '/paint?v=%zz' },
      'percent-encoding',
    ],
    [
      'invalid percent-encoding in a path',
      'path simple joined text',
      { url: '/paint/%E9' },
      'percent-encoding',
    ],
    ['a query that is not JSON', 'query as JSON', { url: '/paint?v=%7B' }, 'json'],
    [
      'a header that is not JSON',
      'header as JSON',
      { url: '/paint', headers: { v: '{"c"' } },
      'json',
    ],
    [
      'headers that were left out',
      'header joined text',
      { url: '/paint' },
      'not-recorded',
      { headers: undefined },
    ],
    [
      'some headers that were left out',
      'header joined text',
      { url: '/paint' },
      'not-recorded',
      { omitted: ['headers'] },
    ],
    [
      'cookies that were left out',
      'cookie form exploded text',
      { url: '/paint' },
      'not-recorded',
      { headers: undefined },
    ],
    ['the path of no server', 'query form exploded text', { url: '/v9/paint?v=red' }, 'address'],
    ['a path in other letters', 'query form exploded text', { url: '/Paint?v=red' }, 'address'],
  ])('%s', async (_, name, request, reason, more) => {
    const row = named(name)
    const other = lineOf(row, row.request('blue'))
    const { code, usage } = await diffUsage(row, {
      'a.ndjson': `${other}\n${lineOf(row, request, more)}`,
    })
    expect([usage?.verdict, usage?.unread, code]).toEqual(['possible', { [reason]: 1 }, 1])
  })

  it('XML, whose description no text has', async () => {
    const row = body('XML', 'application/xml', object, () => '')
    const line = lineOf(row, typed('application/xml', '<p><c>red</c></p>'))
    expect(await verdict(row, line)).toEqual(['possible', ['media-type'], 1])
  })

  it('bytes', async () => {
    const row = body('bytes', 'application/octet-stream', colour, () => '')
    const line = lineOf(row, typed('application/octet-stream', 'red'))
    expect(await verdict(row, line)).toEqual(['possible', ['bytes'], 1])
  })

  it('a line that is no exchange', async () => {
    const row = named('query form exploded text')
    const line = lineOf(row, row.request('blue'))
    expect(await verdict(row, `${line}\n{"request":`)).toEqual(['possible', ['incomplete'], 1])
  })

  const entry = (request: object) => ({
    'a.har': JSON.stringify({
      log: {
        entries: [
          {
            request: { method: 'POST', url: 'https://a.example/paint', headers: [], ...request },
            response: { status: 204, headers: [], content: {} },
          },
        ],
      },
    }),
  })
  const type = [{ name: 'Content-Type', value: FORM }]

  it.each<readonly [what: string, request: object, verdict: string, reason: string | undefined]>([
    ['its text', { headers: type, postData: { mimeType: FORM, text: 'c=red' } }, 'used', undefined],
    [
      'its bytes',
      { headers: type, postData: { mimeType: FORM, text: 'Yz1yZWQ=', encoding: 'base64' } },
      'used',
      undefined,
    ],
    [
      'its fields',
      { headers: type, postData: { mimeType: FORM, params: [{ name: 'c', value: 'red' }] } },
      'used',
      undefined,
    ],
    [
      'other fields',
      { headers: type, postData: { mimeType: FORM, params: [{ name: 'c', value: 'blue' }] } },
      'unused',
      undefined,
    ],
    [
      'its type without headers',
      { postData: { mimeType: FORM, text: 'c=red' } },
      'used',
      undefined,
    ],
    [
      'fields that may be encoded',
      { headers: type, postData: { mimeType: FORM, params: [{ name: 'c', value: 're%64' }] } },
      'possible',
      'not-recorded',
    ],
    [
      'a part of its text',
      { headers: type, bodySize: 99, postData: { mimeType: FORM, text: 'n=1' } },
      'possible',
      'incomplete',
    ],
    ['its size alone', { headers: type, bodySize: 5 }, 'possible', 'not-recorded'],
    ['no size', { headers: type, bodySize: -1 }, 'possible', 'not-recorded'],
    [
      'its type alone',
      { headers: type, bodySize: 5, postData: { mimeType: FORM } },
      'possible',
      'not-recorded',
    ],
    ['no body', { bodySize: 0, headers: [{ name: 'Accept', value: '*/*' }] }, 'unused', undefined],
  ])('of a form a HAR has %s', async (_, request, expected, reason) => {
    const { usage } = await diffUsage(named('body form'), entry(request))
    expect([usage?.verdict, usage?.unread]).toEqual([
      expected,
      reason === undefined ? undefined : { [reason]: 1 },
    ])
  })

  it('a span of a trace has neither a body nor all headers', async () => {
    const attributes = Object.entries({
      'http.request.method': 'POST',
      'url.full': 'https://a.example/paint',
      'http.response.status_code': '204',
    }).map(([key, stringValue]) => ({ key, value: { stringValue } }))
    const span = { kind: 2, attributes }
    const line = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
    expect(await verdict(named('body form'), line)).toEqual(['possible', ['not-recorded'], 1])
  })
})

describe('what could not be read says nothing of other places', () => {
  it('a body that was left out, of a query', async () => {
    const row: Row = {
      name: 'a query beside a body',
      operation: (colours) => ({
        parameters: [{ name: 'v', in: 'query', schema: colour(colours) }],
        requestBody: { content: { [FORM]: { schema: { type: 'object' } } } },
      }),
      request: (c) => ({ url: `/paint?v=${c}`, headers: { 'content-type': FORM } }),
    }
    expect(await verdict(row, lineOf(row, row.request('blue')))).toEqual(['unused', [], 0])
  })

  it('a body of one media type, of another', async () => {
    const row: Row = {
      name: 'two media types',
      operation: (colours) => ({
        requestBody: {
          content: {
            [FORM]: { schema: object(colours) },
            'application/json': {
              schema: {
                type: 'object',
                properties: { c: { type: 'string', enum: ['red', 'blue'] } },
              },
            },
          },
        },
      }),
      request: (c) => typed('application/json', { c }),
    }
    expect(await verdict(row, lineOf(row, row.request('red')))).toEqual(['unused', [], 0])
    expect(await verdict(row, lineOf(row, typed('application/json', '{')))).toEqual([
      'unused',
      [],
      0,
    ])
    expect(await verdict(row, lineOf(row, typed(FORM, 'c=red')))).toEqual(['used', [], 1])
    expect(await verdict(row, lineOf(row, typed('text/xml', 'a')))).toEqual([
      'possible',
      ['media-type'],
      1,
    ])
  })

  it('a file, of a field beside it', async () => {
    const row = named('body multipart beside a file')
    expect(await verdict(row, lineOf(row, row.request('blue')))).toEqual(['unused', [], 0])
  })

  it('a request to a path that no operation ends with', async () => {
    const row = named('query form exploded text')
    const lines = [row.request('blue'), { url: '/favicon.ico' }].map((one) => lineOf(row, one))
    expect(await verdict(row, lines.join('\n'))).toEqual(['unused', [], 0])
  })
})
