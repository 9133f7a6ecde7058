import { rename, writeFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'

/** The process that makes a cluster, because making one blocks the thread for seconds: forked with the archive's path. */
const archive = process.argv[2] ?? ''
const database = await PGlite.create()
const made = await database.dumpDataDir('none')
const unfinished = `${archive}.${process.pid}`
await writeFile(unfinished, new Uint8Array(await made.arrayBuffer()))
await rename(unfinished, archive)
// Not `database.close()`: what is in memory needs no end.
process.exit()
