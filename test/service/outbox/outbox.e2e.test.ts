import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OutboxFull } from '../../../src/service/outbox/outbox.js'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'
import { createFakeChain, decode, type FakeTransaction, fakeWallets } from './fake-chain.js'
import { checkBooks, emptyTables, message, startOutbox, untilDone } from './scene.js'

describe.each(eachStore)('the outbox on $kind', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())
  beforeEach(() => emptyTables(store))

  test('a submission is stored, mined and reported', async () => {
    const chain = createFakeChain()
    const outbox = startOutbox(store, chain)
    const accepted = await outbox.enqueue(message(3, 'hello'))
    const { address } = fakeWallets.wallet(3)
    expect(accepted).toEqual({
      queueId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      from: address,
      nonce: 0,
    })
    const settled = await outbox.settled(accepted.queueId, { timeout: 1e7 })
    expect(settled).toEqual({ status: 'completed', receipt: await chain.receipt(accepted.hash) })
    expect(await outbox.find(accepted.queueId)).toEqual({
      queueId: accepted.queueId,
      status: 'completed',
      hash: accepted.hash,
      createdAt: expect.any(Date),
      processedAt: expect.any(Date),
      errorMessage: undefined,
    })
    expect(await outbox.depth()).toEqual({
      pending: 0,
      processing: 0,
      completed: 1,
      error: 0,
      oldestSeconds: 0,
    })
    await outbox.stop()
  })

  test('two hundred of six wallets are mined in the order in which they were accepted', async () => {
    const chain = createFakeChain()
    const outbox = startOutbox(store, chain)
    const accepted = await Promise.all(
      Array.from({ length: 200 }, (_, i) => outbox.enqueue(message(i % 6, `${i}`))),
    )
    await untilDone(store, chain)
    await checkBooks(store, chain)
    for (const [i, { nonce }] of accepted.entries()) expect(nonce).toBe(Math.floor(i / 6))
    await outbox.stop()
  })

  test('the node refuses the third of ten: the others are mined, the third ends in error', async () => {
    const third = (transaction: FakeTransaction) =>
      transaction.data === message(1, 'third').data ? 'intrinsic gas too low' : undefined
    const chain = createFakeChain({ refuse: third })
    const outbox = startOutbox(store, chain)
    const accepted = await Promise.all(
      Array.from({ length: 10 }, (_, i) => outbox.enqueue(message(1, i === 2 ? 'third' : `${i}`))),
    )
    const settled = await Promise.all(
      accepted.map(({ queueId }) => outbox.settled(queueId, { timeout: 1e7 })),
    )
    expect(settled.map((one) => one?.status)).toEqual(
      accepted.map((_, i) => (i === 2 ? 'error' : 'completed')),
    )
    expect(settled[2]).toEqual({
      status: 'error',
      errorMessage: 'the node rejected the transaction: intrinsic gas too low',
    })
    await untilDone(store, chain)
    await checkBooks(store, chain)
    const filler = decode(chain.mined()[2]?.raw as `0x${string}`)
    const { address } = fakeWallets.wallet(1)
    expect(filler).toEqual({
      chainId: chain.id,
      nonce: 2,
      gas: 21_000n,
      to: address,
      data: '0x',
      from: address,
    })
    await outbox.stop()
  })

  test('what is mined and reverted ends in error, and its nonce is spent', async () => {
    const chain = createFakeChain({ reverts: ({ nonce }) => nonce === 1 })
    const outbox = startOutbox(store, chain)
    const accepted = await Promise.all([1, 2, 3].map((i) => outbox.enqueue(message(1, `${i}`))))
    const settled = await Promise.all(
      accepted.map(({ queueId }) => outbox.settled(queueId, { timeout: 1e7 })),
    )
    expect(settled[1]).toEqual({
      status: 'error',
      errorMessage: 'the transaction was mined and reverted',
    })
    expect(settled.map((one) => one?.status)).toEqual(['completed', 'error', 'completed'])
    expect(chain.mined()).toHaveLength(3)
    await outbox.stop()
  })

  test('states are reported as they are: processing once it is sent, until it is mined', async () => {
    let letGo: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const chain = createFakeChain({ mining: 'manual', before: (name) => name === 'send' && held })
    const outbox = startOutbox(store, chain)
    const { queueId } = await outbox.enqueue(message(1))
    await vi.waitFor(async () => expect((await outbox.find(queueId))?.status).toBe('processing'), {
      timeout: 20_000,
    })
    expect(chain.sent()).toEqual([])
    letGo?.()
    await vi.waitFor(() => expect(chain.pooled()).toBe(1), { timeout: 120_000 })
    expect((await outbox.find(queueId))?.status).toBe('processing')
    expect((await outbox.depth()).oldestSeconds).toBeGreaterThan(0)
    chain.mine()
    await vi.waitFor(async () => expect((await outbox.find(queueId))?.status).toBe('completed'), {
      timeout: 20_000,
    })
    await outbox.stop()
  })

  test('of a group, what cannot be signed is refused alone and uses no nonce', async () => {
    const chain = createFakeChain()
    const outbox = startOutbox(store, chain)
    const bad = { ...message(1), data: '0xdead' as const }
    const outcomes = await Promise.allSettled(
      [message(1, 'a'), bad, message(1, 'b')].map((one) => outbox.enqueue(one)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(2)
    await outbox.stop()
  })

  test('a wallet that sent before it came to us goes on with the nonce that the chain has', async () => {
    const chain = createFakeChain()
    const { sign } = fakeWallets.wallet(1)
    for (const nonce of [0, 1]) {
      chain.put((await sign({ chainId: chain.id, nonce, gas: 1n, data: '0x' })).raw)
    }
    const outbox = startOutbox(store, chain)
    expect((await outbox.enqueue(message(1))).nonce).toBe(2)
    await untilDone(store, chain)
    await outbox.stop()
  })

  test('a transaction of somebody else takes a nonce: that submission ends in error, the next ones go on', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    const outbox = startOutbox(store, chain)
    const first = await outbox.enqueue(message(1, 'first'))
    await untilDone(store, chain)
    const { sign } = fakeWallets.wallet(1)
    for (const nonce of [1, 2, 3]) {
      chain.put((await sign({ chainId: chain.id, nonce, gas: 1n, data: '0x99' })).raw)
    }
    chain.mine()
    const second = await outbox.enqueue(message(1, 'second'))
    const settled = await outbox.settled(second.queueId, { timeout: 1e7 })
    expect(settled).toEqual({
      status: 'error',
      errorMessage: 'the nonce was used by another transaction of the same wallet',
    })
    const third = await outbox.enqueue(message(1, 'third'))
    expect([first.nonce, second.nonce, third.nonce]).toEqual([0, 1, 4])
    await untilDone(store, chain)
    expect((await outbox.find(third.queueId))?.status).toBe('completed')
    await outbox.stop()
  })

  test('more than may wait is refused, and there is room again afterwards', async () => {
    const chain = createFakeChain()
    const outbox = startOutbox(store, chain, { mostWaiting: 5 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => outbox.enqueue(message(1, `${i}`))),
    )
    const refused = outcomes.filter((one) => one.status === 'rejected')
    expect(refused).toHaveLength(15)
    expect(refused[0]?.reason).toBeInstanceOf(OutboxFull)
    await outbox.enqueue(message(1, 'later'))
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(6)
    await outbox.stop()
  })

  test('long bytes wait in the store and are sent whole', async () => {
    const chain = createFakeChain()
    const outbox = startOutbox(store, chain)
    const long = 'x'.repeat(300_000)
    await Promise.all([1, 2, 3].map((i) => outbox.enqueue(message(1, `${i}${long}`))))
    await untilDone(store, chain)
    await checkBooks(store, chain)
    await outbox.stop()
  })

  test('a queue longer than the window of a wallet is read page by page', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    const outbox = startOutbox(store, chain)
    await Promise.all(Array.from({ length: 150 }, (_, i) => outbox.enqueue(message(1, `${i}`))))
    await vi.waitFor(() => expect(chain.pooled()).toBe(64), { timeout: 120_000 })
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(150)
    await outbox.stop()
  })

  test('a waiter is let go by its timeout, its signal and the stop', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    const outbox = startOutbox(store, chain)
    const { queueId } = await outbox.enqueue(message(1))
    expect(await outbox.settled(queueId, { timeout: 100 })).toBeUndefined()
    const aborting = new AbortController()
    const aborted = outbox.settled(queueId, { timeout: 1e9, signal: aborting.signal })
    aborting.abort()
    expect(await aborted).toBeUndefined()
    expect(await outbox.settled('no such thing', { timeout: 1e9 })).toBeUndefined()
    const stopped = outbox.settled(queueId, { timeout: 1e9 })
    await outbox.stop()
    expect(await stopped).toBeUndefined()
    expect(await outbox.find('no such thing')).toBeUndefined()
    await expect(outbox.enqueue(message(1))).rejects.toThrow('stopping')
  })
})
