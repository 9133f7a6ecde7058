import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { ROOT } from '../import-graph.js'

/**
 * What `program` exports, bundled for a browser, as a page has it that went offline when it had loaded its first file: all
 * that the bundle loads by `import()` is out of reach.
 */
export const openOffline = async <Exports>(program: string): Promise<OfflinePage<Exports>> => {
  const folder = await mkdtemp(join(tmpdir(), 'offline-page-'))
  await build({
    stdin: { contents: program, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    splitting: true,
    outdir: folder,
    format: 'esm',
    platform: 'browser',
    conditions: ['twinspec-source'],
    outExtension: { '.js': '.mjs' },
    absWorkingDir: ROOT,
  })
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const later = files.filter((name) => texts.some((text) => text.includes(`import("./${name}")`)))
  for (const name of later) await rename(join(folder, name), join(folder, name + AWAY))
  return {
    folder,
    later,
    exports: await import(pathToFileURL(join(folder, FIRST)).href),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

export type OfflinePage<Exports> = {
  readonly folder: string
  /** The files that are loaded by `import()`. */
  readonly later: readonly string[]
  readonly exports: Exports
  readonly close: () => Promise<void>
}

/** What esbuild calls the first file. */
export const FIRST = 'stdin.mjs'

/** Behind the name of a file that is out of reach, which is not gone: a page comes online again. */
export const AWAY = '.away'
