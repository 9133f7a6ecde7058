import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InitFile } from '../init/project-file.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { UsageError } from './io.js'

/**
 * Writes the files that do not stand yet, all of them or none: where one fails, those before it are removed, with the folders made
 * for them. Throws UsageError then.
 */
export const writeNew = (dir: string, files: readonly InitFile[]): Outcome => {
  const written: string[] = []
  const kept: InitFile[] = []
  const folders: string[] = []
  try {
    for (const file of files) {
      const path = join(dir, file.path)
      makeFolder(dirname(path), folders)
      if (isWritten(path, file.text)) written.push(file.path)
      else kept.push(file)
    }
  } catch (cause) {
    for (const path of written) rmSync(join(dir, path), { force: true })
    for (const folder of folders.reverse()) rmdirSync(folder)
    throw new UsageError(`nothing was written: ${messageOf(cause)}`, { cause })
  }
  return { written, kept }
}

type Outcome = { readonly written: readonly string[]; readonly kept: readonly InitFile[] }

/** False where a file of that name stands, whoever put it there a moment ago. */
const isWritten = (path: string, text: string): boolean => {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Notes in `made` each folder that had to be made, the outermost first. With `recursive` mkdir never ends below /proc on Node 20. */
const makeFolder = (folder: string, made: string[]): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder), made)
  mkdirSync(folder)
  made.push(folder)
}
