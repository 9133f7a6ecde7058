import type { WireResponse } from './verdicts.js'

/** One response of an operation, and what it says by its document. */
export type ResponseRow = {
  readonly name: string
  /** OpenAPI, Responses Object. */
  readonly responses: Readonly<Record<string, object>>
  readonly method?: string
  readonly response: WireResponse
  readonly verdict: ResponseVerdict
}

export type ResponseVerdict =
  /** The key of the declared response, its declared media type, and the value. */
  | { readonly status: string; readonly content?: string; readonly value?: unknown }
  /** The response is declared, but its body cannot be read by the document. */
  | { readonly unread: 'content' | 'body' }
  /** The document declares no response for the status. */
  | 'none'

const content = (types: Readonly<Record<string, Described>>): object => ({
  description: 'A response.',
  content: types,
})

type Described = { readonly schema: object; readonly example: unknown }

/** A schema of one value only, with it as the example. Enumerations would not do, because clients tolerate new values. */
const listing = (value: unknown): Described => ({ schema: exactly(value), example: value })

const exactly = (value: unknown): object => {
  if (typeof value === 'string') return { type: 'string', pattern: `^${value}$` }
  if (typeof value === 'number') return { type: 'integer', minimum: value, maximum: value }
  if (Array.isArray(value)) return { type: 'array', items: { type: 'integer' } }
  const entries = Object.entries(Object(value))
  return {
    type: 'object',
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, one]) => [name, exactly(one)])),
  }
}

const EMPTY = { description: 'No body.' }
const JSON_TYPE = 'application/json'

/** A JSON response whose schema lists one value, so that a reader of another response rejects it. */
const only = (value: unknown, type = JSON_TYPE): object =>
  content({ [type]: listing({ v: value }) })
const text = (value: unknown): string => JSON.stringify({ v: value })

const row = (
  name: string,
  responses: ResponseRow['responses'],
  response: WireResponse,
  verdict: ResponseVerdict,
): ResponseRow => ({ name: `${name} (${response.status})`, responses, response, verdict })

const reads = (status: string, value: unknown, type = JSON_TYPE): ResponseVerdict => ({
  status,
  content: type,
  value: { v: value },
})

const sent = (
  status: number,
  value: unknown,
  type: string | undefined = JSON_TYPE,
): WireResponse => ({
  status,
  ...(type !== undefined && { type }),
  body: text(value),
})

const ALL = { 200: only('exact'), '2XX': only('range'), default: only('rest') }
const LOWER = { '2xx': only('range'), '4xx': only('client') }
const VENDOR = {
  200: content({
    'application/vnd.x.v1+json': listing({ one: 1 }),
    'application/vnd.x.v2+json': listing({ two: 1 }),
  }),
}
const VERSIONS = {
  200: content({
    'application/json;version=1': listing({ one: 1 }),
    'application/json;version=2': listing({ two: 1 }),
  }),
}
const RANGES = {
  200: content({
    '*/*': listing('anything'),
    'text/*': listing('text'),
    'text/csv': listing('csv'),
  }),
}

