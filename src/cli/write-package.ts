import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { File } from '../emit/file.js'
import { PACKED_BY } from '../pack/packed-by.js'
import { UsageError } from './io.js'
import { readOutFolder } from './out-folder.js'
import { writeTree } from './write-tree.js'

/**
 * Replaces a folder by the files of a package, whole or not at all. Throws UsageError where it holds anything but a package
 * that was packed before and hidden files, which are kept.
 */
export const writePackage = async (folder: string, files: readonly File[]): Promise<void> => {
  await writeTree(folder, files, keptBesidePackage)
}

/** Told before the work and not after it, too. */
export const assertPackable = async (folder: string): Promise<void> => {
  await keptBesidePackage(folder, folder)
}

const keptBesidePackage = async (place: string, folder: string): Promise<readonly string[]> => {
  const { hidden, visible } = await readOutFolder(place, folder)
  const isPacked = await wasPacked(place)
  const foreign = visible.find(({ name }) => !(isPacked && OWN.includes(name)))?.name
  if (foreign === undefined) return hidden
  throw new UsageError(
    `${join(folder, foreign)} was not packed, and ${folder} would be written whole: choose another --out, or move it away`,
  )
}

/** What stands at the top of a package. */
const OWN = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']

const wasPacked = async (place: string): Promise<boolean> => {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))
    return (manifest as { readonly packedBy?: unknown } | null)?.packedBy === PACKED_BY
  } catch {
    return false
  }
}
