import { serveHandlers } from 'twinspec/runtime/duplex'
import { type HttpLinkOptions, httpLink } from 'twinspec/runtime/links/http'
import { createRpc, type RpcLink, type RpcOptions, type Warning } from 'twinspec/runtime/rpc'
import {
  createServerCore,
  type EventStreamOptions,
  serveLink,
  toFetchHandler,
} from 'twinspec/runtime/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createService } from '../../src/mock/service.js'
import { apiOf, openrpcOf } from '../read/api-of.js'
import { errorOf as rejectionOf } from './rpc-fixture.js'

const text = { type: 'string' }
const returns = { result: { name: 'result', schema: text } }
const param = (name: string, schema: object = text) => ({ name, required: true, schema })

const METHODS = [
  { name: 'begin', params: [], ...returns },
  { name: 'work', params: [param('steps', { type: 'integer' })], ...returns },
  { name: 'note', params: [param('value')] },
  { name: 'progress', params: [param('step', { type: 'integer' })], 'x-direction': 'server' },
  { name: 'ask', params: [param('question')], 'x-direction': 'server', ...returns },
].map((method) => ({ 'x-direction': 'client', ...method }))

const { service } = createService(
  await apiOf({ openrpc: openrpcOf({ openrpc: '1.4.1', methods: METHODS }) }),
)

const errorOf = (work: Promise<unknown> | undefined) => rejectionOf(Promise.resolve(work))

type Peer = {
  readonly notify: { readonly progress: (step: number) => Promise<unknown> }
  readonly call: { readonly ask: (question: string) => Promise<string> }
}
type Context = { readonly peer?: Peer; readonly signal: AbortSignal }
type Work = (params: readonly [number], context: Context) => Promise<string>

/** Reports each step, and asks at the end. */
const reporting: Work = async ([steps], { peer }) => {
  for (let step = 1; step <= steps; step += 1) await peer?.notify.progress(step)
  return (await peer?.call.ask('sure?')) ?? 'nobody to ask'
}

const SESSIONS: EventStreamOptions = { session: { header: 'Session-Id', begins: 'begin' } }

/** A server, and the requests that it got. */
const serve = (work: Work, eventStreams: EventStreamOptions = SESSIONS) => {
  const handlers = { begin: () => 'begun', work, note: () => undefined }
  const server = createServerCore<Peer>(service, handlers as never, { eventStreams })
  const handle = toFetchHandler(server)
  const sent: string[] = []
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const id = headers.get('session-id') === null ? 'none' : 'session'
    sent.push(`${init.method} ${id}`)
    return handle(new Request(url, init))
  }
  const request = (method: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(URL_OF_SERVER, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify({ jsonrpc: '2.0', ...body }) }),
    })
  return { server, fetch, sent, request }
}

const URL_OF_SERVER = 'http://127.0.0.1:8545/'

type Client = {
  readonly begin: () => Promise<string>
  readonly work: (steps: number, ...rest: unknown[]) => Promise<string>
  readonly note: (value: string) => Promise<void>
}

const clientOf = (options: RpcOptions): Client => {
  const { rpc, validators } = service
  if (!rpc) throw new TypeError('the document has methods')
  return createRpc<Client>(rpc, validators, options, undefined, { serveHandlers })
}

const connect = (link: RpcLink, options: RpcOptions = {}) => {
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const steps: unknown[] = []
  const warnings: Warning[] = []
  const handlers = {
    progress: ([step]: [number]) => steps.push(step),
    ask: ([question]: [string]) => `${question} yes`,
  }
  const onWarning = (warning: Warning) => warnings.push(warning)
  const { signal } = ended
  const client = clientOf({ link, handlers, onWarning, signal, ...options })
  return { client, steps, warnings, end: () => ended.abort() }
}

const linkTo = (fetch: HttpLinkOptions['fetch'], options: HttpLinkOptions = {}) =>
  httpLink(URL_OF_SERVER, { fetch, session: 'Session-Id', ...options })

const EVENTS = { accept: 'application/json, text/event-stream' }

