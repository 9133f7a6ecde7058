import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { parseColor } from '../docs/brand.js'
import { SITE_MARK, type SiteOptions } from '../docs/site.js'
import type { Config } from './config/read.js'
import { openDocuments } from './documents.js'
import type { Args } from './flags.js'
import type { HistoryJob } from './history.js'
import { type ExitCode, type Io, UsageError, withProgress, writeLine } from './io.js'
import { readApi } from './read-api.js'
import { assertUsageOf, readUsageFile } from './usage.js'
import { folderName, isMarked, readOutFolder, writeTree } from './write-tree.js'

/** The hidden files of a folder, which are kept. Throws UsageError if any other file is not part of a site. */
const keptBesideSite = async (place: string, folder: string): Promise<readonly string[]> => {
  const { hidden, visible } = await readOutFolder(place, folder)
  for (const { name } of visible) {
    const foreign = await foreignIn(join(place, name))
    if (foreign === undefined) continue
    throw new UsageError(
      `${join(folder, relative(place, foreign))} was not written by twinspec docs, and ${folder} would be replaced: choose another --out, or move the file`,
    )
  }
  return hidden
}

/** The first file, at any depth, without the mark in its first line; an empty folder also counts as the user's. */
const foreignIn = async (path: string): Promise<string | undefined> => {
  const inside = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (inside === undefined) return (await isMarked(path, SITE_MARK)) ? undefined : path
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
  config: Config | undefined,
): Promise<ExitCode> => {
  const { out, title, against, from } = args
  if (out === undefined) {
    throw new UsageError('--out is required: name the folder of the site, as in --out site')
  }
  if (from !== undefined && against !== undefined)
    throw new UsageError('--from and --against both create the changelog page: give one of them')
  const look = lookOf(args)
  await keptBesideSite(out, out)
  const began = io.now()
  const opened = await openDocuments(words, args, io, against)
  const api = await readApi(opened.documents, opened.tree, io)
  const count = await withProgress(io, async (show) => {
    const { writeDocs } = await import('../docs/docs.js')
    const changelog =
      from === undefined
        ? against &&
          (await (await import('./diff.js')).changelogSince({ opened, against, show }, io))
        : await allVersions({ opened, from, to: undefined, config, show }, io)
    const server = args['same-origin'] ? 'origin' : undefined
    const usage = args.usage === undefined ? undefined : await readUsageFile(args.usage)
    if (usage) assertUsageOf(usage, api, 'the documents have')
    const files = writeDocs(api, {
      ...{ title, packageName: args.package, server, changelog, usage, ...look, show },
      ...{ pythonPackage: args['python-package'], goModule: args['go-module'] },
    })
    show(`writing ${files.length} files`)
    await writeTree(out, files, { kept: keptBesideSite })
    return files.length
  })
  const seconds = ((io.now() - began) / 1000).toFixed(1)
  const page = `${folderName(out)}index.html`
  writeLine(io.stderr, `wrote ${count} files in ${seconds} s: open ${page} in a browser`)
  return 0
}

const allVersions = async (job: HistoryJob, io: Io): Promise<string> => {
  const { readHistory, historyMarkdown } = await import('./history.js')
  return historyMarkdown(await readHistory(job, io))
}

/** Colour, logo and links of the title bar. Throws UsageError for invalid values. */
const lookOf = ({ color, logo, link }: Args<'docs'>): Pick<SiteOptions, 'brand' | 'links'> => {
  const parsed = color === undefined ? undefined : parseColor(color)
  if (color !== undefined && parsed === undefined)
    throw new UsageError(`--color ${color} is not a colour: write #rgb or #rrggbb`)
  const links = link.map((one) => {
    const [, label = '', href = ''] = /^([^=]+)=(https?:\/\/.+)$/.exec(one) ?? []
    if (label === '')
      throw new UsageError(
        `--link ${one} is not a link: write it as "Status=https://status.example"`,
      )
    return { label, href }
  })
  return { brand: { color: parsed, logo: logo && dataAddress(logo) }, links }
}

/** An image as a `data:` URL, so that a page loads nothing. Throws UsageError if the file is no image. */
const dataAddress = (file: string): string => {
  const type = PICTURES[extname(file).toLowerCase()]
  if (type === undefined)
    throw new UsageError(`--logo ${file} is not an image: it must be .svg, .png, .webp or .jpg`)
  try {
    return `data:${type};base64,${readFileSync(file).toString('base64')}`
  } catch (cause) {
    throw new UsageError(`--logo ${file} cannot be read`, { cause })
  }
}

const PICTURES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
}
