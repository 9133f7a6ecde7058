/** After the compiler: the scripts of the reference's pages, linked once for everybody who writes one with this package. */
import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const dist = pathToFileURL(`${resolve(process.argv[2] ?? 'dist')}/`)
const { linkScript, linkedFile, SCRIPTS } = await import(new URL('src/docs/link-script.js', dist))
await mkdir(new URL('.', linkedFile(SCRIPTS[0])), { recursive: true })
for (const name of SCRIPTS) await writeFile(linkedFile(name), linkScript(name))
