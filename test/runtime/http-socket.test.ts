import { inspect } from 'node:util'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type CallError,
  createHttp,
  type HttpOptions,
  type Secret,
} from '../../src/runtime/http.js'
import { type Client, service, validators } from './http-fixture.js'
import { closedUrl, listen } from './listen.js'

/** As generated `http.client.ts` declares them. */
type HttpAuth = { readonly apiKey?: Secret<string> }
type Options = HttpOptions<'testnet' | 'mainnet', HttpAuth>
const createHttpClient = (options: Options = {}): Client =>
  createHttp<Client>(service, validators, options)

const failure = (work: Promise<unknown>): Promise<CallError> =>
  work.then(
    () => expect.fail('answered'),
    (error) => error,
  )

const transports: readonly (readonly [string, HttpOptions['fetch']])[] = [
  ['the client’s own transport', undefined],
  ['the platform’s fetch', (url, init) => fetch(url, init)],
]

describe.each(transports)('over a socket, by %s', (_, by) => {
  const createHttpClient = (options: Options = {}): Client =>
    createHttp<Client>(service, validators, { fetch: by, ...options })

  it('submits, is refused and follows to the end', async () => {
    let asked = 0
    const seen: string[] = []
    const url = await listen(async (request, response) => {
      const chunks = await request.toArray()
      seen.push(`${request.method} ${request.url} ${Buffer.concat(chunks)}`)
      response.setHeader('content-type', 'application/json; charset=utf-8')
      if (request.method === 'GET') {
        asked += 1
        const status = asked < 3 ? 'pending' : 'completed'
        return response.end(JSON.stringify({ status, queueId: 'q 1', transactionHash: '0x01' }))
      }
      response.statusCode = seen.length === 1 ? 200 : 401
      const answer =
        seen.length === 1 ? { success: true, hash: '0x01' } : { success: false, error: 'no' }
      response.end(JSON.stringify(answer))
    })
    const client = createHttpClient({ server: url, auth: { apiKey: 'k' } })
    const written = await client.submit({ body: { arguments: 'hé' } })
    expect(written).toEqual({ success: true, hash: '0x01', transactionHash: '0x01' })
    const refused = await client.submit.exchange({ body: { arguments: 'hi' } })
    expect([refused.status, refused.body]).toEqual([401, { success: false, error: 'no' }])
    const states: string[] = []
    for await (const { status } of client.getStatus.poll(
      { path: { queueId: 'q 1' } },
      { interval: 1 },
    ))
      states.push(status)
    expect(states).toEqual(['pending', 'completed'])
    expect(seen).toEqual([
      'POST /zkt/k {"arguments":"hé"}',
      'POST /zkt/k {"arguments":"hi"}',
      'GET /v1/status/q%201 ',
      'GET /v1/status/q%201 ',
      'GET /v1/status/q%201 ',
    ])
  })

  it('uploads a form that a server can read', async () => {
    const url = await listen(async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      const form = await new Response(body, {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      }).formData()
      response.writeHead(202, { 'content-type': 'text/plain' })
      response.end(`${form.get('title')} ${(form.get('file') as File).size}`)
    })
    const body = { title: 'a', file: new Blob(['12345']) }
    const answer = await createHttpClient({ server: url }).upload({
      body,
      contentType: 'multipart/form-data',
    })
    expect(answer).toBe('a 5')
  })

  it('repeats a read whose answer broke off, not a write', async () => {
    let count = 0
    const url = await listen((_, response) => {
      count += 1
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' })
      response.write('["a"')
      if (count % 2 === 1) setTimeout(() => response.destroy(), 5)
      else response.end(',"b"]')
    })
    const client = createHttpClient({ server: url, auth: { apiKey: 'k' }, retry: { delay: 1 } })
    expect(await client.search()).toEqual(['a', 'b'])
    expect(count).toBe(2)
    const error = await failure(client.submit({ body: { arguments: 'hi' } }))
    expect([error.reason, count]).toEqual(['network', 3])
  })

  it('gives up on a server that never ends its answer, and hangs up', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const url = await listen((request, response) => {
      // Whether it is reset or ended says the system, by what was read of it.
      closed = new Promise((resolve) => request.socket.once('close', resolve))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('[')
    })
    const error = await failure(createHttpClient({ server: url, timeout: 50 }).search())
    expect(error.reason).toBe('timeout')
    await closed
  })

  it('says that nobody listens, without the key', async () => {
    const url = await closedUrl()
    const client = createHttpClient({ server: url, auth: { apiKey: 'opensesame' } })
    const error = await failure(client.submit({ body: { arguments: 'hi' } }))
    expect(error.reason).toBe('network')
    expect(inspect(error)).toContain('ECONNREFUSED')
    expect(inspect(error)).not.toContain('opensesame')
  })

  it('shows no key that no header can carry', async () => {
    const operations = {
      search: {
        ...service.operations.search,
        security: [['key']],
        schemes: { key: { kind: 'key', in: 'header', parameter: 'x-key' } as const },
      },
    }
    const auth = { key: () => 'open\nsesame' }
    const client = createHttp<Client>({ ...service, operations }, validators, { auth, fetch: by })
    const error = await failure(client.search())
    expect(error.reason).toBe('invalid-input')
    expect(inspect(error)).not.toContain('sesame')
  })
})

describe('the options of a generated client', () => {
  it('take documented names, URLs and the secrets of the document', () => {
    expectTypeOf<{
      server: 'testnet'
      auth: { apiKey: () => Promise<string> }
    }>().toExtend<Options>()
    expectTypeOf<{ server: string; fetch: typeof fetch }>().toExtend<Options>()
    expectTypeOf<{ auth: { apiKey: number } }>().not.toExtend<Options>()
    expect(() => createHttpClient({ server: 'mainent' })).toThrow(TypeError)
  })
})