describe('a server over HTTP sends messages before its response', () => {
  it('handlers of the client get them, and each response is a request of its own', async () => {
    const { fetch, sent } = serve(reporting)
    const { client, steps, warnings } = connect(linkTo(fetch))
    expect(await client.begin()).toBe('begun')
    expect(await client.work(3)).toBe('sure? yes')
    expect(steps).toEqual([1, 2, 3])
    expect(warnings).toEqual([])
    expect(sent).toEqual(['POST none', 'POST session', 'POST session'])
  })

  it('a client without a link gets them too, if it accepts event streams', async () => {
    const { fetch } = serve(async ([steps], { peer }) => {
      await peer?.notify.progress(steps)
      return 'done'
    }, {})
    const steps: unknown[] = []
    const handlers = { progress: ([step]: [number]) => steps.push(step) }
    const options = { server: URL_OF_SERVER, fetch, handlers, headers: EVENTS }
    expect(await clientOf(options).work(7)).toBe('done')
    expect(steps).toEqual([7])
  })

  it('calls at the same time are answered with their own messages', async () => {
    const { fetch } = serve(async ([steps], context) => `${steps} ${await reporting([1], context)}`)
    const { client } = connect(linkTo(fetch))
    await client.begin()
    const all = await Promise.all([1, 2, 3, 4].map((steps) => client.work(steps)))
    expect(all).toEqual([1, 2, 3, 4].map((steps) => `${steps} sure? yes`))
  })

  it('a caller that accepts only JSON gets JSON, and has no peer without a session', async () => {
    const { request } = serve(async (_, { peer }) => (peer ? 'a peer' : 'no peer'), {})
    const work = { id: 1, method: 'work', params: [1] }
    const plain = await request('POST', work, { accept: 'application/json, */*' })
    expect(await plain.json()).toEqual({ jsonrpc: '2.0', id: 1, result: 'no peer' })
    const events = await request('POST', work, EVENTS)
    expect(events.headers.get('content-type')).toBe('application/json')
    expect(await events.json()).toEqual({ jsonrpc: '2.0', id: 1, result: 'a peer' })
  })

  it('without sessions, a request to the caller rejects', async () => {
    const errors: unknown[] = []
    const { fetch } = serve(async (_, { peer }) => {
      errors.push(await errorOf(peer?.call.ask('sure?')))
      return 'done'
    }, {})
    const { client } = connect(linkTo(fetch))
    expect(await client.work(1)).toBe('done')
    expect(String(errors[0])).toContain('the option eventStreams.session')
  })

  it('without handlers, the client reports notifications and rejects requests', async () => {
    const { fetch } = serve(async (params, context) =>
      String(await errorOf(reporting(params, context))),
    )
    const { client, warnings } = connect(linkTo(fetch), { handlers: {} })
    await client.begin()
    expect(await client.work(1)).toContain('Method not found')
    expect(warnings.map(({ kind, operation }) => [kind, operation])).toEqual([
      ['unmatched', 'progress'],
    ])
  })
})

describe('statuses and ids', () => {
  it('errorStatuses has the status of an error; a batch has it if all its members do', async () => {
    const errorStatuses = { '-32601': 404, '-32700': 400, '-32600': 400 }
    const handlers = { begin: () => 'begun', work: () => 'done', note: () => undefined }
    const server = createServerCore(service, handlers as never, { errorStatuses })
    const statusOf = async (body: string) => {
      const headers = { 'content-type': 'application/json' }
      const request = new Request(URL_OF_SERVER, { method: 'POST', headers, body })
      return (await toFetchHandler(server)(request)).status
    }
    const call = (method: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}"}`
    expect(await statusOf(call('begin'))).toBe(200)
    expect(await statusOf(call('unknown'))).toBe(404)
    expect(await statusOf(call('work'))).toBe(200)
    expect(await statusOf('{ no JSON')).toBe(400)
    expect(await statusOf('[]')).toBe(400)
    expect(await statusOf('{"id":1}')).toBe(400)
    expect(await statusOf(`[${call('unknown')},${call('unknown')}]`)).toBe(404)
    expect(await statusOf(`[${call('unknown')},${call('begin')}]`)).toBe(200)
  })

  it('a handler with a peer has the id of its request', async () => {
    const { request } = serve(async (_, context) => JSON.stringify(Object(context).id), {})
    const replied = await request('POST', { id: 'mine', method: 'work', params: [1] }, EVENTS)
    expect(await replied.json()).toMatchObject({ result: '"mine"' })
  })
})

