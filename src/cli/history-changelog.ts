import { dirname, join } from 'node:path'
import type { Api } from '../model/api.js'
import { markdownText } from '../model/escape.js'
import type { FileTree } from '../model/file-tree.js'
import type { DocumentError } from '../model/finding.js'
import type { VersionChanges } from '../pack/changelog.js'
import { openRevision } from './against.js'
import { compareApis } from './compare-apis.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { alsoAllowing, DEFAULT_FOLDER, type Paths } from './documents.js'
import { namesOverTime, type Version, versionsBetween } from './history.js'
import { fatalIn, type Io, isExpected, UsageError } from './io.js'

/**
 * What changed for callers from each version to the next, by the documents in git. A version whose documents are missing or cannot be
 * read is left out, with its reason; the first and the last one are needed. Removals are judged by the day of their version.
 */
export const readHistory = async (
  { from, to = 'HEAD', documents, sources, config, show }: HistoryJob,
  io: Io,
): Promise<History> => {
  const named = [documents.openapi, documents.openrpc].filter((path) => path !== undefined)
  const remote = named.find((path) => path === '-' || /^https?:/.test(path))
  if (remote !== undefined)
    throw new UsageError(`--from reads files of the repository, and ${remote} is none`)
  const folder = named[0] === undefined ? DEFAULT_FOLDER : dirname(named[0])
  const [first, last] = [from, to].map((name) => name.replace(/^git:/, ''))
  const versions = versionsBetween(first ?? '', last ?? '', folder)
  const newest = versions.at(-1)
  const { root } = openRevision(newest?.commit ?? 'HEAD', folder)
  const namesOf = (path: string | undefined) =>
    path === undefined
      ? []
      : // The work tree has the name of HEAD; `to` may be older, or on another branch.
        ['HEAD', newest?.commit ?? 'HEAD'].flatMap((one) => namesOverTime(path, one, root))
  const names = { openapi: namesOf(documents.openapi), openrpc: namesOf(documents.openrpc) }
  const { loadApi } = await import('../model/load.js')
  const load = async ({ name }: Version): Promise<Api> => {
    show?.(`reading ${name} …`)
    const tree = openRevision(name, folder)
    const at = (paths: readonly string[]) =>
      paths.map((path) => join(tree.root, path)).find((path) => tree.kindOf(path) === 'file')
    const files = { openapi: at(names.openapi), openrpc: at(names.openrpc) }
    if (files.openapi === undefined && files.openrpc === undefined)
      throw new UsageError(
        `${name} has no ${named.join(' and no ')}, under this name or one that it had before`,
      )
    return loadApi(files, alsoAllowing(tree, sources))
  }
  const { byConsumerKind } = await import('../pack/changelog.js')
  const { stepOf } = await import('../pack/change-kind.js')
  const { DIFF_RULES } = await import('../diff/rules.js')
  const rules = DIFF_RULES.map(({ id }) => id)
  const [start] = versions
  if (start === undefined || newest === undefined) throw new UsageError('there are no versions')
  let before = { version: start, api: await load(start) }
  const entries: VersionEntry[] = []
  const leftOut: LeftOut[] = []
  for (const version of versions.slice(1)) {
    const isLast = version === newest
    const loaded = await load(version).catch((error: unknown) => {
      if (isLast || !isExpected(error)) throw error
      leftOut.push({ version: version.name, reason: reasonOf(error) })
      return undefined
    })
    if (loaded === undefined) continue
    const today = version.isTag ? version.date : (io.today?.() ?? new Date())
    const compared = await compareApis(before.api, loaded, { today, show })
    const day = today.toISOString().slice(0, 10)
    const { findings } = applyConfig(compared.findings, config, { today: day, rules })
    const steps = findings.map(stepOf)
    entries.unshift({
      version: version.name,
      previous: before.version.name,
      date: version.isTag ? day : undefined,
      step: (['major', 'minor', 'patch'] as const).find((step) => steps.includes(step)),
      changes: byConsumerKind(findings),
    })
    before = { version, api: loaded }
  }
  return { from: start.name, to: newest.name, versions: entries, leftOut }
}

export type HistoryJob = {
  readonly from: string
  readonly to: string | undefined
  readonly documents: Paths
  /** Where the documents of today are read from. */
  readonly sources: FileTree
  readonly config: Config | undefined
  readonly show?: ((words: string) => void) | undefined
}

/** As `--format json` prints it. */
export type History = {
  readonly from: string
  readonly to: string
  /** The newest first. */
  readonly versions: readonly VersionEntry[]
  readonly leftOut: readonly LeftOut[]
}

type LeftOut = { readonly version: string; readonly reason: string }

type VersionEntry = {
  /** A tag, or the revision that `--to` names. */
  readonly version: string
  readonly previous: string
  /** Of a tag. */
  readonly date: string | undefined
  /** What the changes ask of Semantic Versioning; undefined where there are none. */
  readonly step: 'major' | 'minor' | 'patch' | undefined
  readonly changes: VersionChanges['changes']
}

const reasonOf = (error: Expected): string => {
  const [fatal] = 'findings' in error ? fatalIn(error) : []
  if (fatal === undefined) return error.message
  const { file, line, column } = fatal.location
  return `${file}:${line}:${column} ${fatal.message}`
}

type Expected = DocumentError | UsageError

/** A section for each version, in Markdown. */
export const historyMarkdown = async ({ versions, leftOut }: History): Promise<string> => {
  const { versionSection } = await import('../pack/changelog.js')
  const sections = versions.map(({ version, date, changes }) => {
    const name = version === 'HEAD' ? 'Unreleased' : version
    return versionSection({
      title: markdownText(date === undefined ? name : `${name} (${date})`),
      changes,
    })
  })
  const missing = leftOut.map(({ version, reason }) =>
    markdownText(`${version} is left out: ${reason}`),
  )
  return `${[...sections, ...missing].join('\n\n')}\n`
}
