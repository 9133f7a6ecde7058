import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, shelved } from '../pack/packed.js'
import { basicVariables } from '../variables.js'

/** The package as it is published, and a project that has it installed as another team would; made once for a run of tests. */
export const installedToolkit = (): Promise<InstalledToolkit> =>
  shelved('toolkit', async (place) => {
    const source = join(place, 'source')
    await mkdir(source)
    const parts = ['package.json', 'tsconfig.json', 'src', 'generated', 'scripts', 'README.md']
    for (const name of [...parts, 'LICENSE']) {
      await cp(join(ROOT, name), join(source, name), { recursive: true })
    }
    await symlink(join(ROOT, 'node_modules'), join(source, 'node_modules'))
    // `npm run typecheck` has checked the same files; they are emitted as they are here.
    const config = join(source, 'scripts/build.json')
    const { compilerOptions, ...rest } = JSON.parse(await readFile(config, 'utf8'))
    const emitting = { compilerOptions: { ...compilerOptions, noCheck: true }, ...rest }
    await writeFile(config, JSON.stringify(emitting))
    await run('npm', ['run', 'build', '--silent'], source)
    const name = (await readdir(source)).find((one) => one.endsWith('.tgz'))
    const tgz = join(source, name ?? 'missing.tgz')
    const app = join(place, 'app')
    await mkdir(app)
    await writeFile(
      join(app, 'package.json'),
      '{ "name": "app", "private": true, "type": "module" }',
    )
    const { version } = JSON.parse(
      await readFile(join(ROOT, 'node_modules/typescript/package.json'), 'utf8'),
    ) as { version: string }
    await npmInstall(app, [tgz, `typescript@${version}`, '@types/node@20'])
    await cp(join(ROOT, 'spec'), join(app, 'spec'), { recursive: true })
    return { tgz, app }
  })

export type InstalledToolkit = { readonly tgz: string; readonly app: string }

/** From what npm has at hand, and from the registry where it has to: who vouches for that may stand in any variable. */
export const npmInstall = (app: string, packages: readonly string[]): Promise<string> =>
  run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages],
    app,
    process.env,
  )

/** A project like that one for a test to change; files are shared with it, and replaced where they are written. */
export const borrowApp = async (place: string): Promise<void> => {
  const { app } = await installedToolkit()
  await run('cp', ['-al', app, place], app)
}

/** Puts the packages of this repository beside those that a project has. */
export const borrowPackages = async (app: string): Promise<void> => {
  const ours = join(ROOT, 'node_modules')
  const folders = (await readdir(ours)).filter((name) => !name.startsWith('.'))
  const scopes = folders.filter((name) => name.startsWith('@'))
  const names = folders.filter((name) => !name.startsWith('@'))
  for (const scope of scopes) {
    names.push(...(await readdir(join(ours, scope))).map((name) => join(scope, name)))
    await mkdir(join(app, 'node_modules', scope), { recursive: true })
  }
  for (const name of names) {
    await symlink(join(ours, name), join(app, 'node_modules', name)).catch((error) => {
      // Installed with the package itself.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Runs a program to its end; what it printed stands in the error where it fails. */
export const run = async (
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = basicVariables(),
): Promise<string> => {
  const settings = { cwd, env, timeout: 500_000, maxBuffer: 1 << 26 }
  const { stdout } = await execute(command, [...args], settings)
  return stdout
}

const execute = promisify(execFile)
