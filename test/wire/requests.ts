import type { Verdict, WireRequest } from './verdicts.js'

/** One request, the operation of its document, and what the request says. */
export type RequestRow = {
  readonly name: string
  /** The path item objects of the document. */
  readonly paths: Readonly<Record<string, object>>
  readonly servers?: readonly object[]
  readonly components?: object
  readonly request: WireRequest
  readonly verdict: Verdict
  /** Why a client does not write this request in this form; it is only read. */
  readonly isOnlyRead?: string
  /**
   * How a recorded request counts that generated servers reject, and other servers may accept: OpenAPI allows other fields in a
   * query, and a recipient may assume the only declared type for a body without one (RFC 9110, 8.3).
   */
  readonly counted?: 'as valid' | 'with others'
}

/** The schema that lists the leaves of a value, so that each reader shows which value it read. */
export const listing = (value: unknown): object => {
  if (Array.isArray(value)) {
    const items = value.map(listing) as { type?: string; enum?: unknown[] }[]
    const [first = { type: 'string' }] = items
    const all = items.flatMap((one) => one.enum ?? [])
    return { type: 'array', items: first.enum ? { ...first, enum: all } : first }
  }
  if (typeof value === 'object' && value !== null) {
    const properties = Object.entries(value).map(([name, one]) => [name, listing(one)])
    return { type: 'object', properties: Object.fromEntries(properties) }
  }
  const type =
    typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
  return typeof value === 'string' ? { type, enum: [value] } : { type, enum: [value] }
}

const ok = {
  200: { description: 'Done.', content: { 'application/json': { schema: {}, example: {} } } },
}

/** An operation whose response names it. */
const operation = (id: string, parts: object = {}): object => ({
  operationId: id,
  responses: {
    200: {
      ...ok[200],
      content: { 'application/json': { schema: {}, example: { operation: id } } },
    },
  },
  ...parts,
})

type Location = 'path' | 'query' | 'header' | 'cookie'

type ParameterOptions = {
  readonly style?: string
  readonly explode?: boolean
  readonly allowReserved?: boolean
  /** In place of a schema: the media type of the parameter. */
  readonly type?: string
  readonly schema?: object
  readonly isOnlyRead?: string
  readonly others?: readonly object[]
  readonly parameters?: Verdict & { readonly parameters?: object }
  readonly headerName?: string
}

/** A request with one parameter `v`; `wire` is the text of the segment, the query, the header or the cookie header. */
const parameter = (
  place: Location,
  options: ParameterOptions,
  wire: string,
  value: unknown,
): RequestRow => {
  const { type, isOnlyRead, others = [], schema = listing(value), ...serialization } = options
  const described = type === undefined ? { schema } : { content: { [type]: { schema } } }
  const own = { name: 'v', in: place, required: true, ...serialization, ...described }
  const style = [options.style, options.explode === undefined ? '' : `explode ${options.explode}`]
  const path = place === 'path' ? '/things/{v}' : '/things'
  const headers: Record<string, string> =
    place === 'header' ? { v: wire } : place === 'cookie' ? { cookie: wire } : {}
  const url =
    place === 'path' ? `/things/${wire}` : place === 'query' ? `/things?${wire}` : '/things'
  return {
    name: `${place} ${style.filter(Boolean).join(' ')} ${type ?? ''} ${JSON.stringify(value)} as ${wire}`,
    paths: { [path]: { get: operation('read', { parameters: [own, ...others] }) } },
    request: { method: 'GET', url, headers },
    verdict: { operation: 'read', parameters: { [place]: { v: value } } },
    ...(isOnlyRead !== undefined && { isOnlyRead }),
  }
}

/** The same with a request that no reader can read. */
const unread = (place: Location, options: ParameterOptions, wire: string, schema: object) => ({
  ...parameter(place, { ...options, schema }, wire, undefined),
  name: `${place} ${options.style ?? ''} ${options.type ?? ''} cannot be read: ${wire}`,
  verdict: { unread: 'parameters' },
})

const PRIMITIVE = 'blue'
const LIST = ['blue', 'black', 'brown']
const OBJECT = { R: 100, G: 200, B: 150 }
const ODD = 'a b/c?d=e&f,g;h'

