import { dirname } from 'node:path'
import ts from 'typescript'

/** What most projects set. */
export const STRICT: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  // As in projects with a bundler: a file without an import or export is no module.
  moduleDetection: ts.ModuleDetectionKind.Legacy,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  resolveJsonModule: true,
  customConditions: ['twinspec-source'],
  skipLibCheck: true,
}

/** Every flag that rejects more. */
export const STRICTEST: ts.CompilerOptions = {
  ...STRICT,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noUncheckedSideEffectImports: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  forceConsistentCasingInFileNames: true,
}

export type Program = {
  /** Paths of the files that are checked: on disk, or in `texts`. */
  readonly files: readonly string[]
  /** Path to text, for files that are not on disk. */
  readonly texts?: ReadonlyMap<string, string>
  readonly options?: ts.CompilerOptions
}

/** A program whose files may exist in memory only. What is on disk is parsed once for all the programs of a process. */
export function createProgram({ files, texts = new Map(), options = STRICTEST }: Program) {
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, directoryExists, readFile } = host
  const folders = new Set([...texts.keys()].map(dirname))
  const target = `${options.target} ${options.module} ${options.jsx}`
  host.fileExists = (file) => texts.has(file) || fileExists(file)
  host.readFile = (file) => texts.get(file) ?? readFile(file)
  host.directoryExists = (folder) => folders.has(folder) || directoryExists?.(folder) === true
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = texts.get(file)
    if (text !== undefined) return ts.createSourceFile(file, text, languageVersion)
    if (!file.includes('/node_modules/')) return getSourceFile(file, languageVersion, ...rest)
    const key = `${target} ${file}`
    const known = parsed.get(key) ?? getSourceFile(file, languageVersion, ...rest)
    if (known) parsed.set(key, known)
    return known
  }
  return ts.createProgram(files, options, host)
}

/** Packages and the libraries of TypeScript: most of each program. */
const parsed = new Map<string, ts.SourceFile>()

/** What the compiler reports for the files of a program: path, code and message. */
export function compileErrors(program: Program): readonly string[] {
  const compiled = createProgram(program)
  const found = program.files.flatMap((file) => {
    const source = compiled.getSourceFile(file)
    if (!source) return []
    return [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)]
  })
  return [...compiled.getOptionsDiagnostics(), ...found].map(
    ({ file, code, messageText }) =>
      `${file?.fileName}: TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}
