import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ended } from '../../bench/install.js'
import { install, packed, ROOT } from '../../pack/packed.js'

/**
 * An empty project into which the package was installed from its tarball, with the peers that its manifest names and what
 * programs use it in. With `isOffline` nothing is fetched: those beside it are this repository's own.
 */
export const makeProject = async (place: string, isOffline: boolean): Promise<Project> => {
  const { folder, tgz } = await packed()
  const { exports, peerDependencies } = await readManifest(folder)
  const app = join(place, 'app')
  const beside = [...Object.keys(peerDependencies), ...USED_IN]
  if (isOffline) {
    await install(app, [tgz])
    await Promise.all(beside.map((name) => link(app, name)))
  } else {
    const { dependencies, devDependencies } = await readManifest(ROOT)
    const versions = { ...dependencies, ...devDependencies }
    const packages = beside.map((name) => `${name}@${versions[name] ?? 'latest'}`)
    await mkdir(app, { recursive: true })
    await writeFile(
      join(app, 'package.json'),
      '{ "name": "app", "private": true, "type": "module" }\n',
    )
    const quiet = ['--no-audit', '--no-fund', '--loglevel', 'error']
    await ended('npm', ['install', '--ignore-scripts', ...quiet, tgz, ...packages], app)
  }
  for (const one of ['programs', 'platforms'])
    await cp(join(HERE, one), join(app, one), { recursive: true })
  return { app, parts: Object.keys(exports) }
}

export type Project = {
  readonly app: string
  /** The entries of the package's `exports`. */
  readonly parts: readonly string[]
}

/** A module of the project that tells what a program of it answers, or what went wrong, in one line that begins with MARK. */
export const writeEntry = async (app: string, entry: Entry): Promise<string> => {
  const { platform, program, url } = entry
  const file = join(app, `${platform}-${program}.js`)
  await writeFile(
    file,
    `const mayEval = () => {
  try {
    return new Function('return 1')() === 1
  } catch {
    return false
  }
}
const why = (error) =>
  error instanceof Error
    ? [\`\${error.name}: \${error.message}\`, ...(error.cause ? [why(error.cause)] : [])].join(', for ')
    : String(error)
const report = (outcome) => console.log('${MARK}' + JSON.stringify(outcome))
try {
  const { use } = await import('./programs/${program}.js')
  const platform = await import('./platforms/${platform}.js')
  const answer = await use({ ...platform, url: '${url}' })
  report({ mayEval: mayEval(), answer })
} catch (error) {
  report({ mayEval: mayEval(), fault: why(error) })
}
`,
  )
  return file
}

export type Entry = { readonly platform: string; readonly program: string; readonly url: string }

export const MARK = 'outcome: '

/** What such a line says; undefined of another. */
export const outcomeIn = (line: string): Outcome | undefined =>
  line.startsWith(MARK) ? (JSON.parse(line.slice(MARK.length)) as Outcome) : undefined

export type Outcome = {
  readonly mayEval?: boolean
  readonly answer?: unknown
  readonly fault?: string
}

/** No peers, but what a team may have beside. */
const USED_IN = ['hono', 'ethers']

const HERE = fileURLToPath(new URL('.', import.meta.url))

const link = async (app: string, name: string): Promise<void> => {
  const place = join(app, 'node_modules', name)
  await mkdir(dirname(place), { recursive: true })
  await symlink(join(ROOT, 'node_modules', name), place, 'junction')
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest

type Manifest = {
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}
