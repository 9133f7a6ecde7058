import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { command, ran } from './command.js'

/**
 * The regression tests use the toolkit only as its users do: by command lines, HTTP and generated files. This file is the one
 * place that knows where the command line starts, so that the tests survive a rewrite of `src/`.
 */

/** Runs one command line to its end: `await twinspec('lint', '--openapi', path)`. */
export const twinspec = (...args: readonly string[]) => ran(args)

/** Starts one command line; `code` settles at its end, `said` has what it has printed so far. `signal` interrupts it. */
export const startTwinspec = (args: readonly string[], signal: AbortSignal) =>
  command(args, { signal })

/** Writes `files` (name -> text) into a folder of this test, which is removed when the test ends. Returns the folder. */
export const folderOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-regression-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}
