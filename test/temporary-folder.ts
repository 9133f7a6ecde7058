import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Creates a folder for the tests of a file, which is removed after them. Returns its path. */
export const temporaryFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `twinspec-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
