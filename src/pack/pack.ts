import { emitAll } from '../emit/emit.js'
import { EXTRAS, extraNames } from '../emit/extras.js'
import type { File } from '../emit/file.js'
import type { Api } from '../model/api.js'
import { compile } from './compile.js'
import { CODE, manifestOf } from './manifest.js'
import { partsBeside, partsOf } from './parts.js'
import { openToolkit, type Toolkit } from './toolkit-package.js'
import { besideRuntime, reachedFiles, runtimeSources } from './vendor.js'

/**
 * The files of an npm package with the clients, types, validators and server stubs of an Api, as they lie in its folder. It
 * needs nothing of this toolkit, whose runtime comes with it.
 */
export const pack = async (api: Api, options: PackOptions): Promise<Packed> => {
  const { tell = () => undefined } = options
  const toolkit = openToolkit()
  tell('generating …')
  const emitted = await emittedFor(api, toolkit)
  tell('compiling …')
  const files = compiledFrom(emitted, toolkit)
  const parts = partsOf(files.map(({ name }) => name))
  const about = {
    name: options.name,
    version: options.version ?? '0.1.0',
    description: `Clients, types, validators and server stubs of ${api.title}`,
    license: options.license ?? 'MIT',
  }
  const manifest = manifestOf(about, files, parts, toolkit)
  const all = [
    { name: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
    ...files.map(({ name, text }) => ({ name: `${CODE}/${name}`, text })),
  ]
  return { files: all.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

export type PackOptions = {
  /** One that npm takes. */
  readonly name: string
  readonly version?: string
  readonly license?: string
  /** Told what is being done, as it takes seconds. */
  readonly tell?: (words: string) => void
}

export type Packed = {
  /** Sorted by name. */
  readonly files: readonly File[]
}

/** Whatever the documents have a use for, but for what is read and not called. */
const emittedFor = async (api: Api, toolkit: Toolkit): Promise<readonly File[]> => {
  const extras = extraNames.flatMap((name) => {
    const { emit, whyNot } = EXTRAS[name]
    return whyNot(api) === undefined ? [emit(api)] : []
  })
  return [...(await emitAll(api)), ...extras]
    .filter(({ name }) => !READ.includes(name))
    .map((file) => besideRuntime(file, toolkit))
}

const READ = ['reference.md', 'rpc.openapi.json']

/** What lies under `dist/`: code, declarations and documents, and the runtime as far as they lead to it. */
const compiledFrom = (emitted: readonly File[], toolkit: Toolkit): readonly File[] => {
  const modules = emitted.map(({ name }) => name.replace(/\.ts$/, '.js'))
  const entries = [...modules, ...partsBeside(modules)]
  const compiled = new Map(
    compile([...emitted, ...runtimeSources(emitted, entries, toolkit)], toolkit),
  )
  // As they were generated, and not as the compiler prints them.
  for (const { name, text } of emitted) if (name.endsWith('.json')) compiled.set(name, text)
  return reachedFiles(compiled, entries, toolkit)
}
