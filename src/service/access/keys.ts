import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createGroup } from '../group.js'
import type { Store } from '../store/store.js'

/** The API keys of a store. `now` counts milliseconds. */
export function createKeys(store: Store, now = (): number => performance.now()): Keys {
  // One statement at a time: a caller who guesses keys uses one connection, and other callers do not wait for each guess.
  const rows = createGroup<string, Row | undefined>(
    async (ids) => {
      const found = await store.query<Row>(`select ${COLUMNS} from api_key where id = any($1)`, [
        [...new Set(ids)],
      ])
      return ids.map((id) => found.find((row) => row.id === id))
    },
    { atMost: 1_000 },
  )
  /** Contains only existing keys, which only the operator creates. */
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
      // The lock keeps the next wallet free, and the first key the first, until the transaction ends.
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
  /** Undefined if a key was ever created, revoked or not; of several concurrent processes, only one creates it. */
  readonly createFirst: (options: KeyOptions) => Promise<NewKey | undefined>
  /** In order of creation, including revoked keys. */
  readonly list: () => Promise<readonly KeyRecord[]>
  /** False if there is no such key, or if it is already revoked. */
  readonly revoke: (id: string) => Promise<boolean>
  /** Undefined for every text that is not a valid key. Rejects with StoreUnavailable if the store does not respond. */
  readonly find: (key: string) => Promise<KeyRecord | undefined>
}

export type KeyOptions = { readonly name: string; readonly kind: KeyKind }

/** A public key is not a secret, because a web page contains it. */
export type KeyKind = 'private' | 'public'

export type KeyRecord = {
  /** Identifies the key without revealing it. */
  readonly id: string
  readonly name: string
  readonly kind: KeyKind
  /** The wallet that signs for the key. */
  readonly wallet: number
  readonly createdAt: Date
  readonly revokedAt: Date | undefined
}

/** The text of a key is available only when the key is created. */
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

/** An arbitrary number other than the lock of migrations. */
const LOCK = 20_180_427_004

/** A key that another process revokes is still accepted for this time. */
const CACHE_MILLISECONDS = 2_000

function recordOf({ id, name, kind, wallet, created_at, revoked_at }: Row): KeyRecord {
  return { id, name, kind, wallet, createdAt: created_at, revokedAt: revoked_at ?? undefined }
}

/** A key's text is `ts_<id>_<secret>`: its id finds it in the store, and 192 random bits are the secret. */
function newKeyText(): { readonly id: string; readonly key: string } {
  const id = randomBytes(6).toString('hex')
  return { id, key: `ts_${id}_${randomBytes(24).toString('hex')}` }
}

/** Undefined for a text that cannot be a key. */
function idOf(key: string): string | undefined {
  return KEY.exec(key)?.[1]
}

/** Whether a text may be a key, even a misspelled or truncated one, and not a word that a message needs. */
export function hasFormOfKey(text: string): boolean {
  return text.length >= 16 && /\d/.test(text)
}

/** The stored hash. The text is random, so a dictionary does not help an attacker, and a slow hash would have no benefit. */
function hashOf(key: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(key).digest())
}

/** Whether the hash is the key's, in constant time, even for an unknown id. */
function isSame(key: string, hash: Uint8Array | undefined): boolean {
  return timingSafeEqual(hashOf(key), hash ?? NOBODYS) && hash !== undefined
}

const KEY = /^ts_([0-9a-f]{12})_[0-9a-f]{48}$/

const NOBODYS = new Uint8Array(32)
