import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * The folder with the built service, named after the sources. It is built where it is missing. A change of the sources gives
 * another folder, so that a service which runs already never reads files of two versions.
 */
export const builtService = () => {
  const folder = join(ROOT, 'node_modules/.cache/twinspec', `service-${hashOfSources()}`)
  if (existsSync(folder)) return folder
  // An interrupted build leaves no folder of the final name.
  const unfinished = `${folder}.${process.pid}`
  try {
    mkdirSync(unfinished, { recursive: true })
    const transpile = [join(ROOT, 'scripts/transpile.mjs'), join(unfinished, 'dist')]
    execFileSync(process.execPath, transpile, { stdio: 'inherit' })
    cpSync(join(ROOT, 'package.json'), join(unfinished, 'package.json'))
    // Another start of the same sources may have been faster.
    if (!existsSync(folder)) renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

const hashOfSources = () => {
  const hash = createHash('sha256')
  const files = ['src', 'generated', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  for (const file of [...files.sort(), join(ROOT, 'package.json')])
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}
