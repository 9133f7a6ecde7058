import { expect, test } from 'vitest'
import { apiOf, openapiOf, openrpcOf } from '../read/api-of.js'
import {
  acceptance,
  clientCalls,
  conformCalls,
  mockCalls,
  requestOf,
  serverCalls,
} from './call-verdicts.js'
import { CALLS, type CallRow } from './calls.js'
import { REQUESTS, type RequestRow } from './requests.js'
import { RESPONSES, type ResponseRow, type ResponseVerdict } from './responses.js'
import {
  callShapeOf,
  clientRequest,
  clientVerdict,
  conformVerdict,
  isReturned,
  mockReply,
  mockVerdict,
  serverReply,
  serverVerdict,
  shapeOf,
  usageShape,
  type Verdict,
} from './verdicts.js'

/** Names the test of one reader. */
const party =
  (name: string) =>
  (reader: string, run: () => Promise<void>): void =>
    test(`${name}: ${reader}`, run)

type Read = Extract<Verdict, { readonly operation: string }>

const isRead = (verdict: Verdict): verdict is Read => verdict !== 'none' && 'operation' in verdict

/** Each row is one message and one verdict, which all readers must share. */
for (const row of REQUESTS) {
  const { verdict, request } = row
  const it = party(`request ${row.name}`)

  it('the server', async () => {
    const expected = verdict === 'none' || isRead(verdict) ? verdict : { unread: 'rejected' }
    expect(await serverVerdict(await load(row), request)).toEqual(expected)
  })

  it('the mock', async () => {
    const read = isRead(verdict) ? { operation: verdict.operation } : 'unread'
    const expected = verdict === 'none' ? 'none' : read
    expect(await mockVerdict(await load(row), request)).toEqual(expected)
  })

  it('usage', async () => {
    const counted = usageShape(await load(row), request, DONE)
    if (verdict === 'none') expect(counted).toBe('none')
    else if (isRead(verdict)) expect(counted).toMatchObject({ shape: shapeOf(verdict) })
    else
      expect(waysOf(counted)).toContain(
        row.counted ?? (isOfContent(verdict) ? 'unread' : 'not as valid'),
      )
  })

  it('conform', async () => {
    const { rules, covered, notTested } = await conformVerdict(await load(row), request, DONE)
    if (verdict === 'none') expect(notTested).toContain(NO_OPERATION)
    else if (isRead(verdict)) expect([rules, covered?.met]).toEqual([[], [verdict.operation]])
    else if (row.counted !== undefined) expect([...rules, ...notTested]).toEqual([])
    else expect([...rules, ...notTested]).not.toEqual([])
  })

  it('the client', async () => {
    if (!isRead(verdict)) return
    const { value, parameters, operation } = verdict
    const contentType = request.headers['content-type']
    const body = value !== undefined && { body: value, ...(contentType && { contentType }) }
    const sent = await clientRequest(await load(row), operation, { ...parameters, ...body })
    if ('error' in sent) throw sent.error
    if (!row.isOnlyRead) expect(sent).toMatchObject({ method: request.method, url: request.url })
    expect(await serverVerdict(await load(row), sent)).toEqual(verdict)
  })
}

const isOfContent = (verdict: Verdict): boolean =>
  verdict !== 'none' && 'unread' in verdict && verdict.unread === 'content'

/**
 * How a request that servers reject was counted. A value that is not read is `unread`; a value outside its schema is counted as
 * what it is, which is none of the listed values.
 */
const waysOf = (counted: ReturnType<typeof usageShape>): readonly string[] => {
  if (counted === 'none') return []
  const isUnread = JSON.stringify(counted.usage).includes('"unread":{')
  const isListed = JSON.stringify(counted.shape).includes('"=')
  return [
    ...(isUnread ? ['unread'] : []),
    ...(isListed ? ['as valid'] : ['not as valid']),
    ...(counted.counts.includes('query *') ? ['with others'] : []),
  ]
}

const isDeclared = (
  verdict: ResponseVerdict,
): verdict is Extract<ResponseVerdict, { readonly status: string }> =>
  verdict !== 'none' && 'status' in verdict

