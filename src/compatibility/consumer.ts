import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { emitAll } from '../emit/emit.js'
import type { File } from '../emit/file.js'
import { header } from '../emit/header.js'
import { kindNames } from '../emit/kinds.js'
import { PLUGINS, pluginNames } from '../emit/plugins.js'
import type { Api } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { isObject } from '../model/json.js'
import { pack } from '../pack/pack.js'
import { disk } from '../read/file-tree.js'
import { cached } from '../runtime/shared/cached.js'
import { levelOf } from './findings.js'

/**
 * Compiles each project of a consumer twice: unchanged, and with the client of the new documents in place of its own. Returns the
 * diagnostics that only the second run reports. Rejects with ConsumerError if no project uses a client.
 */
export const compileConsumer = async (
  path: string,
  api: Api,
  { today }: { readonly today: Date },
): Promise<readonly Finding[]> => {
  const { name, projects } = projectsOf(path)
  const found = new Map<string, Placed>()
  let usesClient = false
  for (const project of projects) {
    const host = ts.createCompilerHost(project.options)
    const program = ts.createProgram([...project.files], project.options, host)
    const clients = clientsIn(program)
    if (clients.length === 0) continue
    usesClient = true
    const replaced = new Map<string, string | undefined>()
    for (const client of clients) {
      for (const file of client.files) replaced.set(file, undefined)
      const files = client.kind === 'package' ? await packed(client, api, today) : generated(api)
      for (const { name, text } of files) replaced.set(join(client.root, name), text)
    }
    const known = new Set(diagnosticsOf(program, replaced).map(keyOf))
    const changed = ts.createProgram(
      [...project.files],
      project.options,
      withReplaced(host, replaced),
    )
    // Projects may share files.
    for (const one of diagnosticsOf(changed, replaced)) {
      if (!known.has(keyOf(one))) found.set(keyOf(one), one)
    }
  }
  if (!usesClient)
    throw new ConsumerError(
      `${name} uses no client: it imports neither files of \`twinspec generate\` nor a package of \`twinspec pack\``,
    )
  return [...found.values()].map(findingOf)
}

/** Thrown if the code of a consumer cannot be compiled with a new client. */
export class ConsumerError extends Error {
  override readonly name = 'ConsumerError'
}

type Project = { readonly files: readonly string[]; readonly options: ts.CompilerOptions }

/**
 * The project of a tsconfig.json and those that it references; a folder without one, or a single file, is one project. The name
 * is for messages.
 */
const projectsOf = (path: string): { readonly name: string; readonly projects: Project[] } => {
  const kind = disk.kindOf(path)
  if (kind === undefined) throw new ConsumerError(`there is no ${path}`)
  const folder = kind === 'folder' ? resolve(path) : dirname(resolve(path))
  const isConfig = kind === 'file' && path.endsWith('.json')
  const config = isConfig ? resolve(path) : ts.findConfigFile(folder, existsSync, 'tsconfig.json')
  const isOwn = config !== undefined && (kind !== 'folder' || dirname(config) === folder)
  if (config === undefined || !isOwn) {
    const files = kind === 'folder' ? ts.sys.readDirectory(folder, EXTENSIONS) : [resolve(path)]
    const own = files.filter((file) => !/[/\\]node_modules[/\\]/.test(file))
    return { name: path, projects: [{ files: own, options: USUAL }] }
  }
  if (kind === 'file' && !isConfig) {
    return { name: path, projects: [{ ...read(config), files: [resolve(path)] }] }
  }
  const projects = new Map<string, Project>()
  const follow = (file: string): void => {
    if (projects.has(file)) return
    const project = read(file)
    projects.set(file, project)
    for (const one of project.references) follow(ts.resolveProjectReferencePath(one))
  }
  follow(config)
  const more = projects.size > 1 ? ', with the projects that it references,' : ''
  const name = `${isConfig ? path : join(path, 'tsconfig.json')}${more}`
  return { name, projects: [...projects.values()] }
}

const read = (config: string) => {
  const { config: json, error } = ts.readConfigFile(config, ts.sys.readFile)
  if (error) throw new ConsumerError(`${config}: ${textOf(error)}`)
  const parsed = ts.parseJsonConfigFileContent(json, ts.sys, dirname(config))
  return {
    files: parsed.fileNames,
    options: { ...parsed.options, noEmit: true, skipLibCheck: true },
    references: parsed.projectReferences ?? [],
  }
}

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts']

/** The options that most projects set. */
const USUAL: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  resolveJsonModule: true,
}

/** A client that the code imports, with its files that are in the program. */
type ConsumerClient = {
  readonly kind: 'generated' | 'package'
  readonly root: string
  readonly name: string
  readonly files: readonly string[]
}

