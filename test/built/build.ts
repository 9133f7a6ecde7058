import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Before the tests: the package as it is published, its types stripped and not checked, in the folder that `BUILT` names, one
 * for a run of tests. From source, each process that the service starts spends seconds on compiling.
 */
export const setup = async (): Promise<() => Promise<void>> => {
  if (process.env.BUILT !== undefined) return async () => undefined
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-built-'))
  process.env.BUILT = folder
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const transpile = [join(ROOT, 'scripts/transpile.mjs'), join(folder, 'dist')]
  await promisify(execFile)(process.execPath, transpile)
  return async () => {
    delete process.env.BUILT
    await rm(folder, { recursive: true, force: true })
  }
}
