import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { File } from '../emit/file.js'
import type { Finding } from '../model/finding.js'

/** What in a folder is not as the files given: missing, changed or superfluous; hidden files aside. */
export const differences = async (
  folder: string,
  files: readonly File[],
): Promise<readonly Difference[]> => {
  const found: Difference[] = []
  for (const { name, text } of files) {
    const present = await textOf(join(folder, name))
    if (present === undefined) found.push({ name, kind: 'missing', line: 1 })
    else if (present !== text) {
      found.push({ name, kind: 'changed', line: firstDifference(present, text) })
    }
  }
  const expected = new Set(files.map(({ name }) => name))
  for (const name of await namesIn(folder)) {
    if (!expected.has(name)) found.push({ name, kind: 'superfluous', line: 1 })
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

export type Difference = {
  readonly name: string
  readonly kind: 'missing' | 'changed' | 'superfluous'
  /** The first that differs, 1-based. */
  readonly line: number
}

export const differenceFinding = (folder: string, { name, kind, line }: Difference): Finding => ({
  rule: `generated-file-is-${kind}`,
  level: 'error',
  location: { file: join(folder, name), line, column: 1, pointer: '' },
  message: SAID[kind],
})

const SAID = {
  missing: 'the documents call for this file and it is not there: run twinspec generate',
  changed: 'from this line on the file is not what the documents say: run twinspec generate',
  superfluous: 'the documents do not call for this file: run twinspec generate, or move it away',
} as const

const textOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => absent(error, undefined))

/** With `/` between folders. */
const namesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => absent(error, []),
  )
  const names = entries.map(async (entry) => {
    if (!entry.isDirectory()) return [entry.name]
    const inside = await namesIn(join(folder, entry.name))
    return inside.length === 0 ? [entry.name] : inside.map((name) => `${entry.name}/${name}`)
  })
  return (await Promise.all(names)).flat().filter((name) => !name.startsWith('.'))
}

const absent = <T>(error: NodeJS.ErrnoException, instead: T): T => {
  if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return instead
  throw error
}

const firstDifference = (one: string, other: string): number => {
  const lines = one.split('\n')
  const others = other.split('\n')
  return lines.findIndex((line, index) => line !== others[index]) + 1 || lines.length + 1
}
