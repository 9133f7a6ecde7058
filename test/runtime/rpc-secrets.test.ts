import { inspect } from 'node:util'
import { createRpc, type RpcOptions } from 'twinspec/runtime/rpc'
import { expect, it } from 'vitest'
import {
  createTestClient,
  errorOf,
  fakeFetch,
  refusal,
  type Sent,
  service,
  type TestClient,
  test,
  validators,
} from './rpc-fixture.js'

const key = 'k3y/with+odd chars'

/** Everything that a log, a report or a person could print of an error. */
const printed = (error: unknown): string =>
  inspect(error, { depth: 20, showHidden: true, getters: true, maxStringLength: null }) +
  JSON.stringify(error, (_, value) =>
    value instanceof Error
      ? { ...value, message: value.message, stack: value.stack, cause: value.cause }
      : value instanceof Headers
        ? [...value]
        : value,
  )

const thrownBy = (create: () => unknown): unknown => {
  try {
    create()
  } catch (error) {
    return error
  }
  throw new Error('the client was expected not to be created')
}

const spellings = [key, encodeURIComponent(key), encodeURI(key), 'k3y']

test.each<{ title: string; options: RpcOptions }>([
  { title: 'as it is', options: { auth: { apiKey: key } } },
  { title: 'from a function', options: { auth: { apiKey: () => key } } },
  { title: 'from a promise', options: { auth: { apiKey: async () => key } } },
  { title: 'as a variable', options: { variables: { apiKey: key } } },
  { title: 'for a URL', options: { server: 'http://h.example/{apiKey}', auth: { apiKey: key } } },
  {
    title: 'written into a URL',
    options: { server: `http://h.example/node/${encodeURIComponent(key)}` },
  },
])('the key reaches the address: $title', async ({ options }) => {
  const { fetch, sent } = fakeFetch(({ body }) => ({ ...body, result: '0x1' }))
  await createTestClient({ ...options, fetch }).nodeHeight()
  expect(sent[0]?.url).toContain(encodeURIComponent(key))
})

const failures: { title: string; answer: (sent: Sent) => unknown }[] = [
  {
    title: 'a fetch that tells the address',
    answer: ({ url }) => {
      throw Object.assign(
        new TypeError(`Failed to parse URL from ${url}`, {
          cause: Object.assign(new Error(`invalid: ${url}`), {
            input: url,
            code: 'ERR_INVALID_URL',
          }),
        }),
        { url },
      )
    },
  },
  {
    title: 'a refusal that repeats it',
    answer: () => ({
      ...refusal(-32000, `unknown api_key ${key}`, 1),
      error: { code: -32000, message: `unknown ${key}`, data: { [key]: [`of ${key}`] } },
    }),
  },
  {
    title: 'HTTP with a text',
    answer: ({ url }) =>
      new Response(`no key ${key} at ${url}`, { status: 401, headers: { location: url } }),
  },
  {
    title: 'HTTP with JSON',
    answer: () => Response.json({ error: key, keys: [key] }, { status: 403 }),
  },
  {
    title: 'an RPC error under HTTP',
    answer: ({ url }) =>
      Response.json(refusal(-32000, key), { status: 401, headers: { link: url } }),
  },
  { title: 'HTML, cut anywhere', answer: () => new Response(`<p>${key}${key}</p>`) },
  { title: 'a foreign id', answer: () => ({ jsonrpc: '2.0', id: key, result: '' }) },
  {
    title: 'an unclaimed error',
    answer: () => ({ jsonrpc: '2.0', id: 9, error: { code: 1, message: key } }),
  },
  {
    title: 'a result that does not fit',
    answer: () => ({ jsonrpc: '2.0', id: 1, result: { [key]: key, amount: [key], parts: key } }),
  },
  {
    title: 'a result of which a fault shows the beginning, and so half a key',
    answer: () => ({ jsonrpc: '2.0', id: 1, result: `${'-'.repeat(50)}${key}` }),
  },
]

test.each(failures)('the key is in nothing that is thrown: $title', async ({ answer }) => {
  const { fetch } = fakeFetch(answer)
  const held = { apiKey: key }
  for (const by of [{ auth: held }, { auth: { apiKey: async () => key } }, { variables: held }]) {
    const client = createTestClient({ ...by, fetch, retry: { attempts: 1 } })
    const error = await errorOf(client.nodeBalance('0xa'))
    for (const spelling of spellings) expect(printed(error)).not.toContain(spelling)
  }
})

