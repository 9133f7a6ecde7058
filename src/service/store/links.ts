import { readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { UsageError } from '../usage-error.js'

/**
 * Rejects with a UsageError if a symbolic link below `folder`, at any depth, leads out of it or nowhere: the service would write
 * to files that nobody named. The folder itself may be a link, and may not exist yet. `flag` is the one that names it.
 */
export async function assertLinksStayInside(folder: string, flag: string): Promise<void> {
  // The code that opens the folder reports the error.
  const root = await realpath(folder).catch(() => undefined)
  if (root === undefined) return
  const check = async (below: string): Promise<void> => {
    const entries = await readdir(below, { withFileTypes: true }).catch(unreadable)
    for (const entry of entries) {
      const path = join(below, entry.name)
      if (entry.isDirectory()) await check(path)
      if (!entry.isSymbolicLink()) continue
      const target = await realpath(path).catch(missing)
      const way = target === undefined ? '..' : relative(root, target)
      if (way !== '..' && !way.startsWith(`..${sep}`) && join(root, way) === target) continue
      throw new UsageError(
        `${path} is a symbolic link to ${target ?? 'a file that does not exist'}, and must not lead out of ${root}: remove the link, or name another folder with ${flag}`,
      )
    }
  }
  await check(root)
}

/** Undefined for a path that leads nowhere. */
const missing = (error: NodeJS.ErrnoException): undefined => {
  if (!NOWHERE.includes(error.code ?? '')) throw error
}

const NOWHERE = ['ENOENT', 'ENOTDIR', 'ELOOP']

/** Nothing: a file, or a folder such as `lost+found`, which the service does not use because it cannot read it. */
const unreadable = (error: NodeJS.ErrnoException): readonly never[] => {
  if (['EACCES', 'ENOTDIR', 'ENOENT'].includes(error.code ?? '')) return []
  throw error
}
