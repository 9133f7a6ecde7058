import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { defineCommand } from 'citty'
import type { File } from '../docs/docs.js'
import { MARK } from '../docs/mark.js'
import { arazzoFlag, diskAllowing, documentFlags, documentsNamed } from './documents.js'
import { type ExitCode, type Io, UsageError, writeLine } from './io.js'
import { isMarked, readOutFolder } from './out-folder.js'
import { createProgress } from './progress.js'
import { writeTree } from './write-tree.js'

/**
 * Replaces a folder by the files of a site, whole or not at all. Throws UsageError where it holds anything but a site that was
 * written before and hidden files, which are kept.
 */
const writeSite = async (folder: string, files: readonly File[]): Promise<void> => {
  await writeTree(folder, files, keptBesideSite)
}

/** Reported before the work and not after it, too. */
const assertReplaceable = async (folder: string): Promise<void> => {
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

export const docs = defineCommand({
  meta: {
    name: 'docs',
    description: 'Writes the reference of both documents as a static site',
  },
  args: {
    out: { type: 'string', valueHint: 'folder', description: 'Written whole or not at all' },
    ...documentFlags,
    arazzo: arazzoFlag,
    title: {
      type: 'string',
      valueHint: 'words',
      description: "What the site is called, in place of the documents' titles",
    },
    package: {
      type: 'string',
      valueHint: '@scope/name',
      description: 'The package that the TypeScript of examples imports, in place of ./generated',
    },
    'same-origin': {
      type: 'boolean',
      description:
        'For a site that the service itself serves: Try it sends to the origin of the page',
    },
  },
  run: async ({ args, data }): Promise<ExitCode> => {
    const io = data as Io
    const { out, openapi, openrpc, arazzo, title } = args
    if (out === undefined) {
      throw new UsageError('twinspec docs: --out says where the site goes, as in --out site')
    }
    await assertReplaceable(out)
    const began = io.now()
    const progress = createProgress(io)
    try {
      // Loaded only now: `--help` needs none of it.
      const [{ loadApi }, { writeDocs }] = await Promise.all([
        import('../model/load.js'),
        import('../docs/docs.js'),
      ])
      const tree = diskAllowing(args['allow-outside'])
      const api = await loadApi(documentsNamed({ openapi, openrpc, arazzo }), tree)
      const server = args['same-origin'] ? 'origin' : undefined
      const files = writeDocs(api, {
        title,
        packageName: args.package,
        server,
        tell: progress.tell,
      })
      progress.tell(`writing ${files.length} files`)
      await writeSite(out, files)
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
  },
})
