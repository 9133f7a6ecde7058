import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../bench/install.js'
import { shelved } from '../pack/packed.js'

/** The folder of programs that judge a package (`publint`, `attw`), installed where they are not yet. */
export const handoverTools = (): Promise<string> =>
  shelved('tools', async () => {
    const programs = join(HERE, 'node_modules/.bin')
    if (!existsSync(join(programs, 'publint'))) await install(HERE, 'what judges a package')
    return programs
  })

const HERE = fileURLToPath(new URL('.', import.meta.url))
