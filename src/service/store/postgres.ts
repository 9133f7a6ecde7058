import { Socket } from 'node:net'
import type { CustomTypesConfig, PoolClient, QueryResult } from 'pg'
import type { Logger } from 'pino'
import { UsageError } from '../usage-error.js'
import {
  PARSERS,
  type Query,
  reasonOf,
  type Store,
  StoreUnavailable,
  sqlState,
  storeErrorOf,
  unavailable,
  withAttempts,
} from './store.js'

/**
 * PostgreSQL with a pool of connections. It recovers when the server is back. Until then, and while all connections are in use,
 * statements reject with StoreUnavailable after CONNECT_MILLISECONDS.
 */
export async function openPostgres(
  databaseUrl: string,
  log: Logger,
  { statementMilliseconds = 15_000, signal }: PostgresOptions = {},
): Promise<Store> {
  const { Pool, types } = (await import('pg')).default
  const pool = new Pool({
    connectionString: checked(databaseUrl),
    application_name: 'twinspec',
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    idleTimeoutMillis: IDLE_MILLISECONDS,
    statement_timeout: statementMilliseconds,
    // For a server that is unreachable and cannot cancel the statement itself.
    query_timeout: statementMilliseconds + 2_000,
    idle_in_transaction_session_timeout: statementMilliseconds,
    keepAlive: true,
    stream: () => breakable(signal),
    types: {
      getTypeParser: (oid: number, format?: 'text') =>
        PARSERS[oid] ?? types.getTypeParser(oid, format),
    } as CustomTypesConfig,
  })
  // Without a listener, an error of an idle connection would end the process.
  pool.on('error', (error) =>
    log.warn({ reason: reasonOf(error) }, 'lost a connection to the store'),
  )
  pool.on('connect', (client) => client.on('error', () => undefined))
  const nameOf = createNames()

  const connected = async (): Promise<PoolClient> => {
    try {
      return await pool.connect()
    } catch (error) {
      throw unavailable(error)
    }
  }
  const send = async (client: PoolClient, text: string, values: readonly unknown[] = []) => {
    const name = values.length > 0 ? nameOf(text) : undefined
    try {
      return await client.query({ text, values: [...values], ...(name && { name }) })
    } catch (error) {
      throw storeErrorOf(error)
    }
  }

  const query: Query = async <Row extends object>(text: string, values?: readonly unknown[]) => {
    const client = await connected()
    let broken = true
    try {
      const { rows } = await send(client, text, values)
      broken = false
      return rows as Row[]
    } catch (error) {
      broken = sqlState(error) === undefined
      throw error
    } finally {
      client.release(broken)
    }
  }

  const transact = async <T>(work: (query: Query) => Promise<T>): Promise<T> => {
    const client = await connected()
    let broken = true
    const within: Query = async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await send(client, text, values)).rows as Row[]
    try {
      await send(client, 'begin')
      const result = await work(within)
      assertCommitted(await send(client, 'commit'))
      broken = false
      return result
    } catch (error) {
      // The server rolls back uncommitted changes of a closed connection.
      broken = error instanceof StoreUnavailable || !(await undone(client))
      throw error
    } finally {
      client.release(broken)
    }
  }

  let closing: Promise<void> | undefined
  return {
    kind: 'postgres',
    query,
    transaction: (work) => withAttempts(() => transact(work)),
    close: () => {
      closing ??= pool.end()
      return closing
    },
  }
}

type PostgresOptions = {
  /** The time limit of one statement. */
  readonly statementMilliseconds?: number
  /** Closes every connection, even one that is being opened, to stop waiting for the server. */
  readonly signal?: AbortSignal | undefined
}

const CONNECTIONS = 10
const CONNECT_MILLISECONDS = 5_000
const IDLE_MILLISECONDS = 30_000

/** Statements are prepared once for each connection; their number is limited, in case SQL is created dynamically. */
function createNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size === MOST_NAMES) return known
    const name = `twinspec-${names.size}`
    names.set(sql, name)
    return name
  }
}

const MOST_NAMES = 200

function checked(databaseUrl: string): string {
  const protocol = URL.canParse(databaseUrl) ? new URL(databaseUrl).protocol : ''
  if (/^postgres(ql)?:$/.test(protocol)) return databaseUrl
  throw new UsageError('the address of the store must be like postgres://user:password@host/name')
}

function breakable(signal: AbortSignal | undefined): Socket {
  const socket = new Socket()
  const destroy = () => void socket.destroy()
  signal?.addEventListener('abort', destroy, { once: true })
  socket.once('close', () => signal?.removeEventListener('abort', destroy))
  if (signal?.aborted) {
    // pg connects it after this returns, and a socket that was destroyed before would open again and never be closed.
    queueMicrotask(destroy)
    socket.once('connect', destroy)
  }
  return socket
}

/** PostgreSQL responds to the commit of a failed transaction with a rollback, without an error. */
function assertCommitted({ command }: QueryResult): void {
  if (command === 'COMMIT') return
  const message = 'the transaction was rolled back: a statement in it had failed'
  throw Object.assign(new Error(message), { code: '25P02' })
}

async function undone(client: PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}
