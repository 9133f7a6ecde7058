/**
 * `npm run install-service -- FOLDER`: writes the service into a new folder with all that it needs to run: built code, its
 * packages alone, the reference and the first files of the embedded store. The folder may be moved and may be read-only.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { builtService, ROOT } from './built-service.mjs'

/** Found by their names when the service runs, not imported. */
const BY_NAME = ['@foundry-rs/anvil']
/** What the recorder of usage reads while it runs. */
const READ = ['generated/http.openapi.json', 'generated/rpc.openrpc.json']

const given = process.argv[2]
if (given === undefined || process.argv.length > 3 || given.startsWith('-'))
  fail('npm run install-service -- FOLDER needs one folder, such as /opt/twinspec/0.1.0')
const folder = resolve(process.env.INIT_CWD ?? '.', given)
if (existsSync(folder)) fail(`${folder} exists already: name a new folder for each version`)
const unfinished = `${folder}.${process.pid}`

try {
  mkdirSync(unfinished, { recursive: true })
  const built = builtService()
  const { inputs, packages } = await importsOfService()
  for (const file of inputs) copy(join(built, 'dist', file), join('dist', file))
  for (const file of READ) copy(join(built, 'dist', file), join('dist', file))
  for (const path of closureOf(packages)) copy(join(ROOT, path), path)
  writeReference(built)
  // `npm ci` has made the first files of the store, unless its scripts were skipped.
  execFileSync(process.execPath, [join(ROOT, 'scripts/prepare.mjs')], { stdio: 'inherit' })
  const cache = 'node_modules/.cache/twinspec'
  const { version } = readJson('node_modules/@electric-sql/pglite/package.json')
  copy(join(ROOT, cache, `cluster-${version}.tar`), join(cache, `cluster-${version}.tar`))
  copy(join(ROOT, 'LICENSE'), 'LICENSE')
  writeFileSync(join(unfinished, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  renameSync(unfinished, folder)
  console.log(`The service is in ${folder}. Start it there: node dist/src/service/main.js`)
} finally {
  rmSync(unfinished, { recursive: true, force: true })
}

/** The built files that the service consists of, and the packages that they import. */
async function importsOfService() {
  const packages = new Set(BY_NAME)
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/service/**/*.ts'],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    format: 'esm',
    platform: 'node',
    conditions: ['twinspec-source'],
    logLevel: 'warning',
    plugins: [
      {
        name: 'packages',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^[^.#/]/ }, ({ path, kind }) => {
            if (kind === 'entry-point' || path.startsWith('twinspec/')) return undefined
            if (!path.startsWith('node:')) packages.add(/^(@[^/]+\/)?[^/]+/.exec(path)[0])
            return { path, external: true }
          })
        },
      },
    ],
  })
  const inputs = Object.keys(metafile.inputs).map((file) => file.replace(/\.ts$/, '.js'))
  return { inputs, packages: [...packages] }
}

/** Paths in node_modules of these packages and all that they need, as package-lock.json has them. */
function closureOf(names) {
  const { packages } = readJson('package-lock.json')
  const found = new Set()
  const add = (name, from, isOptional) => {
    const path = pathsOf(name, from).find((one) => one in packages)
    if (path === undefined || !existsSync(join(ROOT, path))) {
      if (!isOptional) throw new Error(`${path ?? name} is not installed: run npm ci first`)
      return
    }
    if (found.has(path)) return
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path]
    for (const one of Object.keys({ ...dependencies, ...peerDependencies })) {
      const isMissable = one in { ...optionalDependencies } || peerDependenciesMeta?.[one]?.optional
      if (!(one in { ...peerDependencies }) || !isMissable) add(one, path, isMissable)
    }
    for (const one of Object.keys({ ...optionalDependencies })) add(one, path, true)
  }
  for (const name of names) add(name, '', false)
  return found
}

/** Where Node looks for a package, from the innermost folder outwards. */
function pathsOf(name, from) {
  const own = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (from === '') return [own]
  return [own, ...pathsOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))]
}

function writeReference(built) {
  const site = join(unfinished, 'dist/service-reference')
  const documents = ['http.openapi.json', 'rpc.openrpc.json'].map((name) =>
    join(ROOT, 'generated', name),
  )
  const main = join(built, 'dist/src/cli/main.js')
  const args = ['docs', ...documents, '--same-origin', '--out', site]
  // Its last line names the folder that is renamed; what it reports of a failure is part of the error.
  execFileSync(process.execPath, [main, ...args], { stdio: 'pipe' })
}

function manifest() {
  const { name, version, license, type, engines, imports, exports } = readJson('package.json')
  const scripts = {
    start: 'node dist/src/service/main.js',
    keys: 'node dist/src/service/keys-main.js',
  }
  return { name, version, private: true, license, type, engines, imports, exports, scripts }
}

/** Declarations and source maps are for programmers alone; packages below are copied by themselves. */
function copy(from, to) {
  mkdirSync(dirname(join(unfinished, to)), { recursive: true })
  cpSync(from, join(unfinished, to), {
    recursive: true,
    filter: (path) =>
      !/\.(map|d\.[cm]?ts)$/.test(path) && !path.slice(from.length).startsWith('/node_modules'),
  })
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
}

function fail(message) {
  console.error(`install-service: ${message}`)
  process.exit(2)
}
