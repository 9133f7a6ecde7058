import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { UNCHECKED } from '../../src/emit/header.js'

const GENERATED = fileURLToPath(new URL('../../generated', import.meta.url))

/**
 * What the compiler reports for some files, whole, as if they were in the generated folder. `strict` is what most projects
 * set; `strictest` adds every flag that rejects more.
 */
export function diagnose(
  texts: ReadonlyMap<string, string>,
  settings: 'strict' | 'strictest' = 'strictest',
): readonly string[] {
  const options = settings === 'strict' ? STRICT : STRICTEST
  const paths = new Map([...texts].map(([name, text]) => [join(GENERATED, name), text]))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, directoryExists } = host
  const folders = new Set([...paths.keys()].map(dirname))
  host.fileExists = (file) => paths.has(file) || fileExists(file)
  host.directoryExists = (folder) => folders.has(folder) || directoryExists?.(folder) === true
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = paths.get(file)
    return text === undefined
      ? remembered(file, () => getSourceFile(file, languageVersion, ...rest))
      : ts.createSourceFile(file, text.replace(UNCHECKED, '//'), languageVersion)
  }
  const program = ts.createProgram([...paths.keys()], options, host)
  const found = [...paths.keys()].flatMap((path) => {
    const source = program.getSourceFile(path)
    if (!source) return []
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  })
  return [...program.getOptionsDiagnostics(), ...found].map(
    ({ file, code, messageText }) =>
      `${file?.fileName.split('/').at(-1)}: TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  )
}

/** What stands on the disk is read and parsed once for all the programs of a process: it is most of each. */
const files = new Map<string, ts.SourceFile | undefined>()

const remembered = (file: string, read: () => ts.SourceFile | undefined) => {
  if (!files.has(file)) files.set(file, read())
  return files.get(file)
}

const STRICT: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  resolveJsonModule: true,
  customConditions: ['twinspec-source'],
  skipLibCheck: true,
}

const STRICTEST: ts.CompilerOptions = {
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
