import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { disk } from '../read/file-tree.js'
import { versions } from './against.js'
import { alsoAllowing, type Opened, openDocuments } from './documents.js'
import type { Args } from './flags.js'
import { type ExitCode, type Io, todayIn, UsageError, withProgress, writeLine } from './io.js'
import { readApi } from './read-api.js'
import { readPackage } from './read-package.js'
import { FILE_MARK, isMarked, readOutFolder, writeTree } from './write-tree.js'

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
  if (args.language !== 'typescript')
    return packForOthers(args, args.language, { name, out, words, io })
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
    const before = await versionBefore({ against, name, opened, version })
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

const packForOthers = async (
  { against, version, force, license, without, ...args }: Args<'pack'>,
  language: 'python' | 'go',
  {
    name,
    out,
    words,
    io,
  }: {
    readonly name: string
    readonly out: string
    readonly words: readonly string[]
    readonly io: Io
  },
): Promise<ExitCode> => {
  if (without !== undefined)
    throw new UsageError('--without is about npm packages: omit it, or --language')
  const [{ packPython, distributionFault }, { packGo, moduleFault }] = await Promise.all([
    import('../pack/python.js'),
    import('../pack/go.js'),
  ])
  const fault = language === 'python' ? distributionFault(name) : moduleFault(name)
  const kind = language === 'python' ? 'name of a Python package' : 'path of a Go module'
  if (fault) throw new UsageError(`${name} is not a valid ${kind}: ${fault}`)
  const kept = keptBesideOthers(language)
  await kept(out, out)
  const opened = await openDocuments(words, args, io, against)
  const { openapi, openrpc } = opened.documents
  const api = await readApi({ openapi, openrpc }, opened.tree, io)
  const before = await versionBefore({ against, name, opened, version })
  const options = { version, license, before, forces: force, today: todayIn(io) }
  const packed =
    language === 'python'
      ? packPython(api, { ...options, name })
      : packGo(api, { ...options, module: name })
  if (packed.kind === 'rejected') throw new UsageError(packed.sentence)
  await writeTree(out, packed.files, { kept })
  writeLine(io.stderr, `packed ${packed.files.length} files of ${name} into ${out}: ${packed.why}`)
  return 0
}

/** The hidden files of the folder of a package of another language, as in `keptBesidePackage`. */
const keptBesideOthers =
  (language: 'python' | 'go') =>
  async (place: string, folder: string): Promise<readonly string[]> => {
    const { manifest, own } = OWN_OF[language]
    const { hidden, visible } = await readOutFolder(place, folder)
    const isPacked = await isMarked(join(place, manifest), FILE_MARK).catch(() => false)
    const foreign = visible.find(({ name }) => !(isPacked && own.test(name)))?.name
    if (foreign === undefined) return hidden
    throw new UsageError(
      `${join(folder, foreign)} was not written by twinspec pack, and ${folder} would be replaced: choose another --out, or move the file`,
    )
  }

/** The file whose first line says that a package is ours, and the top-level entries; `dist` is what `python -m build` writes. */
const OWN_OF = {
  python: {
    manifest: 'pyproject.toml',
    own: /^(LICENSE|README\.md|dist|documents|pyproject\.toml|src)$/,
  },
  go: {
    manifest: 'go.mod',
    own: /^(LICENSE|README\.md|documents|go\.(mod|sum)|internal|operations\.json|(errors|http_client|operations|options|patterns|rpc_client|types)\.go)$/,
  },
}

/** The version before, if `--against` names one. Throws UsageError if neither it nor `--version` says a version. */
const versionBefore = async ({
  against,
  name,
  opened,
  version,
}: {
  readonly against: string | undefined
  readonly name: string
  readonly opened: Opened
  readonly version: string | undefined
}) => {
  const before = against === undefined ? undefined : await packageBefore(against, name, opened)
  if (before && before.version === undefined && version === undefined) {
    throw new UsageError(
      `${against} are documents, which do not contain the version of their package: name that package, or add --version`,
    )
  }
  return before
}

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
  // From major version 2 on, the path of a Go module ends with it.
  const base = (one: string | undefined) => one?.replace(/\/v\d+$/, '')
  if (base(packed.name) !== base(name)) {
    throw new UsageError(
      `${against} is the package ${packed.name}, not an earlier version of ${name}: name an earlier version, or the old documents and --version`,
    )
  }
  const { version, files } = packed
  return { api: await loadApi(packed.documents, disk), version, files }
}
