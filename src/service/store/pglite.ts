import { once } from 'node:events'
import { access, chmod, constants, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { setImmediate } from 'node:timers'
import { setImmediate as afterIo } from 'node:timers/promises'
import type { PGlite, PGliteOptions, Transaction } from '@electric-sql/pglite'
import { forkOurs } from '../fork.js'
import { PARSERS, type Query, type Store, storeErrorOf, withAttempts } from './store.js'

/**
 * PostgreSQL in this process: in memory, or in files of `folder`, which the caller has locked. It has one connection, so
 * transactions run one after the other, and it works on the thread of its caller.
 */
export async function openPglite(folder: string | undefined, signal?: AbortSignal): Promise<Store> {
  const database = await (folder === undefined
    ? fresh('memory://', signal)
    : openFolder(folder, signal))
  let last: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | undefined

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(() => withBreak(work))
    last = result.catch(() => undefined)
    return result
  }

  return {
    kind: 'pglite',
    query: (sql, values) => inTurn(() => queryOf(database)(sql, values)),
    transaction: (work) => inTurn(() => withAttempts(() => transact(database, work))),
    close: () => {
      closing ??= last.then(() => database.close())
      return closing
    },
  }
}

/** The archive of a cluster has files that every user may read and write, so the folder itself restricts access. */
async function openFolder(folder: string, signal: AbortSignal | undefined): Promise<PGlite> {
  const isNew = await access(join(folder, 'PG_VERSION')).then(
    () => false,
    () => true,
  )
  if (isNew) {
    // Created next to its place, so that a killed process leaves no incomplete cluster there.
    const unfinished = `${folder}.new`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { mode: 0o700 })
    await (await fresh(unfinished, signal)).close()
    await rename(unfinished, folder)
  }
  // Older versions left it open to other users, and so may a copy.
  await chmod(folder, 0o700)
  return create(folder)
}

/** A database in a new place. */
async function fresh(place: string, signal: AbortSignal | undefined): Promise<PGlite> {
  const kept = await freshCluster({ signal })
  try {
    return await create(place, { loadDataDir: kept.archive })
  } catch {
    await kept.forget()
    const made = await freshCluster({ signal })
    return create(place, { loadDataDir: made.archive })
  }
}

async function create(place: string, options: PGliteOptions = {}): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  return PGlite.create(place, {
    parsers: PARSERS,
    serializers: SERIALIZERS,
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    ...options,
  })
}

/** PostgreSQL's own default is 128 MB, and it writes to all of it at the start. The tables in use fit into this. */
const SHARED_BUFFERS = '32MB'

/** PGlite's own serializer of `bytea` takes 200 ms for 1 MB. It sends bytes unchanged, although its types declare text. */
const SERIALIZERS = { 17: (bytes: Uint8Array) => bytes as unknown as string }

function queryOf(database: PGlite | Transaction): Query {
  return async <Row extends object>(sql: string, values: readonly unknown[] = []) => {
    try {
      const { rows } = await database.query<Row>(sql, [...values])
      return rows
    } catch (error) {
      throw storeErrorOf(error)
    }
  }
}

/** Errors of `work` are rethrown unchanged; only errors of the begin and the commit are the database's. */
async function transact<T>(database: PGlite, work: (query: Query) => Promise<T>): Promise<T> {
  let failed = false
  try {
    return await database.transaction(async (transaction) => {
      try {
        const query = queryOf(transaction)
        return await work((sql, values) => withBreak(() => query(sql, values)))
      } catch (error) {
        failed = true
        throw error
      }
    })
  } catch (error) {
    throw failed ? error : storeErrorOf(error)
  }
}

/**
 * Runs one task, and then yields to the event loop if it has not run for long. PGlite performs no asynchronous I/O, so
 * consecutive statements would delay every other request for the sum of their times.
 */
async function withBreak<T>(work: () => Promise<T>): Promise<T> {
  if (turnBegan === undefined) {
    turnBegan = performance.now()
    setImmediate(() => {
      turnBegan = undefined
    })
  }
  try {
    return await work()
  } finally {
    if (turnBegan !== undefined && performance.now() - turnBegan > LONGEST_TURN) await afterIo()
  }
}

/** The time of the first statement in this turn of the event loop. */
let turnBegan: number | undefined

/** Milliseconds. */
const LONGEST_TURN = 5

/**
 * An empty cluster for PGlite's `loadDataDir`. PostgreSQL takes seconds to create one and a fraction of a second to load it. So
 * a process creates one for each installation, in the `.cache` of its `node_modules`. If that is not writable, one is created
 * each time. Rejects if no process can create one.
 */
export async function freshCluster({
  signal,
  folder = cacheFolder(),
}: ClusterOptions = {}): Promise<Cluster> {
  const kept = folder === undefined ? undefined : await archiveIn(folder)
  if (kept === undefined) return madeElsewhere(signal)
  const archive = await read(kept).catch(() => undefined)
  if (archive === undefined && !(await isWritable(dirname(kept)))) return madeElsewhere(signal)
  // If it cannot be removed, the next start creates one elsewhere again.
  const forget = () => rm(kept, { force: true }).catch(() => undefined)
  return { archive: archive ?? (await make(kept, signal)), forget }
}

export type ClusterOptions = {
  /** Aborts the creation by killing its process. */
  readonly signal?: AbortSignal | undefined
  /** The folder of the archive. */
  readonly folder?: string | undefined
}

export type Cluster = {
  readonly archive: Blob
  /** Deletes an unusable archive, so that the next start creates a new one. */
  readonly forget: () => Promise<void>
}

function cacheFolder(): string | undefined {
  const modules = pglite.lastIndexOf(`${sep}node_modules${sep}`)
  return modules < 0
    ? undefined
    : join(pglite.slice(0, modules), 'node_modules', '.cache', 'twinspec')
}

const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite')

/** The path of the archive, which may not exist yet. */
async function archiveIn(folder: string): Promise<string> {
  const manifest = await readFile(join(pglite, '..', '..', 'package.json'), 'utf8')
  return join(folder, `cluster-${JSON.parse(manifest).version}.tar`)
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function madeElsewhere(signal: AbortSignal | undefined): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-cluster-'))
  try {
    return { archive: await make(join(folder, 'cluster.tar'), signal), forget: async () => {} }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function make(path: string, signal: AbortSignal | undefined): Promise<Blob> {
  // Code that runs once is not worth the second, slower compilation.
  const options = { args: [path], execArgv: ['--liftoff-only'] }
  const maker = forkOurs(new URL('./make-cluster.js', import.meta.url), options)
  const end = () => maker.kill('SIGKILL')
  signal?.addEventListener('abort', end, { once: true })
  try {
    const [code] = await once(maker, 'exit')
    signal?.throwIfAborted()
    if (code !== 0) throw new Error(`the process that makes the store's files ended with ${code}`)
    return await read(path)
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

const read = async (path: string): Promise<Blob> => new Blob([await readFile(path)])
