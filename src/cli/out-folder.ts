import { type Dirent, existsSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { UsageError } from './io.js'

/**
 * What is in a folder that is to be written whole: hidden files, which are kept, and all else; nothing where there is no
 * folder yet. Throws UsageError, which calls it `folder`, where `place` is a file.
 */
export const readOutFolder = async (place: string, folder: string): Promise<OutFolder> => {
  if (!existsSync(place)) return { hidden: [], visible: [] }
  const entries = await readdir(place, { withFileTypes: true }).catch((cause) => {
    if (cause.code !== 'ENOTDIR') throw cause
    throw new UsageError(`${folder} is no folder: choose another --out`, { cause })
  })
  const isHidden = (entry: Dirent) => entry.isFile() && entry.name.startsWith('.')
  return {
    hidden: entries.filter(isHidden).map(({ name }) => name),
    visible: entries.filter((entry) => !isHidden(entry)),
  }
}

export type OutFolder = { readonly hidden: readonly string[]; readonly visible: readonly Dirent[] }

/** Whether the first line of a file says a mark; of large files no more is read. */
export const isMarked = async (file: string, mark: string): Promise<boolean> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(200), 0, 200, 0)
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]?.includes(mark) ?? false
  } finally {
    await handle.close()
  }
}
