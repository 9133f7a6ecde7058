import { join, resolve } from 'node:path'
import ts from 'typescript'
import type { File } from '../emit/file.js'
import { visibleCode } from '../text/escape.js'
import type { Toolkit } from './toolkit-package.js'

/**
 * Compiles TypeScript files of one folder into code and declarations, by name. First the runtime, then the files
 * that use it, against its declarations. If the toolkit is already compiled, its output is used. The package is the
 * same either way, although the compiler prints types in the order in which it reads them. Imports of other
 * packages are resolved from the toolkit.
 * Rejects with a sentence if the files do not compile, for example because a union has too many members. Throws if the runtime
 * does not compile, which is a bug in the toolkit.
 */
export const compilePackage = (
  emitted: readonly File[],
  runtime: readonly File[],
  toolkit: Toolkit,
): Compiled => {
  const built = compiledRuntime(runtime, toolkit)
  const { outputs, faults } = compiled(
    emitted,
    { beside: built, types: [], isChecked: true },
    toolkit,
  )
  return faults.length > 0
    ? { kind: 'rejected', sentence: sentence(faults) }
    : { kind: 'compiled', outputs: new Map([...built, ...outputs]) }
}

export type Compiled =
  | { readonly kind: 'compiled'; readonly outputs: ReadonlyMap<string, string> }
  /** One sentence, and a line for each of the first errors: file, line, column, message and error number. */
  | { readonly kind: 'rejected'; readonly sentence: string }

/** The compiled runtime is cached, because it is the same for every package of a process. */
const compiledRuntime = (files: readonly File[], toolkit: Toolkit): ReadonlyMap<string, string> => {
  const key = JSON.stringify([toolkit.root, files])
  if (lastRuntime?.key !== key) {
    const { outputs, faults } = compiled(
      files,
      { beside: new Map(), types: ['node'], isChecked: false },
      toolkit,
    )
    if (faults.length > 0) throw new Error(`the runtime does not compile:\n${linesOf(faults)}`)
    lastRuntime = { key, outputs }
  }
  return lastRuntime.outputs
}

let lastRuntime: { readonly key: string; readonly outputs: ReadonlyMap<string, string> } | undefined

type Setting = {
  /** Compiled output of other files, which the files can import. */
  readonly beside: ReadonlyMap<string, string>
  /** Packages whose global types are available. */
  readonly types: string[]
  /** Whether types are checked. Those of the runtime are checked in the toolkit itself. */
  readonly isChecked: boolean
}

/** Files of other packages, which are the same in every program of a process. */
const parsed = new Map<string, ts.SourceFile | undefined>()

const compiled = (
  files: readonly File[],
  { beside, types, isChecked }: Setting,
  toolkit: Toolkit,
): Output => {
  if (files.length === 0) return { outputs: new Map(), faults: [] }
  const texts = [...beside, ...files.map(({ name, text }) => [name, text] as const)]
  const sources = new Map(texts.map(([name, text]) => [inMemory(name), text]))
  sources.set(
    inMemory('package.json'),
    JSON.stringify({ type: 'module', imports: importsHere(toolkit) }),
  )
  const roots = files.filter(({ name }) => name.endsWith('.ts')).map(({ name }) => inMemory(name))
  const options = { ...OPTIONS, types, noCheck: !isChecked }
  const program = ts.createProgram(roots, options, hostOf(sources, options, toolkit))
  const outputs = new Map<string, string>()
  const { diagnostics } = program.emit(undefined, (path, text) => {
    outputs.set(path.slice(ROOT.length + 1), visibleCode(text))
  })
  const faults = [
    ...program.getOptionsDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...(isChecked ? program.getSemanticDiagnostics() : []),
    ...diagnostics,
  ]
  return { outputs, faults }
}

type Output = {
  readonly outputs: ReadonlyMap<string, string>
  readonly faults: readonly ts.Diagnostic[]
}

/**
 * The same options as for the toolkit itself, so that the runtime is identical whether it was
 * compiled before or for this package.
 */
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  declaration: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  resolveJsonModule: true,
  newLine: ts.NewLineKind.LineFeed,
}

/** A folder that exists on no disk. */
const ROOT = '/package-in-memory'

const inMemory = (name: string): string => `${ROOT}/${name}`

/** The `#names` of the runtime, resolved to its files next to the compiled ones. */
const importsHere = ({ manifest }: Toolkit) =>
  JSON.parse(JSON.stringify(manifest.imports).replaceAll('./dist/src/', './'))

const hostOf = (
  sources: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
  toolkit: Toolkit,
): ts.CompilerHost => {
  const disk = ts.createCompilerHost(options)
  const isHere = (path: string) => path.startsWith(`${ROOT}/`)
  // If the runtime is already compiled, its declarations are read from there.
  const onDisk = (path: string) =>
    isHere(path) && !toolkit.isSource ? join(toolkit.folder, path.slice(ROOT.length)) : path
  const readFile = (path: string) => sources.get(path) ?? disk.readFile(onDisk(path))
  const cache = ts.createModuleResolutionCache(toolkit.root, (name) => name, options)
  const host: ts.CompilerHost = {
    ...disk,
    getCurrentDirectory: () => toolkit.root,
    readFile,
    fileExists: (path) => sources.has(path) || disk.fileExists(onDisk(path)),
    directoryExists: (path) => isHere(path) || path === ROOT || ts.sys.directoryExists(path),
    realpath: (path) => (isHere(path) ? path : (disk.realpath?.(path) ?? path)),
    getSourceFile: (path, version) => {
      if (!isHere(path)) {
        if (!parsed.has(path)) parsed.set(path, disk.getSourceFile(path, version))
        return parsed.get(path)
      }
      const text = readFile(path)
      return text === undefined ? undefined : ts.createSourceFile(path, text, version)
    },
    resolveModuleNameLiterals: (literals, from, redirected, its, source) =>
      literals.map((literal) => {
        const isOther = isHere(from) && !/^[.#]/.test(literal.text)
        const mode = ts.getModeForUsageLocation(source, literal, its)
        const importer = isOther ? resolve(toolkit.root, 'package.ts') : from
        return ts.resolveModuleName(literal.text, importer, its, host, cache, redirected, mode)
      }),
  }
  return host
}

const sentence = (faults: readonly ts.Diagnostic[]): string =>
  `no code can be generated for a construct of the document; TypeScript rejects it:\n${linesOf(faults)}`

const linesOf = (faults: readonly ts.Diagnostic[]): string =>
  faults.slice(0, MOST_SHOWN).map(lineOf).join('\n')

const lineOf = ({ file, start = 0, messageText, code }: ts.Diagnostic): string => {
  const message = ts.flattenDiagnosticMessageText(messageText, ' ').replace(/\s+/g, ' ')
  if (file === undefined) return `${message} (TS${code})`
  const { line, character } = file.getLineAndCharacterOfPosition(start)
  const name = file.fileName.replace(`${ROOT}/`, '')
  return `${name}:${line + 1}:${character + 1}: ${message} (TS${code})`
}

const MOST_SHOWN = 5
