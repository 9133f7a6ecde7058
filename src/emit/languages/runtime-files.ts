import { readdirSync, readFileSync } from 'node:fs'
import type { File } from '../file.js'

/** The files of a runtime, which are copied into each package. */
export const runtimeFiles = (language: 'go' | 'python'): readonly File[] => {
  const folder = new URL(`../${language}/runtime/`, import.meta.url)
  return readdirSync(folder)
    .filter((name) => name.endsWith(language === 'go' ? '.go' : '.py'))
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
}
