import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs a script in a real shell that finds two commands alone: `curl`, which writes down what it was given, and `canary`,
 * which nothing may run. Returns the arguments of each call of `curl`, and whether the canary ran.
 */
export function runInShell(
  folder: string,
  script: string,
  { shell = 'sh', env = {} }: ShellOptions = {},
): Ran {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const [calls, sung] = [join(folder, 'calls'), join(folder, 'sung')]
  for (const file of [calls, sung]) writeFileSync(file, '')
  stub(
    join(bin, 'curl'),
    `for one in "$@"; do printf '%s\\0' "$one"; done >> '${calls}'; printf '\\0' >> '${calls}'`,
  )
  stub(join(bin, 'canary'), `echo sung >> '${sung}'`)
  const { stderr, status } = spawnSync(`/bin/${shell}`, ['-c', script], {
    cwd: folder,
    env: { PATH: bin, ...env },
    encoding: 'utf8',
    timeout: 20_000,
  })
  const all = readFileSync(calls, 'utf8').split('\0\0').slice(0, -1)
  return {
    calls: all.map((call) => call.split('\0')),
    hasSung: readFileSync(sung, 'utf8') !== '',
    stderr,
    status,
  }
}

type ShellOptions = {
  readonly shell?: 'sh' | 'bash'
  readonly env?: Readonly<Record<string, string>>
}

export type Ran = {
  readonly calls: readonly (readonly string[])[]
  readonly hasSung: boolean
  readonly stderr: string
  readonly status: number | null
}

const stub = (path: string, text: string): void => {
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}
