import { expect, expectTypeOf, it } from 'vitest'
import {
  type Call,
  createHttp,
  type ErrorOf,
  type HttpOptions,
  type InputOf,
  type ItemStream,
  type ResultOf,
} from '../../src/runtime/http.js'
import type { HttpOperation, StreamContent } from '../../src/runtime/operation.js'
import { openStream } from '../../src/runtime/streams.js'
import { validator } from '../../src/runtime/validate.js'
import { contentOf, declaredResponses } from './declared.js'
import { operation } from './http-fixture.js'

type Item = { readonly n: number }
type Operation = {
  requestBody?: { content: { 'application/json': { stream?: boolean | null } } }
  responses: {
    200: {
      headers: Record<string, unknown>
      content: { 'application/json': { text: string }; 'text/event-stream': Item }
    }
  }
}
type Watch = { responses: { 200: { content: { 'text/event-stream': Item } } } }

type Types<O> = {
  readonly input: InputOf<O>
  readonly result: ResultOf<O>
  readonly error: ErrorOf<O>
}

type Chat = Operation & { requestBody: NonNullable<Operation['requestBody']> }

type Client = {
  readonly watch: Call<Watch, Types<Watch>>
  readonly chat: Call<Chat, Types<Chat> & { stream: false }>
}

const streaming = (id: string, more: Partial<HttpOperation>): HttpOperation =>
  operation(id, {
    responses: declaredResponses({ 200: ['text/event-stream'] }),
    idempotent: true,
    ...more,
  })

const item = validator(() => ({
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'number' }, kind: { enum: ['a'] } },
}))

const clientOf = (
  options: HttpOptions,
  more: Partial<StreamContent> = {},
  type = 'text/event-stream',
): Client => {
  const streams = { 200: { [type]: { item: 'data', data: 'json', ...more } } } as const
  const operations = {
    watch: streaming('watch', { responses: declaredResponses({ 200: [type] }, streams) }),
    chat: streaming('chat', {
      method: 'POST',
      streamDefault: false,
      body: { required: true, content: contentOf(['application/json']) },
      responses: declaredResponses({ 200: ['application/json', 'text/event-stream'] }, streams),
    }),
  }
  const checks = { responses: { 200: validator(() => ({ type: 'object' })) }, items: { 200: item } }
  const clock = { sleep: async () => undefined, random: () => 0.5 }
  return createHttp<Client>(
    {
      servers: [{ name: 'one', url: 'http://one.example', variables: {} }],
      limits: {},
      operations,
    },
    { watch: checks, chat: checks },
    { clock, ...options },
    undefined,
    { openStream },
  )
}

/** A stream of these pieces; an error breaks it off, and `undefined` never comes. */
const streamOf = (...pieces: readonly (string | Error | undefined)[]) => {
  const rest = [...pieces]
  const seen = { cancelled: false, pulled: 0 }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        seen.pulled += 1
        if (rest.length === 0) return controller.close()
        const piece = rest.shift()
        if (piece === undefined) return await new Promise(() => undefined)
        if (piece instanceof Error) return controller.error(piece)
        controller.enqueue(new TextEncoder().encode(piece))
      },
      cancel: () => {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  return { response, seen }
}

const listOf = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const found: T[] = []
  for await (const one of items) found.push(one)
  return found
}

it('reads nothing before an item is asked for, and closes the connection where the loop is left', async () => {
  const { response, seen } = streamOf('data: {"n":1}\n\n', 'data: {"n":2}\n\n', undefined)
  const stream = await clientOf({ fetch: async () => response }).watch()
  expectTypeOf(stream).toEqualTypeOf<ItemStream<Item>>()
  expect(stream.response).toBe(response)
  expect(seen.pulled).toBe(0)
  for await (const { n } of stream) if (n === 2) break
  expect(seen).toEqual({ pulled: 2, cancelled: true })
})

it('is cancelled without a loop', async () => {
  const { response, seen } = streamOf(undefined)
  const stream = await clientOf({ fetch: async () => response }).watch()
  await stream.cancel()
  expect(seen.cancelled).toBe(true)
  expect(await listOf(stream)).toEqual([])
})

