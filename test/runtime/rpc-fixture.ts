import {
  createRpc,
  type Method,
  type RpcCaller,
  type RpcOptions,
  type RpcService,
} from 'twinspec/runtime/rpc'
import { validator } from 'twinspec/runtime/validate'
import { test as once } from 'vitest'
import { sendBy } from './fake-dispatcher.js'

/** A service as `generate` writes it: what the tests of the JSON-RPC client call. */
export type Methods = {
  node_height: { params: []; result: string }
  node_balance: { params: [account: string, block?: string | undefined]; result: Balance }
  node_send: { params: [data: string]; result: string }
  node_find: { params: { topic: string; limit?: number }; result: string[] }
  node_recent: { params: { limit?: number }; result: string[] }
}

export type Balance = { amount: string; parts: { name: string }[] }

export type TestClient = RpcCaller<Methods> & {
  readonly nodeHeight: Method<Methods['node_height']>
  readonly nodeBalance: Method<Methods['node_balance']>
  readonly nodeSend: Method<Methods['node_send']>
  readonly nodeFind: Method<Methods['node_find']>
  readonly nodeRecent: Method<Methods['node_recent']>
}

export const service: RpcService = {
  servers: [
    {
      name: 'testnet',
      url: 'https://{host}/node/{apiKey}',
      variables: { host: { default: 'test.example' }, apiKey: { default: 'open', secret: true } },
    },
    { name: 'local', url: 'http://127.0.0.1:1/node/open', variables: {} },
  ],
  limits: { batchSize: 40, payloadBytes: 10_000 },
  path: '/node/{apiKey}',
  operations: {
    nodeHeight: operation('nodeHeight', 'node_height', [], { idempotent: true }),
    nodeBalance: operation('nodeBalance', 'node_balance', ['account', 'block?'], {
      idempotent: true,
    }),
    nodeSend: operation('nodeSend', 'node_send', ['data']),
    nodeFind: operation('nodeFind', 'node_find', ['topic', 'limit?'], {
      paramStructure: 'by-name',
    }),
    nodeRecent: operation('nodeRecent', 'node_recent', ['limit?'], { paramStructure: 'by-name' }),
  },
}

function operation(id: string, method: string, names: readonly string[], more: object = {}) {
  const params = names.map((name) => ({
    name: name.replace('?', ''),
    required: !name.endsWith('?'),
  }))
  const paramStructure = 'by-position' as const
  return { kind: 'rpc' as const, id, method, params, paramStructure, errors: [], ...more }
}

const text = validator<string>(() => ({ type: 'string' }))
const texts = validator<string[]>(() => ({ type: 'array', items: text }))
const tuple = (required: number, ...prefixItems: (typeof text)[]) =>
  validator(() => ({ type: 'array', prefixItems, items: false, minItems: required }))

export const validators = {
  nodeHeight: { params: tuple(0), result: text },
  nodeBalance: {
    params: tuple(
      1,
      validator<string>(() => ({ type: 'string', pattern: '^0x[0-9a-f]+$' })),
      text,
    ),
    result: validator(() => ({
      type: 'object',
      properties: {
        amount: text,
        parts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: text },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
      required: ['amount', 'parts'],
      additionalProperties: false,
    })),
  },
  nodeSend: { params: tuple(1, text), result: text },
  nodeFind: {
    params: validator(() => ({
      type: 'object',
      properties: { topic: text, limit: { type: 'integer' } },
      required: ['topic'],
      additionalProperties: false,
    })),
    result: texts,
  },
  nodeRecent: {
    params: validator(() => ({ type: 'object', properties: { limit: { type: 'integer' } } })),
    result: texts,
  },
}

/** How a test's client sends: by the `fetch` that it is given, or by what stands where Node's own dispatcher does. */
const TRANSPORTS = ['fetch', 'dispatcher'] as const

let transport: (typeof TRANSPORTS)[number] = 'fetch'

/** Every test runs on each transport. */
export const test = (title: string, body: () => unknown, timeout?: number): void => {
  for (const one of TRANSPORTS) once(`${title} (${one})`, () => during(one, body), timeout)
}

test.each =
  <Row>(rows: readonly Row[]) =>
  (title: string, body: (row: Row) => unknown): void => {
    for (const one of TRANSPORTS)
      once.each(rows.map((row) => [row] as const))(`${title} (${one})`, (row) =>
        during(one, () => body(row)),
      )
  }

const during = async (one: typeof transport, body: () => unknown): Promise<void> => {
  transport = one
  try {
    await body()
  } finally {
    transport = 'fetch'
    sendBy(undefined)
  }
}

export const createTestClient = (options: RpcOptions = {}): TestClient => {
  const { fetch = (url, init) => globalThis.fetch(url, init), ...others } = options
  if (transport === 'fetch') return createRpc<TestClient>(service, validators, { ...others, fetch })
  sendBy(options.fetch)
  return createRpc<TestClient>(service, validators, others)
}

export type WireCall = {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params: unknown
  readonly id?: number
}

/** What one request carried: its address, its body parsed, its headers and its signal. */
export type Sent = {
  readonly url: string
  readonly body: WireCall | readonly WireCall[]
  readonly headers: Headers
  readonly signal: AbortSignal
}

/**
 * A `fetch` that keeps what was sent and answers what `answer` makes of it: a Response, or a value that becomes JSON.
 */
export const fakeFetch = (answer: (sent: Sent, count: number) => unknown) => {
  const sent: Sent[] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const one = {
      url,
      body: JSON.parse(String(init.body)),
      headers: new Headers(init.headers),
      signal: init.signal as AbortSignal,
    }
    sent.push(one)
    const answered = await answer(one, sent.length)
    return answered instanceof Response ? answered : Response.json(answered)
  }
  return { fetch, sent }
}

export const callsOf = ({ body }: Sent): readonly WireCall[] =>
  Array.isArray(body) ? (body as WireCall[]) : [body as WireCall]

/** A well-behaved answer: every result says which method and params it belongs to. */
export const echo = ({ body }: Sent): unknown => {
  const one = ({ id, method, params }: WireCall) => ({
    jsonrpc: '2.0',
    id,
    result: `${method} ${JSON.stringify(params)}`,
  })
  return Array.isArray(body)
    ? body.filter(({ id }) => id !== undefined).map(one)
    : one(body as WireCall)
}

export const refusal = (code: number, message: string, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** The error that a promise rejects with; fails where it does not. */
export const errorOf = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error('the call was expected to reject')
}
