import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { basicVariables } from '../variables.js'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export const NAME = '@acme/zkt'

/** The package of the documents in `spec/`, made once for a run of tests by whichever test asks first. */
export const packed = (): Promise<Packed> =>
  shelved('packed', async (place) => {
    const folder = join(place, 'package')
    const args = ['pack', '--name', NAME, '--out', folder]
    await ran(process.execPath, ['--import', 'tsx', '-C', 'twinspec-source', MAIN, ...args], ROOT)
    return { folder, tgz: await tarballOf(folder, place) }
  })

export type Packed = { readonly folder: string; readonly tgz: string }

/** A project that is empty but for the package and its dependency, installed from the tarball without a registry. */
export const installed = (): Promise<string> =>
  shelved('installed', async (place) => {
    const { tgz } = await packed()
    const app = join(place, 'app')
    await install(app, [tgz])
    return app
  })

/** Makes a project and installs packages into it, from files alone. */
export const install = async (app: string, packages: readonly string[]): Promise<void> => {
  await mkdir(app, { recursive: true })
  await writeFile(
    join(app, 'package.json'),
    '{ "name": "app", "private": true, "type": "module" }\n',
  )
  const quiet = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund']
  await ran('npm', ['install', ...quiet, ...packages], app)
}

/** Puts packages of this repository into a project, as they lie here. */
export const lend = async (app: string, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    await cp(join(ROOT, 'node_modules', name), join(app, 'node_modules', name), { recursive: true })
  }
}

export const tarballOf = async (folder: string, place: string): Promise<string> => {
  await ran('npm', ['pack', '--silent', '--pack-destination', place], folder)
  const name = (await readdir(place)).find((one) => one.endsWith('.tgz'))
  return join(place, name ?? 'missing.tgz')
}

/** Runs a program to its end; what it printed stands in the error where it fails. */
export const ran = async (
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> => {
  const settings = { cwd, env: basicVariables(), timeout: 900_000, maxBuffer: 1 << 26 }
  return execute(command, [...args], settings)
}

const execute = promisify(execFile)

const MAIN = join(ROOT, 'src/cli/main.ts')

/** What `make` returned for a name, once for a run of tests: whoever makes the folder calls it, and others wait for its result. */
export const shelved = async <T>(name: string, make: (place: string) => Promise<T>): Promise<T> => {
  const shelf = process.env.SHELF
  if (shelf === undefined)
    throw new Error('test/pack/packed-tarball.ts has to be a global setup here')
  const place = join(shelf, name)
  const result = join(shelf, `${name}.json`)
  // `mkdir` returns undefined where another test has made the folder.
  if ((await mkdir(place, { recursive: true })) !== undefined) {
    const made = await make(place).then(
      (value) => ({ value }),
      (error) => ({ error: String(error?.stack ?? error) }),
    )
    await writeFile(`${result}.part`, JSON.stringify(made))
    await rename(`${result}.part`, result)
  }
  while (!existsSync(result)) await pause(100)
  const made = JSON.parse(await readFile(result, 'utf8')) as { value: T } | { error: string }
  if ('error' in made) throw new Error(`${name} could not be made: ${made.error}`)
  return made.value
}
