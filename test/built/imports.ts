import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type Exports = Readonly<Record<string, { readonly default: string } | string>>

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly exports: Exports
}

/**
 * A plugin by which tests import what `build.ts` has built, in place of the sources: Node loads it by itself, and the processes
 * that it starts are started as they are where the package is installed.
 */
export const importsBuilt = () => ({
  name: 'imports-built',
  enforce: 'pre' as const,
  resolveId: (name: string, importer: string | undefined): string | undefined => {
    const built = process.env.BUILT
    if (built === undefined || importer === undefined) return undefined
    const path = name.startsWith('.') ? ofFile(resolve(importer, '..', name)) : ofPackage(name)
    return path && join(built, path)
  },
})

/** Where a file of ours lies in the package. */
const ofFile = (file: string): string | undefined => {
  const path = relative(ROOT, file)
  return /^(src|generated)\/.*\.js$/.test(path) ? join('dist', path) : undefined
}

const ofPackage = (name: string): string | undefined => {
  const found = /^twinspec(\/|$)/.test(name) ? exports[name.replace('twinspec', '.')] : undefined
  return typeof found === 'object' ? found.default : undefined
}

/** A file of ours as it was built, `src/cli/main.js`. */
export const builtFile = (path: string): string => {
  if (process.env.BUILT === undefined)
    throw new Error('test/built/build.ts has to be a global setup here')
  return join(process.env.BUILT, 'dist', path)
}

/** As `build.ts` names its folder. */
export const BUILT_FILES = /\/twinspec-built-\w+\//