// OpenAPI 3.1, Style Examples; RFC 6570 for the expansion of exploded forms.
export const PARAMETERS: readonly RequestRow[] = [
  parameter('path', { style: 'simple' }, 'blue', PRIMITIVE),
  parameter('path', { style: 'simple' }, '5', 5),
  parameter('path', { style: 'simple' }, 'true', true),
  parameter('path', { style: 'simple' }, '-1.5', -1.5),
  parameter('path', { style: 'simple' }, 'a%20b%2Fc', 'a b/c'),
  parameter('path', { style: 'simple' }, '%C3%A9%F0%9F%98%80', 'é😀'),
  parameter('path', { style: 'simple', explode: false }, 'blue,black,brown', LIST),
  parameter('path', { style: 'simple', explode: true }, 'blue,black,brown', LIST),
  parameter('path', { style: 'simple', explode: false }, 'R,100,G,200,B,150', OBJECT),
  parameter('path', { style: 'simple', explode: true }, 'R=100,G=200,B=150', OBJECT),
  parameter('path', { style: 'simple' }, 'a%2Cb,c', ['a,b', 'c']),
  parameter('path', { style: 'label' }, '.blue', PRIMITIVE),
  parameter('path', { style: 'label' }, '.5', 5),
  parameter('path', { style: 'label', explode: false }, '.blue,black,brown', LIST),
  parameter('path', { style: 'label', explode: true }, '.blue.black.brown', LIST),
  parameter('path', { style: 'label', explode: false }, '.R,100,G,200,B,150', OBJECT),
  parameter('path', { style: 'label', explode: true }, '.R=100.G=200.B=150', OBJECT),
  parameter('path', { style: 'matrix' }, ';v=blue', PRIMITIVE),
  parameter('path', { style: 'matrix' }, ';v=7', 7),
  parameter('path', { style: 'matrix', explode: false }, ';v=blue,black,brown', LIST),
  parameter('path', { style: 'matrix', explode: true }, ';v=blue;v=black;v=brown', LIST),
  parameter('path', { style: 'matrix', explode: false }, ';v=R,100,G,200,B,150', OBJECT),
  parameter('path', { style: 'matrix', explode: true }, ';R=100;G=200;B=150', OBJECT),
  parameter('path', { type: 'application/json' }, '%7B%22a%22%3A1%7D', { a: 1 }),
  unread('path', {}, '%E0%A4%A', { type: 'string' }),
  unread('path', { style: 'label' }, 'blue', { type: 'string' }),
  unread('path', { style: 'matrix' }, 'blue', { type: 'string' }),
  parameter('query', { style: 'form' }, 'v=blue', PRIMITIVE),
  parameter('query', { style: 'form' }, 'v=42', 42),
  parameter('query', { style: 'form' }, 'v=42', '42'),
  parameter('query', { style: 'form' }, 'v=false', false),
  parameter('query', { style: 'form' }, 'v=', ''),
  parameter('query', { style: 'form' }, 'v=a%20b%2Fc%3Fd%3De%26f%2Cg%3Bh', ODD),
  parameter('query', { style: 'form', isOnlyRead: 'a plus is written as %20' }, 'v=a+b', 'a b'),
  parameter('query', { style: 'form', explode: true }, 'v=blue&v=black&v=brown', LIST),
  parameter('query', { style: 'form', explode: true }, 'v=blue', ['blue']),
  parameter('query', { style: 'form', explode: true }, 'v=a%2Cb', ['a,b']),
  parameter('query', { style: 'form', explode: true }, 'v=1&v=2', [1, 2]),
  parameter('query', { style: 'form', explode: false }, 'v=blue,black,brown', LIST),
  parameter('query', { style: 'form', explode: false }, 'v=a%2Cb,c', ['a,b', 'c']),
  parameter('query', { style: 'form', explode: false }, 'v=1,2,3', [1, 2, 3]),
  parameter('query', { style: 'form', explode: true }, 'R=100&G=200&B=150', OBJECT),
  parameter('query', { style: 'form', explode: false }, 'v=R,100,G,200,B,150', OBJECT),
  parameter('query', { style: 'spaceDelimited', explode: false }, 'v=blue%20black%20brown', LIST),
  parameter(
    'query',
    { style: 'spaceDelimited', explode: false, isOnlyRead: 'a plus is written as %20' },
    'v=blue+black',
    ['blue', 'black'],
  ),
  parameter('query', { style: 'spaceDelimited', explode: false }, 'v=R%20100%20G%20200', {
    R: 100,
    G: 200,
  }),
  parameter(
    'query',
    { style: 'pipeDelimited', explode: false, isOnlyRead: 'the pipe is written as %7C' },
    'v=blue|black|brown',
    LIST,
  ),
  parameter('query', { style: 'pipeDelimited', explode: false }, 'v=blue%7Cblack%7Cbrown', LIST),
  parameter('query', { style: 'pipeDelimited', explode: false }, 'v=R%7C100%7CG%7C200', {
    R: 100,
    G: 200,
  }),
  parameter(
    'query',
    { style: 'deepObject', explode: true, isOnlyRead: 'brackets are percent-encoded' },
    'v[R]=100&v[G]=200&v[B]=150',
    OBJECT,
  ),
  parameter('query', { style: 'deepObject', explode: true }, 'v%5BR%5D=100&v%5BG%5D=200', {
    R: 100,
    G: 200,
  }),
  parameter(
    'query',
    { style: 'deepObject', explode: true, isOnlyRead: 'brackets are percent-encoded' },
    'v[a]=x%20y',
    { a: 'x y' },
  ),
  parameter('query', { type: 'application/json' }, 'v=%7B%22a%22%3A%5B1%2C2%5D%7D', { a: [1, 2] }),
  parameter('query', { type: 'application/json' }, 'v=%22a%22', 'a'),
  parameter('query', { type: 'text/plain' }, 'v=a%20b', 'a b'),
  parameter('query', { style: 'form', allowReserved: true }, 'v=a/b?c', 'a/b?c'),
  unread('query', {}, 'v=%E0%A4%A', { type: 'string' }),
  unread('query', { type: 'application/json' }, 'v=%7B', { type: 'object' }),
  unread('query', { style: 'deepObject', explode: true }, 'v=1', {
    type: 'object',
    required: ['a'],
  }),
  parameter('header', { style: 'simple' }, 'blue', PRIMITIVE),
  parameter('header', { style: 'simple' }, '12', 12),
  parameter('header', { style: 'simple' }, '12', '12'),
  parameter('header', { style: 'simple' }, 'a%20b', 'a%20b'),
  parameter('header', { style: 'simple', explode: false }, 'blue,black,brown', LIST),
  parameter(
    'header',
    { style: 'simple', explode: false, isOnlyRead: 'lists are written without blanks' },
    'blue, black,  brown',
    LIST,
  ),
  parameter('header', { style: 'simple', explode: false }, '1,2', [1, 2]),
  parameter('header', { style: 'simple', explode: false }, 'R,100,G,200,B,150', OBJECT),
  parameter('header', { style: 'simple', explode: true }, 'R=100,G=200,B=150', OBJECT),
  parameter(
    'header',
    { style: 'simple', explode: true, isOnlyRead: 'lists are written without blanks' },
    'R=100, G=200',
    { R: 100, G: 200 },
  ),
  parameter('header', { type: 'application/json' }, '{"a":"b, c"}', { a: 'b, c' }),
  unread('header', { type: 'application/json' }, '{', { type: 'object' }),
  parameter('cookie', { style: 'form' }, 'v=blue', PRIMITIVE),
  parameter('cookie', { style: 'form' }, 'v=3', 3),
  parameter(
    'cookie',
    { style: 'form', isOnlyRead: 'no client adds other cookies' },
    'a=1; v=blue; b=2',
    PRIMITIVE,
  ),
  parameter(
    'cookie',
    { style: 'form', isOnlyRead: 'a client sends a cookie once' },
    'v=blue; v=black',
    PRIMITIVE,
  ),
  parameter('cookie', { style: 'form', explode: false }, 'v=blue%2Cblack', 'blue,black'),
  parameter(
    'cookie',
    { style: 'form', explode: false, isOnlyRead: 'commas are percent-encoded' },
    'v=blue,black',
    ['blue', 'black'],
  ),
  parameter(
    'cookie',
    { style: 'form', isOnlyRead: 'values are written without quotes' },
    'v="blue"',
    PRIMITIVE,
  ),
  parameter('cookie', { style: 'form', isOnlyRead: 'percent-encoded' }, 'v=a%20b', 'a b'),
]

