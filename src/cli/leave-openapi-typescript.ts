import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ChangedFile, edited, leaveOpenapiTypescript } from '../init/openapi-typescript.js'
import type { Mention } from '../init/openapi-typescript-imports.js'
import { isAddress } from '../read/live-document.js'
import { shellPath } from '../text/escape.js'
import { type ExitCode, type Io, isExpected, UsageError, writeLine } from './io.js'
import { installLines, startVersions } from './version.js'

/** Prints the changes that move a project from openapi-typescript to this package, as a diff, or makes them with `--write`. */
export const initFromOpenapiTypescript = async (
  { dir, write }: { readonly dir: string; readonly write: boolean },
  io: Io,
): Promise<ExitCode> => {
  if (!existsSync(join(dir, 'package.json')))
    throw new UsageError(`${dir} has no package.json: name the folder of the project with --dir`)
  const { files, left, stays, generations } = await leaveOpenapiTypescript(dir, {
    range: startVersions.twinspec,
    exportsOf: (document) => exportedTypes(join(dir, document)),
  })
  if (files.length + left.length === 0)
    throw new UsageError(
      `nothing in ${dir} uses openapi-typescript: a script of package.json that calls it was expected, or a file that it has printed`,
    )
  for (const line of files.flatMap(diffLines)) writeLine(io.stdout, line)
  printMentions('left to you:', left, io)
  printMentions('stays as it is:', stays, io)
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`
  if (!write) {
    writeLine(io.stderr, `nothing was written; --write changes ${count}`)
    return 0
  }
  for (const file of files) writeFileSync(join(dir, file.path), edited(file))
  writeLine(io.stderr, `changed ${count}; next:`)
  const where = resolve(dir) === resolve('.') ? [] : [`cd ${shellPath(dir)}`]
  const commands = generations.map(
    ({ document, folder }) =>
      `npx twinspec generate ${shellPath(document)} --only types --out ${shellPath(folder)}`,
  )
  for (const line of [...where, ...installLines(dir), ...commands])
    writeLine(io.stderr, `  ${line}`)
  return 0
}

/** The types that `generate --only types` exports; undefined for a document that is elsewhere or cannot be read. */
const exportedTypes = async (document: string): Promise<ReadonlySet<string> | undefined> => {
  if (isAddress(document) || !existsSync(document)) return undefined
  const [{ loadApi }, { emitAll }] = await Promise.all([
    import('../read/load.js'),
    import('../emit/emit.js'),
  ])
  try {
    const files = emitAll(await loadApi({ openapi: document }), [], ['types'])
    const text = files.find(({ name }) => name === 'http.types.ts')?.text ?? ''
    return new Set(
      [...text.matchAll(/^export (?:type|interface) ([^\s=<]+)/gm)].flatMap(
        ([, name]) => name ?? [],
      ),
    )
  } catch (error) {
    if (!isExpected(error)) throw error
    return undefined
  }
}

const printMentions = (title: string, mentions: readonly Mention[], io: Io): void => {
  if (mentions.length > 0) writeLine(io.stdout, title)
  for (const { path, line, message } of mentions)
    writeLine(io.stdout, `  ${path}:${line} ${message}`)
}

/** The changes of a file as a unified diff without context. */
const diffLines = (file: ChangedFile): readonly string[] => {
  const { path, before, edits } = file
  const lineOf = (at: number) => before.slice(0, at).split('\n').length
  const lines = before.split('\n')
  const hunks: { first: number; last: number; edits: ChangedFile['edits'][number][] }[] = []
  for (const edit of edits) {
    const [first, last] = [lineOf(edit.start), lineOf(edit.end)]
    const hunk = hunks.at(-1)
    if (hunk && first <= hunk.last) {
      hunk.last = Math.max(hunk.last, last)
      hunk.edits.push(edit)
    } else hunks.push({ first, last, edits: [edit] })
  }
  let added = 0
  const body = hunks.flatMap(({ first, last, edits: own }) => {
    const old = lines.slice(first - 1, last)
    const start = lines.slice(0, first - 1).join('\n').length + (first > 1 ? 1 : 0)
    const shifted = own.map((one) => ({ ...one, start: one.start - start, end: one.end - start }))
    const now = edited({ path, before: old.join('\n'), edits: shifted }).split('\n')
    const head = `@@ -${first},${old.length} +${first + added},${now.length} @@`
    added += now.length - old.length
    return [head, ...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)]
  })
  return [`--- a/${path}`, `+++ b/${path}`, ...body]
}
