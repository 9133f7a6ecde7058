import { basename, dirname } from 'node:path'
import { disk, type FileTree } from '../read/file-tree.js'
import { type ApiFiles, findDocuments } from '../read/load.js'
import { suggestion } from '../text/nearest.js'
import { git, versions as versionsAt } from './against.js'
import { type Opened, pathsOf } from './documents.js'
import { UsageError } from './io.js'
import { type PackedVersion, readPackage } from './read-package.js'

/** A version named on the command line: its documents, the matching documents of the new version, and its package. */
export type NamedVersion = {
  readonly name: string
  readonly before: ApiFiles
  readonly tree: FileTree
  readonly after: ApiFiles
  readonly packed: PackedVersion | undefined
}

/** Throws UsageError if a named version does not exist, or no version remains. */
export const namedVersions = (
  { version, since, last }: VersionFlags,
  opened: Opened,
): readonly NamedVersion[] => {
  const count = last === undefined ? undefined : countOf(last)
  const named = version.map((word) => versionOf(word, opened))
  const isByTags = since !== undefined || named.length === 0
  if (isByTags && count === undefined && since === undefined)
    throw new UsageError(
      'name the old versions: --since v1.2.0 or --last 5 for tags of git, or --version for a package, a folder or git:v1.2.0',
    )
  const tagged = isByTags
    ? tags(since, folderOf(opened.documents)).flatMap((tag) => atTag(tag, opened) ?? [])
    : []
  if (isByTags && tagged.length === 0)
    throw new UsageError(
      `no tag of git ${since === undefined ? '' : `from ${since} on `}has these documents: name versions with --version`,
    )
  const all = [...tagged, ...named]
  const names = all.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new UsageError(`the version ${twice} is given twice`)
  return count === undefined ? all : all.slice(-count)
}

/** A folder in the repository whose tags are used. */
const folderOf = (documents: ApiFiles): string => {
  const { openapi, openrpc } = pathsOf(documents)
  return dirname(openapi ?? openrpc ?? '.')
}

type VersionFlags = {
  readonly version: readonly string[]
  readonly since: string | undefined
  readonly last: string | undefined
}

const countOf = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new UsageError(`--last must be a whole number of at least 1, not ${text}`)
}

const versionOf = (word: string, opened: Opened): NamedVersion => {
  const packed = word.startsWith('git:') ? undefined : readPackage(word)
  if (packed) {
    const { openapi, openrpc } = pathsOf(opened.documents)
    const after = {
      openapi: packed.documents.openapi && openapi,
      openrpc: packed.documents.openrpc && openrpc,
    }
    const name = [packed.name, packed.version].filter((one) => one !== undefined).join('@')
    return { name: name || word, before: packed.documents, tree: disk, after, packed }
  }
  const name = word.startsWith('git:') ? word.slice('git:'.length) : nameOf(word)
  return withWorkflows(name, versionsAt(opened, word), opened)
}

/** `v24.json` -> `v24`. */
const nameOf = (path: string): string => basename(path).replace(/\.(ya?ml|json)$/i, '')

const atTag = (tag: string, opened: Opened): NamedVersion | undefined => {
  const found = versionsAt(opened, `git:${tag}`, 'is-new')
  return found.before && withWorkflows(tag, found, opened)
}

/** Adds the Arazzo document of that version: at the path of the new one, or next to the others. */
const withWorkflows = (
  name: string,
  { before = {}, tree, after }: ReturnType<typeof versionsAt>,
  { documents }: Opened,
): NamedVersion => {
  const { arazzo } = pathsOf(documents)
  const isThere = tree !== disk && arazzo !== undefined && tree.kindOf(arazzo) === 'file'
  const beside = findDocuments(folderOf(before), tree).arazzo
  const own = isThere ? arazzo : beside
  return { name, before: { ...before, arazzo: own }, tree, after, packed: undefined }
}

/** The tags of this branch with the same prefix, `v` or `orders-v`, the oldest version first. */
const tags = (since: string | undefined, folder: string): readonly string[] => {
  const prefix = since === undefined ? undefined : prefixOf(since)
  const args = ['tag', '--list', '--merged', 'HEAD', '--sort=version:refname']
  const all = git(folder, args, 'the git repository has no tags: name versions with --version')
    .toString('utf8')
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
