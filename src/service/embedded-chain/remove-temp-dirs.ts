import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockFolder } from '../store/folder-lock.js'
import { killStaleProcess } from './kill-stale-process.js'
import { anvilHome, pidFile } from './run-anvil.js'

/** What the temporary folders of chains that nobody keeps are named by. */
export const TEMPORARY = 'twinspec-chain-'

/** Removes the temporary chains whose gateway and supervisor were killed together, and ends what still runs of them. */
export async function removeTempDirs(): Promise<void> {
  const names = await readdir(tmpdir())
  for (const name of names.filter((one) => one.startsWith(TEMPORARY))) {
    const folder = join(tmpdir(), name)
    try {
      // A younger one may be about to be locked.
      if (Date.now() - (await stat(folder)).mtimeMs < 60_000) continue
      const lock = await lockFolder(folder)
      await killStaleProcess(pidFile(folder), anvilHome(folder))
      await rm(folder, { recursive: true, force: true })
      await lock.release()
    } catch {
      // It is kept, or somebody else's.
    }
  }
}
