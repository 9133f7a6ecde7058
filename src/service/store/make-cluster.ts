import { rename, writeFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'

/** The process that creates a cluster, because that blocks the thread for seconds: forked with the archive's path. */
const archive = process.argv[2] ?? ''
const database = await PGlite.create()
const made = await database.dumpDataDir('none')
const unfinished = `${archive}.${process.pid}`
await writeFile(unfinished, new Uint8Array(await made.arrayBuffer()))
await rename(unfinished, archive)
// `database.close()` is not needed, because the data is in memory.
process.exit()
