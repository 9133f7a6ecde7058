import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emitAll } from '../../src/emit/emit.js'
import { UNCHECKED } from '../../src/emit/header.js'
import { DEFAULT_KINDS } from '../../src/emit/kinds.js'
import { loadApi } from '../../src/read/load.js'
import type { Bench } from './bench.js'
import { install } from './install.js'
import { timed } from './rounds.js'

/** What is generated from GitHub's document compiles, strict, with nothing passed over. */
export const githubCompiles: Bench = {
  name: 'github-compiles',
  isLarge: true,
  run: async ({ report }) => {
    const openapi = await githubDocument()
    const folder = await mkdtemp(join(tmpdir(), 'twinspec-bench-'))
    try {
      report('generating')
      for (const { name, text } of emitAll(
        await loadApi({ openapi }),
        [],
        [...DEFAULT_KINDS, 'server'],
      )) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), text.replace(UNCHECKED, '//'))
      }
      await prepareProject(folder)
      report('type-checking, which takes a minute')
      const cost = await timed(() => typeCheck(folder))
      return [
        { what: 'GitHub, output compiles, strict', measured: { name: 'tsc, no error', ...cost } },
      ]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** The path of GitHub's document, which is installed where it is not yet. */
export async function githubDocument(): Promise<string> {
  const file = join(HERE, 'node_modules/@octokit/openapi/generated/api.github.com.json')
  if (existsSync(file)) return file
  await install(HERE, '@octokit/openapi (385 MB)')
  return file
}

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A project as a user has it, with this package and what it depends on among its modules. */
export async function prepareProject(folder: string) {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@types'), { recursive: true })
  await symlink(ROOT, join(modules, 'twinspec'), 'junction')
  for (const name of ['openapi-fetch', 'typebox', '@types/node']) {
    await symlink(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
}

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    module: 'NodeNext',
    customConditions: ['twinspec-source'],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    isolatedModules: true,
    skipLibCheck: true,
  },
  include: ['**/*.ts'],
}

/** Rejects with the first errors that tsc prints. */
const typeCheck = (folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
    const options = { cwd: folder, maxBuffer: 1e9 }
    const argv = ['--max-old-space-size=6144', tsc, '-p', folder]
    execFile(process.execPath, argv, options, (cause, printed) => {
      if (!cause) return resolve()
      const lines = printed.split('\n')
      const excerpt = [...lines.slice(0, 20), `(${lines.length} lines)`].join('\n')
      reject(new Error(`tsc refuses what was generated:\n${excerpt}`, { cause }))
    })
  })
