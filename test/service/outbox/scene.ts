import { pino } from 'pino'
import { expect, vi } from 'vitest'
import type { OutboxClock } from '../../../src/service/outbox/clock.js'
import { createOutbox, type OutboxOptions } from '../../../src/service/outbox/create-outbox.js'
import type { Outbox, Submission } from '../../../src/service/outbox/outbox.js'
import type { Store } from '../../../src/service/store/store.js'
import { type FakeChain, fakeWallets } from './fake-chain.js'

/** Real time, a hundred times as fast: the outbox is tried with the timings that it runs with. */
export const fastClock: OutboxClock = {
  now: () => performance.now() * 100,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds / 100)
    return () => clearTimeout(timer)
  },
}

export const log = pino({ level: process.env.OUTBOX_LOG ?? 'silent' })

export function startOutbox(
  store: Store,
  chain: FakeChain,
  options: Partial<OutboxOptions> = {},
): Outbox {
  // The store's clock is not so fast: a lease of the usual length would end before a slow statement does.
  const timings = { lease: 1_000_000, ...options.timings }
  const given = { store, chain, wallets: fakeWallets, log, clock: fastClock, ...options }
  return createOutbox({ ...given, timings })
}

export function message(wallet: number, text = ''): Submission {
  const data = `0x${Buffer.from(text).toString('hex')}` as const
  return { kind: 'message', wallet, to: fakeWallets.wallet(wallet).address, data, gas: 50_000n }
}

/** A process that died: its leases end, and nothing of it is heard any more. */
export async function expireLeases(store: Store): Promise<void> {
  await store.query(`update wallet set lease_until = clock_timestamp() - interval '1 second'`)
}

export async function unfinished(store: Store): Promise<number> {
  const [row] = await store.query<{ count: number }>(
    'select count(*) as count from submission where not done',
  )
  return row?.count ?? 0
}

export async function untilDone(store: Store, chain: FakeChain): Promise<void> {
  await vi.waitFor(
    async () => {
      chain.mine()
      expect(await unfinished(store)).toBe(0)
    },
    { timeout: 120_000, interval: 5 },
  )
}

export async function emptyTables(store: Store): Promise<void> {
  await store.query('truncate submission, wallet')
}

export type SubmissionRow = {
  readonly queue_id: string
  readonly wallet: number
  readonly nonce: number
  readonly hash: string
  readonly filler_hash: string | null
  readonly status: string
}

/**
 * What must be true when all is quiet: every nonce of a wallet is used once, in order, by the bytes that the store says, and
 * every status is what the chain says.
 */
export async function checkBooks(
  store: Store,
  chain: FakeChain,
): Promise<readonly SubmissionRow[]> {
  const rows = await store.query<SubmissionRow>(
    'select queue_id, wallet, nonce, hash, filler_hash, status from submission order by wallet, nonce',
  )
  const mined = new Map(chain.mined().map(({ hash }) => [hash as string, true]))
  expect(mined.size).toBe(chain.mined().length)
  const wanted = rows.map(({ wallet, nonce, hash, filler_hash }) => ({
    from: fakeWallets.wallet(wallet).address,
    nonce,
    hash: filler_hash ?? hash,
  }))
  const had = [...chain.mined()]
    .map(({ from, nonce, hash }) => ({ from, nonce, hash: hash as string }))
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.nonce - b.nonce))
  expect(had).toEqual(wanted)
  for (const { filler_hash, status } of rows) {
    expect(status).toBe(filler_hash === null ? 'completed' : 'error')
  }
  return rows
}
