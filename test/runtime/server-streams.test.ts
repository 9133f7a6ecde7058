import { once } from 'node:events'
import { createServer as listenOn, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { getResponse } from 'msw'
import { afterEach, describe, expect, it } from 'vitest'
import { toFastifyPlugin } from '../../src/runtime/fastify.js'
import { createMockHandlers } from '../../src/runtime/msw.js'
import type { HttpOperation } from '../../src/runtime/operation.js'
import type { ServerCore } from '../../src/runtime/server/request.js'
import { createServerCore, toFetchHandler, toNodeListener } from '../../src/runtime/server.js'
import { validator } from '../../src/runtime/validate.js'
import { declaredResponses } from './declared.js'

const servers = [{ name: 'one', url: 'http://one.example', variables: {} }]

const operation: HttpOperation = {
  kind: 'http',
  id: 'watch',
  method: 'GET',
  path: '/watch',
  servers,
  parameters: [],
  responses: declaredResponses(
    { 200: ['text/event-stream', 'application/jsonl', 'application/json-seq'] },
    {
      200: {
        'text/event-stream': { item: 'data', data: 'json', end: '[DONE]' },
        'application/jsonl': { item: 'data', data: 'json' },
        'application/json-seq': { item: 'data', data: 'json' },
      },
    },
  ),
  security: [],
  schemes: {},
}

const item = validator(() => ({ type: 'object', required: ['n'] }))
const service = {
  http: {
    servers,
    operations: { watch: operation },
  },
  validators: { watch: { responses: {}, items: { 200: item } } },
}

/** A server whose handler yields these items and then waits, until its reader leaves. */
const waiting = (items: readonly unknown[], errors: unknown[] = []) => {
  const seen = { stopped: 0, aborted: false, asked: 0 }
  let stop = (): void => undefined
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const watch = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
    signal.addEventListener('abort', () => {
      seen.aborted = true
    })
    const body = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          const value = items[seen.asked]
          seen.asked += 1
          if (value instanceof Error) throw value
          if (value === 'end') return { value: undefined, done: true as const }
          if (value === undefined) await new Promise(() => undefined)
          return { value, done: false as const }
        },
        return: async () => {
          seen.stopped += 1
          stop()
          return { value: undefined, done: true as const }
        },
      }),
    }
    return { status: 200, body }
  }
  const server = createServerCore(service, { watch }, { onError: (error) => errors.push(error) })
  return { server, seen, stopped }
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const overNode = async (server: ServerCore): Promise<string> => {
  const listening = listenOn(toNodeListener(server)).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  closing.push(
    () => listening.closeAllConnections(),
    () => listening.close(),
  )
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
}

const overFastify = async (server: ServerCore): Promise<string> => {
  const app = fastify()
  await app.register(toFastifyPlugin(server))
  closing.push(() => app.close())
  return await app.listen({ host: '127.0.0.1', port: 0 })
}

/** Reads until `text` has come, and leaves. */
const readUntil = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request(`${url}/watch`, (response) => {
      let read = ''
      response.on('data', (chunk) => {
        read += chunk
        if (!read.includes(text)) return
        asked.destroy()
        resolve(read)
      })
      response.on('error', () => undefined)
    })
    asked.on('error', reject).end()
  })

describe.each([
  ['node:http', overNode],
  ['Fastify', overFastify],
])('over %s', (_, listen) => {
  it('sends items as they come, and stops the iterable when the reader leaves', async () => {
    const { server, seen, stopped } = waiting([{ n: 1 }, { n: 2 }])
    const read = await readUntil(await listen(server), '"n":2')
    expect(read).toBe('data: {"n":1}\n\ndata: {"n":2}\n\n')
    await stopped
    expect(seen).toMatchObject({ stopped: 1, aborted: true })
  })

  it('breaks the connection off where the iterable fails', async () => {
    const errors: unknown[] = []
    const { server } = waiting([{ n: 1 }, new Error('no more')], errors)
    const response = await fetch(`${await listen(server)}/watch`)
    await expect(response.text()).rejects.toThrow()
    expect(errors).toMatchObject([{ message: 'no more' }])
  })

  it('ends with the declared marker', async () => {
    const { server } = waiting([{ n: 1 }, 'end'])
    const response = await fetch(`${await listen(server)}/watch`)
    expect(await response.text()).toBe('data: {"n":1}\n\ndata: [DONE]\n\n')
  })
})

