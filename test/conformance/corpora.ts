import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Other people's data, which is not part of the project: tests of it say so where it is absent. */
export const CORPORA =
  process.env.CORPORA ?? fileURLToPath(new URL('../../../shared/corpora', import.meta.url))

/** The files of a folder of the corpora, none where it is absent; sorted, by their path within it. */
export function corpus(folder: string): readonly string[] {
  const root = join(CORPORA, folder)
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

export const readCorpus = (...path: readonly string[]): string =>
  readFileSync(join(CORPORA, ...path), 'utf8')

/** A name for tests that need the corpora: it says why they were skipped. */
export const named = (title: string, files: readonly unknown[]): string =>
  files.length > 0 ? title : `${title} (skipped: no corpora at ../shared/corpora, nor at CORPORA)`
