import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { diff } from '../diff/diff.js'
import { emitAll } from '../emit/emit.js'
import { type File, string } from '../emit/file.js'
import { kindNames } from '../emit/kinds.js'
import { PLUGINS, type PluginName, pluginNames } from '../emit/plugins.js'
import type { Api } from '../model/api.js'
import { jsonText } from '../text/escape.js'
import { writeChangelog } from './changelog.js'
import { compilePackage } from './compile.js'
import { copyrightHolder, infoOf } from './holder.js'
import { licenceId, writeLicence } from './licence.js'
import { CODE, manifestOf } from './manifest.js'
import { packageParts, partsBeside } from './parts.js'
import { writeReadme } from './readme.js'
import { removedExports } from './removed-exports.js'
import { openToolkit, type Toolkit } from './toolkit-package.js'
import { besideRuntime, packagesReached, reachedFiles, runtimeSources } from './vendor.js'
import { nextVersion } from './version.js'

/**
 * The files of an npm package with the clients, types, validators and server stubs of an Api, by path. The package includes the
 * runtime and does not need this toolkit. An invalid version, or code that does not compile, is rejected with a sentence. Parts
 * for libraries that are not installed are omitted.
 */
export const pack = async (api: Api, options: PackOptions): Promise<PackAnswer> => {
  const { name, before, today, show = () => undefined } = options
  const toolkit = openToolkit()
  const versions = { before: before?.version, wanted: options.version }
  // An invalid version is reported before the work.
  const readable = nextVersion({ ...versions, findings: [], texts: [], forces: true })
  if (readable.kind === 'rejected') return readable
  show('generating …')
  const emitted = await emittedFor(api, options.without ?? [], toolkit)
  show('compiling …')
  const compiled = compiledFrom(emitted, toolkit)
  if (compiled.kind === 'rejected') return compiled
  const { files } = compiled
  const packedAs = (version: string) => [
    ...files.map((file) => ({ name: `${CODE}/${file.name}`, text: file.text })),
    ...clientPackageFiles(name, version),
  ]
  // The version in the files is not a change.
  const asBefore = packedAs(before?.version ?? '')
  show('comparing with the version before …')
  const findings = before ? diff(before.api, api, { today }) : []
  const texts = before?.files ? changed(before.files, asBefore) : []
  const parts = packageParts([...files.map((file) => file.name), CLIENT_PACKAGE])
  const gone = before?.files ? removedExports(before.files, asBefore, parts) : []
  const version = nextVersion({ ...versions, findings, gone, texts, forces: options.forces })
  if (version.kind === 'rejected') return version

  const license = licenceId(options.license ?? infoOf(api).license)
  const description = `Clients, types, validators and server stubs: ${api.title}`
  const manifest = manifestOf(
    { name, version: version.version, description, license },
    files,
    parts,
    toolkit,
  )
  const inside = [
    ...packedAs(version.version),
    { name: 'package.json', text: `${jsonText(manifest, 2)}\n` },
    {
      name: 'CHANGELOG.md',
      text: writeChangelog({
        version: version.version,
        today,
        findings,
        gone,
        texts,
        before: before?.files?.get('CHANGELOG.md'),
      }),
    },
    {
      name: 'LICENSE',
      text: writeLicence({
        id: license,
        holder: copyrightHolder(api, name),
        year: today.getUTCFullYear(),
      }),
    },
  ]
  const readme = writeReadme(api, { manifest, parts })
  const all = [...inside, { name: 'README.md', text: readme }]
  return {
    kind: 'packed',
    files: all.sort((a, b) => (a.name < b.name ? -1 : 1)),
    version: version.version,
    why: version.why,
    leftOut: emitted.leftOut,
  }
}

/** The module of a package with its name and version, for the option `clientPackage` of its clients. */
const CLIENT_PACKAGE = 'client-package.js'

/** The code and the declaration of that module; the declaration is the same in every version. */
const clientPackageFiles = (name: string, version: string): readonly File[] => [
  {
    name: `${CODE}/${CLIENT_PACKAGE}`,
    text: `export const clientPackage = ${string(`${name}/${version}`)}\n`,
  },
  {
    name: `${CODE}/client-package.d.ts`,
    text: `/** The name and version of this package, for the option \`clientPackage\`: \`createHttpClient({ clientPackage })\`. */\nexport declare const clientPackage: string\n`,
  },
]

export type PackOptions = {
  /** A name that npm accepts. */
  readonly name: string
  /** The day for the changelog. */
  readonly today: Date
  readonly before?: Before | undefined
  /** The requested version; by default, it follows from `before`. */
  readonly version?: string | undefined
  /** Accepts that version although the change requires a greater one. */
  readonly forces?: boolean | undefined
  /** An SPDX id, in place of the licence in the documents. */
  readonly license?: string | undefined
  /** Parts for third-party libraries that are not wanted. */
  readonly without?: readonly string[] | undefined
  /** Receives progress messages, because packing takes seconds. */
  readonly show?: (words: string) => void
}

