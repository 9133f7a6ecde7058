import { once } from 'node:events'
import { access, constants, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { forkOurs } from '../fork.js'

/**
 * An empty cluster as PGlite's `loadDataDir` takes it. PostgreSQL needs seconds to make one and a fraction of a second to read it,
 * so that one is made per installation, by a process of its own, and kept in the `.cache` of its `node_modules`; where nothing
 * may be written there, one is made each time. Rejects where no process can make one.
 */
export async function freshCluster({
  signal,
  folder = cacheFolder(),
}: ClusterOptions = {}): Promise<Cluster> {
  const kept = folder === undefined ? undefined : await archiveIn(folder)
  if (kept === undefined) return madeElsewhere(signal)
  const forget = () => rm(kept, { force: true })
  return { archive: await read(kept).catch(() => make(kept, signal)), forget }
}

export type ClusterOptions = {
  /** Ends the making, whose process dies. */
  readonly signal?: AbortSignal | undefined
  /** Where it is kept. */
  readonly folder?: string | undefined
}

export type Cluster = {
  readonly archive: Blob
  /** Says that the archive cannot be used, so that the next one is made again. */
  readonly forget: () => Promise<void>
}

function cacheFolder(): string | undefined {
  const modules = pglite.lastIndexOf(`${sep}node_modules${sep}`)
  return modules < 0
    ? undefined
    : join(pglite.slice(0, modules), 'node_modules', '.cache', 'twinspec')
}

const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite')

/** Undefined where nothing may be written. */
async function archiveIn(folder: string): Promise<string | undefined> {
  try {
    const manifest = await readFile(join(pglite, '..', '..', 'package.json'), 'utf8')
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    return join(folder, `cluster-${JSON.parse(manifest).version}.tar`)
  } catch {
    return undefined
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
  // What runs once is not worth the second, slower compilation.
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
