import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { compileErrors } from '../compile.js'
import { basicVariables } from '../variables.js'
import { ROOT } from './packed.js'

export type Snippet = { readonly title: string; readonly text: string; readonly file: string }

/** The code of a package's README, a file each in a project that has the package and lends what the code asks for. */
export const layOut = async (app: string, name: string, folder: string): Promise<LaidOut> => {
  const own = join(app, 'node_modules', name)
  await mkdir(dirname(own), { recursive: true })
  await cp(folder, own, { recursive: true })
  for (const one of LENT)
    await symlink(join(ROOT, 'node_modules', one), join(app, 'node_modules', one))
  await writeFile(join(app, 'package.json'), '{ "type": "module" }')
  const readme = await readFile(join(own, 'README.md'), 'utf8')
  const snippets = snippetsIn(readme, app)
  for (const { file, text } of snippets) {
    await writeFile(file, text)
    await writeFile(programOf(file), asCode(text))
  }
  return { readme, snippets }
}

export type LaidOut = { readonly readme: string; readonly snippets: readonly Snippet[] }

const LENT = [
  ...['openapi-fetch', 'typebox', 'viem', 'abitype', 'ethers', 'msw', 'fastify', 'hono'],
  '@types',
]

const snippetsIn = (readme: string, app: string): readonly Snippet[] =>
  readme.split(/^## /m).flatMap((part) => {
    const title = part.split('\n', 1)[0] ?? ''
    return [...part.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = ''], index) => ({
      title: index === 0 ? title : `${title}, ${index + 1}`,
      text,
      file: join(app, `${title.replace(/\W+/g, '-')}-${index + 1}.ts`),
    }))
  })

/** As it runs, types erased and nothing else. */
export const asCode = (text: string): string =>
  // One file by itself has no package.json that says what it is.
  ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  }).outputText

export const programOf = (file: string): string => file.replace(/\.ts$/, '.js')

/** What the compiler reports for snippets, all in one program. */
export const faultsOf = (files: readonly string[], room: string): readonly string[] =>
  compileErrors({ files, options: OPTIONS }).map((error) => error.slice(room.length))

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
}

/** Runs a snippet to its end; what it printed, errors behind. */
export const run = (file: string, env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const program = programOf(file)
    const settings = { cwd: dirname(file), env: { ...basicVariables(), ...env }, timeout: 900_000 }
    execFile(process.execPath, [program], settings, (error, stdout, stderr) => {
      if (error) reject(new Error(`${program}\n${stdout}\n${stderr}`, { cause: error }))
      else resolve(stdout + stderr)
    })
  })
