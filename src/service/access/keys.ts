import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Query, Store } from '../store/store.js'

/** The API keys of a store. What is found is believed for two seconds: so long a revoked key may live on in another process. */
export function createKeys(store: Store, options: KeyCacheOptions = {}): Keys {
  const cache = createKeyCache(together(store.query), options)
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
    cache.forget(id)
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
      cache.forget(id)
      return revoked.length > 0
    },
    find: async (key) => {
      const id = idOf(key)
      if (id === undefined) return undefined
      const row = await cache.find(id)
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

/** A public key may be seen by anyone, since a web page ships it (ASSUMPTIONS 26). */
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

/**
 * One question at a time: ids that come meanwhile are asked for together, so that a caller who guesses at keys, of which none is
 * remembered, takes one connection at most, and nobody else waits for his guesses one by one.
 */
function together(query: Query): (id: string) => Promise<Row | undefined> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next:
    | { readonly ids: Set<string>; readonly rows: Promise<ReadonlyMap<string, Row>> }
    | undefined
  const gather = () => {
    const ids = new Set<string>()
    const rows = underWay.then(() => {
      next = undefined
      return readAll(query, ids)
    })
    underWay = rows.catch(() => undefined)
    return { ids, rows }
  }
  return async (id) => {
    next ??= gather()
    next.ids.add(id)
    return (await next.rows).get(id)
  }
}

async function readAll(query: Query, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Row>> {
  const rows = await query<Row>(`select ${COLUMNS} from api_key where id = any($1)`, [[...ids]])
  return new Map(rows.map((row) => [row.id, row]))
}

function recordOf({ id, name, kind, wallet, created_at, revoked_at }: Row): KeyRecord {
  return { id, name, kind, wallet, createdAt: created_at, revokedAt: revoked_at ?? undefined }
}

/**
 * Remembers for a while what was read by id, and that there was nothing; who asks meanwhile waits for the same answer. What could
 * not be read is not remembered. Ids that do not exist are counted apart, so that guessing at them drives out none that do.
 */
export function createKeyCache<Row>(
  read: (id: string) => Promise<Row | undefined>,
  { now = () => performance.now(), milliseconds = 2_000, most = 10_000 }: KeyCacheOptions = {},
): KeyCache<Row> {
  const found = new Map<string, Entry<Row>>()
  const missed = new Map<string, Entry<Row>>()

  const put = (entries: Map<string, Entry<Row>>, id: string, entry: Entry<Row>): void => {
    entries.delete(id)
    entries.set(id, entry)
    const [oldest] = entries.keys()
    if (entries.size > most && oldest !== undefined) entries.delete(oldest)
  }
  const drop = (entries: Map<string, Entry<Row>>, id: string, entry: Entry<Row>): boolean =>
    entries.get(id) === entry && entries.delete(id)

  const ask = (id: string): Entry<Row> => {
    // From before the question: the answer may be as old as that.
    const entry: Entry<Row> = { until: now() + milliseconds, row: read(id) }
    put(found, id, entry)
    entry.row.then(
      (row) => {
        if (row === undefined && drop(found, id, entry)) put(missed, id, entry)
      },
      () => drop(found, id, entry),
    )
    return entry
  }

  return {
    find: (id) => {
      const known = found.get(id) ?? missed.get(id)
      return (known && now() < known.until ? known : ask(id)).row
    },
    forget: (id) => {
      found.delete(id)
      missed.delete(id)
    },
  }
}

export type KeyCache<Row> = {
  /** Rejects as reading does. */
  readonly find: (id: string) => Promise<Row | undefined>
  readonly forget: (id: string) => void
}

export type KeyCacheOptions = {
  /** Milliseconds of any clock that only goes forward. */
  readonly now?: () => number
  /** How long an answer is believed. */
  readonly milliseconds?: number
  /** How many ids are remembered that exist, and as many that do not. */
  readonly most?: number
}

type Entry<Row> = { readonly until: number; readonly row: Promise<Row | undefined> }

/** A key's text is `ts_<id>_<secret>`: its id finds it in the store, and 192 random bits are the secret. */
export function newKeyText(): { readonly id: string; readonly key: string } {
  const id = randomBytes(6).toString('hex')
  return { id, key: `ts_${id}_${randomBytes(24).toString('hex')}` }
}

/** Undefined for what cannot be a key. */
export function idOf(key: string): string | undefined {
  return KEY.exec(key)?.[1]
}

/** Whether a text may be a key, one that is misspelled or cut short included, and not a word that a message needs. */
export function hasFormOfKey(text: string): boolean {
  return text.length >= 16 && /\d/.test(text)
}

/** What is stored. The text is random, so that no dictionary shortens the way back, and a slow hash would buy nothing. */
export function hashOf(key: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(key).digest())
}

/** Whether the hash is the key's, in the same time for every key and for an id that nobody has. */
export function isSame(key: string, hash: Uint8Array | undefined): boolean {
  return timingSafeEqual(hashOf(key), hash ?? NOBODYS) && hash !== undefined
}

const KEY = /^ts_([0-9a-f]{12})_[0-9a-f]{48}$/

const NOBODYS = new Uint8Array(32)
