import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'
import { createFakeChain, fakeWallets, noAnswer } from './fake-chain.js'
import {
  checkBooks,
  emptyTables,
  expireLeases,
  message,
  startOutbox,
  unfinished,
  untilDone,
} from './scene.js'

// A busy machine takes seconds for what is done in a hundredth of the usual time here.
vi.setConfig({ testTimeout: 90_000 })

const turns = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe.each(eachStore)('when things go wrong around the outbox on $kind', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())
  beforeEach(() => emptyTables(store))

  test('a node that does not answer is waited for by all, and asked by one', async () => {
    let away = false
    const asked: string[] = []
    const chain = createFakeChain({
      before: (name) => {
        if (!away) return
        asked.push(name)
        throw noAnswer()
      },
    })
    const outbox = startOutbox(store, chain)
    for (let i = 0; i < 10; i++) await outbox.enqueue(message(i))
    await untilDone(store, chain)
    away = true
    const accepted = await Promise.all(
      Array.from({ length: 40 }, (_, i) => outbox.enqueue(message(i % 10, `${i}`))),
    )
    await turns(300)
    const sends = asked.filter((name) => name === 'send').length
    expect(sends).toBeLessThanOrEqual(10)
    expect(asked.length).toBeLessThan(60)
    expect(
      new Set(
        await Promise.all(
          accepted.map(async ({ queueId }) => (await outbox.find(queueId))?.status),
        ),
      ),
    ).not.toContain('error')
    away = false
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(50)
    await outbox.stop()
  })

  test('an answer that is lost does not send a transaction twice', async () => {
    let lost = 0
    const chain = createFakeChain({
      after: (name) => {
        if (name === 'send' && lost++ % 2 === 0) throw noAnswer()
      },
    })
    const outbox = startOutbox(store, chain)
    await Promise.all([1, 2, 3, 4].map((i) => outbox.enqueue(message(1, `${i}`))))
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(4)
    await outbox.stop()
  })

  test('a block that is seen before the answer to what it holds is looked into again', async () => {
    const chain = createFakeChain({ after: (name) => (name === 'send' ? turns(40) : undefined) })
    // So long that what stands still is not what finds it.
    const outbox = startOutbox(store, chain, { timings: { stall: 1e9 } })
    const first = await outbox.enqueue(message(1))
    const second = await outbox.enqueue(message(2))
    for (const { queueId } of [first, second]) {
      expect(await outbox.settled(queueId, { timeout: 1e5 })).toMatchObject({ status: 'completed' })
    }
    await outbox.stop()
  })

  test('what arrived by an earlier attempt is not ended by the refusal of a later one', async () => {
    let sends = 0
    const chain = createFakeChain({
      mining: 'manual',
      refuse: () => (sends++ > 0 ? 'invalid sender' : undefined),
      after: (name) => {
        if (name === 'send' && sends === 1) throw noAnswer()
      },
    })
    const outbox = startOutbox(store, chain)
    const { queueId, hash } = await outbox.enqueue(message(1))
    await vi.waitFor(() => expect(chain.sent()).toEqual([hash, hash]), { timeout: 120_000 })
    await turns(50)
    chain.mine()
    expect(await outbox.settled(queueId, { timeout: 1e7 })).toMatchObject({ status: 'completed' })
    await outbox.stop()
  })

  test('a full pool is tried again, and what follows in the wallet waits', async () => {
    let full = 5
    const chain = createFakeChain({ refuse: () => (full-- > 0 ? 'txpool is full' : undefined) })
    const outbox = startOutbox(store, chain)
    await Promise.all([1, 2, 3].map((i) => outbox.enqueue(message(1, `${i}`))))
    await untilDone(store, chain)
    expect(chain.mined().map(({ nonce }) => nonce)).toEqual([0, 1, 2])
    await checkBooks(store, chain)
    await outbox.stop()
  })

  test('words that nobody knows are tried again, but not for ever', async () => {
    const chain = createFakeChain({
      refuse: ({ data }) => (data === message(1, 'odd').data ? 'the moon is full' : undefined),
    })
    const outbox = startOutbox(store, chain)
    const odd = await outbox.enqueue(message(1, 'odd'))
    const next = await outbox.enqueue(message(1, 'next'))
    const settled = await outbox.settled(odd.queueId, { timeout: 1e7 })
    expect(settled).toEqual({
      status: 'error',
      errorMessage: 'the node rejected the transaction: the moon is full',
    })
    expect(chain.sent().filter((hash) => hash === odd.hash)).toHaveLength(8)
    expect(await outbox.settled(next.queueId, { timeout: 1e7 })).toMatchObject({
      status: 'completed',
    })
    await outbox.stop()
  })

  test('a chain that went back gets the same bytes again, and ends stay as they were', async () => {
    const chain = createFakeChain({
      refuse: ({ data }) => (data === message(1, '4').data ? 'invalid sender' : undefined),
    })
    const outbox = startOutbox(store, chain)
    for (let i = 0; i < 8; i++) await outbox.enqueue(message(1 + (i % 2), `${i}`))
    await untilDone(store, chain)
    const before = await store.query('select * from submission order by wallet, nonce')
    const mined = chain.mined().map(({ hash }) => hash)
    chain.goBackTo(2)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(8), { timeout: 120_000 })
    await untilDone(store, chain)
    expect(
      chain
        .mined()
        .map(({ hash }) => hash)
        .sort(),
    ).toEqual([...mined].sort())
    expect(await store.query('select * from submission order by wallet, nonce')).toEqual(before)
    await outbox.stop()
  })

  test('a chain that went back while nobody looked is noticed at the start', async () => {
    const chain = createFakeChain()
    const first = startOutbox(store, chain)
    for (let i = 0; i < 5; i++) await first.enqueue(message(1, `${i}`))
    await untilDone(store, chain)
    await first.stop()
    chain.goBackTo(0)
    const second = startOutbox(store, chain)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(5), { timeout: 120_000 })
    await untilDone(store, chain)
    await checkBooks(store, chain)
    await second.stop()
  })

  test('a chain that went back gets again what a killed process holds still', async () => {
    const chain = createFakeChain()
    const first = startOutbox(store, chain)
    for (let i = 0; i < 5; i++) await first.enqueue(message(1, `${i}`))
    await untilDone(store, chain)
    await first.stop()
    await store.query(
      `update wallet set lease_owner = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 second'`,
    )
    chain.goBackTo(0)
    const second = startOutbox(store, chain)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(5), { timeout: 120_000 })
    await untilDone(store, chain)
    await checkBooks(store, chain)
    await second.stop()
  })

  test('a chain that went back gets again what more wallets sent than one process holds at a time', async () => {
    const chain = createFakeChain()
    const outbox = startOutbox(store, chain)
    await Promise.all(Array.from({ length: 300 }, (_, wallet) => outbox.enqueue(message(wallet))))
    await untilDone(store, chain)
    chain.goBackTo(0)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(300), { timeout: 120_000 })
    await untilDone(store, chain)
    await checkBooks(store, chain)
    await outbox.stop()
  })

  test('a chain that went back gets again what a process sends for that holds two wallets at a time', async () => {
    const chain = createFakeChain()
    const outbox = startOutbox(store, chain, { mostWallets: 2 })
    await Promise.all(Array.from({ length: 40 }, (_, wallet) => outbox.enqueue(message(wallet))))
    await untilDone(store, chain)
    chain.goBackTo(0)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(40), { timeout: 120_000 })
    await untilDone(store, chain)
    await checkBooks(store, chain)
    await outbox.stop()
  })

  test('a chain that went back behind the wallet’s first submission gets what fills the gap', async () => {
    const chain = createFakeChain()
    const { sign } = fakeWallets.wallet(1)
    for (const nonce of [0, 1]) {
      chain.put((await sign({ chainId: chain.id, nonce, gas: 1n, data: '0x' })).raw)
    }
    const outbox = startOutbox(store, chain)
    await outbox.enqueue(message(1))
    await untilDone(store, chain)
    chain.goBackTo(0)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(3), { timeout: 120_000 })
    await outbox.stop()
  })

  test('a node that forgot its pool is given it again', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    const outbox = startOutbox(store, chain)
    await Promise.all([1, 2, 3].map((i) => outbox.enqueue(message(1, `${i}`))))
    await vi.waitFor(() => expect(chain.pooled()).toBe(3), { timeout: 120_000 })
    chain.forgetPool()
    await vi.waitFor(() => expect(chain.pooled()).toBe(3), { timeout: 120_000 })
    await untilDone(store, chain)
    await checkBooks(store, chain)
    await outbox.stop()
  })

  test('two processes share a store: all is mined once, and each hears of what the other ended', async () => {
    const chain = createFakeChain()
    const outboxes = [startOutbox(store, chain), startOutbox(store, chain)]
    const ends = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const [mine, other] = i % 2 ? outboxes : [...outboxes].reverse()
        const { queueId } = (await mine?.enqueue(message(i % 3, `${i}`))) ?? { queueId: '' }
        return other?.settled(queueId, { timeout: 1e7 })
      }),
    )
    for (const end of ends) expect(end).toMatchObject({ status: 'completed' })
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(60)
    for (const outbox of outboxes) await outbox.stop()
  })

  test('a stop gives the wallets back: another process goes on at once', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    const first = startOutbox(store, chain)
    await first.enqueue(message(1))
    await vi.waitFor(() => expect(chain.pooled()).toBe(1), { timeout: 120_000 })
    await first.stop()
    const second = startOutbox(store, chain)
    await untilDone(store, chain)
    await second.stop()
    expect(await unfinished(store)).toBe(0)
  })

  test('who lost its wallet to another writes nothing of it any more', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    const sleeper = startOutbox(store, chain)
    const { queueId } = await sleeper.enqueue(message(1))
    await vi.waitFor(() => expect(chain.pooled()).toBe(1), { timeout: 120_000 })
    await expireLeases(store)
    const [held] = await store.query(
      `update wallet set lease_owner = gen_random_uuid(), lease_until = now() + interval '1 hour' returning index`,
    )
    expect(held).toBeDefined()
    chain.mine()
    await turns(100)
    expect((await sleeper.find(queueId))?.status).toBe('processing')
    await expireLeases(store)
    await untilDone(store, chain)
    expect((await sleeper.find(queueId))?.status).toBe('completed')
    await sleeper.stop()
  })

  test('who lost its wallet to another fills no gap where the chain went back', async () => {
    const chain = createFakeChain()
    const sleeper = startOutbox(store, chain, { timings: { linger: 1e9 } })
    for (const text of ['1', '2', '3']) await sleeper.enqueue(message(1, text))
    await untilDone(store, chain)
    const sent = chain.sent().length
    await store.query(
      `update wallet set lease_owner = gen_random_uuid(), lease_until = now() + interval '1 hour'`,
    )
    chain.goBackTo(0)
    await turns(500)
    expect(chain.sent()).toHaveLength(sent)
    await expireLeases(store)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(3), { timeout: 120_000 })
    await untilDone(store, chain)
    await checkBooks(store, chain)
    await sleeper.stop()
  })
})
