import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { shellPath } from '../text/escape.js'

// The package refers to itself by name, because source and build output are at different depths.
const require = createRequire(import.meta.url)
const manifest: Manifest = require('twinspec/package.json')

type Manifest = {
  readonly version: string
  /** Where the package is published; undefined before that. */
  readonly homepage?: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

export const version: string = manifest.version

/** The page of rules: at the package's homepage, else the file in the package. */
export const rulesPage = (): string => {
  if (manifest.homepage !== undefined) return `${manifest.homepage}/docs/rules.md`
  const file = join(dirname(require.resolve('twinspec/package.json')), 'docs', 'rules.md')
  return relative(process.cwd(), file)
}

/**
 * The commands that install this package in the project in `dir`. Until it is in a registry, which its homepage indicates, they
 * put it into `vendor/`, so that CI installs the same file.
 */
export const installLines = (dir: string): readonly string[] => {
  if (manifest.homepage !== undefined) return ['npm install']
  const root = dirname(require.resolve('twinspec/package.json'))
  const tarball = tarballOf(root)
  if (tarball !== undefined) {
    const path = shellPath(relative(dir, tarball))
    return [`mkdir -p vendor && cp ${path} vendor/`, `npm install ./vendor/${basename(tarball)}`]
  }
  const isClone = existsSync(join(root, 'src'))
  return [
    ...(isClone ? [`npm run build --prefix "${root}"`] : []),
    `mkdir -p vendor && npm pack "${root}" --pack-destination vendor`,
    `npm install ./vendor/twinspec-${version}.tgz`,
  ]
}

/** The tarball that this package was installed from, as the project around it or npx has it; undefined if there is none. */
const tarballOf = (root: string): string | undefined => {
  const project = dirname(dirname(root))
  try {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(project, 'package.json'), 'utf8'),
    )
    const from: unknown = { ...devDependencies, ...dependencies }.twinspec
    const [, path] = typeof from === 'string' ? (/^file:(.+\.tgz)$/.exec(from) ?? []) : []
    const file = path === undefined ? undefined : resolve(project, path)
    return file !== undefined && existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

/** The dependencies of a new project, with the versions that this one was tested with. */
export const startVersions = {
  twinspec: `^${manifest.version}`,
  typescript: `${manifest.dependencies.typescript}`,
  '@types/node': `^${manifest.devDependencies['@types/node']}`,
  tsx: `^${manifest.devDependencies.tsx}`,
  '@scalar/openapi-upgrader': `^${manifest.devDependencies['@scalar/openapi-upgrader']}`,
} as const
