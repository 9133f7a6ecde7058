import { dirname, join, relative, resolve, sep } from 'node:path'
import semver, { type SemVer } from 'semver'
import type { Api } from '../model/api.js'
import type { DocumentError } from '../model/finding.js'
import type { VersionChanges } from '../pack/changelog.js'
import { markdownText } from '../text/escape.js'
import { nearest } from '../text/nearest.js'
import { git, openRevision } from './against.js'
import { compareApis, errorsOfOne } from './compare-apis.js'
import { applyConfig } from './config/apply.js'
import type { Config } from './config/read.js'
import { alsoAllowing, DEFAULT_FOLDER, type Opened, pathsOf } from './documents.js'
import { errorsIn, type Io, isExpected, todayIn, UsageError } from './io.js'

/**
 * The changes for callers from each version to the next, by the documents in git. A version whose documents are missing or
 * unreadable is omitted, with the reason; the first and the last one are required. Removals are checked for the day of their
 * version.
 */
export const readHistory = async (
  { from, to = 'HEAD', opened, config, show }: HistoryJob,
  io: Io,
): Promise<History> => {
  const documents = pathsOf(opened.documents)
  const named = [documents.openapi, documents.openrpc].filter((path) => path !== undefined)
  const remote = named.find((path) => path === '-' || /^https?:/.test(path))
  if (remote !== undefined)
    throw new UsageError(`--from reads files of the repository, but ${remote} is not one`)
  const folder = named[0] === undefined ? DEFAULT_FOLDER : dirname(named[0])
  const [first, last] = [from, to].map((name) => name.replace(/^git:/, ''))
  const versions = versionsBetween(first ?? '', last ?? '', folder)
  const newest = versions.at(-1)
  const { root } = openRevision(newest?.commit ?? 'HEAD', folder)
  const namesOf = (path: string | undefined) =>
    path === undefined
      ? []
      : // The names in the work tree are those of HEAD; `to` may be older, or on another branch.
        ['HEAD', newest?.commit ?? 'HEAD'].flatMap((one) => namesOverTime(path, one, root))
  const names = { openapi: namesOf(documents.openapi), openrpc: namesOf(documents.openrpc) }
  const { loadApi } = await import('../read/load.js')
  const load = async ({ name }: Version): Promise<Api> => {
    show?.(`reading ${name} …`)
    const tree = openRevision(name, folder)
    const at = (paths: readonly string[]) =>
      paths.map((path) => join(tree.root, path)).find((path) => tree.kindOf(path) === 'file')
    const files = { openapi: at(names.openapi), openrpc: at(names.openrpc) }
    if (files.openapi === undefined && files.openrpc === undefined)
      throw new UsageError(
        `${name} has no ${named.join(' and no ')}, under this or an earlier name`,
      )
    return loadApi(files, alsoAllowing(tree, opened.tree))
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
    const problem = errorsOfOne(before.api, loaded)
    if (problem) {
      leftOut.push({ version: version.name, reason: reasonOf(problem) })
      before = { version, api: loaded }
      continue
    }
    const today = version.isTag ? version.date : todayIn(io)
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
  readonly opened: Opened
  readonly config: Config | undefined
  readonly show?: ((words: string) => void) | undefined
}

/** The data that `--format json` prints. */
export type History = {
  readonly from: string
  readonly to: string
  /** Newest first. */
  readonly versions: readonly VersionEntry[]
  readonly leftOut: readonly LeftOut[]
}

type LeftOut = { readonly version: string; readonly reason: string }

type VersionEntry = {
  /** A tag, or the revision in `--to`. */
  readonly version: string
  readonly previous: string
  /** The date of a tag. */
  readonly date: string | undefined
  /** The step that Semantic Versioning requires for the changes; undefined if there are none. */
  readonly step: 'major' | 'minor' | 'patch' | undefined
  readonly changes: VersionChanges['changes']
}

const reasonOf = (error: Expected): string => {
  const [fatal] = 'findings' in error ? errorsIn(error) : []
  if (fatal === undefined) return error.message
  const { file, line, column } = fatal.location
  return `${file}:${line}:${column} ${fatal.message}`
}

type Expected = DocumentError | UsageError

/** The history in Markdown, with a section for each version. */
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
    markdownText(`${version} is skipped: ${reason}`),
  )
  return `${[...sections, ...missing].join('\n\n')}\n`
}

