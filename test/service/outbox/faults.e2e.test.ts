import '../../fixed-seed.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Outbox } from '../../../src/service/outbox/outbox.js'
import { type Store, StoreUnavailable } from '../../../src/service/store/store.js'
import { countRuns, sized } from '../../trials/size.js'
import { eachStore } from '../stores.js'
import { createFakeChain, type FakeTransaction, noAnswer } from './fake-chain.js'
import { checkBooks, emptyTables, expireLeases, message, startOutbox, untilDone } from './scene.js'

const RUNS = Number(process.env.OUTBOX_RUNS ?? sized(15, 1_000))

/** What happens meanwhile, step by step, to two processes on one store and to their node. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('enqueue' as const),
      by: fc.nat(1),
      wallet: fc.nat(2),
      bad: fc.nat(5),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'mine' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'forget' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('back' as const),
      blocks: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), by: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      turns: fc.integer({ min: 1, max: 20 }),
    }),
  },
)

/** Each call to the node and to the store fails by this, in turn: not at all, before it is done, or after. */
const faults = fc.array(fc.constantFrom('', '', '', '', '', '', '', '', 'before', 'after'), {
  minLength: 10,
  maxLength: 60,
})

describe.each(eachStore)('whatever happens, on $kind', ({ openEmpty }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmpty()
  })
  afterAll(() => store.close())

  test(
    'what is accepted is mined once, in order, and reported as it is',
    async () => {
      countRuns(RUNS)
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 5, maxLength: 25 }),
          faults,
          faults,
          (steps, onNode, onStore) => scenario(store, steps, onNode, onStore),
        ),
        {
          numRuns: RUNS,
          // Each run takes its time: a failure is reported as it is, with its seed.
          endOnFailure: true,
          ...(process.env.OUTBOX_SEED && { seed: Number(process.env.OUTBOX_SEED) }),
        },
      )
    },
    sized(240_000, 1_200_000),
  )
})

type Step = Exclude<typeof step extends fc.Arbitrary<infer T> ? T : never, undefined>

async function scenario(
  store: Store,
  steps: readonly Step[],
  onNode: readonly string[],
  onStore: readonly string[],
): Promise<void> {
  await emptyTables(store)
  let quiet = false
  const next = (list: readonly string[]) => {
    let at = 0
    return () => (quiet ? '' : (list[at++ % list.length] as string))
  }
  const nodeFault = next(onNode)
  const storeFault = next(onStore)
  const refuse = ({ data }: FakeTransaction) =>
    data.endsWith('bad0') ? 'intrinsic gas too low' : undefined
  const chain = createFakeChain({
    mining: 'manual',
    refuse,
    before: () => {
      if (nodeFault() === 'before') throw noAnswer()
    },
    after: () => {
      if (nodeFault() === 'after') throw noAnswer()
    },
  })
  const faulty = async <T>(run: () => Promise<T>): Promise<T> => {
    const what = storeFault()
    if (what === 'before') throw new StoreUnavailable('away')
    const value = await run()
    if (what === 'after') throw new StoreUnavailable('the answer is lost')
    return value
  }
  const flaky: Store = {
    ...store,
    query: (sql, values) => faulty(() => store.query(sql, values)),
    transaction: (work) => faulty(() => store.transaction(work)),
  }
  const start = () => startOutbox(flaky, chain)
  const outboxes: Outbox[] = [start(), start()]
  const accepted: string[] = []
  const seen = new Map<string, string>()
  let count = 0
  const asked: Promise<void>[] = []
  for (const one of steps) {
    if (one.kind === 'enqueue') {
      const text =
        `0x${(count++).toString(16).padStart(4, '0')}${one.bad === 0 ? 'bad0' : 'cafe'}` as const
      const submission = { ...message(one.wallet), data: text }
      asked.push(
        (outboxes[one.by] as Outbox).enqueue(submission).then(
          ({ queueId }) => void accepted.push(queueId),
          () => undefined,
        ),
      )
    }
    if (one.kind === 'mine') chain.mine()
    if (one.kind === 'forget') chain.forgetPool()
    if (one.kind === 'back') chain.goBackTo(Math.max(0, chain.height() - one.blocks))
    if (one.kind === 'restart') {
      await (outboxes[one.by] as Outbox).stop()
      // What it could not give back, and, for good measure, what the other one has.
      await expireLeases(store)
      outboxes[one.by] = start()
    }
    if (one.kind === 'wait') await new Promise((resolve) => setTimeout(resolve, one.turns))
    for (const { queue_id, status } of await ends(store)) {
      expect(seen.get(queue_id) ?? status).toBe(status)
      seen.set(queue_id, status)
    }
  }
  await Promise.all(asked)
  quiet = true
  // A chain that went back last of all is yet to be noticed.
  await vi.waitFor(
    async () => {
      await untilDone(store, chain)
      const [row] = await store.query('select count(*) as count from submission')
      expect(chain.mined()).toHaveLength(Number(row?.count))
    },
    { timeout: 120_000, interval: 5 },
  )
  const rows = await checkBooks(store, chain)
  const kept = new Map(rows.map((row) => [row.queue_id, row.status]))
  for (const queueId of accepted) expect(kept.has(queueId)).toBe(true)
  for (const [queueId, status] of seen) expect(kept.get(queueId)).toBe(status)
  for (const outbox of outboxes) await outbox.stop()
}

const ends = (store: Store) =>
  store.query<{ queue_id: string; status: string }>(
    'select queue_id, status from submission where processed_at is not null',
  )
