import { readFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { isObject } from '../model/json.js'
import { markdownText, memberName } from '../text/escape.js'
import type { Adopted, InitFile } from './adopt-documents.js'

/**
 * The files of a new project, by their paths below its folder: the documents, which must not exist yet, and others, which are
 * kept if they exist. Nothing is written to the disk.
 */
export const initFiles = (options: InitOptions): readonly InitFile[] => {
  const { name, adopted } = options
  const title = stringify(name, { lineWidth: 0 }).trim()
  const documents: readonly InitFile[] = adopted?.files ?? [
    { path: 'spec/openapi.yaml', text: template('openapi.yaml', { title }), kind: 'document' },
    { path: 'spec/openrpc.yaml', text: template('openrpc.yaml', { title }), kind: 'document' },
    { path: 'spec/schemas.yaml', text: template('schemas.yaml'), kind: 'document' },
  ]
  const beside: readonly InitFile[] = [
    { path: '.gitattributes', text: ATTRIBUTES, kind: 'beside', lacking: attributes },
    { path: 'twinspec.config.yaml', text: CONFIG, kind: 'beside', lacking: config },
    {
      path: 'tsconfig.json',
      text: template('tsconfig.json.txt'),
      kind: 'beside',
      lacking: tsconfig,
    },
    { path: 'package.json', ...packageJson(options) },
  ]
  if (!options.isNew) return [...documents, ...beside]
  return [
    ...documents,
    ...beside,
    {
      path: 'src/server.ts',
      text: adopted
        ? template('empty-server.ts.txt', { options: authenticating(options.schemes ?? []) })
        : template('server.ts.txt'),
      kind: 'beside',
    },
    { path: '.gitignore', text: IGNORE, kind: 'beside', lacking: ignore },
    { path: '.github/workflows/contract.yml', text: template('contract.yml'), kind: 'beside' },
    {
      path: 'README.md',
      text: template(adopted ? 'readme-adopted.md' : 'readme.md', { name: markdownText(name) }),
      kind: 'beside',
    },
  ]
}

export type InitOptions = {
  /** The name of the service, in words. */
  readonly name: string
  /** Whether the folder is no package yet; then it also gets a server, a workflow and a README. */
  readonly isNew: boolean
  /** Existing documents of the team; without them, the project gets an example of a pair. */
  readonly adopted: Adopted | undefined
  /** The security schemes of the operations of these documents. */
  readonly schemes?: readonly string[]
  /** The version ranges for package.json. */
  readonly versions: PackageVersions
}

export type PackageVersions = Readonly<Record<PackageName, string>>

export type PackageName =
  | 'twinspec'
  | '@scalar/openapi-upgrader'
  | '@types/node'
  | 'tsx'
  | 'typescript'

/** The package.json of a new service, or the lines that an existing one lacks. */
const packageJson = ({ name, versions, isNew, adopted }: InitOptions): Omit<InitFile, 'path'> => {
  const scripts = {
    ...SCRIPTS,
    // The token of the example.
    ...(isNew && !adopted && { conform: `${SCRIPTS.conform} --api-key parcel-token` }),
    // A project starts with one command, even before code was generated.
    ...(isNew && { prestart: SCRIPTS.generate, start: 'tsx src/server.ts' }),
  }
  const dependencies = pick(versions, NEEDED)
  const devDependencies = pick(versions, [
    ...NEEDED_TO_WORK,
    ...(isNew ? (['tsx'] as const) : []),
    ...(adopted?.isSwagger ? (['@scalar/openapi-upgrader'] as const) : []),
  ])
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
    lacking: (existing) => lackingOf(parts, existing),
  }
}

const SCRIPTS = {
  lint: 'twinspec lint',
  generate: 'twinspec generate',
  mock: 'twinspec mock',
  test: 'twinspec lint && twinspec generate --check && tsc --noEmit',
  conform: 'twinspec conform http://127.0.0.1:8080 --rate 0',
}

/** Generated code imports these at run time. */
const NEEDED: readonly PackageName[] = ['twinspec']

const NEEDED_TO_WORK: readonly PackageName[] = ['@types/node', 'typescript']

const pick = (
  versions: PackageVersions,
  names: readonly PackageName[],
): Readonly<Record<string, string>> =>
  Object.fromEntries([...names].sort().map((name) => [name, versions[name]]))

/** A valid npm name (`Tide table` becomes `tide-table`); valid names are unchanged. */
const packageName = (name: string): string => {
  if (/^(@[a-z0-9][a-z0-9-._]*\/)?[a-z0-9][a-z0-9-._]*$/.test(name) && name.length <= MOST) {
    return name
  }
  const bare = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST)
    .replace(/^-|-$/g, '')
  return bare === '' ? 'service' : bare
}

/** The characters that npm allows in a name. */
const MOST = 214

/** The missing members. An existing script of the same name is kept, and a package may be in any kind of dependencies. */
const lackingOf = (
  parts: Readonly<Record<string, Readonly<Record<string, string>>>>,
  existing: string,
): readonly string[] => {
  const manifest = parsed(existing)
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
  '"type": "module", so .js files are ES modules: rename files that call require to .cjs'

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The options of a server that rejects every credential until its check is written. */
const authenticating = (schemes: readonly string[]): string => {
  if (schemes.length === 0) return ''
  const rows = schemes.map((name) => `    ${memberName(name)}: () => undefined,\n`)
  return `, {
  // Each function receives a credential and returns the identity of its caller. The server responds with 401 to undefined.
  authenticate: {
${rows.join('')}  },
}`
}

/** Marks generated files, so that reviewers see which code is written by hand. */
const ATTRIBUTES = `\
* text=auto eol=lf
generated/** linguist-generated=true
`

const attributes = (existing: string): readonly string[] =>
  /^\/?generated\/\S*\s.*linguist-generated/m.test(existing)
    ? []
    : ['generated/** linguist-generated=true']

const IGNORE = `\
node_modules/
`

const ignore = (existing: string): readonly string[] =>
  /^\/?node_modules\/?\s*$/m.test(existing) ? [] : ['node_modules/']

/** Who owns a service implements it. */
const CONFIG = `\
generate:
  with: [server]
`

const config = (existing: string): readonly string[] =>
  /\bserver\b/.test(existing) ? [] : ['generate: { with: [server] }']

/** The compiler options that generated code requires. */
const tsconfig = (existing: string): readonly string[] =>
  /"resolveJsonModule"\s*:\s*true/.test(existing) ||
  /"module(Resolution)?"\s*:\s*"(bundler|preserve)"/i.test(existing)
    ? []
    : ['"resolveJsonModule": true, and "generated" in "include"']

/** A file of `templates/` with its `{{names}}` replaced. */
const template = (file: string, values: Readonly<Record<string, string>> = {}): string =>
  readFileSync(new URL(`templates/${file}`, import.meta.url), 'utf8').replace(
    /\{\{(\w+)\}\}/g,
    (whole, name: string) => values[name] ?? whole,
  )
