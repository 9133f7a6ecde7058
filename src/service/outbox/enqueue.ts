import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { Chain } from '../node/chain.js'
import type { Query, Store } from '../store/store.js'
import type { Wallets } from '../wallet/wallets.js'
import { SMALL_BYTES } from './ledger.js'
import type { AcceptedSubmission, Submission } from './outbox.js'

/**
 * Assigns nonces to many submissions, signs them and stores them in one transaction. It locks their wallets in the order of
 * their indices. Nonces exist only in the store, so a rollback uses none.
 */
export function createStoring(
  options: StoringOptions,
): (group: readonly PendingSubmission[]) => Outcome {
  const { store, wallets, chain, log, onStored } = options
  return async (group) => {
    const asked = group.map((one) => ({ ...one, queueId: randomUUID() }))
    let signed: Signing[] = []
    let worked = false
    try {
      await store.transaction(async (query) => {
        worked = false
        signed = await sign(asked, await lockWallets(query, asked, wallets), wallets, chain.id)
        await insert(query, signed.filter(isStored))
        worked = true
      })
    } catch (error) {
      // If only the commit was left, it may have succeeded although there was no response.
      if (!worked || !(await wasStored(store, signed.filter(isStored)))) throw error
      log.warn('a commit went unanswered, and the store has it')
    }
    const stored = signed.filter(isStored)
    onStored(stored)
    return signed.map((one) => (isStored(one) ? accepted(one) : one.error))
  }
}

type StoringOptions = {
  readonly store: Store
  readonly wallets: Wallets
  readonly chain: Chain
  readonly log: Logger
  /** The submissions that are now committed, in the order of the nonces of each wallet. */
  readonly onStored: (stored: readonly Stored[]) => void
}

export type PendingSubmission = {
  readonly submission: Submission
  /** The wallet's nonce on the chain, if the store had none when it was looked up. */
  readonly first: number | undefined
}

export type Stored = {
  readonly queueId: string
  readonly wallet: number
  readonly from: Hex
  readonly nonce: number
  readonly raw: Hex
  readonly hash: Hex
}

type Outcome = Promise<readonly (AcceptedSubmission | Error)[]>
type Named = PendingSubmission & { readonly queueId: string }
type Signed = Stored & { readonly asked: Named }
type Signing = Signed | { readonly asked: Named; readonly error: Error }

const isStored = (one: Signing): one is Signed => 'raw' in one

const accepted = ({ queueId, hash, from, nonce }: Stored): AcceptedSubmission => ({
  queueId,
  hash,
  from,
  nonce,
})

/** The next nonce of each wallet, locked until the transaction ends. */
async function lockWallets(
  query: Query,
  asked: readonly Named[],
  wallets: Wallets,
): Promise<Map<number, number>> {
  const indices = [...new Set(asked.map(({ submission }) => submission.wallet))].sort(
    (a, b) => a - b,
  )
  const first = new Map(
    asked.flatMap(({ submission, first }) =>
      first === undefined ? [] : [[submission.wallet, first] as const],
    ),
  )
  const fresh = indices.filter((index) => first.has(index))
  if (fresh.length > 0) {
    await query(
      `insert into wallet (index, address) select * from unnest($1::int[], $2::text[]) as w (index, address)
      order by index on conflict do nothing`,
      [fresh, fresh.map((index) => wallets.wallet(index).address)],
    )
  }
  const rows = await query<{ index: number; next_nonce: number | null }>(
    'select index, next_nonce from wallet where index = any($1::int[]) order by index for update',
    [indices],
  )
  return new Map(
    rows.map(({ index, next_nonce }) => [index, next_nonce ?? Number(first.get(index))]),
  )
}

/** In order within a wallet, because a submission that cannot be signed leaves its nonce to the next one. */
async function sign(
  asked: readonly Named[],
  nonces: Map<number, number>,
  wallets: Wallets,
  chainId: number,
): Promise<Signing[]> {
  const signed: Signing[] = []
  for (const one of asked) {
    const { wallet: index, gas, data, to } = one.submission
    const nonce = nonces.get(index) as number
    try {
      const wallet = wallets.wallet(index)
      const { raw, hash } = await wallet.sign({ chainId, nonce, gas, data, ...(to && { to }) })
      signed.push({
        asked: one,
        queueId: one.queueId,
        wallet: index,
        from: wallet.address,
        nonce,
        raw,
        hash,
      })
      nonces.set(index, nonce + 1)
    } catch (error) {
      signed.push({ asked: one, error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return signed
}

async function insert(query: Query, stored: readonly Signed[]): Promise<void> {
  if (stored.length === 0) return
  const isLarge = ({ raw }: Signed): boolean => raw.length > LARGE
  const small = stored.filter((one) => !isLarge(one))
  const next = new Map(stored.map(({ wallet, nonce }) => [wallet, nonce + 1]))
  await query(
    `with used as (
      update wallet w set next_nonce = n.next
      from unnest($7::int[], $8::int[]) as n (index, next) where w.index = n.index
    )
    insert into submission (queue_id, wallet, nonce, kind, hash, raw)
    select queue_id, wallet, nonce, kind, hash, decode(raw, 'hex')
    from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::text[], $6::text[])
      as s (queue_id, wallet, nonce, kind, hash, raw)`,
    [
      small.map(({ queueId }) => queueId),
      small.map(({ wallet }) => wallet),
      small.map(({ nonce }) => nonce),
      small.map(({ asked }) => asked.submission.kind),
      small.map(({ hash }) => hash),
      small.map(({ raw }) => raw.slice(2)),
      [...next.keys()],
      [...next.values()],
    ],
  )
  // Each in its own statement, so that other requests can run in between; and as bytes, not as text in an array.
  for (const { queueId, wallet, nonce, asked, hash, raw } of stored.filter(isLarge))
    await query(
      `insert into submission (queue_id, wallet, nonce, kind, hash, raw)
      values ($1, $2, $3, $4, $5, $6::bytea)`,
      [queueId, wallet, nonce, asked.submission.kind, hash, Buffer.from(raw.slice(2), 'hex')],
    )
}

/** The length of signed bytes in hexadecimal characters. */
const LARGE = 2 * SMALL_BYTES

/**
 * Whether a transaction with an unknown outcome was committed. It first waits for the locks of the transaction, so that the
 * result is final. Rejects if the store does not respond.
 */
async function wasStored(store: Store, stored: readonly Stored[]): Promise<boolean> {
  const [first] = stored
  if (!first) return false
  return store.transaction(async (query) => {
    const indices = [...new Set(stored.map(({ wallet }) => wallet))]
    await query('select 1 from wallet where index = any($1::int[]) order by index for update', [
      indices,
    ])
    const rows = await query('select 1 from submission where queue_id = $1', [first.queueId])
    return rows.length > 0
  })
}
