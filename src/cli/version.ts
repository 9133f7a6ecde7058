import { createRequire } from 'node:module'

// By its own name: source and what is built from it lie at different depths.
const manifest: Manifest = createRequire(import.meta.url)('twinspec/package.json')

type Manifest = {
  readonly version: string
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** Of the package. */
export const version: string = manifest.version

/** The packages that only some commands need, with the versions that they need. */
export const optionalPeers: Readonly<Record<string, string>> = manifest.peerDependencies
