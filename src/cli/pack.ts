import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { disk } from '../read/file-tree.js'
import { versions } from './against.js'
import { alsoAllowing, type Opened, openDocuments } from './documents.js'
import type { Args } from './flags.js'
import { type ExitCode, type Io, todayIn, UsageError, withProgress, writeLine } from './io.js'
import { readApi } from './read-api.js'
import { readPackage } from './read-package.js'
import { isMarked, MARK, readOutFolder, writeTree } from './write-tree.js'

/** The hidden files of a folder, which are kept. Throws UsageError if any other file is not from a packed package. */
const keptBesidePackage = async (place: string, folder: string): Promise<readonly string[]> => {
  const { hidden, visible } = await readOutFolder(place, folder)
  const isPacked = await wasPacked(place)
  const foreign = visible.find(({ name }) => !(isPacked && OWN.includes(name)))?.name
  if (foreign === undefined) return hidden
  throw new UsageError(
    `${join(folder, foreign)} was not written by twinspec pack, and ${folder} would be replaced: choose another --out, or move the file`,
  )
}

/** The top-level entries of a package. */
const OWN = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']

const wasPacked = async (place: string): Promise<boolean> => {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))
    return (manifest as { readonly packedBy?: unknown } | null)?.packedBy === 'twinspec pack'
  } catch {
    return false
  }
}

export const runPackCommand = async (
  args: Args<'pack'>,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const { name, out, against, version, force, license } = args
  if (name === undefined || out === undefined) {
    throw new UsageError('--name and --out are required, as in --name @acme/orders --out package')
  }
  if (args.language === 'python') return packForPython(args, name, out, words, io)
  const [{ pack: makePackage }, { nameFault }, { pluginNames }, { librariesBeside }] =
    await Promise.all([
      import('../pack/pack.js'),
      import('../pack/manifest.js'),
      import('../emit/plugins.js'),
      import('../pack/parts.js'),
    ])
  const fault = nameFault(name)
  if (fault) throw new UsageError(`${name} is not a valid name of an npm package: ${fault}`)
  const without = args.without?.split(',').map((one) => one.trim()) ?? []
  const known: readonly string[] = [...pluginNames, ...librariesBeside()]
  const unknown = without.find((one) => !known.includes(one))
  if (unknown !== undefined) {
    throw new UsageError(
      `--without ${unknown} is not a part that can be omitted: the parts are ${known.join(', ')}`,
    )
  }
  await keptBesidePackage(out, out)
  const opened = await openDocuments(words, args, io, against)
  const { openapi, openrpc } = opened.documents
  const api = await readApi({ openapi, openrpc }, opened.tree, io)
  const made = await withProgress(io, async (show) => {
    const before = against === undefined ? undefined : await packageBefore(against, name, opened)
    if (before && before.version === undefined && version === undefined) {
      throw new UsageError(
        `${against} are documents, which do not contain the version of their package: name that package, or add --version`,
      )
    }
    const today = todayIn(io)
    const options = { name, before, version, forces: force, license, without, today, show }
    const packed = await makePackage(api, options)
    if (packed.kind === 'rejected') throw new UsageError(`${packed.sentence}`.split('\n'))
    show('writing …')
    await writeTree(out, packed.files, { kept: keptBesidePackage })
    return packed
  })
  writeLine(io.stderr, `packed ${made.files.length} files of ${name} into ${out}: ${made.why}`)
  const { parts, packages } = made.leftOut
  if (parts.length > 0) {
    const install = packages.map((one) => `"${one}"`).join(' ')
    writeLine(
      io.stderr,
      `omitted ${parts.join(', ')}, whose libraries are not installed: npm install --save-dev ${install}, and pack again`,
    )
  }
  return 0
}

const packForPython = async (
  { against, version, force, license, without, ...args }: Args<'pack'>,
  name: string,
  out: string,
  words: readonly string[],
  io: Io,
): Promise<ExitCode> => {
  const flag = Object.entries({ against, force, without }).find(([, value]) => value)?.[0]
  if (flag !== undefined)
    throw new UsageError(
      `--${flag} is about npm packages: twinspec diff names the version step, and --version sets it`,
    )
  const { packPython, distributionFault } = await import('../pack/python.js')
  const fault = distributionFault(name)
  if (fault) throw new UsageError(`${name} is not a valid name of a Python package: ${fault}`)
  const kept = keptBesidePython
  await kept(out, out)
  const opened = await openDocuments(words, args, io)
  const api = await readApi(opened.documents, opened.tree, io)
  const packed = packPython(api, { name, version, license, today: todayIn(io) })
  if (packed.kind === 'rejected') throw new UsageError(packed.sentence)
  await writeTree(out, packed.files, { kept })
  writeLine(io.stderr, `packed ${packed.files.length} files of ${name} into ${out}: ${packed.why}`)
  return 0
}

/** The hidden files of the folder of a Python package, as in `keptBesidePackage`. */
const keptBesidePython = async (place: string, folder: string): Promise<readonly string[]> => {
  const { hidden, visible } = await readOutFolder(place, folder)
  const isPacked = await isMarked(join(place, 'pyproject.toml'), MARK).catch(() => false)
  const foreign = visible.find(({ name }) => !(isPacked && OWN_OF_PYTHON.includes(name)))?.name
  if (foreign === undefined) return hidden
  throw new UsageError(
    `${join(folder, foreign)} was not written by twinspec pack, and ${folder} would be replaced: choose another --out, or move the file`,
  )
}

/** `dist` is what `python -m build` writes. */
const OWN_OF_PYTHON = ['LICENSE', 'README.md', 'dist', 'pyproject.toml', 'src']

/**
 * The earlier version in `--against`: a package (a folder or a .tgz), which contains its documents, or documents as for `diff`.
 * Throws UsageError if it is neither, or a package of another name, and DocumentError for documents that cannot be read.
 */
const packageBefore = async (against: string, name: string, opened: Opened) => {
  const packed = readPackage(against)
  const { loadApi } = await import('../read/load.js')
  if (packed === undefined) {
    const { before, tree } = versions(opened, against)
    const api = await loadApi(before ?? {}, alsoAllowing(tree, opened.tree))
    return { api, version: undefined, files: undefined }
  }
  if (packed.name !== name) {
    throw new UsageError(
      `${against} is the package ${packed.name}, not an earlier version of ${name}: name an earlier version, or the old documents and --version`,
    )
  }
  const { version, files } = packed
  return { api: await loadApi(packed.documents, disk), version, files }
}
