import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseDocument } from '../model/document.js'
import { disk } from '../model/file-tree.js'
import { isObject } from '../model/json.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { versions } from './against.js'
import type { Paths } from './documents.js'
import { UsageError } from './io.js'
import { readTarball } from './tarball.js'

/**
 * The version before that `--against` names: the folder or the .tgz of a package that was packed, whose documents are in it, or
 * documents as `diff` takes them. Throws UsageError where it is none of these or a package of another name, DocumentError for
 * documents that cannot be read.
 */
export const packageBefore = async (
  against: string,
  name: string,
  named: Paths,
  allowed: string | undefined,
) => {
  const files = filesOf(against)
  const { loadApi } = await import('../model/load.js')
  if (files === undefined) {
    const { before, tree } = versions(named, against)
    return { api: await loadApi(before ?? {}, { ...tree, allowed }), version: undefined, files }
  }
  const manifest = manifestIn(files, against)
  if (manifest.name !== name) {
    throw new UsageError(
      `${against} is a package called ${manifest.name}, which has no versions of ${name}: name the version before of that one, or the documents before and --version`,
    )
  }
  const document = (entry: string) => {
    const path = manifest.exports?.[entry]
    const text = typeof path === 'string' ? files.get(posix.normalize(path)) : undefined
    return text === undefined ? undefined : parseDocument(text, `${against}:${path}`)
  }
  const documents = { openapi: document('./openapi.json'), openrpc: document('./openrpc.json') }
  if (!documents.openapi && !documents.openrpc) {
    throw new UsageError(
      `${against} is a package without ./openapi.json and ./openrpc.json: name one that was packed`,
    )
  }
  return { api: await loadApi(documents, disk), version: manifest.version, files }
}

/** Undefined where it is no package. */
const filesOf = (against: string): ReadonlyMap<string, string> | undefined => {
  const kind = statSync(against, { throwIfNoEntry: false })
  if (/\.(tgz|tar\.gz)$/.test(against)) {
    if (!kind?.isFile()) throw new UsageError(`there is no file ${against}`)
    return inASentence(against, () => withoutFolder(readTarball(readFileSync(against))))
  }
  if (!kind?.isDirectory() || !existsSync(join(against, 'package.json'))) return undefined
  // Documents may lie in a folder with a manifest of its own, which is not that of a package made of them.
  return inASentence(against, () => {
    const { exports } = JSON.parse(readFileSync(join(against, 'package.json'), 'utf8'))
    return exports?.['./openapi.json'] || exports?.['./openrpc.json']
      ? inFolder(against)
      : undefined
  })
}

/** npm puts all of it into one folder, whatever that is called. */
const withoutFolder = (files: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...files].map(([name, text]) => [name.replace(/^[^/]*\//, ''), text]))

const inFolder = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        const name = path.slice(join(folder, '/').length).replaceAll('\\', '/')
        return [name, readFileSync(path, 'utf8')]
      }),
  )

const manifestIn = (files: ReadonlyMap<string, string>, against: string): Manifest =>
  inASentence(against, () => {
    const text = files.get('package.json')
    if (text === undefined) throw new Error('there is no package.json in it')
    const manifest: unknown = JSON.parse(text)
    if (!isObject(manifest)) throw new Error('its package.json is no object')
    return manifest
  })

type Manifest = {
  readonly name?: string
  readonly version?: string
  readonly exports?: Readonly<Record<string, unknown>>
}

const inASentence = <T>(against: string, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    throw new UsageError(`${against} cannot be read as a package: ${messageOf(cause)}`, { cause })
  }
}