for (const row of RESPONSES) {
  const { verdict, response } = row
  const it = party(`response ${row.name}`)
  const isJson = /json/i.test(response.type ?? '')

  it('the client', async () => {
    const got = await clientVerdict(await loadResponses(row), 'read', {}, response)
    if (verdict === 'none') expect(got).toBe('none')
    else if (isDeclared(verdict)) expect(got).toEqual({ operation: 'read', value: verdict.value })
    else expect(got).toMatchObject({ unread: expect.anything() })
  })

  it('the server', async () => {
    if (isJson && !isJsonText(response.body)) return
    const got = await serverReply(await loadResponses(row), 'read', response)
    if (isDeclared(verdict)) expect(got).toMatchObject({ status: response.status })
    else expect(got).toBeUndefined()
  })

  it('the mock', async () => {
    if (!isDeclared(verdict)) return
    const got = await mockReply(await loadResponses(row), response)
    expect(got.status).toBe(response.status)
    expect(got.body === undefined || !isJson ? got.body : JSON.parse(got.body)).toEqual(
      verdict.value,
    )
  })

  it('conform', async () => {
    const api = await loadResponses(row)
    const { rules, covered } = await conformVerdict(api, READ, response)
    const isSuccess = await isReturned(api, 'read', response)
    if (isDeclared(verdict)) expect([rules, covered?.met]).toEqual([[], isSuccess ? ['read'] : []])
    else if (verdict === 'none')
      expect(rules).toEqual([response.status < 500 ? 'status-is-undeclared' : 'server-fails'])
    else if (verdict.unread === 'content') expect(rules).toContain('content-type-is-undeclared')
    else expect(BODY_RULES).toContain(rules[0])
  })

  it('usage', async () => {
    const counted = usageShape(await loadResponses(row), READ, response)
    if (counted === 'none') throw new Error('the request was not counted')
    expect(counted.counts).toContain(`status ${response.status}`)
    const received = counted.counts.find((one) => one.startsWith('received'))
    if (isDeclared(verdict))
      expect(received).toBe(
        verdict.content === undefined ? undefined : `received ${verdict.content}`,
      )
    else if (verdict !== 'none' && verdict.unread === 'content') expect(received).toBe('received *')
  })
}

for (const row of CALLS) {
  const { verdict, message } = row
  const it = party(`call ${row.name}`)
  const read = verdict.flatMap((one) => (typeof one === 'string' ? [] : [one]))

  it('the server', async () => {
    expect(await serverCalls(await loadMethods(row), message)).toEqual(verdict)
  })

  it('the mock', async () => {
    const answers = verdict.map((one) => (typeof one === 'string' ? one : one.operation))
    const isNotification = !/"id":/.test(message) && read.length > 0
    const expected = isNotification ? [] : answers
    expect(await mockCalls(await loadMethods(row), message)).toEqual(expected)
  })

  it('the client', async () => {
    if (read.length < verdict.length || read.length === 0) return
    const sent = await clientCalls(await loadMethods(row), verdict)
    if (!row.isOnlyRead) expect(JSON.parse(sent)).toEqual(JSON.parse(message))
    expect(await serverCalls(await loadMethods(row), sent)).toEqual(verdict)
  })

  it('usage', async () => {
    const response = { status: 200, type: 'application/json', body: acceptance(message) }
    const counted = usageShape(await loadMethods(row), requestOf(message), response)
    const [first] = read
    if (verdict.every((one) => one === 'none')) expect(counted).toBe('none')
    else if (first) expect(counted).toMatchObject({ shape: callShapeOf(first.params) })
  })

  it('conform', async () => {
    const isCall = /"id":/.test(message) && verdict.length > 0
    const { rules, covered, notTested } = await conformCalls(await loadMethods(row), message)
    if (isCall && read.length === verdict.length)
      expect([rules, covered?.met]).toEqual([[], read.map(({ operation }) => operation)])
    else if (read.length < verdict.length && read.length === 0)
      expect([...rules, ...notTested]).not.toEqual([])
  })
}

const loadMethods = ({ methods }: CallRow) =>
  apiOf({ openrpc: openrpcOf({ methods, servers: [{ url: 'https://api.example/' }] }) })

test('the table has more than 200 rows, each with a name of its own', () => {
  const names = [REQUESTS, RESPONSES, CALLS].flatMap((rows) => rows.map(({ name }) => name))
  expect(names.length).toBeGreaterThan(200)
  expect(new Set(names).size).toBe(names.length)
})

const load = ({ paths, servers, components }: RequestRow) =>
  apiOf({
    openapi: openapiOf({
      version: /itemSchema|querystring/.test(JSON.stringify(paths)) ? '3.2.0' : '3.1.0',
      paths,
      ...(components && { components }),
      servers: servers ?? [{ url: 'https://api.example' }],
    }),
  })

const loadResponses = ({ responses }: ResponseRow) =>
  apiOf({
    openapi: openapiOf({
      version: '3.1.0',
      paths: { '/things': { get: { operationId: 'read', responses } } },
      servers: [{ url: 'https://api.example' }],
    }),
  })

const isJsonText = (text = ''): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const DONE = { status: 200, type: 'application/json', body: '{}' }
const READ = { method: 'GET', url: '/things', headers: {} }
const NO_OPERATION = 'it does not match a documented operation'
const BODY_RULES = [
  'body-invalid',
  'response-not-json',
  'response-not-cbor',
  'body-is-missing',
  'response-property-forbidden',
]
