import { isObject } from '../model/json.js'
import type { InitOptions, PackageName, Versions } from './init-options.js'
import type { InitFile } from './project-file.js'

/** A package of its own for a service, or the lines that one which stands already lacks. */
export const packageJson = ({ name, versions, isNew }: InitOptions): Omit<InitFile, 'path'> => {
  const scripts = { ...SCRIPTS, ...(isNew && { start: 'tsx src/server.ts' }) }
  const dependencies = pick(versions, NEEDED)
  const devDependencies = pick(versions, isNew ? [...NEEDED_TO_WORK, 'tsx'] : NEEDED_TO_WORK)
  const parts = { scripts, dependencies, devDependencies }
  const manifest = {
    name: packageName(name),
    version: '0.1.0',
    private: true,
    type: 'module',
    ...parts,
  }
  return {
    kind: 'beside',
    text: `${JSON.stringify(manifest, null, 2)}\n`,
    lacking: (standing) => lackingOf(parts, standing),
  }
}

const SCRIPTS = {
  lint: 'twinspec lint',
  generate: 'twinspec generate',
  mock: 'twinspec mock',
  test: 'twinspec lint && twinspec generate --check && tsc --noEmit',
  conform: 'twinspec conform http://127.0.0.1:8080 --rate 0',
}

/** Generated code imports these when it runs. */
const NEEDED: readonly PackageName[] = ['twinspec', 'typebox']

const NEEDED_TO_WORK: readonly PackageName[] = ['@types/node', 'typescript']

const pick = (
  versions: Versions,
  names: readonly PackageName[],
): Readonly<Record<string, string>> =>
  Object.fromEntries([...names].sort().map((name) => [name, versions[name]]))

/** A name that npm takes (`Tide table` is `tide-table`); one that is one already stays as it is. */
export const packageName = (name: string): string => {
  if (/^(@[a-z0-9][a-z0-9-._]*\/)?[a-z0-9][a-z0-9-._]*$/.test(name) && name.length <= MOST) {
    return name
  }
  const bare = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST)
    .replace(/^-+|-+$/g, '')
  return bare === '' ? 'service' : bare
}

/** Characters of a name, as npm has it. */
const MOST = 214

/** The members that are not there; a script of the same name is the team's own, and a package is there under either heading. */
const lackingOf = (
  parts: Readonly<Record<string, Readonly<Record<string, string>>>>,
  standing: string,
): readonly string[] => {
  const manifest = parsed(standing)
  const own = (part: string): Readonly<Record<string, unknown>> => {
    const found = manifest[part]
    return isObject(found) ? found : {}
  }
  const there = { ...own('dependencies'), ...own('devDependencies'), ...own('peerDependencies') }
  const lines = Object.entries(parts).flatMap(([part, members]) => {
    const known = part === 'scripts' ? own(part) : there
    const missing = Object.entries(members).filter(([key]) => !Object.hasOwn(known, key))
    if (missing.length === 0) return []
    const written = missing.map(
      ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    )
    return [`${JSON.stringify(part)}: {`, ...written.join(',\n').split('\n'), '}']
  })
  return manifest.type === 'module' ? lines : [ES_MODULES, ...lines]
}

const ES_MODULES =
  '"type": "module", by which .js files are read as ES modules: what calls require is named .cjs'

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
