import { isBuiltin } from 'node:module'
import type { File } from '../emit/file.js'
import { importsOf, packageOf } from './module-graph.js'
import type { PackagePart } from './parts.js'
import { type Toolkit, vendoredAs } from './toolkit-package.js'
import { declarationOf } from './vendor.js'

/** The folder of the code in a package. */
export const CODE = 'dist'

/** `package.json` for the files under `dist/` and the parts that can be imported. */
export const manifestOf = (
  about: About,
  files: readonly File[],
  parts: readonly PackagePart[],
  toolkit: Toolkit,
): Manifest => {
  const imported = new Set(
    files.flatMap(({ name, text }) =>
      CODE_NAME.test(name) ? importsOf(text).map((one) => one.name) : [],
    ),
  )
  const packages = new Set([...imported].flatMap(packageOf))
  const peers = peersOf([...packages].sort(), toolkit)
  const imports = Object.entries(toolkit.manifest.imports).filter(([name]) => imported.has(name))
  return {
    name: about.name,
    version: about.version,
    description: about.description,
    license: about.license,
    type: 'module',
    sideEffects: false,
    engines: { node: toolkit.manifest.engines.node },
    files: [CODE, 'CHANGELOG.md'],
    ...(imports.length > 0 && {
      imports: Object.fromEntries(imports.map(([name, platforms]) => [name, vendored(platforms)])),
    }),
    exports: { ...Object.fromEntries(parts.map(exportOf)), './package.json': './package.json' },
    ...(Object.keys(peers).length > 0 && {
      peerDependencies: peers,
      peerDependenciesMeta: Object.fromEntries(
        Object.keys(peers).map((name) => [name, { optional: true }]),
      ),
    }),
    packedBy: 'twinspec pack',
  }
}

export type About = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
}

export type Manifest = About & {
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

const exportOf = ({ entry, module }: PackagePart) => {
  const path = `./${CODE}/${module}`
  return [
    entry,
    module.endsWith('.js') ? { types: declarationOf(path), default: path } : path,
  ] as const
}

const vendored = (platforms: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
  Object.fromEntries(
    Object.entries(platforms).map(([name, target]) => [
      name,
      `./${CODE}/${vendoredAs(target.default ?? '')}`,
    ]),
  )

const CODE_NAME = /\.(js|d\.ts)$/

/** Callers need no package. The library that a part adapts is an optional peer dependency. */
const peersOf = (packages: readonly string[], { manifest }: Toolkit) => {
  const peers: Record<string, string> = {}
  for (const name of packages) {
    const range = manifest.peerDependencies[name] ?? manifest.dependencies[name]
    if (range === undefined)
      throw new Error(`the package would import ${name}, whose version is unknown`)
    peers[name] = /^\d/.test(range) ? `^${range}` : range
  }
  return peers
}

/** The reason why npm rejects the name of a new package, as the end of a sentence; undefined for a valid name. */
export const nameFault = (name: string): string | undefined => {
  const parts = name.startsWith('@') ? name.slice(1).split('/') : [name]
  const [first = '', second] = parts
  if (name.startsWith('@') && (parts.length !== 2 || first === '' || second === ''))
    return 'a name with a scope is written @scope/name'
  if (name === '') return 'it is empty'
  if (name.length > LONGEST) return `it is longer than ${LONGEST} characters`
  if (/\p{Lu}/u.test(name)) return 'it has capital letters'
  const wrong = parts.find((part) => encodeURIComponent(part) !== part || /[~'!()*]/.test(part))
  if (wrong !== undefined)
    return 'it may have lower-case letters, digits, ".", "-" and "_", and after a scope one "/"'
  if (parts.some((part) => /^[._-]/.test(part)))
    return 'no part of it may begin with ".", "-" or "_"'
  if (parts.length > 1) return undefined
  if (RESERVED.includes(name)) return 'npm reserves it'
  return isBuiltin(name) ? 'Node has a module of that name' : undefined
}

const LONGEST = 214

const RESERVED = ['node_modules', 'favicon.ico']
