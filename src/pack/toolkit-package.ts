import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** This toolkit as a package on disk: the source of the vendored runtime, and its manifest. */
export const openToolkit = (): Toolkit => {
  // Resolved by name, because source and build output are at different depths.
  const path = createRequire(import.meta.url).resolve('twinspec/package.json')
  const root = dirname(path)
  const sources = join(root, 'src')
  const isSource = existsSync(join(sources, 'runtime'))
  return {
    root,
    manifest: JSON.parse(readFileSync(path, 'utf8')) as ToolkitManifest,
    isSource,
    folder: isSource ? sources : join(root, 'dist', 'src'),
  }
}

export type Toolkit = {
  readonly root: string
  readonly manifest: ToolkitManifest
  /** A clone has the sources; an installed package has only compiled output. */
  readonly isSource: boolean
  /** The folder that contains `runtime`. */
  readonly folder: string
}

type ToolkitManifest = {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly imports: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
  >
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** `./dist/src/runtime/http.js` of the toolkit is `runtime/http.js` of a package that it creates. */
export const vendoredAs = (built: string): string => built.replace(/^\.\/dist\/src\//, '')
