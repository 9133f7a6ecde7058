import { createRequire } from 'node:module'

// By its own name: source and what is built from it lie at different depths.
const manifest: Manifest = createRequire(import.meta.url)('twinspec/package.json')

type Manifest = {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Of the package. */
export const version: string = manifest.version

/** What a project to begin with asks for: the versions that this one was tried with. */
export const startVersions = {
  twinspec: `^${manifest.version}`,
  typebox: `^${manifest.dependencies.typebox}`,
  typescript: `${manifest.dependencies.typescript}`,
  '@types/node': `^${manifest.devDependencies['@types/node']}`,
  tsx: `^${manifest.devDependencies.tsx}`,
  '@scalar/openapi-upgrader': `^${manifest.devDependencies['@scalar/openapi-upgrader']}`,
} as const
