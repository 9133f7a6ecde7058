import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { twinspec } from '../cli/command-line.js'
import { compileErrors, STRICTEST } from '../compile.js'

const HERE = fileURLToPath(new URL('.', import.meta.url))
export const ROOT = join(HERE, '../..')

/** Why the tests of this folder are skipped; undefined where its packages are installed. */
export const whySkipped = (packages: 'newest' | 'oldest' = 'newest'): string | undefined => {
  const folder = packagesOf(packages)
  return existsSync(folder)
    ? undefined
    : `skipped: npm ci --prefix ${dirname(folder).slice(ROOT.length + 1)} --omit=peer --ignore-scripts`
}

const packagesOf = (packages: 'newest' | 'oldest'): string =>
  join(HERE, packages === 'newest' ? '' : packages, 'node_modules')

/**
 * A project elsewhere that has the packages of this folder, the toolkit, and code generated from the documents of this folder.
 * Programs in it are TypeScript.
 */
export const createProject = async ({
  plugins,
  packages = 'newest',
}: {
  readonly plugins: string
  readonly packages?: 'newest' | 'oldest'
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-peers-'))
  const modules = join(folder, 'node_modules')
  // A copy, so that its modules import the packages of the project.
  const toolkit = join(modules, 'twinspec')
  await cp(join(ROOT, 'src/runtime'), join(toolkit, 'src/runtime'), { recursive: true })
  await cp(join(ROOT, 'package.json'), join(toolkit, 'package.json'))
  for (const from of [packagesOf(packages), join(ROOT, 'node_modules')])
    for (const name of await packagesIn(from)) {
      const target = join(modules, name)
      if (existsSync(target)) continue
      await mkdir(dirname(target), { recursive: true })
      await symlink(join(from, name), target)
    }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const documents = [
    ...['--openapi', join(HERE, 'documents/shop.openapi.yaml')],
    ...['--openrpc', join(HERE, 'documents/shop.openrpc.yaml')],
  ]
  const out = join(folder, 'generated')
  const generated = await twinspec(
    'generate',
    ...documents,
    '--with',
    `server,${plugins}`,
    '--out',
    out,
  )
  if (generated.code !== 0) throw new Error(generated.stderr)
  return {
    folder,
    documents,
    write: (name: string, text: string): string => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    errorsOf: (files: readonly string[]) =>
      compileErrors({ files, options: { ...STRICTEST, typeRoots: [join(modules, '@types')] } }),
    /** What a program prints, by line. */
    run: async (file: string): Promise<readonly string[]> => {
      const args = ['--import', TSX, '-C', 'twinspec-source', file]
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
      return stdout.trimEnd().split('\n')
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const TSX = join(ROOT, 'node_modules/tsx/dist/loader.mjs')

const packagesIn = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'))
  const scoped = names
    .filter((name) => name.startsWith('@'))
    .map(async (scope) => (await readdir(join(folder, scope))).map((name) => `${scope}/${name}`))
  return [...names.filter((name) => !name.startsWith('@')), ...(await Promise.all(scoped)).flat()]
}

/** The TypeScript snippets of a guide, by the heading above each. */
export const snippetsOf = (page: string): readonly { title: string; text: string }[] =>
  readFileSync(join(ROOT, 'docs', page), 'utf8')
    .split(/^## /m)
    .flatMap((part) => {
      const title = part.split('\n', 1)[0] ?? ''
      return [...part.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => ({ title, text }))
    })
