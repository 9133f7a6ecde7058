import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import ts from 'typescript'
import { parse } from 'yaml'
import { isObject } from '../model/json.js'
import {
  type Edit,
  type FileEdit,
  lineAt,
  type Mention,
  moduleChanges,
  moduleResolver,
  type Output,
  stemOf,
  type TextFile,
  TYPES,
} from './openapi-typescript-imports.js'
import { type Generation, rewriteScript } from './openapi-typescript-script.js'

/**
 * What a project of openapi-typescript needs to print its types with `generate --only types`: changes of its scripts, of its
 * dependencies and of the imports of the types, and the places that are left to its owner. Reads files and writes none.
 *
 * @param dir The folder of the project, with a package.json.
 */
export const leaveOpenapiTypescript = async (
  dir: string,
  { range, exportsOf }: MigrationOptions,
): Promise<Migration> => {
  const files = textFilesIn(dir)
  const manifest = files.find(({ path }) => path === 'package.json')
  const scripts = manifest ? scriptEdits(manifest, dir) : NO_SCRIPTS
  const outputs = await outputsOf(dir, files, scripts, exportsOf)
  const isOutput = ({ path }: TextFile) => outputs.some(({ output }) => output === path)
  const resolveTo = moduleResolver(dir, outputs)
  const modules = files
    .filter((one) => !isOutput(one) && SOURCE.test(one.path))
    .map((one) => moduleChanges(one, resolveTo))
  const edits = [...scripts.edits, ...modules.flatMap((one) => one.edits)]
  const left: readonly Mention[] = [
    ...scripts.left,
    ...modules.flatMap((one) => one.left),
    ...outputs.flatMap(({ output, folder, document }) => [
      ...(document === undefined
        ? [
            {
              path: output,
              line: 1,
              message: `its document is not known: run twinspec generate DOCUMENT --only types --out ${folder}`,
            },
          ]
        : []),
      ...(existsSync(join(dir, output))
        ? [
            {
              path: output,
              line: 1,
              message: `${folder}/${TYPES}.ts replaces it: remove it when the project compiles`,
            },
          ]
        : []),
    ]),
    ...files.filter((one) => !isOutput(one)).flatMap((one) => mentions(one, outputs, edits)),
  ]
  const isDone = left.every(({ needsPackage }) => needsPackage !== true)
  const dependencies = manifest && edits.length > 0 ? dependencyEdits(manifest, range, isDone) : []
  return {
    files: changedFiles(files, [...edits, ...dependencies]),
    left: [...left].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line)),
    stays: modules.flatMap((one) => one.stays),
    generations: scripts.generations,
  }
}

export type MigrationOptions = {
  /** The version range of this package. */
  readonly range: string
  /** The types that are exported for a document; undefined if it cannot be read. */
  readonly exportsOf: (document: string) => Promise<ReadonlySet<string> | undefined>
}

export type Migration = {
  readonly files: readonly ChangedFile[]
  /** What is not changed, and why. */
  readonly left: readonly Mention[]
  /** Clients of openapi-fetch, which work with the new types as they are. */
  readonly stays: readonly Mention[]
  readonly generations: readonly Generation[]
}

export type ChangedFile = {
  /** Relative to the project, with slashes. */
  readonly path: string
  readonly before: string
  readonly edits: readonly Edit[]
}

/** A replacement of the text from `start` to `end`. */
// Files

const SOURCE = /\.(?:[mc]?[tj]sx?|vue|svelte|astro)$/
const TEXT =
  /\.(?:[mc]?[tj]sx?|vue|svelte|astro|json|ya?ml|md|sh|toml)$|(?:^|\/)(?:Makefile|\.\w+(?:ignore|attributes))$/
const SKIPPED =
  /^(?:node_modules|dist|build|coverage|\.(?!github$|\w+(?:ignore|attributes)$).*|(?:package-lock|npm-shrinkwrap)\.json|pnpm-lock\.yaml)$/

