import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import { UsageError } from '../usage-error.js'
import { lockFolder } from './folder-lock.js'
import { migrate } from './migrate.js'
import { openPglite } from './pglite.js'
import { openPostgres } from './postgres.js'
import type { Store } from './store.js'

/**
 * Opens PostgreSQL at `databaseUrl`; without it, an embedded PostgreSQL in files of `folder` or, without that, in memory.
 * Creates its tables, or upgrades them to this version. Rejects with a UsageError if the user can fix the problem, such as a
 * folder in use or a store of a newer version. Rejects with StoreUnavailable if the server does not respond.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, folder, log, signal } = options
  if (databaseUrl !== undefined) {
    // Another process's migration may take long on a large table, and ours waits for it.
    const patient = await openPostgres(databaseUrl, log, { statementMilliseconds: 600_000, signal })
    await migrate(patient, log).finally(patient.close)
    return openPostgres(databaseUrl, log, { signal })
  }
  const store = await (folder === undefined
    ? openPglite(undefined, signal)
    : openFolder(folder, signal))
  try {
    await migrate(store, log)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

export type StoreOptions = {
  readonly databaseUrl?: string | undefined
  readonly folder?: string | undefined
  readonly log: Logger
  /** Aborts a start while it waits for the store: pending work rejects. After the start, `close` ends the store instead. */
  readonly signal?: AbortSignal | undefined
}

async function openFolder(folder: string, signal: AbortSignal | undefined): Promise<Store> {
  const lock = await lockFolder(folder)
  try {
    const store = await openPglite(join(folder, 'store'), signal)
    return { ...store, close: () => store.close().finally(lock.release) }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Binds a store to its first chain and wallets, because its nonces and hashes have no meaning for others. Rejects with a
 * UsageError if it is bound to others.
 */
export async function bindStore(store: Store, owner: StoreOwner): Promise<void> {
  const rows = await store.transaction(async (query) => {
    const options = [
      ['chain_id', String(owner.chainId)],
      ['genesis', owner.genesis.toLowerCase()],
      ['signer', owner.signer],
    ]
    // One by one and in one order: if two processes start at the same time, the second waits for the rows of the first.
    for (const pair of options) {
      await query('insert into meta (key, value) values ($1, $2) on conflict do nothing', pair)
    }
    return query<{ key: string; value: string }>('select key, value from meta')
  })
  const bound = new Map(rows.map(({ key, value }) => [key, value]))
  const chainId = bound.get('chain_id')
  const genesis = bound.get('genesis')
  const signer = bound.get('signer')
  if (chainId !== String(owner.chainId)) {
    throw new UsageError(
      `the store belongs to chain ${chainId}, and the node is on chain ${owner.chainId}: start with a node of that chain, ${OTHER_STORE}`,
    )
  }
  if (genesis !== owner.genesis.toLowerCase()) {
    throw new UsageError(
      `the store belongs to another chain ${chainId} (its first block is ${genesis}, the node's is ${owner.genesis}): start with a node of that chain, ${OTHER_STORE}`,
    )
  }
  if (signer?.toLowerCase() !== owner.signer.toLowerCase()) {
    throw new UsageError(
      `the store belongs to another mnemonic (its first wallet is ${signer}, this one's is ${owner.signer}): start with that mnemonic, ${OTHER_STORE}`,
    )
  }
}

export type StoreOwner = {
  readonly chainId: number
  /** The hash of block 0, which distinguishes chains with the same id. */
  readonly genesis: Hex
  /** The address of wallet 0. */
  readonly signer: Hex
}

const OTHER_STORE = 'or with another store (another --data folder, or another DATABASE_URL)'
