import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'

/** The PostgreSQL that tests may use; `scripts/postgres.sh run npm test` gives one. Undefined: they are skipped. */
export const postgresUrl = process.env.DATABASE_URL || undefined

/** A database of its own for one test file, empty. */
export const createDatabase = async (server: string): Promise<TestDatabase> => {
  const name = `twinspec_test_${randomUUID().replaceAll('-', '')}`
  await ask(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    // Whoever is still connected is thrown out: a failed test leaves nothing behind.
    drop: () => ask(server, `drop database if exists ${name} with (force)`),
  }
}

export type TestDatabase = { readonly url: string; readonly drop: () => Promise<void> }

/** A server of its own, which may be killed and started again. Undefined where this machine has no PostgreSQL. */
export const startCluster = async (): Promise<Cluster | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-postgres-'))
  try {
    const url = await script('start', folder)
    return {
      url,
      crash: async () => void (await script('crash', folder)),
      again: async () => void (await script('again', folder)),
      stop: async () => void (await script('stop', folder)),
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if ((error as { code?: unknown }).code === NO_POSTGRES) return undefined
    throw error
  }
}

export type Cluster = {
  /** The same after `again`. */
  readonly url: string
  /** Ends every connection without a word, as a power cut does. */
  readonly crash: () => Promise<void>
  readonly again: () => Promise<void>
  readonly stop: () => Promise<void>
}

const NO_POSTGRES = 3

const SCRIPT = fileURLToPath(new URL('../../scripts/postgres.sh', import.meta.url))

const script = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(SCRIPT, [...args])
  return stdout.trim()
}

const ask = async (server: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
