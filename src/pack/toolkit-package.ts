import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** This toolkit as a package on the disk: what is vendored is read from it, and what its own manifest says of it. */
export const openToolkit = (): Toolkit => {
  // By its own name: source and what is built from it lie at different depths.
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
  /** A clone has its sources; where the package is installed they have been compiled. */
  readonly isSource: boolean
  /** Where `runtime` lies. */
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

/** `./dist/src/runtime/http.js` of the toolkit is `runtime/http.js` of a package made by it. */
export const vendoredAs = (built: string): string => built.replace(/^\.\/dist\/src\//, '')
