/** After the compiler: the scripts of the reference's pages, linked once for everybody who writes one with this package. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const dist = pathToFileURL(`${resolve(process.argv[2] ?? 'dist')}/`)
const { linkScript, linkedFile, SCRIPTS } = await import(new URL('src/docs/link-script.js', dist))
const folder = new URL('.', linkedFile(SCRIPTS[0]))
const beside = new URL('../linking/', folder)
await rm(folder, { recursive: true, force: true })
await mkdir(beside, { recursive: true })
for (const name of SCRIPTS) await writeFile(new URL(`${name}.js`, beside), linkScript(name))
// Whoever writes a site meanwhile finds all of them, or none.
await rename(beside, folder)
