import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { File } from '../docs/docs.js'
import { MARK } from '../docs/mark.js'
import { UsageError } from './io.js'
import { isMarked, readOutFolder } from './out-folder.js'
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
  const { hidden, visible } = await readOutFolder(place, folder)
  for (const { name } of visible) {
    const foreign = await foreignIn(join(place, name))
    if (foreign === undefined) continue
    throw new UsageError(
      `${join(folder, relative(place, foreign))} was not written by twinspec docs, and ${folder} would be written whole: choose another --out, or move it away`,
    )
  }
  return hidden
}

/** The first file, at any depth, whose first line has no mark; an empty folder is somebody's too. */
const foreignIn = async (path: string): Promise<string | undefined> => {
  const inside = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (inside === undefined) return (await isMarked(path, MARK)) ? undefined : path
  if (inside.length === 0) return path
  for (const { name } of inside) {
    const foreign = await foreignIn(join(path, name))
    if (foreign !== undefined) return foreign
  }
  return undefined
}