const clientsIn = (program: ts.Program): readonly ConsumerClient[] => {
  const clients = new Map<string, ConsumerClient & { readonly files: string[] }>()
  for (const { fileName, text, isDeclarationFile } of program.getSourceFiles()) {
    const found = isDeclarationFile
      ? packageAbove(fileName)
      : text.startsWith(header())
        ? { kind: 'generated' as const, root: generatedRoot(fileName), name: '' }
        : undefined
    if (found === undefined) continue
    cached(clients, found.root, () => ({ ...found, files: [] })).files.push(fileName)
  }
  return [...clients.values()]
}

/** The folder of a tag is below the folder of the whole client. */
const generatedRoot = (file: string): string => {
  let folder = dirname(file)
  while (
    !existsSync(join(folder, 'operations.ts')) ||
    isGenerated(join(dirname(folder), 'client.ts'))
  ) {
    const above = dirname(folder)
    if (above === folder) return dirname(file)
    folder = above
  }
  return folder
}

const isGenerated = (file: string): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').startsWith(header())

const packageAbove = (file: string): Omit<ConsumerClient, 'files'> | undefined => {
  for (let folder = dirname(file); dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, 'package.json')
    if (!existsSync(path)) continue
    const known = cached(manifests, path, () => manifestAt(path))
    return known.packedBy === 'twinspec pack'
      ? { kind: 'package', root: folder, name: String(known.name) }
      : undefined
  }
  return undefined
}

const manifests = new Map<string, Readonly<Record<string, unknown>>>()

const manifestAt = (path: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const generated = (api: Api): readonly File[] => [
  ...emitAll(api, [], kindNames),
  ...pluginNames
    .filter((name) => PLUGINS[name].whyNot(api) === undefined)
    .map((name) => PLUGINS[name].emit(api)),
]

const packed = async (
  { name }: ConsumerClient,
  api: Api,
  today: Date,
): Promise<readonly File[]> => {
  const made = await pack(api, { name, version: '0.0.0', forces: true, today })
  if (made.kind === 'rejected') throw new ConsumerError(made.sentence)
  return made.files
}

/** A file with an undefined text does not exist in the new client. */
const withReplaced = (
  host: ts.CompilerHost,
  replaced: ReadonlyMap<string, string | undefined>,
): ts.CompilerHost => {
  const folders = new Set([...replaced.keys()].map(dirname))
  const readFile = (file: string) => (replaced.has(file) ? replaced.get(file) : host.readFile(file))
  return {
    ...host,
    readFile,
    fileExists: (file) =>
      replaced.has(file) ? replaced.get(file) !== undefined : host.fileExists(file),
    directoryExists: (folder) => folders.has(folder) || ts.sys.directoryExists(folder),
    getSourceFile: (file, version, ...rest) => {
      if (!replaced.has(file)) return host.getSourceFile(file, version, ...rest)
      const text = replaced.get(file)
      return text === undefined ? undefined : ts.createSourceFile(file, text, version)
    },
  }
}

/** The diagnostics of the consumer's own files. */
const diagnosticsOf = (
  program: ts.Program,
  replaced: ReadonlyMap<string, unknown>,
): readonly Placed[] =>
  program
    .getSourceFiles()
    .filter((one) => !replaced.has(one.fileName) && !program.isSourceFileFromExternalLibrary(one))
    .filter(({ isDeclarationFile }) => !isDeclarationFile)
    .flatMap((one) => [
      ...program.getSyntacticDiagnostics(one),
      ...program.getSemanticDiagnostics(one),
    ])
    .flatMap((one) => (one.file === undefined ? [] : [{ ...one, file: one.file }]))

type Placed = ts.Diagnostic & { readonly file: ts.SourceFile }

const keyOf = ({ file, start, code, ...rest }: Placed): string =>
  JSON.stringify([file.fileName, start, code, textOf(rest)])

const textOf = ({ messageText }: Pick<ts.Diagnostic, 'messageText'>): string =>
  ts.flattenDiagnosticMessageText(messageText, ' ').replace(/\s+/g, ' ')

const findingOf = (one: Placed): Finding => {
  const { file, start = 0, code } = one
  const { line, character } = file.getLineAndCharacterOfPosition(start)
  const path = relative(process.cwd(), file.fileName)
  return {
    rule: 'consumer-does-not-compile',
    level: levelOf('consumer-does-not-compile'),
    location: {
      file: path.startsWith('..') ? file.fileName : path,
      line: line + 1,
      column: character + 1,
      pointer: '',
    },
    message: `this code does not compile with the new client: ${textOf(one)} (TS${code})`,
  }
}