test.each(failures)('nor when the key was written into a URL: $title', async ({ answer }) => {
  const { fetch } = fakeFetch(answer)
  const server = `http://h.example/node/${encodeURIComponent(key)}`
  const client = createTestClient({ fetch, server, retry: { attempts: 1 } })
  for (const spelling of spellings) {
    expect(printed(await errorOf(client.nodeBalance('0xa')))).not.toContain(spelling)
  }
})

test.each([
  'http://h.example/v3/0123456789abcdef',
  new URL('http://h.example/?of=0123456789abcdef'),
])("what is as long as a key in an address of one's own is not shown: %s", async (server) => {
  const said = 'unknown project 0123456789abcdef at h.example'
  const { fetch } = fakeFetch(() => refusal(-32000, said, 1))
  const error = await errorOf(createTestClient({ fetch, server }).nodeHeight())
  expect(error.message).toBe('unknown project [redacted] at h.example')
})

test("an address of one's own that may hold a key is not shown", async () => {
  const { fetch } = fakeFetch(({ url }) => {
    throw new TypeError(`cannot reach ${url}`)
  })
  const client = createTestClient({
    fetch,
    server: 'http://h.example/v3/sh0rt',
    retry: { attempts: 1 },
  })
  expect(printed(await errorOf(client.nodeHeight()))).not.toContain('sh0rt')
})

test('a credential in a header is a secret too', async () => {
  const { fetch } = fakeFetch(() => refusal(-32000, 'who is Bearer t0ken?', 1))
  const client = createTestClient({ fetch, headers: { Authorization: 'Bearer t0ken' } })
  expect((await errorOf(client.nodeHeight())).message).toBe('who is [redacted]?')
  const unsent = thrownBy(() => createTestClient({ headers: { Authorization: 't0ken\n\u0000' } }))
  expect(unsent).toEqual(
    new TypeError('options.headers contains a name or a value that HTTP does not allow'),
  )
  expect(printed(unsent)).not.toContain('t0ken')
})

test('results keep what looks like the key, and the documented default is no secret', async () => {
  const { fetch } = fakeFetch(({ body }) => ({ ...body, result: `${key} open` }))
  expect(await createTestClient({ fetch, auth: { apiKey: key } }).nodeHeight()).toBe(`${key} open`)
  const refusing = fakeFetch(() => refusal(-32000, 'open for all', 1))
  for (const server of [undefined, 'http://h.example/node/open']) {
    const error = await errorOf(createTestClient({ fetch: refusing.fetch, server }).nodeHeight())
    expect(error.message).toBe('open for all')
  }
})

test('a key that cannot be read ends the call before anything is sent', async () => {
  const { fetch, sent } = fakeFetch(() => '')
  const lost = async () => {
    throw new Error('the vault is closed')
  }
  const closed = createTestClient({ fetch, auth: { apiKey: lost } })
  expect(await errorOf(closed.nodeHeight())).toMatchObject({
    name: 'CallError',
    reason: 'invalid-input',
    message: 'node_height was not sent: the vault is closed',
  })
  expect(sent).toEqual([])
})

test('a client is not created with a key where its address already has one', () => {
  for (const apiKey of ['k3y', () => 'k3y']) {
    const options = { server: 'http://h.example/node/k3y', auth: { apiKey } }
    const error = thrownBy(() => createTestClient(options))
    expect(error).toEqual(
      new TypeError(
        'options.auth: options.server already has a value in the place of apiKey: write {apiKey} there',
      ),
    )
    expect(printed(error)).not.toContain('k3y')
  }
})

test('a client is not created with a credential that the document does not have', () => {
  const auth = { apiToken: 'k3y' }
  const error = thrownBy(() => createTestClient({ server: 'local', auth }))
  expect(error).toEqual(new TypeError("options.auth takes no 'apiToken'; it takes 'apiKey'"))
  expect(printed(error)).not.toContain('k3y')
})

it.each<[title: string, options: RpcOptions]>([
  ['a documented server takes none', { server: 'local', auth: { apiKey: 'k3y' } }],
  ['none is given', { server: 'http://h.example', auth: { apiKey: undefined } }],
])('a key is not missed where %s', async (_, options) => {
  const { fetch, sent } = fakeFetch(({ body }) => ({ ...body, result: '0x1' }))
  const client = createRpc<TestClient>(service, validators, { ...options, fetch })
  expect([await client.nodeHeight(), await client.nodeHeight()]).toEqual(['0x1', '0x1'])
  expect(sent).toHaveLength(2)
})

test('options that cannot be used do not tell the key either', () => {
  const server = `h.example${service.path.replace('{apiKey}', 'k3y')}`
  const error = thrownBy(() => createTestClient({ server }))
  expect(String(error)).toMatch(/^TypeError: no server is named /)
  expect(printed(error)).not.toContain('k3y')
})
