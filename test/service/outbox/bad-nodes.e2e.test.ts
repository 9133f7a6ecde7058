import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createNode } from '../../../src/service/node/node.js'
import { createOutbox, type OutboxOptions } from '../../../src/service/outbox/create-outbox.js'
import type { Store } from '../../../src/service/store/store.js'
import { eachStore } from '../stores.js'
import { createFakeChain, decode, type FakeChain, fakeWallets } from './fake-chain.js'
import { emptyTables, fastClock, log, message, untilDone } from './scene.js'

// A busy machine takes seconds for what is done in a hundredth of the usual time here.
vi.setConfig({ testTimeout: 90_000 })

type Call = {
  readonly id: number
  readonly method: string
  readonly params: readonly `0x${string}`[]
}
type Bad = {
  /** The answer to a whole request, instead of the node's own. */
  readonly whole?: (calls: readonly Call[], body: string) => Response | undefined
  /** Undefined where it is the node's own; never, where it hangs. */
  readonly one?: (call: Call) => unknown
  /** Milliseconds after which an answer is given up; 1,000 where absent. */
  readonly timeout?: number
}

const no = (status: number) => new Response('no', { status })
const json = (value: unknown) => Response.json(value)
const error = (code: number, message: string, id: number | null = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})
const POISON = message(1, 'poison').data

const limits: readonly (readonly [string, (calls: readonly Call[]) => Response])[] = [
  ['an error for all', () => json(error(-32600, 'batch too large'))],
  ['an error with a code of its own', () => json(error(-32010, 'Batch size too large'))],
  ['an error for the first', ([first]) => json([error(-32600, 'batch too large', first?.id)])],
  ['HTTP 413', () => no(413)],
  ['HTTP 400', () => no(400)],
]