it('rejects where the caller aborts, and tells onError', async () => {
  const { response, seen } = streamOf('data: {"n":1}\n\n', 'data: {"n":2}\n\n', undefined)
  const errors: unknown[] = []
  const ended = new AbortController()
  const client = clientOf({ fetch: async () => response, onError: (error) => errors.push(error) })
  const stream = await client.watch({}, { signal: ended.signal })
  const read = async (): Promise<void> => {
    for await (const { n } of stream) if (n === 1) ended.abort(new Error('enough'))
  }
  await expect(read()).rejects.toMatchObject({ reason: 'aborted', cause: { message: 'enough' } })
  expect(errors).toHaveLength(1)
  expect(seen.cancelled).toBe(true)
})

it('is not bound by the timeout of the call once it has begun', async () => {
  const later = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      controller.enqueue(new TextEncoder().encode('data: {"n":1}\n\n'))
      controller.close()
    },
  })
  const response = new Response(later, { headers: { 'content-type': 'text/event-stream' } })
  const stream = await clientOf({ fetch: async () => response, timeout: 30 }).watch()
  expect(await listOf(stream)).toEqual([{ n: 1 }])
})

it('ends at the declared marker, and does not wait for the connection to close', async () => {
  const { response, seen } = streamOf('data: {"n":1}\n\ndata: END\n\n', undefined)
  const stream = await clientOf({ fetch: async () => response }, { end: 'END' }).watch()
  expect(await listOf(stream)).toEqual([{ n: 1 }])
  expect(seen.cancelled).toBe(true)
})

it('knows [DONE] where no marker is declared', async () => {
  const { response } = streamOf('data: {"n":1}\n\ndata: [DONE]\n\n')
  expect(await listOf(await clientOf({ fetch: async () => response }).watch())).toEqual([{ n: 1 }])
})

it('rejects a stream that ends without its marker', async () => {
  const { response } = streamOf('data: {"n":1}\n\n')
  const stream = await clientOf({ fetch: async () => response }, { end: 'END' }).watch()
  const found: Item[] = []
  const read = async (): Promise<void> => {
    for await (const one of stream) found.push(one)
  }
  await expect(read()).rejects.toMatchObject({
    reason: 'network',
    message: expect.stringContaining('END'),
  })
  expect(found).toEqual([{ n: 1 }])
})

it('connects again with Last-Event-ID where a GET breaks off after an event with an id', async () => {
  const sent: (string | null)[] = []
  const answers = [
    streamOf('retry: 20\nid: a\ndata: {"n":1}\n\n', 'id: b\ndata: {"n":2', new TypeError('reset')),
    streamOf('id: c\ndata: {"n":2}\n\n', new TypeError('reset')),
    streamOf('data: {"n":3}\n\n'),
  ]
  const fetch = async (_: string, init: RequestInit) => {
    sent.push(new Headers(init.headers).get('last-event-id'))
    return answers[sent.length - 1]?.response ?? Response.error()
  }
  expect(await listOf(await clientOf({ fetch }).watch())).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  expect(sent).toEqual([null, 'a', 'c'])
})

it('ends where the server has no more events to continue with', async () => {
  let count = 0
  const fetch = async () => {
    count += 1
    return count === 1
      ? streamOf('id: a\ndata: {"n":1}\n\n', new TypeError('reset')).response
      : new Response(null, { status: 204 })
  }
  await expect(listOf(await clientOf({ fetch }).watch())).resolves.toEqual([{ n: 1 }])
})

it('does not repeat a POST, nor a stream without ids', async () => {
  let count = 0
  const fetch = async () => {
    count += 1
    return streamOf(
      count === 1 ? 'id: a\ndata: {"n":1}\n\n' : 'data: {"n":1}\n\n',
      new TypeError('reset'),
    ).response
  }
  const { chat, watch } = clientOf({ fetch })
  await expect(listOf(await chat({ body: { stream: true } }))).rejects.toMatchObject({
    reason: 'network',
  })
  await expect(listOf(await watch())).rejects.toMatchObject({ reason: 'network' })
  expect(count).toBe(2)
})