const several = (
  name: string,
  parameters: readonly object[],
  {
    path = '/things',
    url,
    headers = {},
  }: { path?: string; url: string; headers?: Record<string, string> },
  verdict: Verdict,
  isOnlyRead?: string,
): RequestRow => ({
  name,
  paths: { [path]: { get: operation('read', { parameters }) } },
  request: { method: 'GET', url, headers },
  verdict,
  ...(isOnlyRead !== undefined && { isOnlyRead }),
})

const query = (name: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
})

export const COMBINATIONS: readonly RequestRow[] = [
  several(
    'parameters of all four locations',
    [
      { name: 'id', in: 'path', required: true, schema: listing(7) },
      query('q', listing('x')),
      { name: 'X-Trace', in: 'header', schema: listing('t') },
      { name: 'sid', in: 'cookie', schema: listing('s') },
    ],
    { path: '/things/{id}', url: '/things/7?q=x', headers: { 'x-trace': 't', cookie: 'sid=s' } },
    {
      operation: 'read',
      parameters: {
        path: { id: 7 },
        query: { q: 'x' },
        header: { 'X-Trace': 't' },
        cookie: { sid: 's' },
      },
    },
  ),
  several(
    'two parameters of one name in two locations',
    [query('v', listing('q')), { name: 'v', in: 'header', schema: listing('h') }],
    { url: '/things?v=q', headers: { v: 'h' } },
    { operation: 'read', parameters: { query: { v: 'q' }, header: { v: 'h' } } },
  ),
  several(
    'an optional parameter that is absent',
    [query('v', listing('q'))],
    { url: '/things' },
    { operation: 'read' },
  ),
  several(
    'a required parameter that is absent',
    [query('v', listing('q'), { required: true })],
    { url: '/things' },
    { unread: 'parameters' },
  ),
  {
    ...several(
      'an undeclared query parameter',
      [query('v', listing('q'))],
      { url: '/things?v=q&w=1' },
      { unread: 'parameters' },
      'clients do not send it',
    ),
    counted: 'with others',
  },
  several(
    'an exploded object beside a plain parameter',
    [query('v', listing(OBJECT)), query('q', listing('x'))],
    { url: '/things?R=100&G=200&B=150&q=x' },
    { operation: 'read', parameters: { query: { v: OBJECT, q: 'x' } } },
  ),
  several(
    'deepObject beside a plain parameter',
    [
      query('v', listing({ a: 1 }), { style: 'deepObject', explode: true }),
      query('q', listing('x')),
    ],
    { url: '/things?v%5Ba%5D=1&q=x' },
    { operation: 'read', parameters: { query: { v: { a: 1 }, q: 'x' } } },
  ),
  several(
    'a name that must be encoded',
    [query('a[b]', listing('x'))],
    { url: '/things?a%5Bb%5D=x' },
    { operation: 'read', parameters: { query: { 'a[b]': 'x' } } },
  ),
  several(
    'several values in one segment',
    [
      { name: 'a', in: 'path', required: true, schema: listing('x') },
      { name: 'b', in: 'path', required: true, schema: listing(2) },
    ],
    { path: '/things/{a}-{b}.json', url: '/things/x-2.json' },
    { operation: 'read', parameters: { path: { a: 'x', b: 2 } } },
  ),
  several(
    'a value outside its enumeration',
    [query('v', listing('q'))],
    { url: '/things?v=other' },
    { unread: 'parameters' },
  ),
]