const textFilesIn = (dir: string, below = ''): readonly TextFile[] =>
  readdirSync(join(dir, below), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.test(name))
    .flatMap((entry) => {
      const path = posix.join(below, entry.name)
      if (entry.isDirectory()) return textFilesIn(dir, path)
      if (!entry.isFile() || !TEXT.test(path)) return []
      return [{ path, text: readFileSync(join(dir, path), 'utf8') }]
    })

const changedFiles = (
  files: readonly TextFile[],
  edits: readonly FileEdit[],
): readonly ChangedFile[] =>
  files.flatMap(({ path, text: before }) => {
    const own = edits.filter((one) => one.path === path).sort((a, b) => a.start - b.start)
    return own.length === 0 ? [] : [{ path, before, edits: own }]
  })

/** The text of a file after its edits. */
export const edited = ({ before, edits }: ChangedFile): string => {
  let text = ''
  let end = 0
  for (const edit of edits) {
    text += before.slice(end, edit.start) + edit.text
    end = edit.end
  }
  return text + before.slice(end)
}

// package.json

type Scripts = {
  readonly edits: readonly FileEdit[]
  readonly left: readonly Mention[]
  readonly generations: readonly Generation[]
}

const NO_SCRIPTS: Scripts = { edits: [], left: [], generations: [] }

const scriptEdits = (manifest: TextFile, dir: string): Scripts => {
  const rows = membersAt(manifest, 'scripts').flatMap(({ value }) => {
    if (!ts.isStringLiteral(value)) return []
    const written = rewriteScript(value.text, {
      configured: () => configuredIn(dir),
      folderOf: (output) => folderFor(dir, output),
    })
    return written === undefined ? [] : [{ value, written }]
  })
  const { path, text } = manifest
  return {
    edits: rows.flatMap(({ value, written }) =>
      'why' in written
        ? []
        : [{ path, start: value.getStart(), end: value.end, text: JSON.stringify(written.script) }],
    ),
    left: rows.flatMap(({ value, written }) =>
      'why' in written
        ? [
            {
              path,
              line: lineAt(text, value.getStart()),
              message: written.why,
              needsPackage: true as const,
            },
          ]
        : [],
    ),
    generations: rows.flatMap(({ written }) => ('why' in written ? [] : written.generations)),
  }
}

/** The documents that a configuration of Redocly names for openapi-typescript, with their outputs. */
const configuredIn = (dir: string): readonly Generation[] | undefined => {
  const file = ['redocly.yaml', 'redocly.yml'].map((name) => join(dir, name)).find(existsSync)
  if (file === undefined) return undefined
  const config: unknown = parse(readFileSync(file, 'utf8'))
  const apis = isObject(config) && isObject(config.apis) ? Object.values(config.apis) : []
  return apis.flatMap((one) => {
    const own = isObject(one) ? (one['x-openapi-ts'] ?? one['openapi-ts']) : undefined
    const output = isObject(own) ? own.output : undefined
    const root = isObject(one) ? one.root : undefined
    if (typeof root !== 'string' || typeof output !== 'string') return []
    return [{ document: root, output, folder: folderFor(dir, output) }]
  })
}

/** `src/schema.d.ts` -> `src/schema`; where such a folder has files of its own, `src/schema-types`. */
const folderFor = (dir: string, output: string): string => {
  const stem = stemOf(posix.normalize(output))
  const isTaken = existsSync(join(dir, stem)) && !existsSync(join(dir, stem, `${TYPES}.ts`))
  return isTaken ? `${stem}-types` : stem
}

type Member = {
  readonly key: string
  readonly property: ts.PropertyAssignment
  readonly value: ts.Expression
}

