import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Usage } from '../../../src/usage/usage.js'
import { ran } from '../../cli/command.js'

/** A folder of this test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'twinspec-usage-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What `twinspec usage` counts in a file or a folder, by the documents of the service. */
export const usageOf = async (traffic: string): Promise<Usage> => {
  const secret = join(temporaryFolder(), 'secret')
  const { code, stdout, stderr } = await ran(['usage', traffic, '--secret-file', secret])
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Usage
}