/** Routes: which operation a method and a path mean. */
const routes = (
  name: string,
  paths: readonly (readonly [string, string, string])[],
  method: string,
  url: string,
  verdict: Verdict,
  more: Partial<RequestRow> = {},
): RequestRow => ({
  name: `${name}: ${method} ${url}`,
  paths: pathsOf(paths, verdict),
  request: { method, url, headers: {} },
  verdict,
  isOnlyRead: 'only the route is compared',
  ...more,
})

const pathsOf = (
  entries: readonly (readonly [string, string, string])[],
  verdict: Verdict,
): Readonly<Record<string, object>> => {
  const read = verdict !== 'none' && 'operation' in verdict ? verdict.parameters?.path : undefined
  const values = Object.values(read ?? {})
  const schema = { type: 'string', ...(values.length > 0 && { enum: values }) }
  const paths: Record<string, Record<string, object>> = {}
  for (const [method, path, id] of entries) {
    const names = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
    const parameters = names.map((name) => ({ name, in: 'path', required: true, schema }))
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(id, { parameters }) }
  }
  return paths
}

const of = (id: string, path?: Record<string, string>): Verdict => ({
  operation: id,
  ...(path && { parameters: { path } }),
})

const LITERAL = [
  ['GET', '/a/{x}', 'template'],
  ['GET', '/a/b', 'literal'],
] as const
const CROSSED = [
  ['GET', '/{x}/b', 'first'],
  ['GET', '/a/{y}', 'second'],
] as const
const SIZE = '/gr%C3%B6%C3%9Fe'
const USERS = [['GET', '/users/{id}', 'user']] as const
const SUFFIX = [
  ['GET', '/f/{name}', 'plain'],
  ['GET', '/f/{name}.json', 'json'],
  ['GET', '/f/{name}.tar.json', 'tar'],
] as const

