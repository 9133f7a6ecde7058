import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseDocument } from '../model/document.js'
import { disk, type FileTree } from '../model/file-tree.js'
import { isObject } from '../model/json.js'
import { messageOf } from '../runtime/shared/message-of.js'
import { versions } from './against.js'
import type { Args } from './commands.js'
import { alsoAllowing, openDocuments, type Paths, pathsOf } from './documents.js'
import { createProgress, type ExitCode, type Io, UsageError, writeLine } from './io.js'
import { readOutFolder, writeTree } from './write-tree.js'

/** The hidden files of a folder, which are kept. Throws UsageError where anything else is not of a package of ours. */
const keptBesidePackage = async (place: string, folder: string): Promise<readonly string[]> => {
  const { hidden, visible } = await readOutFolder(place, folder)
  const isPacked = await wasPacked(place)
  const foreign = visible.find(({ name }) => !(isPacked && OWN.includes(name)))?.name
  if (foreign === undefined) return hidden
  throw new UsageError(
    `${join(folder, foreign)} was not packed, and ${folder} would be written whole: choose another --out, or move it away`,
  )
}

/** What is at the top of a package. */
const OWN = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']

const wasPacked = async (place: string): Promise<boolean> => {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))
    return (manifest as { readonly packedBy?: unknown } | null)?.packedBy === 'twinspec pack'
  } catch {
    return false
  }
}

export const pack = async (
  args: Args<'pack'>,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const { name, out, against, version, force, license } = args
  if (name === undefined || out === undefined) {
    throw new UsageError(
      '--name and --out say what is made and where, as in --name @acme/orders --out package',
    )
  }
  const [{ loadApi }, { pack: makePackage }, { nameFault }, { pluginNames }, { namesBeside }] =
    await Promise.all([
      import('../model/load.js'),
      import('../pack/pack.js'),
      import('../pack/manifest.js'),
      import('../emit/plugins.js'),
      import('../pack/parts.js'),
    ])
  const fault = nameFault(name)
  if (fault) throw new UsageError(`npm takes no package called ${name}: ${fault}`)
  const without = args.without?.split(',').map((one) => one.trim()) ?? []
  const known: readonly string[] = [...pluginNames, ...namesBeside()]
  const unknown = without.find((one) => !known.includes(one))
  if (unknown !== undefined) {
    throw new UsageError(
      `--without ${unknown} names no part that can be left out: those are ${known.join(', ')}`,
    )
  }
  await keptBesidePackage(out, out)
  const progress = createProgress(io)
  const { show } = progress
  try {
    show('reading the documents …')
    const { documents, tree } = await openDocuments(words, args, io, against)
    const { openapi, openrpc } = documents
    const api = await loadApi({ openapi, openrpc }, tree)
    const isNamed = words.length > 0 || args.openapi !== undefined || args.openrpc !== undefined
    const before =
      against === undefined
        ? undefined
        : await packageBefore(against, name, pathsOf({ openapi, openrpc }), isNamed, tree)
    if (before && before.version === undefined && version === undefined) {
      throw new UsageError(
        `${against} are documents, which do not say what version their package had: name that package, or say --version`,
      )
    }
    const today = io.today?.() ?? new Date()
    const options = { name, before, version, forces: force, license, without, today, show }
    const made = await makePackage(api, options)
    if (made.kind === 'refused') throw new UsageError(`${made.sentence}`.split('\n'))
    show('writing …')
    await writeTree(out, made.files, { kept: keptBesidePackage })
    progress.end()
    writeLine(io.stderr, `packed ${made.files.length} files of ${name} into ${out}: ${made.why}`)
    const { parts, packages } = made.leftOut
    if (parts.length > 0) {
      const install = packages.map((one) => `"${one}"`).join(' ')
      writeLine(
        io.stderr,
        `left out ${parts.join(', ')}, whose libraries are not installed: npm install --save-dev ${install}, and pack again`,
      )
    }
    return 0
  } finally {
    progress.end()
  }
}

/**
 * The earlier version that `--against` names: a package (a folder or a .tgz), which contains its documents, or
 * documents as for `diff`. Throws UsageError if it is neither, or a package of another name, and DocumentError for
 * documents that cannot be read.
 */
const packageBefore = async (
  against: string,
  name: string,
  documents: Paths,
  isNamed: boolean,
  sources: FileTree,
) => {
  const files = filesOf(against)
  const { loadApi } = await import('../model/load.js')
  if (files === undefined) {
    const { before, tree } = versions(documents, isNamed, against, sources)
    const api = await loadApi(before ?? {}, alsoAllowing(tree, sources))
    return { api, version: undefined, files }
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
  const packed = { openapi: document('./openapi.json'), openrpc: document('./openrpc.json') }
  if (!packed.openapi && !packed.openrpc) {
    throw new UsageError(
      `${against} is a package without ./openapi.json and ./openrpc.json: name one that was packed`,
    )
  }
  return { api: await loadApi(packed, disk), version: manifest.version, files }
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

/** npm puts all of it into one folder of any name. */
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

/**
 * The texts in a .tgz by their paths, as npm writes one: POSIX.1-1988 headers, with the paths of POSIX.1-2001 where one is long.
 * Throws for what is no archive, or breaks off.
 */
const readTarball = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const tar = gunzipSync(bytes)
  const files = new Map<string, string>()
  let longName: string | undefined
  let at = 0
  while (at + BLOCK <= tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + BLOCK)
    if (field(header, 257, 5) !== 'ustar') throw new Error('it is no tar archive')
    const size = Number.parseInt(field(header, 124, 12), 8)
    const body = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (!(size >= 0) || body.length < size) throw new Error('the archive breaks off')
    const kind = field(header, 156, 1)
    if (kind === 'x') longName = /^\d+ path=(.*)$/m.exec(body.toString('utf8'))?.[1]
    else {
      const prefix = field(header, 345, 155)
      const name = longName ?? (prefix === '' ? '' : `${prefix}/`) + field(header, 0, 100)
      longName = undefined
      if (kind === '0' || kind === '') files.set(name, body.toString('utf8'))
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  // A whole one ends with blocks of zeros.
  if (tar[at] !== 0) throw new Error('the archive breaks off')
  return files
}

const BLOCK = 512

/** Up to the first zero byte. */
const field = (header: Buffer, start: number, length: number): string => {
  const text = header.toString('utf8', start, start + length)
  const end = text.indexOf('\0')
  return (end < 0 ? text : text.slice(0, end)).trim()
}