it('narrows by the property `stream` of the request, and asks for what it chooses', async () => {
  const accepts: (string | null)[] = []
  const fetch = async (_: string, { headers, body }: RequestInit) => {
    accepts.push(new Headers(headers).get('accept'))
    return JSON.parse(String(body)).stream === true
      ? streamOf('data: {"n":1}\n\n').response
      : Response.json({ text: 'a' })
  }
  const { chat } = clientOf({ fetch })
  const whole = await chat({ body: {} })
  expectTypeOf(whole).toEqualTypeOf<{ text: string }>()
  const off = await chat({ body: { stream: false } })
  expectTypeOf(off).toEqualTypeOf<{ text: string }>()
  const stream = await chat({ body: { stream: true } })
  expectTypeOf(stream).toEqualTypeOf<ItemStream<Item>>()
  const either = await chat({ body: { stream: Date.now() > 0 } })
  expectTypeOf(either).toEqualTypeOf<{ text: string } | ItemStream<Item>>()
  expect(whole).toEqual({ text: 'a' })
  expect(await listOf(stream)).toEqual([{ n: 1 }])
  expect(accepts.slice(0, 3)).toEqual([
    'application/json',
    'application/json',
    'text/event-stream, application/json;q=0.9',
  ])
})

it('tolerates in an item what it tolerates in a response, and rejects text that is not JSON', async () => {
  const warnings: unknown[] = []
  const { response } = streamOf('data: {"n":1,"kind":"new"}\n\ndata: {n\n\n')
  const client = clientOf({ fetch: async () => response, onWarning: (one) => warnings.push(one) })
  const stream = await client.watch()
  const found: Item[] = []
  const read = async (): Promise<void> => {
    for await (const one of stream) found.push(one)
  }
  await expect(read()).rejects.toMatchObject({ reason: 'malformed-answer' })
  expect(found).toEqual([{ n: 1, kind: 'new' }])
  expect(warnings).toHaveLength(1)
})

it.each([
  ['text/event-stream', 'data: {"n":1}\n\n', 'data: {"n":\n\n', 'not JSON'],
  ['application/x-ndjson', '{"n":1}\n', '{"n":\n', 'not JSON'],
  ['application/json-seq', '\u001e{"n":1}\n', '\u001e{"n":\n', 'not JSON'],
  ['application/json-seq', '\u001e{"n":1}\n', '\u001e2', 'truncated'],
])(
  'a broken item of %s ends the loop with its place, and closes the connection',
  async (...given) => {
    const [type, whole, broken, what] = given
    const { response, seen } = streamOf(whole + broken + whole, undefined)
    response.headers.set('content-type', type)
    const stream = await clientOf({ fetch: async () => response }, {}, type).watch()
    const found: Item[] = []
    const read = async (): Promise<void> => {
      for await (const one of stream) found.push(one)
    }
    await expect(read()).rejects.toMatchObject({
      reason: 'malformed-answer',
      message: expect.stringContaining(`item 2 of the stream is ${what}`),
    })
    expect(found).toEqual([{ n: 1 }])
    expect(seen.cancelled).toBe(true)
  },
)

it('gives whole events where the document describes them', async () => {
  const { response } = streamOf('event: add\nid: 4\ndata: {"n":1}\n\n')
  const client = clientOf(
    { fetch: async () => response, validate: { response: 'off' } },
    { item: 'event' },
  )
  expect(await listOf(await client.watch())).toEqual([{ event: 'add', id: '4', data: { n: 1 } }])
})

it('returns null for an optional property of an item as absent', async () => {
  const sent = 'data: {"n":1,"kind":null}\n\ndata: {"n":9007199254740993,"kind":null}\n\n'
  const warnings: unknown[] = []
  const fetch = async () => streamOf(sent).response
  const onWarning = (one: unknown) => warnings.push(one)
  const client = clientOf({ fetch, integers: 'bigint', onWarning })
  expect(await listOf(await client.watch())).toStrictEqual([{ n: 1 }, { n: 9007199254740993n }])
  expect(warnings).toHaveLength(2)
})

