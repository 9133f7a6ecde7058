import { existsSync } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from '../usage-error.js'
import { reasonOf } from './store.js'

/**
 * Creates `folder` if it does not exist, and locks it for this process until `release`. The lock is the kernel's, on the open
 * file, so it ends with the process in any case. Rejects with a UsageError if another process has locked the folder.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const { tryLock } = await import('fs-native-extensions')
  const file = await opened(folder)
  try {
    if (!tryLock(file.fd)) {
      const owner = (await file.readFile('utf8').catch(() => '')).trim()
      const who = /^\d+$/.test(owner) ? `process ${owner}` : 'another process'
      throw new FolderInUse(folder, who)
    }
    await file.truncate()
    await file.write(`${process.pid}\n`, 0)
  } catch (error) {
    await file.close()
    throw error
  }
  return { release: () => file.close() }
}

export type FolderLock = { readonly release: () => Promise<void> }

/** Another process has locked the folder. */
export class FolderInUse extends UsageError {
  readonly folder: string
  /** `process 4711`, or `another process` if it is unknown. */
  readonly who: string
  constructor(folder: string, who: string) {
    super(`${folder} is in use by ${who}: end that one, or name another folder with --data`)
    this.folder = folder
    this.who = who
  }
}

async function opened(folder: string) {
  try {
    // A file in the folder is the source of all private keys.
    await makeFolder(folder, 0o700)
    return await open(join(folder, 'lock'), 'a+', 0o600)
  } catch (cause) {
    throw new UsageError(`${folder} cannot be used to keep data: ${reasonOf(cause)}`, { cause })
  }
}

/**
 * Creates the folder and its parents. Node 20's own `recursive` loops without end on a file system that reports a folder as
 * missing and cannot create it (`/proc`).
 */
export async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error
    await makeFolder(dirname(folder), mode)
    await makeFolder(folder, mode)
  }
}
