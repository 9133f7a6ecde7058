import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { File } from '../emit/file.js'
import type { Finding, RuleRow } from '../model/finding.js'
import { UsageError } from './io.js'

/**
 * The differences between a folder and the given files: missing, changed or superfluous; hidden files are ignored. Rejects with
 * UsageError for the root of the file system, and for a file that cannot be read.
 */
export const fileDifferences = async (
  folder: string,
  files: readonly File[],
): Promise<readonly FileDifference[]> => {
  const place = resolve(folder)
  if (dirname(place) === place)
    throw new UsageError(`${folder} is the root of the file system: choose another --out`)
  const found: FileDifference[] = []
  const names = new Set(await namesIn(folder))
  for (const { name, text } of files) {
    const present = names.has(name) ? await textOf(join(folder, name)) : undefined
    if (present === undefined) found.push({ name, kind: 'missing', line: 1 })
    else if (present !== text) {
      found.push({ name, kind: 'changed', line: firstDifference(present, text) })
    }
  }
  const expected = new Set(files.map(({ name }) => name))
  for (const name of names) {
    if (!expected.has(name) && !HIDDEN.test(name))
      found.push({ name, kind: 'superfluous', line: 1 })
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

export type FileDifference = {
  readonly name: string
  readonly kind: 'missing' | 'changed' | 'superfluous'
  /** The first line that differs, 1-based. */
  readonly line: number
}

/** One finding for all files that differ, because one change of a document changes many files. Empty if no file differs. */
export const staleFindings = (
  folder: string,
  all: readonly FileDifference[],
): readonly Finding[] => {
  const [first] = all
  if (first === undefined) return []
  const { id: rule, level } = STALE_RULE
  const location = { file: join(folder, first.name), line: first.line, column: 1, pointer: '' }
  const files = all.length === 1 ? 'one file is' : `${all.length} files are`
  const message = `${files} out of date with the documents: run twinspec generate, and commit ${folder}`
  const shown = all.slice(0, MOST_FILES).map((one) => `${one.name} ${SAID[one.kind](one.line)}`)
  const rest = all.length - shown.length
  const lines = rest > 0 ? [...shown, `… and ${rest} more`] : shown
  const details = lines.map((words) => ({ label: 'file:', words }))
  return [{ rule, level, location, message, details }]
}

const MOST_FILES = 20

const SAID: Readonly<Record<FileDifference['kind'], (line: number) => string>> = {
  missing: () => 'is missing',
  changed: (line) => `differs from line ${line} on`,
  superfluous: () => 'is not generated from these documents',
}

/** The rule of `generate --check`. */
export const STALE_RULE = {
  id: 'generated-files-stale',
  level: 'error',
  purpose: 'Code that was generated from other documents does not match the current ones.',
} as const satisfies RuleRow

const HIDDEN = /(^|\/)\./

const textOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => absent(error, undefined))

/** File names relative to the folder, with `/` as separator. */
const namesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => absent(error, []),
  )
  const names = entries.map(async (entry) => {
    if (!entry.isDirectory()) return [entry.name]
    const inside = await namesIn(join(folder, entry.name))
    return inside.length === 0 ? [entry.name] : inside.map((name) => `${entry.name}/${name}`)
  })
  return (await Promise.all(names)).flat()
}

const absent = <T>(error: NodeJS.ErrnoException, instead: T): T => {
  if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return instead
  throw new UsageError(`${error.path} cannot be read: ${error.message}`, { cause: error })
}

const firstDifference = (one: string, other: string): number => {
  const lines = one.split('\n')
  const others = other.split('\n')
  return lines.findIndex((line, index) => line !== others[index]) + 1 || lines.length + 1
}
