import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Before the trials: the package as it is published, its types stripped and not checked, in a folder that `BUILT_SERVICE` names.
 * Trials start the service dozens of times, and from source each process of it spends seconds on compiling.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-built-'))
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const part of ['src', 'generated']) {
    const names = await readdir(join(ROOT, part), { recursive: true })
    for (const name of names) await build(join(part, name), join(folder, 'dist'))
  }
  process.env.BUILT_SERVICE = folder
  return async () => {
    delete process.env.BUILT_SERVICE
    await rm(folder, { recursive: true, force: true })
  }
}

const build = async (file: string, dist: string): Promise<void> => {
  const target = join(dist, file)
  await mkdir(dirname(target), { recursive: true })
  if (file.endsWith('.json')) await cp(join(ROOT, file), target)
  if (!file.endsWith('.ts')) return
  const text = await readFile(join(ROOT, file), 'utf8')
  const { outputText } = ts.transpileModule(text, { compilerOptions: OPTIONS })
  await writeFile(target.replace(/\.ts$/, '.js'), outputText)
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
}
