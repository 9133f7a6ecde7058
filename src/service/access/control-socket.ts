import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { join, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { StoreUnavailable } from '../store/store.js'
import { UsageError } from '../usage-error.js'
import type { KeyRecord, Keys, NewKey } from './keys.js'

/**
 * Lets `npm run keys` manage the keys of a running service: HTTP on the Unix socket `admin.sock` in `folder`, which only this
 * user can open. The caller has locked the folder, so an existing socket is left over from an ended service. Rejects with a
 * UsageError if the folder's path is too long for a socket.
 */
export async function openControlSocket(
  keys: KeysAdmin,
  folder: string,
  log: Logger,
): Promise<ControlSocket> {
  const socket = socketOf(folder)
  await rm(socket, { force: true })
  const server = createServer(async (asked, response) => {
    const { status, body } = await answerOf(keys, asked, log)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await listening(server, socket)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

export type ControlSocket = { readonly close: () => Promise<void> }

/** The operations on keys that a command may use. */
export type KeysAdmin = Pick<Keys, 'create' | 'list' | 'revoke'>

/**
 * The keys of the service that runs on `folder`; undefined if none runs. They reject with a UsageError if the service fails or
 * belongs to another user, and with StoreUnavailable if its store does not respond.
 */
export async function keysThroughSocket(folder: string): Promise<KeysAdmin | undefined> {
  const socket = socketOf(folder)
  try {
    await ask(socket, 'list', {})
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (NOBODY.includes(code)) return undefined
    if (!FORBIDDEN.includes(code)) throw error
    throw new UsageError(
      `${folder} belongs to another user, who alone may speak to the service that runs on it: run this as that user`,
      { cause: error },
    )
  }
  return {
    create: async ({ name, kind }) => dated(await ask<NewKey>(socket, 'create', { name, kind })),
    list: async () => (await ask<readonly KeyRecord[]>(socket, 'list', {})).map(dated),
    revoke: (id) => ask<boolean>(socket, 'revoke', { id }),
  }
}

/** There is no socket, its process has ended, a part of the path is a file, or another file has its name. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENOTSOCK']

const FORBIDDEN = ['EACCES', 'EPERM']

type Answer = { readonly status: number; readonly body: unknown }

async function answerOf(keys: KeysAdmin, asked: IncomingMessage, log: Logger): Promise<Answer> {
  try {
    const order = (await json(asked)) as { name?: unknown; kind?: unknown; id?: unknown }
    switch (asked.url) {
      case '/create': {
        const { name, kind } = order
        if (typeof name !== 'string' || (kind !== 'private' && kind !== 'public')) break
        return { status: 200, body: await keys.create({ name, kind }) }
      }
      case '/list':
        return { status: 200, body: await keys.list() }
      case '/revoke':
        if (typeof order.id !== 'string') break
        return { status: 200, body: await keys.revoke(order.id) }
    }
    return rejection(400, 'the service does not understand what it is asked about keys')
  } catch (error) {
    if (error instanceof StoreUnavailable) return rejection(503, error.message)
    log.error({ error }, 'a request at the control socket failed')
    return rejection(500, 'the service failed, and its log says why')
  }
}

function rejection(status: number, error: string): Answer {
  return { status, body: { error } }
}

function ask<T>(path: string, what: string, order: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const options = { socketPath: path, path: `/${what}`, method: 'POST', agent: false }
    const asking = request({ ...options, timeout: PATIENCE_MILLISECONDS }, async (response) => {
      try {
        const body = await json(response)
        if (response.statusCode === 200) return resolve(body as T)
        const { error } = body as { readonly error: string }
        reject(response.statusCode === 503 ? new StoreUnavailable(error) : new UsageError(error))
      } catch (error) {
        reject(error)
      }
    })
    asking.on('error', reject)
    asking.on('timeout', () =>
      asking.destroy(new StoreUnavailable(`the service behind ${path} does not answer`)),
    )
    asking.end(JSON.stringify(order))
  })
}

const PATIENCE_MILLISECONDS = 10_000

/** Restores dates and undefined members, which JSON cannot represent. */
function dated<R extends KeyRecord>(record: R): R {
  const { createdAt, revokedAt } = record
  return {
    ...record,
    createdAt: new Date(createdAt),
    revokedAt: revokedAt === undefined ? undefined : new Date(revokedAt),
  }
}

/** The operating system silently truncates paths of more than about a hundred bytes; a relative path may be shorter. */
function socketOf(folder: string): string {
  const full = join(folder, 'admin.sock')
  const [path = full] = [full, relative('.', full)].sort((a, b) => a.length - b.length)
  if (Buffer.byteLength(path) <= MOST_BYTES) return path
  throw new UsageError(
    `${folder} is too long a path for the socket in it, by which keys are made while the service runs: name a folder with a shorter one with --data`,
  )
}

const MOST_BYTES = 100

function listening(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // The socket is created before `listen` returns, and must never be open to other users.
    const before = process.umask(0o177)
    try {
      server.listen(socket, resolve)
    } finally {
      process.umask(before)
    }
  })
}