describe('sessions', () => {
  const begin = { id: 1, method: 'begin' }

  it('begin with their method, and end with DELETE', async () => {
    const { request } = serve(reporting)
    const statuses = async (headers: Record<string, string>) => [
      (await request('POST', { method: 'note', params: ['a'] }, headers)).status,
      (await request('POST', { id: 9, result: 'late' }, headers)).status,
    ]
    expect(await statuses({})).toEqual([400, 400])
    const begun = await request('POST', begin)
    const id = begun.headers.get('session-id') ?? ''
    expect(id).toMatch(/^[0-9a-f]{48}$/)
    const session = { 'session-id': id }
    expect(await statuses(session)).toEqual([202, 202])
    expect((await request('GET', undefined, session)).status).toBe(406)
    expect((await request('HEAD', undefined, { ...EVENTS, ...session })).status).toBe(405)
    expect((await request('DELETE', undefined, session)).status).toBe(204)
    expect(await statuses(session)).toEqual([404, 404])
    expect(await statuses({ 'session-id': 'made up' })).toEqual([404, 404])
  })

  it('a failed beginning is none', async () => {
    const { request } = serve(reporting)
    const failed = await request('POST', { ...begin, params: [1, 2] })
    expect(failed.headers.get('session-id')).toBe(null)
  })

  it('are bounded by number and by caller', async () => {
    const statusesOf = async (options: EventStreamOptions) => {
      const { request } = serve(reporting, { ...SESSIONS, ...options })
      return [(await request('POST', begin)).status, (await request('POST', begin)).status]
    }
    expect(await statusesOf({ sessions: 1 })).toEqual([200, 503])
    expect(await statusesOf({ sessionsPerCaller: 1 })).toEqual([200, 429])
  })

  it('end when they are not used', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { request } = serve(reporting, { ...SESSIONS, idle: 1_000 })
    const begun = await request('POST', begin)
    const session = { 'session-id': begun.headers.get('session-id') ?? '' }
    const note = () => request('POST', { method: 'note', params: ['a'] }, session)
    await vi.advanceTimersByTimeAsync(999)
    expect((await note()).status).toBe(202)
    await vi.advanceTimersByTimeAsync(999)
    expect((await note()).status).toBe(202)
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await note()).status).toBe(404)
  })

  it('have so many requests at once, and so many bytes that wait', async () => {
    const errors: unknown[] = []
    let finish!: () => void
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { request } = serve(
      async (_, { peer }) => {
        const all = Array.from({ length: 100 }, (_unused, step) => peer?.notify.progress(step))
        for (const one of all) one?.catch((error) => errors.push(error))
        await finished
        return 'done'
      },
      { ...SESSIONS, calls: 1, maxBufferedBytes: 1_000 },
    )
    const begun = await request('POST', begin)
    const session = { ...EVENTS, 'session-id': begun.headers.get('session-id') ?? '' }
    const work = { id: 1, method: 'work', params: [1] }
    const streamed = await request('POST', work, session)
    expect((await request('POST', work, session)).status).toBe(429)
    finish()
    const events = (await streamed.text()).split('\n').filter((line) => line.startsWith('data: {'))
    expect(events.length + errors.length).toBe(101)
    expect(events.length).toBeGreaterThan(10)
    expect(events.at(-1)).toContain('"result":"done"')
    expect(String(errors[0])).toContain('more than 1000 bytes wait to be sent')
  })

  it('an ended session rejects what waits for its caller, and aborts its handlers', async () => {
    const ends: string[] = []
    const { request } = serve(async (_, { peer, signal }) => {
      signal.addEventListener('abort', () => ends.push('aborted'))
      ends.push(String(await errorOf(peer?.call.ask('sure?'))))
      return 'done'
    })
    const begun = await request('POST', begin)
    const session = { ...EVENTS, 'session-id': begun.headers.get('session-id') ?? '' }
    const streamed = await request('POST', { id: 1, method: 'work', params: [1] }, session)
    await request('DELETE', undefined, session)
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    expect(ends[1]).toContain('the session ended')
    await streamed.body?.cancel()
  })

  it('pages of other origins are rejected', async () => {
    const { request } = serve(reporting)
    const from = async (origin: string) =>
      (await request('POST', begin, { origin, host: '127.0.0.1:8545' })).status
    expect(await from('http://127.0.0.1:8545')).toBe(200)
    expect(await from('https://evil.example')).toBe(403)
  })
})

