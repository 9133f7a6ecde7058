import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Outbox } from '../../../src/service/outbox/outbox.js'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'
import { createFakeChain, fakeWallets } from './fake-chain.js'
import { checkBooks, emptyTables, message, startOutbox, untilDone } from './scene.js'

describe.each(eachStore)('more wallets than are held at a time, on $kind', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())
  beforeEach(() => emptyTables(store))

  const completed = async (outbox: Outbox, wallet: number) => {
    const { queueId } = await outbox.enqueue(message(wallet, 'late'))
    return (await outbox.settled(queueId, { timeout: 1e7 }))?.status
  }

  test('late wallets have their turn though the first ones never run dry', async () => {
    const chain = createFakeChain({ before: (name) => (name === 'send' ? pause() : undefined) })
    const outbox = startOutbox(store, chain, { mostWallets: 2 })
    await Promise.all(Array.from({ length: 300 }, (_, i) => outbox.enqueue(message(1 + (i % 2)))))
    expect(await Promise.all([3, 4, 5].map((wallet) => completed(outbox, wallet)))).toEqual([
      'completed',
      'completed',
      'completed',
    ])
    const dry = await store.query(
      `select wallet from submission where wallet in (1, 2) group by wallet
      having count(*) filter (where not done) = 0`,
    )
    expect(dry).toEqual([])
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(303)
    await outbox.stop()
  })

  test('late wallets have their turn though the first ones stand still', async () => {
    let full = true
    const stuck = [1, 2].map((wallet) => fakeWallets.wallet(wallet).address)
    const chain = createFakeChain({
      refuse: ({ from }) => (full && stuck.includes(from) ? 'txpool is full' : undefined),
    })
    const outbox = startOutbox(store, chain, { mostWallets: 2 })
    await Promise.all([1, 2].map((wallet) => outbox.enqueue(message(wallet))))
    expect(await Promise.all([3, 4, 5].map((wallet) => completed(outbox, wallet)))).toEqual([
      'completed',
      'completed',
      'completed',
    ])
    full = false
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(5)
    await outbox.stop()
  })

  test('many wallets with one submission each are not kept longer than they have work', async () => {
    const chain = createFakeChain()
    const outbox = startOutbox(store, chain, { mostWallets: 3, timings: { linger: 1e9 } })
    await Promise.all(Array.from({ length: 60 }, (_, wallet) => outbox.enqueue(message(wallet))))
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(60)
    await outbox.stop()
  })
})

const pause = () => new Promise((resolve) => setTimeout(resolve, 5))