/** The version before. */
export type Before = {
  readonly api: Api
  /** Undefined if only the documents are known. */
  readonly version: string | undefined
  /** The files of the earlier package, by path. */
  readonly files: ReadonlyMap<string, string> | undefined
}

export type PackAnswer =
  | {
      readonly kind: 'packed'
      /** Sorted by name. */
      readonly files: readonly File[]
      readonly version: string
      /** The reason for the version: a sentence without a full stop. */
      readonly why: string
      /** Parts for libraries that are not installed, and the packages to install. */
      readonly leftOut: LeftOut
    }
  /** One sentence: what, where and what to do. */
  | { readonly kind: 'rejected'; readonly sentence: string }

/** The contents of `dist/`: code, declarations, documents, and the modules of the runtime that they import. */
const compiledFrom = ({ files: emitted, beside }: Emitted, toolkit: Toolkit): PackedCode => {
  const modules = emitted.map(({ name }) => name.replace(/\.ts$/, '.js'))
  const entries = [...modules, ...beside]
  const runtime = runtimeSources(emitted, entries, toolkit)
  const made = compilePackage(emitted, runtime, toolkit)
  if (made.kind === 'rejected') return made
  const compiled = new Map(made.outputs)
  // JSON as generated, not as printed by the compiler.
  for (const { name, text } of emitted) if (name.endsWith('.json')) compiled.set(name, text)
  return { kind: 'compiled', files: reachedFiles(compiled, entries, toolkit) }
}

type PackedCode =
  | { readonly kind: 'compiled'; readonly files: readonly File[] }
  | { readonly kind: 'rejected'; readonly sentence: string }

/** The names of files that are changed, new or removed. */
const changed = (before: ReadonlyMap<string, string>, now: readonly File[]): readonly string[] => {
  const names = new Set([...before.keys()].filter((name) => name.startsWith(`${CODE}/`)))
  for (const { name, text } of now) {
    if (before.get(name) === text) names.delete(name)
    else names.add(name)
  }
  return [...names].sort()
}

/**
 * Generates the files of a package: all that apply to the documents, without reference documents and unwanted parts. Parts for
 * libraries that are not installed are omitted, because their declarations cannot be written.
 */
const emittedFor = async (
  api: Api,
  without: readonly string[],
  toolkit: Toolkit,
): Promise<Emitted> => {
  const wanted = pluginNames.filter(
    (name) =>
      !NOT_PACKED.has(name) && PLUGINS[name].whyNot(api) === undefined && !without.includes(name),
  )
  const always = emitAll(api, [], kindNames).filter(({ name }) => !READ.includes(name))
  const extras = wanted.map((name) => PLUGINS[name].emit(api))
  const files = [...always, ...extras].map((file) => besideRuntime(file, toolkit))
  const isMissing = (one: string) => !isInstalled(one, toolkit)
  const missing = wanted.flatMap((name, index) => {
    const start = extras[index]?.name ?? ''
    const absent = packagesReached(files, [start], toolkit).filter(isMissing)
    return absent.length > 0 ? [{ name, file: start, absent }] : []
  })
  const modules = files.map(({ name }) => name.replace(/\.ts$/, '.js'))
  const beside = partsBeside(modules).filter(
    ({ library }) => library === undefined || !without.includes(library),
  )
  const missingLibraries = beside.flatMap(({ library }) =>
    library !== undefined && isMissing(library) ? [library] : [],
  )
  return {
    files: files.filter(({ name }) => missing.every(({ file }) => file !== name)),
    beside: beside
      .filter(({ library }) => library === undefined || !missingLibraries.includes(library))
      .map(({ module }) => module),
    leftOut: {
      parts: [...missing.map(({ name }) => name), ...missingLibraries],
      packages: [...new Set([...missing.flatMap(({ absent }) => absent), ...missingLibraries])].map(
        (one) => `${one}@${toolkit.manifest.peerDependencies[one] ?? 'latest'}`,
      ),
    },
  }
}

/** A package has its own clients and validators, and no other language, so these plugins are not needed. */
const NOT_PACKED: ReadonlySet<PluginName> = new Set<PluginName>([
  'openapi-fetch',
  'operations-json',
  'standard-schema',
  'valibot',
  'zod',
])

type Emitted = {
  readonly files: readonly File[]
  /** Modules of the runtime that are themselves parts of the package. */
  readonly beside: readonly string[]
  readonly leftOut: LeftOut
}

export type LeftOut = { readonly parts: readonly string[]; readonly packages: readonly string[] }

const READ = ['reference.md', 'rpc.openapi.json']

/** Searches like Node, even if the package does not export its package.json. */
const isInstalled = (name: string, { root }: Pick<Toolkit, 'root'>, from = root): boolean =>
  existsSync(join(from, 'node_modules', name, 'package.json')) ||
  (dirname(from) !== from && isInstalled(name, { root }, dirname(from)))
