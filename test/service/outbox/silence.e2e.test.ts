import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Chain } from '../../../src/service/node/chain.js'
import type { OutboxOptions } from '../../../src/service/outbox/create-outbox.js'
import type { Outbox } from '../../../src/service/outbox/outbox.js'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'
import { createFakeChain, type FakeChain, noAnswer } from './fake-chain.js'
import { listen } from './operator-log.js'
import { checkBooks, emptyTables, message, startOutbox, untilDone } from './scene.js'

const POISON = message(1, 'poison').data
const operation = 'eth_sendRawTransaction'

describe.each(eachStore)('a node that answers others, on $kind', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())
  beforeEach(() => emptyTables(store))
  let outbox: Outbox
  // Whoever goes on after a failed test would take the wallets of the next one.
  afterEach(() => outbox.stop())
  const start = (chain: FakeChain, options: Partial<OutboxOptions> = {}) => {
    outbox = startOutbox(store, chain, options)
  }

  test.each([
    ['says nothing', () => noAnswer(), 'it answers other calls, not this'],
    [
      'answers HTTP 502',
      () => new HttpError({ operation, status: 502, body: '', message: 'bad gateway' }),
      'it answered HTTP 502',
    ],
  ])('and %s to one transaction ends it, and nobody else waits', async (_, silence, reason) => {
    const chain = createFakeChain({
      refuse: ({ data }) => {
        if (data === POISON) throw silence()
        return undefined
      },
    })
    const operator = listen()
    start(chain, { log: operator.log })
    const poisoned = await outbox.enqueue(message(1, 'poison'))
    const next = await outbox.enqueue(message(1, 'next'))
    const other = await outbox.enqueue(message(2, 'other'))
    expect(await outbox.settled(other.queueId, { timeout: 1e7 })).toMatchObject({
      status: 'completed',
    })
    expect(await outbox.settled(poisoned.queueId, { timeout: 1e7 })).toEqual({
      status: 'error',
      errorMessage: `the node rejected the transaction: ${reason}`,
    })
    expect(await outbox.settled(next.queueId, { timeout: 1e7 })).toMatchObject({
      status: 'completed',
    })
    // The first answer that lacks may be owed to what it went with, and a lane that is read anew begins with that again.
    const attempts = chain.sent().filter((hash) => hash === poisoned.hash).length
    expect(attempts).toBeGreaterThanOrEqual(12)
    expect(attempts).toBeLessThan(20)
    expect(operator.messages()).not.toContain(
      'the node does not answer: nothing is sent until it does',
    )
    expect(operator.messages('error')).toContain('sent again later')
    await untilDone(store, chain)
    await checkBooks(store, chain)
  })

  test('a node that is away for long ends nothing', async () => {
    let away = true
    const chain = createFakeChain({
      before: () => {
        if (away) throw noAnswer()
      },
    })
    await store.query(
      `insert into wallet (index, address, next_nonce) values (1, 'one', 0), (2, 'two', 0)`,
    )
    start(chain)
    for (const wallet of [1, 2, 1]) await outbox.enqueue(message(wallet))
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(await outbox.depth()).toMatchObject({ error: 0, completed: 0 })
    away = false
    await untilDone(store, chain)
    for (const { status } of await checkBooks(store, chain)) expect(status).toBe('completed')
  })

  test('who may not ask waits, and an operator is warned', async () => {
    let forbidden = true
    const limited = () =>
      new HttpError({ operation, status: 429, body: '', message: 'too many requests' })
    const chain = createFakeChain({
      before: (name) => {
        if (name === 'send' && forbidden) throw limited()
      },
    })
    const operator = listen()
    start(chain, { log: operator.log })
    const { queueId } = await outbox.enqueue(message(1))
    await operator.until('error', 'sent again later')
    expect((await outbox.find(queueId))?.status).toBe('processing')
    forbidden = false
    await untilDone(store, chain)
    expect((await outbox.find(queueId))?.status).toBe('completed')
  })

  const refusals: readonly (readonly [keyof Chain, string])[] = [
    ['nonce', 'a wallet waits'],
    ['knows', 'sent again later'],
    ['blockNumber', 'receipts are looked for later'],
  ]
  test.each(refusals)(
    'and refuses %s is alive: an operator is warned, and all goes on later',
    async (call, words) => {
      let refusing = false
      const chain = createFakeChain({
        refuse: ({ data }) => (data === POISON ? 'intrinsic gas too low' : undefined),
        before: (name) => {
          if (refusing && name === call) throw new RpcError({ code: -32603, message: 'index lost' })
        },
      })
      const operator = listen()
      start(chain, { log: operator.log })
      await outbox.enqueue(message(1, 'first'))
      await untilDone(store, chain)
      refusing = true
      await store.query(`insert into wallet (index, address, next_nonce) values (2, 'two', 0)`)
      const accepted = await Promise.all(
        [1, 2].map((wallet) => outbox.enqueue(message(wallet, 'poison'))),
      )
      await operator.until(call === 'blockNumber' ? 'warn' : 'error', words)
      expect(operator.messages()).not.toContain(
        'the node does not answer: nothing is sent until it does',
      )
      refusing = false
      await untilDone(store, chain)
      for (const { queueId } of accepted) {
        expect((await outbox.find(queueId))?.status).toBe('error')
      }
      await checkBooks(store, chain)
    },
  )

  test('answers that are lost three times in a row end nothing', async () => {
    let lost = 3
    const chain = createFakeChain({
      after: (name) => {
        if (name === 'send' && lost-- > 0) {
          throw new CallError({ reason: 'timeout', operation, message: 'timed out' })
        }
      },
    })
    start(chain)
    await Promise.all([1, 2, 3].map((wallet) => outbox.enqueue(message(wallet))))
    await untilDone(store, chain)
    for (const { status } of await checkBooks(store, chain)) expect(status).toBe('completed')
  })
})
