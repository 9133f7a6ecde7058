import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, shelved } from '../pack/packed.js'

/** The scripts of the pages, linked into what was built as they are in the package, by whichever test asks first. */
export const linked = (): Promise<boolean> =>
  shelved('linked', async () => {
    const { BUILT } = process.env
    if (BUILT === undefined) throw new Error('test/built/build.ts has to be a global setup here')
    const args = [join(ROOT, 'scripts/link-pages.mjs'), join(BUILT, 'dist')]
    await promisify(execFile)(process.execPath, args)
    return true
  })
