import { describe, expectTypeOf, it } from 'vitest'
import {
  createRpcClient,
  isRpcError,
  type RpcClient,
  type RpcServer,
} from '../../generated/rpc.client.js'
import type { components, RpcMethods } from '../../generated/rpc.types.js'

type Schemas = components['schemas']
/** Compiled, never called. */
declare const rpc: RpcClient
/** As viem has it. */
type Hex = `0x${string}`
const address = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
const hash = '0x9f0b6a5d1c27e84f3ab1d5c06e7f92384c61a0d7be35f8129470cd6eab5f3817'
/** The body is compiled, never run. */
const typed = (_: () => unknown): void => {}

describe('right calls compile', () => {
  it('each with the result of its method', () =>
    typed(async () => {
      expectTypeOf(await rpc.ethChainId()).toEqualTypeOf<Hex>()
      expectTypeOf(await rpc.ethGetBalance(address, 'latest')).toEqualTypeOf<Hex>()
      expectTypeOf(await rpc.ethGetBlockByNumber('0x1', true)).toEqualTypeOf<
        Schemas['Block'] | null
      >()
      expectTypeOf(await rpc.ethGetTransactionReceipt(hash)).toEqualTypeOf<
        Schemas['Receipt'] | null
      >()
      expectTypeOf(await rpc.chainGetSupportedTokens()).toEqualTypeOf<
        Schemas['AddressListAnswer']
      >()
    }))

  it('with a trailing param or without it', () =>
    typed(() => [rpc.ethGetBalance(address), rpc.ethGetBalance(address, { blockHash: hash })]))

  it('by wire name as EIP-1193 has it, constant requests too', () =>
    typed(async () => {
      const request = { method: 'eth_getBalance', params: [address, 'latest'] } as const
      expectTypeOf(await rpc.request(request)).toEqualTypeOf<Hex>()
      expectTypeOf(await rpc.request({ method: 'eth_syncing' })).toEqualTypeOf<
        Schemas['SyncStatus']
      >()
    }))

  it('in a batch, each result in its place', () =>
    typed(async () => {
      const results = await rpc.batch((b) =>
        Promise.all([b.ethBlockNumber(), b.ethGetTransactionByHash(hash)]),
      )
      expectTypeOf(results).toEqualTypeOf<[Hex, Schemas['Transaction'] | null]>()
    }))

  it('transactions are distinguished by type', () =>
    typed(async () => {
      const transaction = await rpc.ethGetTransactionByHash(hash)
      if (transaction?.type === '0x3')
        expectTypeOf(transaction.blobVersionedHashes).toEqualTypeOf<Hex[]>()
      if (transaction?.type === '0x0') expectTypeOf(transaction.gasPrice).toEqualTypeOf<Hex>()
    }))

  it('a refusal is narrowed by its code', () =>
    typed((error: unknown = undefined) => {
      if (isRpcError(error, -32601)) expectTypeOf(error.code).toEqualTypeOf<-32601>()
    }))
})

describe('wrong calls do not', () => {
  it('methods that the document leaves out', () =>
    typed(() => [
      // @ts-expect-error absent on purpose
      rpc.ethBlobBaseFee(),
      // @ts-expect-error absent on purpose
      rpc.request({ method: 'eth_blobBaseFee' }),
      // @ts-expect-error no such method
      rpc.request({ method: 'eth_getBalanc', params: [address] }),
    ]))

  it('params that the method does not take', () =>
    typed(() => [
      // @ts-expect-error the address is required
      rpc.ethGetBalance(),
      // @ts-expect-error the address is required
      rpc.request({ method: 'eth_getBalance' }),
      // @ts-expect-error a bigint is no address
      rpc.ethGetBalance(5n),
      // @ts-expect-error a block is named by a string or an object
      rpc.ethGetBalance(address, 5),
      // @ts-expect-error one too many
      rpc.ethGetBalance(address, 'latest', true),
      // @ts-expect-error whether transactions come in full has to be said
      rpc.ethGetBlockByNumber('latest'),
      // @ts-expect-error a method without params
      rpc.ethChainId('latest'),
      // @ts-expect-error params go by position
      rpc.request({ method: 'eth_getBalance', params: { address } }),
      // @ts-expect-error a field that no call has
      rpc.ethCall({ to: address, gass: '0x1' }),
    ]))

  it('networks and secrets of other names', () =>
    typed(() => {
      // @ts-expect-error no such network
      const server: RpcServer = 'devnet'
      // @ts-expect-error no such secret
      createRpcClient({ server, auth: { apiToken: 'k' } })
    }))
})

describe('the table of methods', () => {
  it('names every param, optional ones at the end', () => {
    expectTypeOf<RpcMethods['eth_getStorageAt']['params']>().toEqualTypeOf<
      [
        address: Schemas['Address'],
        slot: Schemas['BytesMax32'],
        block?: Schemas['BlockNumberOrTagOrHash'],
      ]
    >()
    expectTypeOf<RpcMethods['eth_chainId']['params']>().toEqualTypeOf<[]>()
  })

  it('has no param and no result of type any', () => {
    type AnyIn<M> = {
      [K in keyof M]: M[K] extends { params: infer P; result: infer R }
        ? 0 extends 1 & (P[keyof P] | R)
          ? K
          : never
        : K
    }[keyof M]
    expectTypeOf<AnyIn<RpcMethods>>().toEqualTypeOf<never>()
  })
})
