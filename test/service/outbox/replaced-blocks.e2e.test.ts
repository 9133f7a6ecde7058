import { RpcError } from 'twinspec/runtime/errors'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Timings } from '../../../src/service/outbox/clock.js'
import type { Outbox } from '../../../src/service/outbox/outbox.js'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'
import { createFakeChain, type FakeChain, type FakeOptions, noAnswer } from './fake-chain.js'
import { checkBooks, emptyTables, message, startOutbox, untilDone } from './scene.js'

// A busy machine takes seconds for what is done in a hundredth of the usual time here.
vi.setConfig({ testTimeout: 90_000 })

const SUBMISSIONS = 4

/** Replaces the newest blocks in one step, so that no look of an outbox is in between. Their transactions are in no pool. */
const replace = (chain: FakeChain, blocks: number, by: number) => {
  chain.goBackTo(chain.height() - blocks)
  chain.mineEmpty(by)
}

const minedAgain = async (store: Store, chain: FakeChain, count = SUBMISSIONS) => {
  await vi.waitFor(
    () => {
      chain.mine()
      expect(chain.mined()).toHaveLength(count)
    },
    { timeout: 900_000 },
  )
  await untilDone(store, chain)
  await checkBooks(store, chain)
}

describe.each(eachStore)('when blocks are replaced, the outbox on $kind', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())
  beforeEach(() => emptyTables(store))
  const running: Outbox[] = []
  afterEach(() => Promise.all(running.splice(0).map((outbox) => outbox.stop())))
  const start = (chain: FakeChain, timings: Partial<Timings> = {}) => {
    const outbox = startOutbox(store, chain, { timings: { recheck: 1e9, ...timings } })
    running.push(outbox)
    return outbox
  }

  /** Each of its transactions has a block of its own, and all are completed. */
  const completed = async (options: FakeOptions = {}, timings: Partial<Timings> = {}) => {
    let checks = 0
    const chain = createFakeChain({
      ...options,
      before: async (name) => {
        if (name === 'blockHash') checks++
        await options.before?.(name)
      },
    })
    const outbox = start(chain, timings)
    for (let i = 0; i < SUBMISSIONS; i++) await outbox.enqueue(message(1 + (i % 2), `${i}`))
    await untilDone(store, chain)
    /** Until the outbox has compared the newest blocks with what it saw. */
    const compared = async () => {
      const before = checks
      await vi.waitFor(() => expect(checks).toBeGreaterThan(before + 3), { timeout: 900_000 })
    }
    return { chain, outbox, compared }
  }

  test.each([
    ['the newest block, at an equal height', 1, 1],
    ['the newest block, at a greater height', 1, 3],
    ['two blocks, at an equal height', 2, 2],
    ['three blocks, at a greater height', 3, 7],
    ['all blocks, at an equal height', SUBMISSIONS, SUBMISSIONS],
    ['all blocks, at a lower height', SUBMISSIONS, SUBMISSIONS - 1],
  ])('sends again what was in %s', async (_, blocks, by) => {
    const { chain, compared } = await completed()
    await compared()
    replace(chain, blocks, by)
    await minedAgain(store, chain)
  })

  test('sends again what was in blocks that were replaced at once', async () => {
    const { chain } = await completed()
    replace(chain, 1, 1)
    await minedAgain(store, chain)
  })

  test('sends again what a chain lost that grew before anybody was sure', async () => {
    const { chain, compared } = await completed()
    await compared()
    chain.goBackTo(chain.height() - 2)
    await compared()
    chain.mineEmpty(4)
    await minedAgain(store, chain)
  })

  test('sends again what was replaced twice in a row', async () => {
    const { chain, compared } = await completed()
    for (const [blocks, by] of [
      [1, 1],
      [3, 3],
      [2, 5],
    ] as const) {
      await compared()
      replace(chain, blocks, by)
      await minedAgain(store, chain)
    }
    replace(chain, 2, 2)
    replace(chain, 3, 4)
    await minedAgain(store, chain)
  })

  test('sends again what was replaced twice, where the node does not answer after the first time', async () => {
    let away = false
    const { chain, compared } = await completed({
      before: (name) => {
        if (away && name === 'nonce') throw noAnswer()
      },
    })
    await compared()
    away = true
    chain.goBackTo(chain.height() - 1)
    await compared()
    away = false
    await minedAgain(store, chain)
    chain.goBackTo(chain.height() - 2)
    await minedAgain(store, chain)
  })

  test('sends nothing again that the new chain has in other blocks', async () => {
    const { chain, compared } = await completed({ mining: 'manual' })
    await compared()
    const lost = chain.mined()
    const sent = chain.sent().length
    chain.goBackTo(0)
    chain.mineEmpty(1)
    for (const { raw } of lost) chain.put(raw)
    chain.mine()
    chain.mineEmpty(5)
    await compared()
    await compared()
    expect(chain.sent()).toHaveLength(sent + lost.length)
    await checkBooks(store, chain)
  })

  test('sends again only what the new chain lacks', async () => {
    const { chain, compared } = await completed({ mining: 'manual' })
    await compared()
    const [first] = chain.mined()
    const sends = () => chain.sent().filter((hash) => hash === first?.hash).length
    const before = sends()
    chain.goBackTo(0)
    chain.put(first?.raw as Hex)
    chain.mine()
    chain.mineEmpty(5)
    await minedAgain(store, chain)
    // Here, and not by the outbox.
    expect(sends()).toBe(before + 1)
  })

  test.each([
    ['another block', '0xbad' as Hex],
    ['no block', null],
  ])('sends nothing again if a node returns %s for a moment', async (_, lie) => {
    let lies = 0
    const { chain, compared } = await completed()
    const honest = chain.blockHash
    Object.assign(chain, { blockHash: (height: number) => (lies-- > 0 ? lie : honest(height)) })
    const sent = chain.sent().length
    for (const count of [1, 2, 3]) {
      lies = count
      await compared()
    }
    expect(chain.sent()).toHaveLength(sent)
    replace(chain, 2, 2)
    await minedAgain(store, chain)
  })

  test('sends again what was in a block that is newer than the head that it read', async () => {
    const { chain, outbox, compared } = await completed({ mining: 'manual' }, { linger: 1 })
    await compared()
    // The block is mined between two calls of one look, and replaced before the next look.
    const honest = chain.nonce
    Object.assign(chain, {
      nonce: async (...asked: Parameters<typeof honest>) => {
        chain.mine()
        return honest(...asked)
      },
    })
    const { queueId } = await outbox.enqueue(message(1, 'newest'))
    expect(await outbox.settled(queueId, { timeout: 1e7 })).toMatchObject({ status: 'completed' })
    Object.assign(chain, { nonce: honest })
    replace(chain, 1, 1)
    await minedAgain(store, chain, SUBMISSIONS + 1)
  })

  test.each([
    ['no such method', -32601],
    ['a limit', -32005],
  ])('works with a node that answers %s for a block, and finds what it lost', async (_, code) => {
    const before = (name: string) => {
      if (name === 'blockHash') throw new RpcError({ code, message: 'not here' })
    }
    const { chain } = await completed({ before }, { recheck: 100_000 })
    chain.goBackTo(1)
    await minedAgain(store, chain)
    replace(chain, 2, 3)
    await minedAgain(store, chain)
  })

  test('goes on with the blocks of a node that returned a number too high, and then failed', async () => {
    let height: number | undefined
    let isFailing = false
    const calls = { blockNumber: 0, nonce: 0 }
    const chain = createFakeChain({
      mining: 'manual',
      before: (name) => {
        if (name === 'blockNumber' || name === 'nonce') calls[name]++
        if (isFailing && name === 'nonce') throw noAnswer()
      },
    })
    const honest = chain.blockNumber
    Object.assign(chain, { blockNumber: async () => height ?? honest() })
    const more = async (name: keyof typeof calls, count: number) => {
      const before = calls[name]
      await vi.waitFor(() => expect(calls[name]).toBeGreaterThan(before + count), {
        timeout: 900_000,
      })
    }
    // So long that a wallet without progress is not what finds it.
    const outbox = start(chain, { stall: 1e9 })
    const { queueId } = await outbox.enqueue(message(1))
    await vi.waitFor(() => expect(chain.pooled()).toBe(1), { timeout: 900_000 })
    height = 1_000
    await more('nonce', 0)
    isFailing = true
    height = undefined
    await more('nonce', 6)
    isFailing = false
    await more('blockNumber', 8)
    chain.mine()
    expect(await outbox.settled(queueId, { timeout: 1e7 })).toMatchObject({ status: 'completed' })
  })

  test('sends again what another process sent that has stopped since', async () => {
    const { chain, outbox } = await completed()
    // It looks once only, before there is anything.
    start(chain, { idle: 1e9, recheck: 50_000 })
    await outbox.enqueue(message(1, 'last'))
    await untilDone(store, chain)
    await outbox.stop()
    replace(chain, 1, 1)
    await minedAgain(store, chain, SUBMISSIONS + 1)
  })

  test('sends again what it was about to compare when another process took its wallets', async () => {
    let reorged = false
    let asked = 0
    const { chain, compared } = await completed(
      {
        before: (name) => {
          // The watch over all wallets gets its results, and their workers do not.
          if (reorged && name === 'nonce' && asked++ >= 2)
            throw new RpcError({ code: -32000, message: 'not now' })
        },
      },
      { linger: 1e9, lease: 100_000 },
    )
    await compared()
    reorged = true
    chain.goBackTo(0)
    await vi.waitFor(() => expect(asked).toBeGreaterThan(3), { timeout: 900_000 })
    // Another process holds them for a moment, and finds no work.
    await store.query(
      `update wallet set lease_owner = gen_random_uuid(), lease_until = clock_timestamp() + interval '2 seconds'`,
    )
    await vi.waitFor(
      async () => {
        const [row] = await store.query(
          'select bool_and(lease_until < clock_timestamp()) as free from wallet',
        )
        expect(row).toEqual({ free: true })
      },
      { timeout: 900_000 },
    )
    reorged = false
    await minedAgain(store, chain)
  })
})
