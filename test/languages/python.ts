import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('.venv/bin/', import.meta.url))

/** A program of the environment that `requirements.txt` describes: `python`, `pyright`; undefined if there is none. */
export const pythonProgram = (name: string): string | undefined => {
  const path = `${BIN}${name}`
  return existsSync(path) ? path : undefined
}

/** Why tests of Python are skipped, for their names. */
export const WITHOUT_PYTHON =
  pythonProgram('python') === undefined ? ' (skipped: see test/languages/requirements.txt)' : ''

/** Runs a program, and returns what it printed if it failed. */
export const failureOf = (
  program: string,
  args: readonly string[],
  cwd: string,
): string | undefined => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  return status === 0 ? undefined : `${error ?? ''}${stdout}${stderr}`.slice(-6_000)
}
