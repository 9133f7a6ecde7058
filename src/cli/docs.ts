import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { MARK } from '../docs/site.js'
import type { Args } from './commands.js'
import { openDocuments } from './documents.js'
import { createProgress, type ExitCode, type Io, UsageError, writeLine } from './io.js'
import { isMarked, readOutFolder, writeTree } from './write-tree.js'

/** The hidden files of a folder, which are kept. Throws UsageError where anything else is no page of a site. */
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

export const docs = async (
  args: Args<'docs'>,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const { out, title } = args
  if (out === undefined) {
    throw new UsageError('--out says where the site goes, as in --out site')
  }
  await keptBesideSite(out, out)
  const began = io.now()
  const progress = createProgress(io)
  try {
    const [{ loadApi }, { writeDocs }] = await Promise.all([
      import('../model/load.js'),
      import('../docs/docs.js'),
    ])
    const { documents, tree } = await openDocuments(words, args, io)
    const api = await loadApi(documents, tree)
    const server = args['same-origin'] ? 'origin' : undefined
    const { tell } = progress
    const files = writeDocs(api, { title, packageName: args.package, server, tell })
    tell(`writing ${files.length} files`)
    await writeTree(out, files, { kept: keptBesideSite })
    progress.end()
    const seconds = ((io.now() - began) / 1000).toFixed(1)
    const folder = /[\\/]$/.test(out) ? out : `${out}/`
    writeLine(
      io.stderr,
      `wrote ${files.length} files in ${seconds} s: open ${folder}index.html in a browser`,
    )
    return 0
  } finally {
    progress.end()
  }
}
