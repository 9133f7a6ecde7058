import { isRpcError, type Method, type RpcError, type RpcOptions } from 'twinspec/runtime/rpc'
import { expectTypeOf, test } from 'vitest'
import { type Balance, createTestClient, type Methods, type TestClient } from './rpc-fixture.js'

/** Compiled, never called. */
const compiles = (client: TestClient) => {
  expectTypeOf(client.nodeHeight).toEqualTypeOf<() => Promise<string>>()
  expectTypeOf(client.nodeBalance).parameters.toEqualTypeOf<
    [account: string, block?: string | undefined]
  >()
  expectTypeOf(client.nodeFind).toEqualTypeOf<
    (params: Methods['node_find']['params']) => Promise<string[]>
  >()
  expectTypeOf(client.nodeRecent).toEqualTypeOf<
    (params?: { limit?: number }) => Promise<string[]>
  >()
  expectTypeOf<Method<{ params: []; result: 1 }>>().toEqualTypeOf<() => Promise<1>>()

  expectTypeOf(client.request({ method: 'node_balance', params: ['0xa'] })).toEqualTypeOf<
    Promise<Balance>
  >()
  const asConst = { method: 'node_balance', params: ['0xa', 'latest'] } as const
  expectTypeOf(client.request(asConst, { timeout: 5 })).toEqualTypeOf<Promise<Balance>>()
  void client.request({ method: 'node_height' })
  void client.request({ method: 'node_height', params: [] })
  void client.request({ method: 'node_recent' })
  void client.request({ method: 'node_find', params: { topic: 'a' } })
  void client.notify('node_height')
  void client.notify('node_send', ['a'], { timeout: 5 })

  // @ts-expect-error: the document has no such method
  void client.request({ method: 'node_blob' })
  // @ts-expect-error: the account is required
  void client.request({ method: 'node_balance' })
  // @ts-expect-error: the account is required
  void client.request({ method: 'node_balance', params: [] })
  // @ts-expect-error: a param too many
  void client.request({ method: 'node_height', params: ['0xa'] })
  // @ts-expect-error: params go by name
  void client.request({ method: 'node_find', params: ['a'] })
  // @ts-expect-error: params go by position
  void client.request({ method: 'node_balance', params: { account: '0xa' } })
  // @ts-expect-error: the params of another method
  void client.request({ method: 'node_balance', params: [5] })
  // @ts-expect-error: a param is missing
  void client.nodeSend()
  // @ts-expect-error: a bigint is no param
  void client.nodeBalance(5n)
  // @ts-expect-error: the topic is required
  void client.nodeFind({})
  // @ts-expect-error: the params are required
  void client.notify('node_send')
  // @ts-expect-error: no such option
  void client.with({ patience: 5 })

  expectTypeOf(client.with({ timeout: 5 })).toEqualTypeOf<TestClient>()
  expectTypeOf(client.with({ timeout: 5 }).with({}).nodeHeight()).toEqualTypeOf<Promise<string>>()
  expectTypeOf(
    client.batch((b) => Promise.all([b.nodeHeight(), b.with({}).nodeBalance('0xa')])),
  ).toEqualTypeOf<Promise<[string, Balance]>>()
  expectTypeOf(client.batch(() => 5)).toEqualTypeOf<Promise<number>>()
}

const narrows = (error: unknown) => {
  if (isRpcError(error, -32601)) expectTypeOf(error).toEqualTypeOf<RpcError<-32601>>()
  if (isRpcError(error)) expectTypeOf(error.code).toEqualTypeOf<number>()
}

const options = (): RpcOptions<'testnet', { readonly apiKey?: string }>[] => [
  { server: 'testnet' },
  { server: 'https://h.example', auth: { apiKey: 'a' } },
  // @ts-expect-error: a secret of another name
  { auth: { apiToken: 'a' } },
  // @ts-expect-error: neither on nor off
  { batch: true },
]

test('what must compile compiles, and what must not does not', () => {
  expectTypeOf([compiles, narrows, options]).toBeArray()
  expectTypeOf(createTestClient).returns.toEqualTypeOf<TestClient>()
})