describe('what belongs to no response', () => {
  it('arrives in the stream that the client listens to', async () => {
    let saved: Peer | undefined
    const { fetch, sent } = serve(async (_, { peer }) => {
      saved = peer
      return 'done'
    })
    const { client, steps, end } = connect(linkTo(fetch, { listen: true }))
    await client.begin()
    await client.work(1)
    await saved?.notify.progress(1)
    await vi.waitFor(() => expect(steps).toEqual([1]))
    expect(await saved?.call.ask('still there?')).toBe('still there? yes')
    end()
    await vi.waitFor(() => expect(sent).toContain('DELETE session'))
    expect(String(await errorOf(saved?.notify.progress(2)))).toContain('ended')
  })

  it('a server without such a stream is asked once', async () => {
    const { fetch, sent } = serve(async () => 'done', {})
    const { client, warnings } = connect(httpLink(URL_OF_SERVER, { fetch, listen: true }))
    await client.work(1)
    await client.work(1)
    await vi.waitFor(() => expect(sent).toContain('GET none'))
    expect(sent.filter((one) => one.startsWith('GET'))).toHaveLength(1)
    expect(warnings).toEqual([])
  })
})

describe('a stream that breaks', () => {
  /** Cuts each event stream after so many events. */
  const cutting = (fetch: NonNullable<HttpLinkOptions['fetch']>, after: number) => {
    const ids: (string | null)[] = []
    const cut = async (url: string, init: RequestInit): Promise<Response> => {
      if (init.method === 'GET') ids.push(new Headers(init.headers).get('last-event-id'))
      const response = await fetch(url, init)
      if (response.headers.get('content-type') !== 'text/event-stream') return response
      const reader = response.body?.getReader()
      let count = 0
      const body = new ReadableStream({
        pull: async (controller) => {
          const step = await reader?.read()
          count += 1
          if (step?.value && count <= after) controller.enqueue(step.value)
          if (step?.done) return controller.close()
          if (count > after) {
            await reader?.cancel()
            controller.error(new Error('the connection broke'))
          }
        },
      })
      return new Response(body, { headers: response.headers })
    }
    return { cut, ids }
  }
  const clock = { sleep: async () => undefined }

  it('is continued where it broke: nothing is lost, and nothing comes twice', async () => {
    const { fetch } = serve(reporting)
    const { cut, ids } = cutting(fetch, 3)
    const { client, steps } = connect(linkTo(cut, { clock }))
    await client.begin()
    expect(await client.work(5)).toBe('sure? yes')
    expect(steps).toEqual([1, 2, 3, 4, 5])
    expect(ids.length).toBeGreaterThan(1)
    expect(ids[0]).toBe('1_2')
  })

  it('cannot be continued without a session: the call fails', async () => {
    const { fetch } = serve(async ([steps], { peer }) => {
      await peer?.notify.progress(steps)
      return 'done'
    }, {})
    const { cut } = cutting(fetch, 0)
    const { client } = connect(linkTo(cut, { clock }))
    expect(await errorOf(client.work(1))).toMatchObject({ reason: 'network' })
  })
})

describe('serveLink over a link of exchanges', () => {
  it('the texts of an exchange end with the response', async () => {
    const { server } = serve(reporting)
    let exchange: ((text: string) => Promise<{ readonly texts: AsyncIterable<string> }>) | undefined
    const served = await serveLink(server, {
      kind: 'exchange',
      serve: (found) => {
        exchange = found
        return { close: () => undefined }
      },
    })
    const link: RpcLink = {
      kind: 'exchange',
      exchange: async (sent) => (await exchange?.(sent)) ?? { texts: [] },
    }
    const { client, steps } = connect(link)
    expect(await client.work(2)).toBe('sure? yes')
    expect(steps).toEqual([1, 2])
    expect(await client.begin()).toBe('begun')
    await client.note('nothing comes back')
    await served.close()
    await served.closed
    expect(await errorOf(client.work(1))).toMatchObject({ code: -32600 })
  })
})
