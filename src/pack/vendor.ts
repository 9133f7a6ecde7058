import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { File } from '../emit/file.js'
import { importsOf, packageOf, reachable, relativeTarget, withImports } from './module-graph.js'
import { type Toolkit, vendoredAs } from './toolkit-package.js'

/** Generated code with imports of the runtime in `runtime/` next to it, in place of imports from this package. */
export const besideRuntime = (file: File, { manifest }: Toolkit): File => {
  const text = withImports(file.text, (name) => {
    if (!name.startsWith(OURS)) return undefined
    const target = manifest.exports[`./${name.slice(OURS.length)}`]
    if (typeof target !== 'object')
      throw new Error(`${file.name} imports ${name}, which is not exported`)
    const path = posix.relative(posix.dirname(file.name), vendoredAs(target.default ?? ''))
    return path.startsWith('.') ? path : `./${path}`
  })
  return { name: file.name, text }
}

const OURS = 'twinspec/'

/** The sources of the runtime that generated code imports; none if the toolkit is compiled. */
export const runtimeSources = (
  emitted: readonly File[],
  entries: readonly string[],
  toolkit: Toolkit,
): readonly File[] => {
  if (!toolkit.isSource) return []
  const texts = new Map(emitted.map(({ name, text }) => [name, text]))
  const read = (path: string) => texts.get(path) ?? readFrom(toolkit, path)
  const starts = [...texts.keys(), ...entries.map(sourceOf)]
  const paths = reachable(starts, read, (from, name) =>
    targetsOf(from, name, toolkit).map(sourceOf),
  )
  return paths.flatMap((name) => {
    const text = texts.has(name) ? undefined : readFrom(toolkit, name)
    return text === undefined ? [] : [{ name, text }]
  })
}

/** The third-party packages that some generated files import, directly or through the runtime; sorted. */
export const packagesReached = (
  emitted: readonly File[],
  starts: readonly string[],
  toolkit: Toolkit,
): readonly string[] => {
  const texts = new Map(emitted.map(({ name, text }) => [name, text]))
  const read = (path: string) => texts.get(path) ?? readFrom(toolkit, path)
  // If the runtime is compiled, code is compiled against its declarations.
  const textOf = (path: string) =>
    path.startsWith('runtime/') && !toolkit.isSource ? declarationOf(path) : sourceOf(path)
  const paths = reachable(starts, read, (from, name) => targetsOf(from, name, toolkit).map(textOf))
  const names = paths.flatMap((path) => importsOf(read(path) ?? '').map(({ name }) => name))
  return [...new Set(names.flatMap(packageOf))].sort()
}

/**
 * The compiled modules and the modules of the runtime that the parts of a package import, each with its code and its
 * declaration.
 */
export const reachedFiles = (
  compiled: ReadonlyMap<string, string>,
  entries: readonly string[],
  toolkit: Toolkit,
): readonly File[] => {
  const read = (path: string) =>
    compiled.get(path) ?? (toolkit.isSource ? undefined : readFrom(toolkit, path))
  const both = (path: string) => (path.endsWith('.js') ? [path, declarationOf(path)] : [path])
  const paths = reachable(entries.flatMap(both), read, (from, name) =>
    targetsOf(from, name, toolkit).flatMap(both),
  )
  return paths.map((name) => ({ name, text: read(name) ?? '' }))
}

/** In code and in declarations, a module has the name of its code. */
const targetsOf = (from: string, name: string, toolkit: Toolkit): readonly string[] => {
  if (name.startsWith('.')) return [relativeTarget(from, name)]
  const platforms = toolkit.manifest.imports[name]
  return Object.values(platforms ?? {}).map((target) => vendoredAs(target.default ?? ''))
}

const sourceOf = (path: string): string => path.replace(/\.js$/, '.ts')

export const declarationOf = (path: string): string => path.replace(/\.js$/, '.d.ts')

/** A file of the toolkit's runtime by its name in a package. */
const readFrom = ({ folder }: Toolkit, path: string): string | undefined => {
  if (!path.startsWith('runtime/')) return undefined
  try {
    return readFileSync(join(folder, path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
