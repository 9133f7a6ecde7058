import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createGroup } from '../group.js'
import type { Store } from '../store/store.js'

/** The API keys of a store. `now` counts milliseconds. */
export function createKeys(store: Store, now = (): number => performance.now()): Keys {
  // One statement at a time: a caller who guesses at keys takes one connection, and nobody else waits for each guess.
  const rows = createGroup<string, Row | undefined>(
    async (ids) => {
      const found = await store.query<Row>(`select ${COLUMNS} from api_key where id = any($1)`, [
        [...new Set(ids)],
      ])
      return ids.map((id) => found.find((row) => row.id === id))
    },
    { atMost: 1_000 },
  )
  /** Of keys that exist, which only the operator makes. */
  const cache = new Map<
    string,
    { readonly until: number; readonly row: Promise<Row | undefined> }
  >()
  const read = (id: string): Promise<Row | undefined> => {
    const known = cache.get(id)
    if (known && now() < known.until) return known.row
    const entry = { until: now() + CACHE_MILLISECONDS, row: rows.ask(id) }
    cache.set(id, entry)
    const forget = () => {
      if (cache.get(id) === entry) cache.delete(id)
    }
    entry.row.then((row) => row ?? forget(), forget)
    return entry.row
  }
  const make = async ({ name, kind }: KeyOptions, where: string): Promise<NewKey | undefined> => {
    const { id, key } = newKeyText()
    const row = await store.transaction(async (query) => {
      // The next wallet is free, and the first key the first, only as long as nobody else makes one.
      await query('select pg_advisory_xact_lock($1)', [LOCK])
      const [created] = await query<Row>(
        `insert into api_key (id, name, kind, hash, wallet, created_at)
          select $1, $2, $3, $4, coalesce(max(wallet), 0) + 1, date_trunc('milliseconds', clock_timestamp())
          from api_key ${where} returning ${COLUMNS}`,
        [id, name, kind, hashOf(key)],
      )
      return created
    })
    cache.delete(id)
    return row && { ...recordOf(row), key }
  }
  return {
    create: async (options) => {
      const made = await make(options, '')
      if (!made) throw new Error('the store gave nothing back for a key')
      return made
    },
    createFirst: (options) => make(options, 'having count(*) = 0'),
    list: async () => {
      const rows = await store.query<Row>(`select ${COLUMNS} from api_key order by wallet`)
      return rows.map(recordOf)
    },
    revoke: async (id) => {
      const revoked = await store.query(
        'update api_key set revoked_at = now() where id = $1 and revoked_at is null returning id',
        [id],
      )
      cache.delete(id)
      return revoked.length > 0
    },
    find: async (key) => {
      const id = idOf(key)
      if (id === undefined) return undefined
      const row = await read(id)
      const same = isSame(key, row?.hash)
      return row && same && row.revoked_at === null ? recordOf(row) : undefined
    },
  }
}

/** The API keys: stored as hashes, shown once. */
export type Keys = {
  readonly create: (options: KeyOptions) => Promise<NewKey>
  /** Undefined where a key was ever made, revoked or not; of several processes at once, one makes it. */
  readonly createFirst: (options: KeyOptions) => Promise<NewKey | undefined>
  /** In the order in which they were made, those that were revoked among them. */
  readonly list: () => Promise<readonly KeyRecord[]>
  /** False where there is no such key, or it was revoked before. */
  readonly revoke: (id: string) => Promise<boolean>
  /** Undefined for every text that is not a key in force. Rejects with StoreUnavailable where that cannot be known now. */
  readonly find: (key: string) => Promise<KeyRecord | undefined>
}

export type KeyOptions = { readonly name: string; readonly kind: KeyKind }

/** A public key may be seen by anyone, since a web page ships it. */
export type KeyKind = 'private' | 'public'

export type KeyRecord = {
  /** Names the key without telling it. */
  readonly id: string
  readonly name: string
  readonly kind: KeyKind
  /** The wallet that signs for the key. */
  readonly wallet: number
  readonly createdAt: Date
  readonly revokedAt: Date | undefined
}

/** The one moment at which the text of a key is known. */
export type NewKey = KeyRecord & { readonly key: string }

type Row = {
  readonly id: string
  readonly name: string
  readonly kind: KeyKind
  readonly hash: Uint8Array
  readonly wallet: number
  readonly created_at: Date
  readonly revoked_at: Date | null
}

const COLUMNS = 'id, name, kind, hash, wallet, created_at, revoked_at'

/** Any number but the one that migrations lock. */
const LOCK = 20_180_427_004

/** So long a key that is revoked in another process is still accepted here. */
const CACHE_MILLISECONDS = 2_000

function recordOf({ id, name, kind, wallet, created_at, revoked_at }: Row): KeyRecord {
  return { id, name, kind, wallet, createdAt: created_at, revokedAt: revoked_at ?? undefined }
}

/** A key's text is `ts_<id>_<secret>`: its id finds it in the store, and 192 random bits are the secret. */
function newKeyText(): { readonly id: string; readonly key: string } {
  const id = randomBytes(6).toString('hex')
  return { id, key: `ts_${id}_${randomBytes(24).toString('hex')}` }
}

/** Undefined for what cannot be a key. */
function idOf(key: string): string | undefined {
  return KEY.exec(key)?.[1]
}

/** Whether a text may be a key, one that is misspelled or cut short included, and not a word that a message needs. */
export function hasFormOfKey(text: string): boolean {
  return text.length >= 16 && /\d/.test(text)
}

/** What is stored. The text is random, so that no dictionary shortens the way back, and a slow hash would buy nothing. */
function hashOf(key: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(key).digest())
}

/** Whether the hash is the key's, in the same time for every key and for an id that nobody has. */
function isSame(key: string, hash: Uint8Array | undefined): boolean {
  return timingSafeEqual(hashOf(key), hash ?? NOBODYS) && hash !== undefined
}

const KEY = /^ts_([0-9a-f]{12})_[0-9a-f]{48}$/

const NOBODYS = new Uint8Array(32)
