import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'
import { createFakeChain } from './fake-chain.js'
import { listen } from './operator-log.js'
import { checkBooks, emptyTables, message, startOutbox, untilDone } from './scene.js'

describe.each(eachStore)('a node that asks for a gas price, on $kind', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())
  beforeEach(() => emptyTables(store))

  const words = 'max fee per gas less than block base fee'
  const error = {
    status: 'error',
    errorMessage: `the node rejected the transaction: ${words} (all are sent at a gas price of 0)`,
  }

  test('each submission ends in error at once, more of them than a window, and later ones are mined', async () => {
    let dear = true
    const chain = createFakeChain({ refuse: () => (dear ? words : undefined) })
    const operator = listen()
    const outbox = startOutbox(store, chain, { log: operator.log })
    const accepted = await Promise.all(
      Array.from({ length: 150 }, (_, i) => outbox.enqueue(message(1, `${i}`))),
    )
    const settled = await Promise.all(
      accepted.map(({ queueId }) => outbox.settled(queueId, { timeout: 1e7 })),
    )
    expect(settled).toEqual(accepted.map(() => error))
    const late = await outbox.enqueue(message(1, 'late'))
    expect(await outbox.settled(late.queueId, { timeout: 1e7 })).toEqual(error)
    await operator.until('error', 'what fills a nonce is not taken, and is sent again later')
    expect(operator.messages()).not.toContain('sent again later')
    dear = false
    const cheap = await outbox.enqueue(message(1, 'cheap'))
    expect(await outbox.settled(cheap.queueId, { timeout: 1e7 })).toMatchObject({
      status: 'completed',
    })
    await untilDone(store, chain)
    expect(await checkBooks(store, chain)).toHaveLength(152)
    await outbox.stop()
  })

  test('what waits for a lower price is found by the next process', async () => {
    let dear = true
    const chain = createFakeChain({ refuse: () => (dear ? words : undefined) })
    const first = startOutbox(store, chain)
    const { queueId } = await first.enqueue(message(1))
    expect(await first.settled(queueId, { timeout: 1e7 })).toEqual(error)
    await first.stop()
    const second = startOutbox(store, chain)
    const next = await second.enqueue(message(1, 'next'))
    expect(await second.settled(next.queueId, { timeout: 1e7 })).toEqual(error)
    dear = false
    await untilDone(store, chain)
    await checkBooks(store, chain)
    await second.stop()
  })
})
