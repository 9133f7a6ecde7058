import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openStore } from '../../src/service/store/open-store.js'
import type { Store } from '../../src/service/store/store.js'
import { postgresUrl } from './postgres.js'

const log = pino({ level: 'silent' })

/**
 * The kinds of store that a suite is run on: `describe.each(eachStore)('keys on $kind', ({ openEmpty }) => …)`. PGlite always,
 * PostgreSQL where DATABASE_URL names one, each in a schema of its own.
 */
export const eachStore: readonly StoreKind[] = [
  { kind: 'pglite', openEmpty: () => openStore({ log }), place: emptyFolder },
  ...onServer(postgresUrl),
]

export type StoreKind = {
  readonly kind: Store['kind']
  /** An empty store; closing it removes it. PGlite's is in memory. */
  readonly openEmpty: () => Promise<Store>
  /** Somewhere to open a store more than once; of PGlite, one after the other. */
  readonly place: () => Promise<Place>
}

export type Place = {
  readonly settings: { readonly databaseUrl?: string; readonly folder?: string }
  readonly open: () => Promise<Store>
  readonly remove: () => Promise<void>
}

function onServer(server: string | undefined): readonly StoreKind[] {
  if (server === undefined) {
    process.stderr.write('PostgreSQL is not tried, for DATABASE_URL names none\n')
    return []
  }
  const [openEmpty, place] = [() => openSchema(server), () => emptySchema(server)]
  return [{ kind: 'postgres', openEmpty, place }]
}

async function emptyFolder(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-store-'))
  return {
    settings: { folder },
    open: () => openStore({ folder, log }),
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Connections name the schema as their search path, so that the service's SQL needs to know nothing of it. */
async function emptySchema(server: string): Promise<Place> {
  const { Client } = (await import('pg')).default
  const schema = `test_${randomBytes(8).toString('hex')}`
  const ask = async (sql: string) => {
    const client = new Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await ask(`create schema ${schema}`)
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${schema}`)
  const databaseUrl = url.href
  return {
    settings: { databaseUrl },
    open: () => openStore({ databaseUrl, log }),
    remove: () => ask(`drop schema ${schema} cascade`),
  }
}

async function openSchema(server: string): Promise<Store> {
  const place = await emptySchema(server)
  const store = await place.open()
  return { ...store, close: () => store.close().then(place.remove) }
}
