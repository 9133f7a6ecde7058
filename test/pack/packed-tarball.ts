import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder where what one test has made lies for those after it, for a run of tests: `packed.ts` puts it there. */
export const setup = async (): Promise<() => Promise<void>> => {
  if (process.env.SHELF !== undefined) return async () => undefined
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-shelf-'))
  process.env.SHELF = folder
  return async () => {
    delete process.env.SHELF
    await rm(folder, { recursive: true, force: true })
  }
}