/**
 * The versions of a repository from one tag or revision to another, the first one included. Between two version tags: all
 * version tags in version order. Up to a revision: those that it contains, and itself. Pre-releases are omitted unless one is
 * named. Throws UsageError for a name that git does not know, and if `from` does not come first.
 */
const versionsBetween = (from: string, to: string, folder: string): readonly Version[] => {
  const run = (message: string, ...args: readonly string[]) => lines(git(folder, args, message))
  const all = run(`${folder} is not in a git repository`, 'tag', '--list')
  const commitOf = (name: string): string => {
    const message = unknown(name, all)
    if (name === '' || name.startsWith('-')) throw new UsageError(message)
    return run(message, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)[0] ?? ''
  }
  const versionOf = (name: string, commit = commitOf(name)): Version => ({
    name,
    commit,
    date: new Date(run(unknown(name, all), 'log', '-1', '--format=%cI', commit)[0] ?? ''),
    isTag: all.includes(name),
  })
  const [first, last] = [versionOf(from), versionOf(to)]
  const [lowest, highest] = [first, last].map(({ name, isTag }) =>
    isTag ? parse(name) : undefined,
  )
  const isBefore =
    lowest && highest
      ? semver.lt(lowest.version, highest.version)
      : first.commit !== last.commit && !contains(folder, first.commit, last.commit)
  if (!isBefore)
    throw new UsageError(`${to} does not come after ${from}: give the older one as --from`)
  const merged = (commit: string) =>
    run(`git cannot list the tags of ${commit}`, 'tag', '--list', '--merged', commit)
  const reached = highest ? all : merged(last.commit)
  const older = lowest ? [] : merged(first.commit)
  const { prefix } = lowest ?? highest ?? { prefix: undefined }
  const wantsDrafts = [lowest, highest].some((one) => one && one.version.prerelease.length > 0)
  const between = reached.flatMap((tag) => {
    const read = parse(tag)
    if (!read || older.includes(tag) || (prefix !== undefined && read.prefix !== prefix)) return []
    if (read.version.prerelease.length > 0 && !wantsDrafts) return []
    if (lowest && !semver.gt(read.version, lowest.version)) return []
    return highest && !semver.lt(read.version, highest.version) ? [] : [{ tag, ...read }]
  })
  const tags = between.sort((a, b) => semver.compare(a.version, b.version)).map(({ tag }) => tag)
  const middle = tags.map((tag) => versionOf(tag))
  // HEAD may be the newest version, whose tag is the better name.
  const isNamed = middle.at(-1)?.commit === last.commit
  return [first, ...middle, ...(isNamed ? [] : [last])]
}

type Version = {
  readonly name: string
  readonly commit: string
  readonly date: Date
  readonly isTag: boolean
}

/**
 * The names that a file has had up to a commit, from the top folder of the repository: the newest first, renames followed. Empty
 * if it is in no commit.
 */
const namesOverTime = (path: string, commit: string, root: string): readonly string[] => {
  const name = relative(root, resolve(path)).split(sep).join('/')
  const args = ['log', '--follow', '--format=', '--name-only', commit, '--', name]
  const found = lines(
    git(root, ['-c', 'core.quotePath=false', ...args], `git cannot follow ${name}`),
  )
  return [...new Set(found)]
}

/** Parses `v1.2.0`, `1.2`, `orders@1.2.0`: versions with the same prefix belong together. */
const parse = (tag: string): { readonly prefix: string; readonly version: SemVer } | undefined => {
  const [, prefix = '', rest = ''] =
    /^(.*?)v?(?<!\d)(\d+(?:\.\d+){0,2}(?:[-+].*)?)$/s.exec(tag) ?? []
  const version = semver.parse(rest) ?? (/^\d+(\.\d+)?$/.test(rest) ? semver.coerce(rest) : null)
  return version === null ? undefined : { prefix, version }
}

const contains = (folder: string, commit: string, other: string): boolean =>
  lines(git(folder, ['merge-base', commit, other], `${other} has no history with ${commit}`))[0] ===
  other

const unknown = (name: string, tags: readonly string[]): string => {
  const near = nearest(name, tags)
  const versions = tags.filter((tag) => parse(tag) !== undefined)
  const shown = versions.slice(-MOST_NAMES).join(', ')
  const hint =
    near !== undefined
      ? `did you mean ${near}?`
      : shown === ''
        ? 'the repository has no version tags; a shallow clone needs `git fetch --tags --unshallow`'
        : `the last version tags are ${shown}`
  return `git does not find ${name}: ${hint}`
}

const MOST_NAMES = 5

const lines = (bytes: Buffer): readonly string[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
