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
