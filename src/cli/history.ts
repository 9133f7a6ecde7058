import { relative, resolve, sep } from 'node:path'
import semver, { type SemVer } from 'semver'
import { nearest } from '../model/nearest.js'
import { git } from './against.js'
import { UsageError } from './io.js'

/**
 * The versions of a repository from one tag or revision to another, the first one included: between two version tags, all version tags
 * in version order; up to a revision, those that it contains, and itself. Pre-releases are left out unless one is named. Throws
 * UsageError for a name that git does not know, and where `from` does not come first.
 */
export const versionsBetween = (from: string, to: string, folder: string): readonly Version[] => {
  const run = (refusal: string, ...args: readonly string[]) => lines(git(folder, args, refusal))
  const all = run(`${folder} is in no git repository`, 'tag', '--list')
  const commitOf = (name: string): string => {
    const refusal = unknown(name, all)
    if (name === '' || name.startsWith('-')) throw new UsageError(refusal)
    return run(refusal, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)[0] ?? ''
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
  // HEAD may be the newest version itself, which has a better name.
  const isNamed = middle.at(-1)?.commit === last.commit
  return [first, ...middle, ...(isNamed ? [] : [last])]
}

export type Version = {
  /** As it is called: a tag or a revision. */
  readonly name: string
  readonly commit: string
  /** Of its commit. */
  readonly date: Date
  readonly isTag: boolean
}

/**
 * The names that a file has had up to a commit, from the top folder of the repository: the newest first, renames followed. Empty where it
 * is in no commit.
 */
export const namesOverTime = (path: string, commit: string, root: string): readonly string[] => {
  const name = relative(root, resolve(path)).split(sep).join('/')
  const args = ['log', '--follow', '--format=', '--name-only', commit, '--', name]
  const found = lines(
    git(root, ['-c', 'core.quotePath=false', ...args], `git cannot follow ${name}`),
  )
  return [...new Set(found)]
}

/** `v1.2.0`, `1.2`, `orders@1.2.0`: what is before the version belongs to all versions of one thing. */
const parse = (tag: string): { readonly prefix: string; readonly version: SemVer } | undefined => {
  const [, prefix = '', rest = ''] = /^(.*?)v?(\d+(?:\.\d+){0,2}(?:[-+].*)?)$/.exec(tag) ?? []
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
  const meant =
    near !== undefined
      ? `did you mean ${near}?`
      : shown === ''
        ? 'the repository has no version tags; a shallow clone needs `git fetch --tags --unshallow`'
        : `the last version tags are ${shown}`
  return `git knows no ${name}: ${meant}`
}

const MOST_NAMES = 5

const lines = (bytes: Buffer): readonly string[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
