import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The file that `in-turn.ts` locks, one for a run of tests: projects that name this setup share it. */
export const setup = async (): Promise<() => Promise<void>> => {
  if (process.env.TURN !== undefined) return async () => undefined
  const folder = await mkdtemp(join(tmpdir(), 'twinspec-turn-'))
  process.env.TURN = join(folder, 'lock')
  await writeFile(process.env.TURN, '')
  return async () => {
    delete process.env.TURN
    await rm(folder, { recursive: true, force: true })
  }
}
