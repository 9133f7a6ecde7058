import { execFileSync } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { disk, type FileTree } from '../model/file-tree.js'
import { type ApiFiles, findDocuments } from '../model/load.js'
import { suggestion } from '../model/nearest.js'
import { versions as versionsAt } from './against.js'
import { type Paths, pathsOf } from './documents.js'
import { UsageError } from './io.js'
import { type PackedVersion, readPackage } from './read-package.js'

/** A version that the command line names: its documents, those of the new version that belong to them, and its package. */
export type NamedVersion = {
  readonly name: string
  readonly before: ApiFiles
  readonly tree: FileTree
  readonly after: ApiFiles
  readonly packed: PackedVersion | undefined
}

/** Throws UsageError where a version is named that is not there, and where none is left. */
export const namedVersions = (
  { version, since, last }: VersionFlags,
  { documents, isNamed, sources }: NewVersion,
): readonly NamedVersion[] => {
  const count = last === undefined ? undefined : countOf(last)
  const given = version.map((word) => versionOf(word, documents, isNamed, sources))
  const isByTags = since !== undefined || given.length === 0
  if (isByTags && count === undefined && since === undefined)
    throw new UsageError(
      'name the old versions: --since v1.2.0 or --last 5 for tags of git, or --version for a package, a folder or git:v1.2.0',
    )
  const tagged = isByTags
    ? tags(since, folderOf(documents)).flatMap((tag) => {
        const found = atTag(tag, documents, isNamed, sources)
        return found ? [found] : []
      })
    : []
  if (isByTags && tagged.length === 0)
    throw new UsageError(
      `no tag of git ${since === undefined ? '' : `from ${since} on `}has these documents: name versions with --version`,
    )
  const all = [...tagged, ...given]
  const names = all.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new UsageError(`the version ${twice} is named twice`)
  return count === undefined ? all : all.slice(-count)
}

/** Whose repository has the tags. */
const folderOf = ({ openapi, openrpc }: Paths): string => dirname(openapi ?? openrpc ?? '.')

type VersionFlags = {
  readonly version: readonly string[]
  readonly since: string | undefined
  readonly last: string | undefined
}

type NewVersion = {
  readonly documents: Paths
  /** Whether the documents were named, and are not those of `spec/`. */
  readonly isNamed: boolean
  readonly sources: FileTree
}

const countOf = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new UsageError(`--last must be a whole number from 1 on, not ${text}`)
}

/** A package, documents, or a revision of git. */
const versionOf = (
  word: string,
  documents: Paths,
  isNamed: boolean,
  sources: FileTree,
): NamedVersion => {
  const packed = word.startsWith('git:') ? undefined : readPackage(word)
  if (packed) {
    const { openapi, openrpc } = documents
    const after = {
      openapi: packed.documents.openapi && openapi,
      openrpc: packed.documents.openrpc && openrpc,
    }
    const name = [packed.name, packed.version].filter((one) => one !== undefined).join('@')
    return { name: name || word, before: packed.documents, tree: disk, after, packed }
  }
  const found = versionsAt(documents, isNamed, word, sources)
  const name = word.startsWith('git:') ? word.slice('git:'.length) : nameOf(word)
  return withWorkflows(name, found, documents)
}

/** `v24.json` -> `v24`. */
const nameOf = (path: string): string => basename(path).replace(/\.(ya?ml|json)$/i, '')

const atTag = (
  tag: string,
  documents: Paths,
  isNamed: boolean,
  sources: FileTree,
): NamedVersion | undefined => {
  const found = versionsAt(documents, isNamed, `git:${tag}`, sources, 'is-new')
  return found.before && withWorkflows(tag, found, documents)
}

/** With the Arazzo document of its time: at the path of the new one, or beside the others. */
const withWorkflows = (
  name: string,
  { before = {}, tree, after }: ReturnType<typeof versionsAt>,
  { arazzo }: Paths,
): NamedVersion => {
  const { openapi, openrpc } = pathsOf(before)
  const isThere = tree !== disk && arazzo !== undefined && tree.kindOf(arazzo) === 'file'
  const beside = findDocuments(dirname(openapi ?? openrpc ?? '.'), tree).arazzo
  const own = isThere ? arazzo : beside
  return { name, before: { ...before, arazzo: own }, tree, after, packed: undefined }
}

/** The tags of this branch with the same words before the number, `v` or `orders-v`, the oldest version first. */
const tags = (since: string | undefined, folder: string): readonly string[] => {
  const prefix = since === undefined ? undefined : prefixOf(since)
  const all = git(folder, ['tag', '--list', '--merged', 'HEAD', '--sort=version:refname'])
    .split('\n')
    .filter((tag) => /\d/.test(tag))
  const own = all.filter((tag) =>
    prefix === undefined ? /^v?\d/.test(tag) : prefixOf(tag) === prefix,
  )
  if (since === undefined) return own
  const first = own.indexOf(since)
  if (first === -1)
    throw new UsageError(`git has no tag ${since} in this branch${suggestion(since, all)}`)
  return own.slice(first)
}

const prefixOf = (tag: string): string => /^\D*/.exec(tag)?.[0] ?? ''

const git = (folder: string, args: readonly string[]): string => {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    })
  } catch (cause) {
    throw new UsageError('git lists no tags here: name versions with --version', { cause })
  }
}
