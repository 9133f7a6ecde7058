import { chmodSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keysThroughSocket, openControlSocket } from '../../../src/service/access/control-socket.js'
import { createKeys, type Keys } from '../../../src/service/access/keys.js'
import { openStore } from '../../../src/service/store/open-store.js'
import { type Store, StoreUnavailable } from '../../../src/service/store/store.js'
import { UsageError } from '../../../src/service/usage-error.js'

const log = pino({ level: 'silent' })
const root = mkdtempSync(join(tmpdir(), 'twinspec-socket-'))
let folders = 0
const fresh = async () => {
  const folder = join(root, String(folders++))
  await mkdir(folder)
  return folder
}

let store: Store
let keys: Keys
beforeAll(async () => {
  store = await openStore({ log })
  keys = createKeys(store)
})
afterAll(async () => {
  await store.close()
  rmSync(root, { recursive: true })
})

describe('the control socket of the keys', () => {
  it('lets another process do all that a command may do', async () => {
    const folder = await fresh()
    const socketServer = await openControlSocket(keys, folder, log)
    const through = await keysThroughSocket(folder)
    const made = await through?.create({ name: 'shop', kind: 'public' })
    if (!made) throw new Error('the socket is closed')
    const { key, ...record } = made
    expect(await keys.find(key)).toEqual(record)
    expect(await through?.list()).toEqual(await keys.list())
    expect(await through?.revoke(record.id)).toBe(true)
    expect(await through?.revoke(record.id)).toBe(false)
    expect((await through?.list())?.[0]?.revokedAt).toBeInstanceOf(Date)
    expect(await keys.find(key)).toBeUndefined()
    await socketServer.close()
    expect(await keysThroughSocket(folder)).toBeUndefined()
  })

  it('is open to this user alone', async () => {
    const folder = await fresh()
    const umask = process.umask(0)
    try {
      const socketServer = await openControlSocket(keys, folder, log)
      expect(statSync(join(folder, 'admin.sock')).mode & 0o777).toBe(0o600)
      expect(process.umask()).toBe(0)
      await socketServer.close()
    } finally {
      process.umask(umask)
    }
  })

  it('is nobody’s where there is no service', async () => {
    const folder = await fresh()
    expect(await keysThroughSocket(folder)).toBeUndefined()
    expect(await keysThroughSocket(join(folder, 'nothing'))).toBeUndefined()
    writeFileSync(join(folder, 'admin.sock'), 'what a copied folder holds')
    expect(await keysThroughSocket(folder)).toBeUndefined()
  })

  it.skipIf(process.getuid?.() !== 0)('is reported as another user’s to that user', async () => {
    const folder = await fresh()
    const socketServer = await openControlSocket(keys, folder, log)
    chmodSync(root, 0o755)
    process.seteuid?.(65_534)
    try {
      await expect(keysThroughSocket(folder)).rejects.toMatchObject({
        name: 'UsageError',
        message: `${folder} belongs to another user, who alone may speak to the service that runs on it: run this as that user`,
      })
    } finally {
      process.seteuid?.(0)
      await socketServer.close()
    }
  })

  it('takes the place of one that a dead service left', async () => {
    const folder = await fresh()
    const socket = join(folder, 'admin.sock')
    const dead = createServer()
    await new Promise<void>((resolve) => dead.listen(socket, resolve))
    const left = join(folder, 'left')
    // A server that is closed takes its socket along; one that is killed does not.
    renameSync(socket, left)
    await new Promise((resolve) => dead.close(resolve))
    renameSync(left, socket)
    expect(await keysThroughSocket(folder)).toBeUndefined()
    const socketServer = await openControlSocket(keys, folder, log)
    expect(await keysThroughSocket(folder)).toBeDefined()
    await socketServer.close()
  })

  it('has no place in a path that is too long', async () => {
    const folder = join(root, 'long'.repeat(30))
    const wanted = `${folder} is too long a path for the socket in it, by which keys are made while the service runs: name a folder with a shorter one with --data`
    await expect(openControlSocket(keys, folder, log)).rejects.toEqual(new UsageError(wanted))
    await expect(keysThroughSocket(folder)).rejects.toEqual(new UsageError(wanted))
  })

  it('is reached by the shorter way', async () => {
    const folder = join(root, 'l'.repeat(60), 'm'.repeat(60))
    await mkdir(folder, { recursive: true })
    const before = process.cwd()
    process.chdir(folder)
    try {
      const socketServer = await openControlSocket(keys, folder, log)
      expect(await keysThroughSocket(relative('.', folder))).toBeDefined()
      await socketServer.close()
    } finally {
      process.chdir(before)
    }
  })

  it('tells apart a store that does not answer, a service that fails, and one that gets an invalid request', async () => {
    const folder = await fresh()
    const failing: Keys = {
      ...keys,
      create: () => Promise.reject(new StoreUnavailable('the store does not answer: gone')),
      revoke: () => Promise.reject(new Error('secret of the inside')),
    }
    const socketServer = await openControlSocket(failing, folder, log)
    const through = await keysThroughSocket(folder)
    await expect(through?.create({ name: '', kind: 'private' })).rejects.toEqual(
      new StoreUnavailable('the store does not answer: gone'),
    )
    await expect(through?.revoke('1')).rejects.toEqual(
      new UsageError('the service failed, and its log says why'),
    )
    const strange = { name: '', kind: 'royal' } as unknown as Parameters<Keys['create']>[0]
    await expect(through?.create(strange)).rejects.toThrow(UsageError)
    await socketServer.close()
  })
})
