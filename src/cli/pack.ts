import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCommand } from 'citty'
import type { File } from '../emit/file.js'
import { PACKED_BY } from '../pack/packed-by.js'
import { diskAllowing, documentFlags, documentsNamed } from './documents.js'
import { type ExitCode, type Io, UsageError, writeLine } from './io.js'
import { readOutFolder } from './out-folder.js'
import { packageBefore } from './package-before.js'
import { createProgress } from './progress.js'
import { writeTree } from './write-tree.js'

/**
 * Replaces a folder by the files of a package, whole or not at all. Throws UsageError where it holds anything but a package
 * that was packed before and hidden files, which are kept.
 */
const writePackage = async (folder: string, files: readonly File[]): Promise<void> => {
  await writeTree(folder, files, keptBesidePackage)
}

/** Reported before the work and not after it, too. */
const assertPackable = async (folder: string): Promise<void> => {
  await keptBesidePackage(folder, folder)
}

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
    return (manifest as { readonly packedBy?: unknown } | null)?.packedBy === PACKED_BY
  } catch {
    return false
  }
}

export const pack = defineCommand({
  meta: {
    name: 'pack',
    description: 'Makes an npm package of clients, types, validators and server stubs',
  },
  args: {
    name: { type: 'string', valueHint: '@scope/name', description: 'What the package is called' },
    out: { type: 'string', valueHint: 'folder', description: 'Written whole or not at all' },
    ...documentFlags,
    against: {
      type: 'string',
      valueHint: 'package | file | folder | git:ref',
      description: 'The version before: the folder or the .tgz of its package, or its documents',
    },
    version: {
      type: 'string',
      valueHint: 'x.y.z',
      description: 'In place of the version that follows from what changed',
    },
    force: { type: 'boolean', description: 'Take --version even if the changes need a higher one' },
    license: {
      type: 'string',
      valueHint: 'SPDX id',
      description: "In place of the documents' info.license",
    },
    without: {
      type: 'string',
      valueHint: 'viem,msw',
      description: 'Parts for the libraries of others that are not wanted',
    },
  },
  run: async ({ args, data }): Promise<ExitCode> => {
    const io = data as Io
    const { name, out, openapi, openrpc, against } = args
    if (name === undefined || out === undefined) {
      throw new UsageError(
        'twinspec pack: --name and --out say what is made and where, as in --name @acme/orders --out package',
      )
    }
    const [{ loadApi }, { pack: makePackage }, { faultOfName }, { pluginNames, isPlugin }] =
      await Promise.all([
        import('../model/load.js'),
        import('../pack/pack.js'),
        import('../pack/package-name.js'),
        import('../emit/plugins.js'),
      ])
    const fault = faultOfName(name)
    if (fault) throw new UsageError(`twinspec pack: npm takes no package called ${name}: ${fault}`)
    const without = args.without?.split(',').map((one) => one.trim()) ?? []
    const unknown = without.find((one) => !isPlugin(one))
    if (unknown !== undefined) {
      throw new UsageError(
        `twinspec pack: --without ${unknown} names no part that can be left out: those are ${pluginNames.join(', ')}`,
      )
    }
    await assertPackable(out)
    const progress = createProgress(io)
    try {
      const named = { openapi, openrpc, arazzo: undefined }
      const paths = { ...documentsNamed(named), arazzo: undefined }
      progress.tell('reading the documents …')
      const tree = diskAllowing(args['allow-outside'])
      const api = await loadApi(paths, tree)
      const before =
        against === undefined ? undefined : await packageBefore(against, name, named, tree.allowed)
      const { version, force, license } = args
      if (before && before.version === undefined && version === undefined) {
        throw new UsageError(
          `twinspec pack: ${against} are documents, which do not say what version their package had: name that package, or say --version`,
        )
      }
      const today = io.today?.() ?? new Date()
      const { tell } = progress
      const made = await makePackage(api, {
        name,
        before,
        version,
        forces: force,
        license,
        without,
        today,
        tell,
      })
      if (made.kind === 'refused')
        throw new UsageError(`twinspec pack: ${made.sentence}`.split('\n'))
      progress.tell('writing …')
      await writePackage(out, made.files)
      progress.end()
      writeLine(io.stderr, `packed ${made.files.length} files of ${name} into ${out}: ${made.why}`)
      return 0
    } finally {
      progress.end()
    }
  },
})