it('asks for no more items than the connection has room for', async () => {
  const large = Array.from({ length: 2_000 }, () => ({ n: 'x'.repeat(65_536) }))
  const { server, seen, stopped } = waiting(large)
  const asked = request(`${await overNode(server)}/watch`, (response) => response.pause())
  asked.on('error', () => undefined).end()
  const settled = async (): Promise<number> => {
    const before = seen.asked
    await new Promise((resolve) => setTimeout(resolve, 100))
    return seen.asked === before && before > 0 ? before : -1
  }
  await expect.poll(settled, { timeout: 120_000 }).toBeGreaterThan(0)
  expect(seen.asked).toBeLessThan(2_000)
  asked.destroy()
  await stopped
})

it('rejects an item that does not fit its schema, which ends the stream', async () => {
  const errors: unknown[] = []
  const { server, stopped } = waiting([{ n: 1 }, { m: 2 }], errors)
  const response = await toFetchHandler(server)(new Request('http://one.example/watch'))
  await expect(response.text()).rejects.toThrow('Item 2')
  await stopped
  expect(errors).toMatchObject([{ reason: 'invalid-answer', issues: [{ keyword: 'required' }] }])
})

it('stops the iterable of a fetch handler when its body is cancelled', async () => {
  const { server, seen } = waiting([{ n: 1 }])
  const response = await toFetchHandler(server)(new Request('http://one.example/watch'))
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  expect(seen).toMatchObject({ stopped: 1, aborted: true })
})

it('does not begin the iterable for HEAD', async () => {
  const { server, seen } = waiting([{ n: 1 }])
  const reply = await server.handle({ method: 'HEAD', url: '/watch', headers: {} })
  expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } })
  expect(reply.body).toBe(undefined)
  expect(seen).toMatchObject({ asked: 0, stopped: 1 })
})

it.each([
  ['application/jsonl', '{"n":1}\n{"n":2}\n'],
  ['application/json-seq', '\u001e{"n":1}\n\u001e{"n":2}\n'],
])('writes %s where the handler names it', async (type, text) => {
  async function* items() {
    yield { n: 1 }
    yield { n: 2 }
  }
  const watch = () => ({ status: 200, headers: { 'content-type': type }, body: items() })
  const handle = toFetchHandler(createServerCore(service, { watch }))
  expect(await (await handle(new Request('http://one.example/watch'))).text()).toBe(text)
})

it('MSW streams examples, and overrides', async () => {
  const value = [{ n: 1 }, { n: 2 }]
  const shown = {
    status: '200',
    name: 'two',
    type: 'application/jsonl',
    value,
    isItems: true,
  } as const
  const documented = { watch: { answers: [shown] } }
  const asked = new Request('http://one.example/watch', {
    headers: { accept: 'application/jsonl' },
  })
  const response = await getResponse(createMockHandlers(service, documented), asked)
  expect(response?.headers.get('content-type')).toBe('application/jsonl')
  expect(await response?.text()).toBe('{"n":1}\n{"n":2}\n')
  async function* items() {
    yield { n: 3 }
  }
  const overrides = { watch: { status: 200, body: items() } }
  const other = await getResponse(
    createMockHandlers(service, documented, { overrides }),
    new Request('http://one.example/watch'),
  )
  expect(await other?.text()).toBe('data: {"n":3}\n\ndata: [DONE]\n\n')
})
