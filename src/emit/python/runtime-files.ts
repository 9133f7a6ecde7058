import { readdirSync, readFileSync } from 'node:fs'
import type { File } from '../file.js'

/** The modules of the runtime, which are copied into each package. */
export const runtimeFiles = (): readonly File[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.py'))
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8') }))

const FOLDER = new URL('runtime/', import.meta.url)