export const ROUTES: readonly RequestRow[] = [
  routes('a literal before a template', LITERAL, 'GET', '/a/b', of('literal')),
  routes('a template for another text', LITERAL, 'GET', '/a/c', of('template', { x: 'c' })),
  routes('an encoded literal', LITERAL, 'GET', '/a/%62', of('literal')),
  routes('a value behind an encoded letter', USERS, 'GET', '/user%73/x', of('user', { id: 'x' })),
  routes(
    'a value behind a letter that only the document encodes',
    [['GET', '/user%73/{id}', 'user']],
    'GET',
    '/users/x',
    of('user', { id: 'x' }),
  ),
  routes(
    'a value behind letters that addresses encode',
    [['GET', '/größe/{v}', 'size']],
    'GET',
    '/gr%C3%B6%C3%9Fe/x',
    of('size', { v: 'x' }),
  ),
  routes(
    'a value behind an encoded literal with a slash at its end',
    [['GET', '/users/{id}/', 'user']],
    'GET',
    '/user%73/x/',
    of('user', { id: 'x' }),
  ),
  routes(
    'the first literal from the left decides',
    CROSSED,
    'GET',
    '/a/b',
    of('second', { y: 'b' }),
  ),
  routes('the only template that fits', CROSSED, 'GET', '/c/b', of('first', { x: 'c' })),
  routes('more literal text before less', SUFFIX, 'GET', '/f/a.tar.json', of('tar', { name: 'a' })),
  routes('a suffix', SUFFIX, 'GET', '/f/a.json', of('json', { name: 'a' })),
  routes('no suffix', SUFFIX, 'GET', '/f/a', of('plain', { name: 'a' })),
  routes(
    'a literal with fewer methods',
    [
      ['GET', '/a/{x}', 'template'],
      ['POST', '/a/b', 'literal'],
    ],
    'GET',
    '/a/b',
    'none',
  ),
  routes('another method', LITERAL, 'DELETE', '/a/b', 'none'),
  routes('an unknown path', LITERAL, 'GET', '/b', 'none'),
  routes('an empty segment is no value', LITERAL, 'GET', '/a/', 'none'),
  routes('more segments', LITERAL, 'GET', '/a/b/c', 'none'),
  routes('letters in another case', LITERAL, 'GET', '/A/b', 'none'),
  routes(
    'a path that ends with a slash',
    [
      ['GET', '/a/', 'slash'],
      ['GET', '/a', 'plain'],
    ],
    'GET',
    '/a/',
    of('slash'),
  ),
  routes(
    'the same path without it',
    [
      ['GET', '/a/', 'slash'],
      ['GET', '/a', 'plain'],
    ],
    'GET',
    '/a',
    of('plain'),
  ),
  routes('an undeclared slash at the end', [['GET', '/a', 'plain']], 'GET', '/a/', 'none'),
  routes('an undeclared slash after a value', LITERAL, 'GET', '/a/7/', 'none'),
  routes('letters outside of ASCII', [['GET', '/größe', 'size']], 'GET', SIZE, of('size')),
  routes('an encoded template', [['GET', SIZE, 'size']], 'GET', '/gr%c3%b6%c3%9fe', of('size')),
  routes(
    'letters outside of ASCII beside a value',
    [['GET', '/größe-{x}', 'size']],
    'GET',
    `${SIZE}-7`,
    of('size', { x: '7' }),
  ),
  routes('a dot in a value', LITERAL, 'GET', '/a/v1.2', of('template', { x: 'v1.2' })),
  routes('the path of a server', [['GET', '/a', 'read']], 'GET', '/v2/a', of('read'), {
    servers: [{ url: 'https://api.example/v2' }],
  }),
  routes('without the path of the server', [['GET', '/a', 'read']], 'GET', '/a', 'none', {
    servers: [{ url: 'https://api.example/v2' }],
  }),
  routes('the path of the second server', [['GET', '/a', 'read']], 'GET', '/v3/a', of('read'), {
    servers: [{ url: 'https://api.example/v2' }, { url: 'https://api.example/v3/' }],
  }),
  routes('the variable of a server', [['GET', '/a', 'read']], 'GET', '/v2/a', of('read'), {
    servers: [{ url: 'https://api.example/{v}', variables: { v: { default: 'v2' } } }],
  }),
]

