import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { BUILT, bundleSide } from './peers.js'

/**
 * The clients of version 1 as a bundle, from the history of this repository; undefined where the history does not go back so
 * far.
 */
export async function clientsOfVersion1(): Promise<string | undefined> {
  const folder = join(BUILT, 'version-1')
  if (!existsSync(join(folder, ENTRY))) {
    const archive = archiveOf(COMMIT)
    if (archive === undefined) return undefined
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    await writeFile(join(folder, ENTRY), SOURCE)
  }
  const entry = pathToFileURL(join(folder, ENTRY))
  return bundleSide(entry, 'clients-of-version-1', {
    'twinspec/runtime': join(folder, 'src/runtime'),
  })
}

/** The last commit of version 1. */
const COMMIT = '7b79bd3b6577d293e89e9c63a1ae5aaa62f983f9'

const ENTRY = 'clients.ts'

const SOURCE = `export { createHttpClient } from './generated/http.client.js'
export { createRpcClient } from './generated/rpc.client.js'
`

function archiveOf(commit: string): Buffer | undefined {
  const args = ['archive', commit, 'package.json', 'generated', 'src/runtime']
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  try {
    return execFileSync('git', args, { cwd, stdio: 'pipe', maxBuffer: 2 ** 28 })
  } catch {
    return undefined
  }
}