export const RESPONSES: readonly ResponseRow[] = [
  row('the exact status', ALL, sent(200, 'exact'), reads('200', 'exact')),
  row('another status of the range', ALL, sent(202, 'range'), reads('2XX', 'range')),
  row('a status that only default declares', ALL, sent(404, 'rest'), reads('default', 'rest')),
  row(
    'a server error that only default declares',
    ALL,
    sent(503, 'rest'),
    reads('default', 'rest'),
  ),
  row('the value of the range under the exact status', ALL, sent(200, 'range'), { unread: 'body' }),
  row('the value of default under the range', ALL, sent(201, 'rest'), { unread: 'body' }),
  row('a range in lower case', LOWER, sent(200, 'range'), reads('2xx', 'range')),
  row('an error range in lower case', LOWER, sent(422, 'client'), reads('4xx', 'client')),
  row('a status outside all ranges', LOWER, sent(500, 'x'), 'none'),
  row(
    'default beside a declared success',
    { 200: only('a'), default: only('b') },
    sent(202, 'b'),
    reads('default', 'b'),
  ),
  row('default alone', { default: only('b') }, sent(200, 'b'), reads('default', 'b')),
  row(
    'default for an error',
    { 200: only('a'), default: only('b') },
    sent(400, 'b'),
    reads('default', 'b'),
  ),
  row(
    'an exact error',
    { 200: only('a'), 404: only('b'), '4XX': only('c') },
    sent(404, 'b'),
    reads('404', 'b'),
  ),
  row(
    'another error of the range',
    { 200: only('a'), 404: only('b'), '4XX': only('c') },
    sent(409, 'c'),
    reads('4XX', 'c'),
  ),
  row(
    'the value of the exact error under the range',
    { 200: only('a'), 404: only('b'), '4XX': only('c') },
    sent(409, 'b'),
    { unread: 'body' },
  ),
  row('an undeclared success', { 200: only('a') }, sent(201, 'a'), 'none'),
  row('an undeclared error', { 200: only('a') }, sent(404, 'a'), 'none'),
  row('no body where none is declared', { 204: EMPTY }, { status: 204 }, { status: '204' }),
  row('no body under a range', { '2XX': EMPTY }, { status: 204 }, { status: '2XX' }),
  row(
    'no body by default',
    { 200: only('a'), default: EMPTY },
    { status: 204 },
    { status: 'default' },
  ),
  row(
    'a body where one is declared, but absent',
    { 200: only('a') },
    { status: 200, type: JSON_TYPE, body: '' },
    { unread: 'body' },
  ),
  row(
    'JSON with a charset',
    { 200: only('a') },
    sent(200, 'a', 'application/json; charset=utf-8'),
    reads('200', 'a'),
  ),
  row(
    'JSON in other letters',
    { 200: only('a') },
    sent(200, 'a', 'Application/JSON'),
    reads('200', 'a'),
  ),
  row(
    'text that is not JSON',
    { 200: only('a') },
    { status: 200, type: JSON_TYPE, body: '{"v":' },
    { unread: 'body' },
  ),
  row(
    'HTML where JSON is declared',
    { 200: only('a') },
    { status: 200, type: 'text/html', body: '<p>Error</p>' },
    { unread: 'content' },
  ),
  row(
    'bytes where JSON is declared',
    { 200: only('a') },
    { status: 200, type: 'application/octet-stream', body: 'abc' },
    { unread: 'content' },
  ),
  row(
    'events where JSON is declared',
    { 200: only('a') },
    { status: 200, type: 'text/event-stream', body: 'data: 1\n\n' },
    { unread: 'content' },
  ),
  row(
    'JSON where text is declared',
    { 200: content({ 'text/plain': listing('hello') }) },
    { status: 200, type: JSON_TYPE, body: '"hello"' },
    { unread: 'content' },
  ),
  row(
    'a problem where JSON is declared',
    { 200: only('a') },
    sent(200, 'a', 'application/problem+json'),
    { unread: 'content' },
  ),
  row(
    'a vendor type where JSON is declared',
    { 200: only('a') },
    sent(200, 'a', 'application/vnd.x+json'),
    { unread: 'content' },
  ),
  row(
    'JSON where a vendor type is declared',
    { 200: only('a', 'application/vnd.x+json') },
    sent(200, 'a'),
    { unread: 'content' },
  ),
  row(
    'a declared vendor type',
    { 200: only('a', 'application/vnd.x+json') },
    sent(200, 'a', 'application/vnd.x+json'),
    reads('200', 'a', 'application/vnd.x+json'),
  ),
  row(
    'version 1 of a vendor type',
    VENDOR,
    { status: 200, type: 'application/vnd.x.v1+json', body: '{"one":1}' },
    { status: '200', content: 'application/vnd.x.v1+json', value: { one: 1 } },
  ),
  row(
    'version 2 of a vendor type',
    VENDOR,
    { status: 200, type: 'application/vnd.x.v2+json', body: '{"two":1}' },
    { status: '200', content: 'application/vnd.x.v2+json', value: { two: 1 } },
  ),
  row(
    'the body of version 1 under version 2',
    VENDOR,
    { status: 200, type: 'application/vnd.x.v2+json', body: '{"one":1}' },
    { unread: 'body' },
  ),
  row(
    'a version by a parameter',
    VERSIONS,
    { status: 200, type: 'application/json; version=2', body: '{"two":1}' },
    { status: '200', content: 'application/json;version=2', value: { two: 1 } },
  ),
  row(
    'the body of another version by a parameter',
    VERSIONS,
    { status: 200, type: 'application/json;version=1', body: '{"two":1}' },
    { unread: 'body' },
  ),
  row(
    'a parameter that the document does not have',
    { 200: only('a') },
    sent(200, 'a', 'application/json; profile=x'),
    reads('200', 'a'),
  ),
  row(
    'a range of types',
    { 200: content({ 'application/*': listing({ v: 'a' }) }) },
    sent(200, 'a'),
    reads('200', 'a', 'application/*'),
  ),
  row(
    'any type',
    { 200: content({ '*/*': listing({ v: 'a' }) }) },
    sent(200, 'a'),
    reads('200', 'a', '*/*'),
  ),
  row(
    'the type before its range',
    {
      200: content({
        'application/*': listing({ v: 'b' }),
        'application/json': listing({ v: 'a' }),
      }),
    },
    sent(200, 'a'),
    reads('200', 'a'),
  ),
  row(
    'text of a declared type',
    RANGES,
    { status: 200, type: 'text/csv', body: 'csv' },
    { status: '200', content: 'text/csv', value: 'csv' },
  ),
  row(
    'text of a declared range',
    RANGES,
    { status: 200, type: 'text/plain', body: 'text' },
    { status: '200', content: 'text/*', value: 'text' },
  ),
  row(
    'plain text',
    { 200: content({ 'text/plain': listing('hello') }) },
    { status: 200, type: 'text/plain; charset=utf-8', body: 'hello' },
    { status: '200', content: 'text/plain', value: 'hello' },
  ),
  row(
    'an error as a problem',
    { 200: only('a'), 400: only('p', 'application/problem+json') },
    sent(400, 'p', 'application/problem+json'),
    reads('400', 'p', 'application/problem+json'),
  ),
  row(
    'an error of one of two types',
    {
      200: only('a'),
      400: content({
        'application/problem+json': listing({ v: 'p' }),
        'application/json': listing({ v: 'j' }),
      }),
    },
    sent(400, 'j'),
    reads('400', 'j'),
  ),
  row(
    'an error of the other type',
    {
      200: only('a'),
      400: content({
        'application/problem+json': listing({ v: 'p' }),
        'application/json': listing({ v: 'j' }),
      }),
    },
    sent(400, 'j', 'application/problem+json'),
    { unread: 'body' },
  ),
  row('an error whose body breaks its schema', { 200: only('a'), 400: only('b') }, sent(400, 'c'), {
    unread: 'body',
  }),
  row(
    'an error of an undeclared type',
    { 200: only('a'), 400: only('b') },
    { status: 400, type: 'text/html', body: '<p>Bad</p>' },
    { unread: 'content' },
  ),
  row('a body that breaks its schema', { 200: only('a') }, sent(200, 'b'), { unread: 'body' }),
  row(
    'a body that is not an object',
    { 200: content({ [JSON_TYPE]: listing([1, 2, 1]) }) },
    { status: 200, type: JSON_TYPE, body: '[1,2,1]' },
    { status: '200', content: JSON_TYPE, value: [1, 2, 1] },
  ),
]