describe('the outbox behind the real client', () => {
  let store: Store
  beforeAll(async () => {
    store = (await eachStore[0]?.openEmpty()) as Store
  })
  afterAll(() => store.close())
  beforeEach(() => emptyTables(store))

  const start = (chain: FakeChain, bad: Bad, options: Partial<OutboxOptions> = {}) => {
    const count = { requests: 0, nonces: 0 }
    const node = createNode({
      url: 'http://127.0.0.1:1',
      chainId: chain.id,
      timeout: bad.timeout ?? 1_000,
      fetch: async (_, init) => {
        const body = String(init.body)
        const given = JSON.parse(body) as Call | Call[]
        const calls = [given].flat()
        count.requests++
        count.nonces += calls.filter(({ method }) => /TransactionCount/.test(method)).length
        const refused = bad.whole?.(calls, body)
        if (refused) return refused
        const answers = await Promise.all(calls.map((call) => answer(chain, call, bad)))
        return json(Array.isArray(given) ? answers : answers[0])
      },
    })
    const timings = { lease: 1_000_000, ...options.timings }
    const given = { store, wallets: fakeWallets, log, clock: fastClock, ...options, timings }
    return { outbox: createOutbox({ ...given, chain: node.chain }), count }
  }
  const statuses = () =>
    store.query<{ status: string; count: number }>(
      'select status, count(*) as count from submission group by status order by status',
    )

  test('HTTP 413 ends what is too large alone, and not what went with others', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    const { outbox } = start(chain, {
      whole: (_, body) => (body.length > 2_000 ? no(413) : undefined),
    })
    await Promise.all([
      outbox.enqueue(message(1, 'x'.repeat(1_000))),
      ...Array.from({ length: 12 }, (_, i) => outbox.enqueue(message(i + 2, 'y'.repeat(100)))),
    ])
    await untilDone(store, chain)
    expect(await statuses()).toEqual([
      { status: 'completed', count: 12 },
      { status: 'error', count: 1 },
    ])
    await outbox.stop()
  })

  test('HTTP 403 for one transaction ends it, and its wallet and others go on', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    const isPoison = ({ method, params: [raw] }: Call) =>
      /send/.test(method) && decode(raw as `0x${string}`).data === POISON
    const { outbox } = start(chain, {
      whole: (calls) => (calls.some(isPoison) ? no(403) : undefined),
    })
    const poisoned = await outbox.enqueue(message(1, 'poison'))
    for (let i = 1; i < 6; i++) await outbox.enqueue(message(i, 'good'))
    await untilDone(store, chain)
    expect(await outbox.find(poisoned.queueId)).toMatchObject({ status: 'error' })
    expect(await statuses()).toEqual([
      { status: 'completed', count: 5 },
      { status: 'error', count: 1 },
    ])
    await outbox.stop()
  })

  test.each(limits)('a node that takes five calls at a time and says so by %s', async (_, say) => {
    const chain = createFakeChain({ mining: 'manual' })
    const { outbox, count } = start(chain, {
      whole: (calls) => (calls.length > 5 ? say(calls) : undefined),
    })
    await Promise.all(Array.from({ length: 40 }, (_, i) => outbox.enqueue(message(i))))
    await untilDone(store, chain)
    expect(await statuses()).toEqual([{ status: 'completed', count: 40 }])
    expect(count.requests).toBeLessThan(1_000)
    await outbox.stop()
  })

  test('of two nodes one block apart, the lower one is no reorg', async () => {
    const chain = createFakeChain()
    let asked = 0
    const { outbox, count } = start(chain, {
      one: ({ method }) =>
        method === 'eth_blockNumber' && asked++ % 2 === 1 ? hex(chain.height() - 1) : undefined,
    })
    for (let i = 0; i < 20; i++) await outbox.enqueue(message(i))
    await untilDone(store, chain)
    count.nonces = 0
    await new Promise((resolve) => setTimeout(resolve, 400))
    // One look at what was sent last may be left to come.
    expect(count.nonces).toBeLessThan(60)
    await outbox.stop()
  })

  test('a new wallet whose nonce is not known holds up nobody else', async () => {
    const chain = createFakeChain()
    const { address } = fakeWallets.wallet(2)
    const { outbox } = start(chain, {
      timeout: 8_000,
      one: ({ method, params: [of] }) =>
        /TransactionCount/.test(method) && of === address
          ? new Promise(() => undefined)
          : undefined,
    })
    await outbox.enqueue(message(1))
    const hung = outbox.enqueue(message(2)).catch((error: Error) => error)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const taken = outbox.enqueue(message(1)).then(() => 'taken')
    expect(await Promise.race([hung, taken])).toBe('taken')
    expect(await hung).toMatchObject({ name: 'CallError' })
    await outbox.stop()
  })

  test('one answer that a mined nonce is of nobody known does not end its submission', async () => {
    const chain = createFakeChain({ mining: 'manual' })
    let lagging = 1
    const { outbox } = start(chain, {
      one: ({ method }) => {
        if (/Receipt/.test(method) && lagging > 0) return null
        return /ByHash/.test(method) && lagging-- > 0 ? null : undefined
      },
    })
    const { queueId } = await outbox.enqueue(message(1))
    await untilDone(store, chain)
    expect(await outbox.find(queueId)).toMatchObject({ status: 'completed' })
    await outbox.stop()
  })

  test('what was completed and is never taken again leaves its nonce to a filler', async () => {
    let moon = false
    const chain = createFakeChain({
      refuse: ({ data }) => (moon && data === POISON ? 'invalid sender' : undefined),
    })
    const { outbox } = start(chain, {})
    const { queueId } = await outbox.enqueue(message(1, 'poison'))
    await outbox.enqueue(message(1, 'next'))
    await untilDone(store, chain)
    moon = true
    chain.goBackTo(0)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(2), { timeout: 120_000 })
    await untilDone(store, chain)
    expect(await outbox.find(queueId)).toMatchObject({ status: 'completed' })
    await outbox.stop()
  })

  test('a gap of more than a window of strangers’ nonces is filled to its end', async () => {
    const chain = createFakeChain()
    for (let nonce = 0; nonce < 150; nonce++) {
      const { raw } = await fakeWallets
        .wallet(1)
        .sign({ chainId: chain.id, nonce, gas: 1n, data: '0x' })
      chain.put(raw)
    }
    const { outbox } = start(chain, {})
    await outbox.enqueue(message(1))
    await untilDone(store, chain)
    chain.goBackTo(0)
    await vi.waitFor(() => expect(chain.mined()).toHaveLength(151), { timeout: 120_000 })
    await outbox.stop()
  })
})

const hex = (number: number) => `0x${number.toString(16)}`

async function answer(chain: FakeChain, call: Call, bad: Bad): Promise<unknown> {
  const { id, method, params } = call
  const [first = '0x', second] = params
  try {
    const given = await bad.one?.(call)
    const result = given === undefined ? await own() : given
    return { jsonrpc: '2.0', id, result }
  } catch (thrown) {
    const { code = -32603, message = '' } = thrown as { code?: number; message?: string }
    return error(code, message, id)
  }

  async function own(): Promise<unknown> {
    if (method === 'eth_sendRawTransaction') return chain.send(first)
    if (method === 'eth_getTransactionReceipt') return chain.receipt(first)
    if (method === 'eth_getTransactionByHash') return (await chain.knows(first)) ? {} : null
    if (method === 'eth_getTransactionCount') {
      return hex(await chain.nonce(first, second as unknown as 'latest'))
    }
    return hex(await chain.blockNumber())
  }
}