it('keeps long integers of an item exact on request, and reports them otherwise', async () => {
  const warnings: unknown[] = []
  const fetch = async () => streamOf('data: {"n":9007199254740993}\n\n').response
  const rounding = clientOf({ fetch, onWarning: (one) => warnings.push(one) })
  expect(await listOf(await rounding.watch())).toEqual([{ n: 9007199254740992 }])
  expect(warnings).toHaveLength(1)
  const exact = clientOf({ fetch, integers: 'bigint' })
  expect(await listOf(await exact.watch())).toEqual([{ n: 9007199254740993n }])
})

it('text with a long number stays the same text where an item may be text or JSON', async () => {
  const sent = 'data: block 12345678901234567\n\ndata: 12345678901234567\n\n'
  const options: HttpOptions = { validate: { response: 'off' }, integers: 'bigint' }
  const texts = ['block 12345678901234567', '12345678901234567']
  const fetch = async () => streamOf(sent).response
  const items = clientOf({ ...options, fetch }, { data: 'either' })
  expect(await listOf(await items.watch())).toEqual(texts)
  const events = clientOf({ ...options, fetch }, { data: 'either', item: 'event' })
  expect(await listOf(await events.watch())).toEqual(texts.map((data) => ({ data })))
})

it('onError hears once of the error that ends a stream, and nothing of a continued one', async () => {
  const errorsOf = async (...answers: readonly (() => Response)[]) => {
    const errors: unknown[] = []
    const rest = [
      () => streamOf('id: a\ndata: {"n":1}\n\n', new TypeError('reset')).response,
      ...answers,
    ]
    const fetch = async () => (rest.shift() ?? Response.error)()
    const stream = await clientOf({ fetch, onError: (error) => errors.push(error) }).watch()
    const failure = await listOf(stream).then(
      () => undefined,
      (error: unknown) => error,
    )
    return { errors, failure }
  }
  const refused = await errorsOf(() => new Response('no', { status: 500 }))
  expect(refused.failure).toMatchObject({ status: 500 })
  expect(refused.errors).toEqual([refused.failure])
  const down = (): Response => {
    throw new TypeError('down')
  }
  const continued = await errorsOf(down, () => streamOf('data: {"n":2}\n\n').response)
  expect(continued).toEqual({ errors: [], failure: undefined })
})

it('sends nothing more where it is cancelled while it waits to continue', async () => {
  let sent = 0
  const fetch = async () => {
    sent += 1
    return streamOf('id: a\ndata: {"n":1}\n\n', new TypeError('reset')).response
  }
  let wait = (): void => undefined
  const waiting = new Promise<void>((resolve) => {
    wait = resolve
  })
  const sleep = (_: number, signal: AbortSignal) => {
    wait()
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  const stream = await clientOf({ fetch, clock: { sleep } } as HttpOptions).watch()
  const items = stream[Symbol.asyncIterator]()
  expect((await items.next()).value).toEqual({ n: 1 })
  const next = items.next()
  await waiting
  await stream.cancel()
  expect(await next).toEqual({ value: undefined, done: true })
  expect(sent).toBe(1)
})

it('continues after an id that is not ASCII, which it sends in UTF-8', async () => {
  const sent: unknown[] = []
  const answers = [
    streamOf('id: \u6f22\u00e9\ndata: {"n":1}\n\n', new TypeError('reset')),
    streamOf('data: {"n":2}\n\n'),
  ]
  const fetch = async (_: string, init: RequestInit) => {
    const id = new Headers(init.headers).get('last-event-id')
    sent.push(id && Buffer.from(id, 'latin1').toString())
    return answers[sent.length - 1]?.response ?? Response.error()
  }
  expect(await listOf(await clientOf({ fetch }).watch())).toEqual([{ n: 1 }, { n: 2 }])
  expect(sent).toEqual([null, '\u6f22\u00e9'])
})
