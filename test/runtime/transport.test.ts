import type { IncomingMessage, RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { transport as nodeTransport } from '../../src/runtime/link/node-transport.js'
import type { FetchOptions, Transport } from '../../src/runtime/link/transport.js'
import { transport as webTransport } from '../../src/runtime/link/web-transport.js'
import { closeDeadline, startDeadline } from '../../src/runtime/shared/deadline.js'
import { closedUrl, listen } from './listen.js'

const CODED = '[1,2,3]'.repeat(9)
const JSON_WANTED = ['accept', 'application/json'] as const
afterEach(() => {
  vi.unstubAllGlobals()
})

type Given = {
  readonly method?: string
  readonly body?: BodyInit
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly timeout?: number
  readonly fetchOptions?: FetchOptions
}

type Outcome = {
  readonly status?: number
  readonly ok?: boolean
  readonly headers?: readonly (readonly [string, string])[]
  readonly text?: string
  readonly error?: string
  readonly cause?: string | undefined
}

/** All that a client can see of an exchange. */
const outcomeOf = async (send: Transport, url: string, given: Given = {}): Promise<Outcome> => {
  const { timeout, headers = [JSON_WANTED], method = 'GET', body, fetchOptions } = given
  const deadline = startDeadline([], timeout)
  try {
    const answer = await send({
      url,
      method,
      headers: Object.fromEntries(headers),
      body,
      redirect: 'follow',
      fetchOptions,
      deadline,
      maxResponseBytes: Number.POSITIVE_INFINITY,
    })
    const { status } = answer
    const { ok } = answer.response()
    const kept = [...answer.headers()].filter(([name]) => name !== 'date')
    return { status, ok, headers: kept, text: await answer.text() }
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: Error & { code?: string } }
    return { error: `${name}: ${message}`, cause: cause?.code }
  } finally {
    closeDeadline(deadline)
  }
}

/** What both transports come to, asserted to be the same, and what the server was asked by each. */
const both = async (url: string, given?: Given): Promise<Outcome> => {
  const node = await outcomeOf(nodeTransport, url, given)
  const web = await outcomeOf(webTransport, url, given)
  // The messages of the platform differ beneath the error that `fetch` documents.
  expect({ ...node, cause: '' }).toEqual({ ...web, cause: '' })
  return node
}

const asked: unknown[] = []
beforeEach(() => {
  asked.length = 0
})
const note = async (request: IncomingMessage): Promise<string> => {
  const body = Buffer.concat(await request.toArray()).toString()
  const { method, url, headers } = request
  // The codings that a transport can decode are its own choice.
  asked.push({ method, url, headers: { ...headers, host: 'host', 'accept-encoding': '' }, body })
  return body
}
/** Two transports asked, in turn: the same must have been said to the server. */
const expectAskedAlike = (): void => {
  const half = asked.length / 2
  expect(half).toBeGreaterThan(0)
  expect(asked.slice(0, half)).toEqual(asked.slice(half))
}

