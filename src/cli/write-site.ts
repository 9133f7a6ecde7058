import { existsSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { File } from '../docs/docs.js'
import { MARK } from '../docs/mark.js'
import { UsageError } from './io.js'
import { writeTree } from './write-tree.js'

/**
 * Replaces a folder by the files of a site, whole or not at all. Throws UsageError where it holds anything but a site that was
 * written before and hidden files, which are kept.
 */
export const writeSite = async (folder: string, files: readonly File[]): Promise<void> => {
  await writeTree(folder, files, keptBesideSite)
}

/** Told before the work and not after it, too. */
export const assertReplaceable = async (folder: string): Promise<void> => {
  await keptBesideSite(folder, folder)
}

const keptBesideSite = async (place: string, folder: string): Promise<readonly string[]> => {
  if (!existsSync(place)) return []
  const entries = await readdir(place, { withFileTypes: true }).catch(() => {
    throw new UsageError(`${folder} is no folder: choose another --out`)
  })
  const hidden = entries.filter((entry) => entry.isFile() && entry.name.startsWith('.'))
  for (const entry of entries) {
    const foreign = hidden.includes(entry) ? undefined : await foreignIn(join(place, entry.name))
    if (foreign === undefined) continue
    throw new UsageError(
      `${join(folder, foreign.slice(place.length))} was not written by twinspec docs, and ${folder} would be written whole: choose another --out, or move it away`,
    )
  }
  return hidden.map(({ name }) => name)
}

/** The first file, at any depth, whose first line has no mark; an empty folder is somebody's too. */
const foreignIn = async (path: string): Promise<string | undefined> => {
  const inside = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (inside === undefined) return (await isMarked(path)) ? undefined : path
  if (inside.length === 0) return path
  for (const { name } of inside) {
    const foreign = await foreignIn(join(path, name))
    if (foreign !== undefined) return foreign
  }
  return undefined
}

const isMarked = async (file: string): Promise<boolean> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0)
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]?.includes(MARK) ?? false
  } finally {
    await handle.close()
  }
}
