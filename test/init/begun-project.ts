import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { basicVariables } from '../variables.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const installed = (path: string): string => join(root, 'node_modules', path)

/** A folder that has the package installed, and whatever is written into it. */
export const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'begun-project-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/twinspec'))
  for (const name of ['openapi-fetch', 'typebox', '@types', 'msw']) {
    symlinkSync(installed(name), join(folder, 'node_modules', name))
  }
  const children: ChildProcess[] = []
  const diagnose = createDiagnosis(folder)
  return {
    folder,
    write: (files: readonly { readonly path: string; readonly text: string }[]): void => {
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
    },
    /** What the compiler says of the project's own files under the settings of its own configuration. */
    diagnose,
    /** Starts a file that prints its address, and gives that. */
    start: async (file: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
      const child = spawn(
        process.execPath,
        [
          '--import',
          pathToFileURL(installed('tsx/dist/loader.mjs')).href,
          '-C',
          'twinspec-source',
          file,
        ],
        {
          cwd: folder,
          env: { ...basicVariables(), PORT: '0', ...env },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      children.push(child)
      const [line] = (await Promise.race([
        once(child.stdout, 'data'),
        once(child, 'exit').then(([code]) => [`the server ended with ${code}`]),
      ])) as unknown[]
      const address = String(line).trim()
      if (!address.startsWith('http://')) throw new Error(address)
      return address
    },
    load: (file: string): Promise<Readonly<Record<string, Exported>>> =>
      import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href),
    remove: async (): Promise<void> => {
      for (const child of children) {
        if (child.exitCode !== null) continue
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the types of generated code are proven by `diagnose`
type Exported = (...args: readonly any[]) => any

/** What did not change since it was asked last is not looked at again, as in an editor. */
const createDiagnosis = (folder: string): (() => readonly string[]) => {
  let before: ts.SemanticDiagnosticsBuilderProgram | undefined
  const read = new Map<string, ts.SourceFile | undefined>()
  const hostOf = (options: ts.CompilerOptions): ts.CompilerHost => {
    const host = ts.createIncrementalCompilerHost(options)
    const { getSourceFile } = host
    host.getSourceFile = (file, ...rest) => {
      if (isOwn(file, folder)) return getSourceFile(file, ...rest)
      if (!read.has(file)) read.set(file, getSourceFile(file, ...rest))
      return read.get(file)
    }
    return host
  }
  return () => {
    const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
    const parsed = ts.parseJsonConfigFileContent(config, ts.sys, folder)
    const options = { ...parsed.options, customConditions: ['twinspec-source'] }
    const program = ts.createSemanticDiagnosticsBuilderProgram(
      parsed.fileNames,
      options,
      hostOf(options),
      before,
    )
    before = program
    const own = program.getSourceFiles().filter(({ fileName }) => isOwn(fileName, folder))
    if (own.length < 5) return [`only ${own.length} files were read`]
    const found = own.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    return [...parsed.errors, ...program.getOptionsDiagnostics(), ...found].map(
      ({ file, code, messageText }) =>
        `${file?.fileName.split('/').at(-1)}: TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  }
}

const isOwn = (file: string, folder: string): boolean =>
  !relative(folder, file).startsWith('..') && !file.includes('/node_modules/')