const body = (
  name: string,
  content: object,
  type: string | undefined,
  text: string | undefined,
  verdict: Verdict,
  { isOnlyRead, required = true }: { isOnlyRead?: string; required?: boolean } = {},
): RequestRow => ({
  name: `body: ${name}`,
  paths: { '/things': { post: operation('write', { requestBody: { required, content } }) } },
  request: {
    method: 'POST',
    url: '/things',
    headers: type === undefined ? {} : { 'content-type': type },
    ...(text !== undefined && { body: text }),
  },
  verdict,
  ...(isOnlyRead !== undefined && { isOnlyRead }),
})

const value = (one: unknown): Verdict => ({ operation: 'write', value: one })
const json = (one: unknown) => ({ 'application/json': { schema: listing(one) } })
const form = (one: unknown, encoding?: object) => ({
  'application/x-www-form-urlencoded': { schema: listing(one), ...(encoding && { encoding }) },
})
const ANY_JSON = { 'application/json': { schema: {} } }
const JSON_TYPE = 'application/json'
const URLENCODED = 'application/x-www-form-urlencoded'
const closed = (version: string) => ({
  schema: {
    type: 'object',
    required: [version],
    additionalProperties: false,
    properties: { [version]: { type: 'integer', enum: [1] } },
  },
})
const VENDOR = {
  'application/vnd.x.v1+json': closed('one'),
  'application/vnd.x.v2+json': closed('two'),
}
const PATCHES = { 'application/merge-patch+json': { schema: listing({ a: 1 }) } }
const part = (name: string, text: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}\r\n`
const MULTIPART = 'multipart/form-data; boundary=b'
const multipart = (one: unknown, encoding?: object) => ({
  'multipart/form-data': { schema: listing(one), ...(encoding && { encoding }) },
})

/** A body of JSON with a Content-Encoding. */
const encoded = (coding: string, verdict: Verdict): RequestRow => {
  const isOnlyRead = 'clients send no Content-Encoding'
  const sent = body(`encoded as “${coding}”`, json({ a: 1 }), JSON_TYPE, '{"a":1}', verdict, {
    isOnlyRead,
  })
  const headers = { ...sent.request.headers, 'content-encoding': coding }
  return { ...sent, request: { ...sent.request, headers } }
}

export const BODIES: readonly RequestRow[] = [
  body(
    'JSON',
    json({ a: 1, b: ['x'] }),
    'application/json',
    '{"a":1,"b":["x"]}',
    value({ a: 1, b: ['x'] }),
  ),
  body(
    'JSON with a charset',
    json({ a: 1 }),
    'application/json; charset=utf-8',
    '{"a":1}',
    value({ a: 1 }),
    { isOnlyRead: 'clients send no charset' },
  ),
  body('JSON in other letters', json({ a: 1 }), 'Application/JSON', '{"a":1}', value({ a: 1 }), {
    isOnlyRead: 'clients write the declared type',
  }),
  body('JSON that is not an object', json('x'), 'application/json', '"x"', value('x')),
  body('JSON after a byte order mark', ANY_JSON, JSON_TYPE, '\ufeff{"a":1}', { unread: 'body' }),
  ...['', ' ', 'identity', 'Identity, identity', ','].map((coding) =>
    encoded(coding, value({ a: 1 })),
  ),
  // Programs record bodies decoded, which JSON shows.
  ...['gzip', 'identity, gzip', 'no-such-coding'].map(
    (coding): RequestRow => ({
      ...encoded(coding, { unread: 'content' }),
      counted: 'as valid',
    }),
  ),
  body('text that is not JSON', json({ a: 1 }), 'application/json', '{"a":', { unread: 'body' }),
  ...[
    '{"a":12345678901234567890}',
    '{"a":9007199254740993}',
    '{"a":0.12345678901234567890123}',
    '{"a":1e400}',
    '{"a":"\\ud800"}',
    '{"a":{"b":[1,9007199254740993]}}',
  ].map((text) =>
    body(`JSON that loses digits or characters as a value: ${text}`, ANY_JSON, JSON_TYPE, text, {
      unread: 'body',
    }),
  ),
  body(
    'JSON Lines that lose digits',
    { 'application/jsonl': { itemSchema: { type: 'integer' } } },
    'application/jsonl',
    '1\n9007199254740993\n',
    { unread: 'body' },
  ),
  body('numbers in other notations', json({ a: 10 }), JSON_TYPE, '{"a":1.0e1}', value({ a: 10 }), {
    isOnlyRead: 'clients write the shortest notation',
  }),
  body(
    'a text under any type',
    { '*/*': { schema: { type: 'string', maxLength: 2, enum: ['ab'] } } },
    'text/plain',
    'ab',
    value('ab'),
    { isOnlyRead: 'a client must choose a type' },
  ),
  body(
    'a text that is too long, under any type',
    { '*/*': { schema: { type: 'string', maxLength: 2 } } },
    'text/plain',
    'abc',
    { unread: 'body' },
  ),
  body('JSON in another charset', json({ a: 1 }), 'application/json; charset=utf-16', '{"a":1}', {
    unread: 'content',
  }),
  body('an undeclared type', json({ a: 1 }), 'text/plain', 'a', { unread: 'content' }),
  {
    ...body('no type', json({ a: 1 }), undefined, '{"a":1}', { unread: 'content' }),
    counted: 'as valid',
  },
  body('no body, but one is required', json({ a: 1 }), 'application/json', undefined, {
    unread: 'body',
  }),
  body(
    'no body, and none is required',
    json({ a: 1 }),
    undefined,
    undefined,
    { operation: 'write' },
    { required: false },
  ),
  body('a value outside its enumeration', json({ a: 1 }), 'application/json', '{"a":2}', {
    unread: 'body',
  }),
  body(
    'the first version of a vendor type',
    VENDOR,
    'application/vnd.x.v1+json',
    '{"one":1}',
    value({ one: 1 }),
  ),
  body(
    'the second version of a vendor type',
    VENDOR,
    'application/vnd.x.v2+json',
    '{"two":1}',
    value({ two: 1 }),
  ),
  body('the first body under the second type', VENDOR, 'application/vnd.x.v2+json', '{"one":1}', {
    unread: 'body',
  }),
  body('JSON where vendor types are declared', VENDOR, 'application/json', '{"one":1}', {
    unread: 'content',
  }),
  body('a merge patch', PATCHES, 'application/merge-patch+json', '{"a":1}', value({ a: 1 })),
  body('another kind of patch', PATCHES, 'application/json-patch+json', '{"a":1}', {
    unread: 'content',
  }),
  body('plain JSON for a merge patch', PATCHES, 'application/json', '{"a":1}', {
    unread: 'content',
  }),
  body(
    'versions by a parameter',
    { 'application/json;version=1': closed('one'), 'application/json;version=2': closed('two') },
    'application/json; version=2',
    '{"two":1}',
    value({ two: 1 }),
  ),
  body(
    'a range',
    { 'application/*': { schema: listing({ a: 1 }) } },
    'application/json',
    '{"a":1}',
    value({ a: 1 }),
    { isOnlyRead: 'a client must choose a type' },
  ),
  body(
    'the type before its range',
    { 'application/*': closed('one'), 'application/json': closed('two') },
    'application/json',
    '{"two":1}',
    value({ two: 1 }),
  ),
  body(
    'plain text',
    { 'text/plain': { schema: listing('hello') } },
    'text/plain',
    'hello',
    value('hello'),
  ),
  body(
    'plain text with a charset',
    { 'text/plain': { schema: listing('hé') } },
    'text/plain; charset=utf-8',
    'hé',
    value('hé'),
    { isOnlyRead: 'clients write the declared type' },
  ),
  body('a form', form({ a: 'x y', b: 2 }), URLENCODED, 'a=x+y&b=2', value({ a: 'x y', b: 2 })),
  body('a form with %20', form({ a: 'x y' }), URLENCODED, 'a=x%20y', value({ a: 'x y' }), {
    isOnlyRead: 'blanks are written as plus',
  }),
  body(
    'a form with a repeated field',
    form({ a: ['x', 'y'] }),
    URLENCODED,
    'a=x&a=y',
    value({ a: ['x', 'y'] }),
  ),
  body('a form with a list of one', form({ a: ['x'] }), URLENCODED, 'a=x', value({ a: ['x'] })),
  body(
    'a form with deepObject',
    form({ a: { b: 1 } }, { a: { style: 'deepObject', explode: true } }),
    URLENCODED,
    'a%5Bb%5D=1',
    value({ a: { b: 1 } }),
  ),
  body(
    'a form with commas',
    form({ a: [1, 2] }, { a: { style: 'form', explode: false } }),
    URLENCODED,
    'a=1,2',
    value({ a: [1, 2] }),
  ),
  body(
    'a form with pipes',
    form({ a: ['x', 'y'] }, { a: { style: 'pipeDelimited', explode: false } }),
    URLENCODED,
    'a=x%7Cy',
    value({ a: ['x', 'y'] }),
  ),
  body(
    'a form with JSON in a field',
    form({ a: { b: 1 } }, { a: { contentType: 'application/json' } }),
    URLENCODED,
    'a=%7B%22b%22%3A1%7D',
    value({ a: { b: 1 } }),
  ),
  body(
    'a form with invalid percent-encoding',
    form({ a: 'x' }),
    URLENCODED,
    'a=%E0%A4%A',
    { unread: 'body' },
    { isOnlyRead: 'clients do not send it' },
  ),
  body(
    'a multipart form',
    multipart({ a: 'x', b: 2 }),
    MULTIPART,
    `${part('a', 'x')}${part('b', '2')}--b--\r\n`,
    value({ a: 'x', b: 2 }),
  ),
  body(
    'a multipart form with a repeated part',
    multipart({ a: ['x', 'y'] }),
    MULTIPART,
    `${part('a', 'x')}${part('a', 'y')}--b--\r\n`,
    value({ a: ['x', 'y'] }),
  ),
  body(
    'a multipart form with a part of JSON',
    multipart({ a: { b: 1 } }),
    MULTIPART,
    `--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n{"b":1}\r\n--b--\r\n`,
    value({ a: { b: 1 } }),
  ),
  body('a multipart form without its end', multipart({ a: 'x' }), MULTIPART, part('a', 'x'), {
    unread: 'body',
  }),
  body(
    'a multipart form without a boundary',
    multipart({ a: 'x' }),
    'multipart/form-data',
    `${part('a', 'x')}--b--\r\n`,
    { unread: 'body' },
  ),
  body(
    'JSON Lines',
    { 'application/jsonl': { itemSchema: listing({ a: 1 }) } },
    'application/jsonl',
    '{"a":1}\n{"a":1}\n',
    value([{ a: 1 }, { a: 1 }]),
  ),
  body(
    'one of two types',
    { ...json({ a: 1 }), ...form({ a: 2 }) },
    URLENCODED,
    'a=2',
    value({ a: 2 }),
  ),
  body(
    'the other of two types',
    { ...json({ a: 1 }), ...form({ a: 2 }) },
    'application/json',
    '{"a":1}',
    value({ a: 1 }),
  ),
]

/** The whole query is one value (OpenAPI 3.2). */
const whole = (type: string, schema: object, url: string, verdict: Verdict): RequestRow => ({
  name: `querystring as ${type}: ${url}`,
  paths: {
    '/things': {
      get: operation('read', {
        parameters: [
          { name: 'v', in: 'querystring', required: true, content: { [type]: { schema } } },
        ],
      }),
    },
  },
  request: { method: 'GET', url, headers: {} },
  verdict,
  isOnlyRead: 'writing is in its own test',
})

export const WHOLE_QUERIES: readonly RequestRow[] = [
  whole('application/x-www-form-urlencoded', listing({ a: 1, b: 'x' }), '/things?a=1&b=x', {
    operation: 'read',
    parameters: { query: { v: { a: 1, b: 'x' } } },
  }),
  whole('application/json', listing({ a: 1 }), '/things?%7B%22a%22%3A1%7D', {
    operation: 'read',
    parameters: { query: { v: { a: 1 } } },
  }),
  whole('text/plain', listing('a b'), '/things?a%20b', {
    operation: 'read',
    parameters: { query: { v: 'a b' } },
  }),
]

export const REQUESTS: readonly RequestRow[] = [
  ...PARAMETERS,
  ...COMBINATIONS,
  ...ROUTES,
  ...BODIES,
  ...WHOLE_QUERIES,
]