/** The members of an object in a JSON file, with their positions. */
const membersAt = ({ path, text }: TextFile, key: string): readonly Member[] => {
  const kind = ts.ScriptKind.JSON
  const [statement] = ts.createSourceFile(path, text, ts.ScriptTarget.JSON, true, kind).statements
  const members = (object: ts.Node | undefined): readonly Member[] =>
    object === undefined || !ts.isObjectLiteralExpression(object)
      ? []
      : object.properties.flatMap((property) =>
          ts.isPropertyAssignment(property) && ts.isStringLiteral(property.name)
            ? [{ key: property.name.text, property, value: property.initializer }]
            : [],
        )
  return members(
    members(
      statement && ts.isExpressionStatement(statement) ? statement.expression : undefined,
    ).find((one) => one.key === key)?.value,
  )
}

/** This package in place of openapi-typescript, or beside it while something needs it. */
const dependencyEdits = (
  manifest: TextFile,
  range: string,
  isDone: boolean,
): readonly FileEdit[] => {
  const sections = ['dependencies', 'devDependencies'].map((key) => membersAt(manifest, key))
  const siblings = sections.find((one) => one.some(({ key }) => key === OLD)) ?? []
  const at = siblings.findIndex(({ key }) => key === OLD)
  const { path, text } = manifest
  const old = siblings[at]
  if (old === undefined) return []
  const isThere = sections.flat().some(({ key }) => key === NEW)
  const [start, end] = [old.property.getStart(), old.property.end]
  if (!isDone) {
    const margin = text.slice(text.lastIndexOf('\n', start) + 1, start)
    return isThere ? [] : [{ path, start: end, end, text: `,\n${margin}"${NEW}": "${range}"` }]
  }
  if (!isThere) return [{ path, start, end, text: `"${NEW}": "${range}"` }]
  const next = siblings[at + 1]?.property.getStart()
  return next === undefined
    ? [{ path, start: siblings[at - 1]?.property.end ?? start, end, text: '' }]
    : [{ path, start, end: next, text: '' }]
}

const OLD = 'openapi-typescript'
const NEW = 'twinspec'

// The modules of types, and what imports them

/**
 * The outputs of scripts, and files with the header of openapi-typescript that no script writes. Where a script is left, it may
 * be the one that writes them.
 */
const outputsOf = async (
  dir: string,
  files: readonly TextFile[],
  { generations, left }: Scripts,
  exportsOf: MigrationOptions['exportsOf'],
): Promise<readonly Output[]> => {
  const known = await Promise.all(
    generations.map(async ({ document, output, folder }) => ({
      ...{ output: posix.normalize(output), folder, document },
      exported: await exportsOf(document),
    })),
  )
  const others = files
    .filter(
      ({ path, text }) =>
        HEADER.test(text.slice(0, 200)) && !known.some(({ output }) => output === path),
    )
    .map(({ path }) => ({
      output: path,
      folder: folderFor(dir, path),
      document: undefined,
      exported: undefined,
    }))
  return left.length > 0 ? known : [...known, ...others]
}

const HEADER = /auto-generated by openapi-typescript/

/** Lines that mention openapi-typescript or an output, where nothing is changed. */
const mentions = (
  { path, text }: TextFile,
  outputs: readonly Output[],
  edits: readonly FileEdit[],
): readonly Mention[] => {
  const names = outputs.map(({ output }) => basename(output))
  const changed = new Set(
    edits.filter((one) => one.path === path).map(({ start }) => lineAt(text, start)),
  )
  return text.split('\n').flatMap((line, index): readonly Mention[] => {
    const number = index + 1
    const name = names.find((one) => line.includes(one))
    const isPackage = PACKAGE.test(line)
    if (changed.has(number) || (!isPackage && name === undefined)) return []
    if (path === 'package.json') return []
    const isImported = isPackage && SOURCE.test(path) && /\b(?:import|require|from)\b/.test(line)
    const message = isImported
      ? 'the Node API of openapi-typescript has no counterpart here'
      : `mentions ${isPackage ? 'openapi-typescript' : name}`
    return [{ path, line: number, message, ...(isImported && { needsPackage: true as const }) }]
  })
}

const PACKAGE = /openapi-typescript(?![\w-])(?!\/)/