describe('Node’s dispatcher and its fetch', () => {
  const json = ['content-type', 'application/json'] as const
  const requests: readonly (readonly [string, Given])[] = [
    ['reads', {}],
    [
      'reads with headers of one’s own',
      {
        headers: [
          ['accept', 'a/json, */*'],
          ['user-agent', 'mine'],
        ],
      },
    ],
    [
      'keeps what it may not override',
      {
        headers: [
          ['sec-fetch-mode', 'mine'],
          ['host', 'mine'],
        ],
      },
    ],
    ['asks for a head', { method: 'HEAD' }],
    ['asks under a condition', { headers: [JSON_WANTED, ['if-none-match', '"a"']] }],
    ['asks for a range', { headers: [JSON_WANTED, ['range', 'bytes=0-3']] }],
    [
      'writes text',
      { method: 'POST', headers: [JSON_WANTED, json], body: '{"a":"h\u00e9 \ud800"}' },
    ],
    ['writes untyped text', { method: 'POST', body: 'h\u00e9' }],
    [
      'writes bytes',
      { method: 'PUT', headers: [JSON_WANTED, json], body: new Uint8Array([1, 255]) },
    ],
    ['writes nothing', { method: 'POST' }],
    ['writes an empty text', { method: 'POST', headers: [JSON_WANTED, json], body: '' }],
    ['writes a form', { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }],
    ['writes a file', { method: 'PATCH', body: new Blob(['ab'], { type: 'a/b' }) }],
    ['deletes', { method: 'DELETE' }],
    ['asks for options', { method: 'OPTIONS', headers: [JSON_WANTED, json], body: '{}' }],
  ]
  it.each(requests)('%s', async (_, given) => {
    const url = await listen(async (request, response) => {
      await note(request)
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.end('{}')
    })
    expect(await both(`${url}/a b/../c?d=\u00e9#f`, given)).toMatchObject({ status: 200 })
    expectAskedAlike()
  })

  const FAILED = 'TypeError: fetch failed'
  const answers: readonly (readonly [string, want: string, RequestListener, Given?])[] = [
    ['nothing', '', (_, response) => response.writeHead(204).end()],
    ['a mark of byte order', '{}', (_, response) => response.end('\ufeff{}')],
    ['no UTF-8', 'a\ufffd\ufffd', (_, response) => response.end(Buffer.from([0x61, 0xff, 0xc3]))],
    [
      'many pieces',
      '\u00e9',
      (_, response) => {
        response.write(Buffer.from('\u00e9').subarray(0, 1))
        setTimeout(() => response.end(Buffer.from('\u00e9').subarray(1)), 5)
      },
    ],
    ['a refusal', 'tea', (_, response) => response.writeHead(418, 'no').end('tea')],
    [
      'an early hint first',
      'late',
      (_, response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' })
        response.end('late')
      },
    ],
    ['latin headers', '', (_, response) => response.setHeader('x-a', 'h\u00e9').end()],
    ['a redirect to nowhere', 'here', (_, response) => response.writeHead(302).end('here')],
    [
      'a redirect to no address',
      FAILED,
      (_, response) => response.writeHead(302, { location: 'http://[' }).end(),
    ],
    [
      'a redirect to a file',
      FAILED,
      (_, response) => response.writeHead(302, { location: 'file:///a' }).end(),
    ],
    [
      'a redirect to itself',
      FAILED,
      (_, response) => response.writeHead(302, { location: '/' }).end(),
    ],
    ['gzip', CODED, coded('gzip', gzipSync)],
    ['x-gzip in capitals', CODED, coded('X-GZIP', gzipSync)],
    ['an unknown coding', CODED, coded('rot13', (text) => Buffer.from(text))],
    ['gzip that is none', 'TypeError: terminated', coded('gzip', (text) => Buffer.from(text))],
    ['gzip cut short', CODED, coded('gzip', (text) => gzipSync(text).subarray(0, -8))],
    ['gzip of a head', '', coded('gzip', gzipSync), { method: 'HEAD' }],
    ['gzip of nothing', '', coded('gzip', () => Buffer.alloc(0))],
    [
      'half of it',
      'TypeError: terminated',
      (_, response) => {
        response.writeHead(200, { 'content-length': 9 })
        response.write('half')
        setTimeout(() => response.destroy(), 5)
      },
    ],
    ['a hung up line', FAILED, (request) => request.socket.destroy()],
    ['nothing ever', 'TimeoutError: The timeout expired', () => undefined, { timeout: 30 }],
    [
      'no end',
      'TimeoutError: The timeout expired',
      (_, response) => response.write('['),
      { timeout: 30 },
    ],
  ]
  const rows = answers.map(([name, want, listener, given]) => ({ name, want, listener, given }))
  it.each(rows)('make the same of $name', async ({ want, listener, given }) => {
    const { error, text } = await both(await listen(listener), given)
    expect(error ?? text).toBe(want)
  })

  const redirects: readonly (readonly [number, string])[] = [301, 302, 303, 307, 308].flatMap(
    (status) => ['GET', 'HEAD', 'POST', 'DELETE'].map((method) => [status, method] as const),
  )
  it.each(redirects)('follow a %i of %s, and carry nothing too much', async (status, method) => {
    const far = await listen(async (request, response) => {
      await note(request)
      response.end('far')
    })
    const url = await listen(async (request, response) => {
      await note(request)
      const location = request.url === '/near' ? `${far}/far#here` : 'near'
      response.writeHead(status, { location }).end('moved')
    })
    const secrets = [
      JSON_WANTED,
      ['authorization', 'a'],
      ['cookie', 'b=1'],
      ['x-key', 'c'],
    ] as const
    const isRead = method === 'GET' || method === 'HEAD'
    const sent = isRead ? { headers: secrets } : { headers: [...secrets, json], body: '{}' }
    await both(`${url}/start`, { method, ...sent })
    expect(asked.map((one) => (one as { url: string }).url).slice(0, 3)).toEqual([
      '/start',
      '/near',
      '/far',
    ])
    expectAskedAlike()
  })

  it('follow an address in UTF-8', async () => {
    const location = Buffer.from('/caf\u00e9').toString('latin1')
    const url = await listen((request, response) => {
      if (request.url === '/start') response.writeHead(302, { location })
      response.end(request.url)
    })
    expect(await both(`${url}/start`)).toMatchObject({ text: '/caf%C3%A9' })
  })

  const addresses = ['http://u:p@127.0.0.1/', 'nowhere', 'ftp://a/']
  it.each(addresses)('say the same of %s', async (address) => {
    const { error } = await both(address)
    expect(error).toMatch(/^TypeError: (fetch failed|Failed to parse URL|Request cannot)/)
  })

  it('say the same where nobody listens', async () => {
    expect(await both(await closedUrl())).toMatchObject({
      error: 'TypeError: fetch failed',
      cause: 'ECONNREFUSED',
    })
  })

  it('read bytes with the type that they came with', async () => {
    const url = await listen((_, response) => {
      response.setHeader('content-type', 'Image/PNG; a=b')
      response.end(Buffer.from([1, 2, 255]))
    })
    const blobs = [nodeTransport, webTransport].map(async (send) => {
      const answer = await send({
        url,
        method: 'GET',
        headers: Object.fromEntries([JSON_WANTED]),
        body: undefined,
        redirect: 'follow',
        deadline: startDeadline([]),
        maxResponseBytes: 3,
      })
      const bytes = (await answer.chunks())?.flatMap((chunk) => [...chunk])
      return { type: answer.header('content-type'), bytes }
    })
    const [node, web] = await Promise.all(blobs)
    expect(node).toEqual(web)
    expect(node?.bytes).toEqual([1, 2, 255])
  })

  it('leave fields of fetch to it: a wrong integrity rejects on both', async () => {
    const url = await listen((_, response) => {
      response.setHeader('content-type', 'application/json').end('[]')
    })
    const fetchOptions = { integrity: 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' }
    expect(await both(url, { fetchOptions })).toMatchObject({ error: 'TypeError: fetch failed' })
    expect(await both(url, {})).toMatchObject({ status: 200 })
  })

  it('leave it to a fetch that somebody put in its place', async () => {
    const seen: unknown[] = []
    vi.stubGlobal('fetch', async (url: unknown) => {
      seen.push(url)
      return new Response('mine')
    })
    expect(await outcomeOf(nodeTransport, 'http://127.0.0.1:9/a')).toMatchObject({ text: 'mine' })
    expect(seen).toEqual(['http://127.0.0.1:9/a'])
  })

  it('go by the dispatcher that somebody set, as proxies are', async () => {
    const key = Symbol.for('undici.globalDispatcher.1')
    const own = globalThis as { [key: symbol]: unknown }
    await outcomeOf(webTransport, 'data:,a')
    const before = own[key] as { dispatch: (...given: unknown[]) => unknown }
    const seen: unknown[] = []
    own[key] = {
      dispatch: (request: { origin: string; path: string }, handler: unknown) => {
        seen.push(`${request.origin}${request.path}`)
        return before.dispatch(request, handler)
      },
    }
    try {
      const url = await listen((_, response) => response.end('a'))
      await outcomeOf(nodeTransport, `${url}/b?c`)
      expect(seen).toEqual([`${url}/b?c`])
    } finally {
      own[key] = before
    }
  })
})

function coded(coding: string, encode: (text: string) => Buffer): RequestListener {
  return (request, response) => {
    response.setHeader('content-encoding', coding)
    response.end(request.method === 'HEAD' ? undefined : encode(CODED))
  }
}
