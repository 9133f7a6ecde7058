import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emitAll } from '../../src/emit/emit.js'
import type { File } from '../../src/emit/file.js'
import { emitPython } from '../../src/emit/python/python.js'
import type { Api } from '../../src/model/api.js'
import { apiOf } from '../read/api-of.js'
import { OPENAPI, OPENRPC } from './documents.js'

/** A language, with the way in which its clients are called. */
export type Language = 'typescript' | 'python' | 'python async'

const EMIT: Readonly<Record<Language, (api: Api) => readonly File[]>> = {
  typescript: (api) => emitAll(api),
  python: (api) => emitPython(api, { name: 'contract' }),
  'python async': (api) => emitPython(api, { name: 'contract' }),
}

/** The clients of the contract's documents. */
export const generateFor = async (language: Language, folder: string): Promise<void> => {
  const api = await apiOf({ openapi: OPENAPI, openrpc: OPENRPC })
  for (const { name, text } of EMIT[language](api)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** The command that starts the driver of a language. */
export const commandOf = (
  language: Language,
  folder: string,
  python = 'python3',
): readonly string[] => {
  const path = (name: string) => fileURLToPath(new URL(`drivers/${name}`, import.meta.url))
  return language === 'typescript'
    ? [process.execPath, '--import', 'tsx', '-C', 'twinspec-source', path('typescript.ts'), folder]
    : [python, path('python.py'), folder, language === 'python' ? 'sync' : 'async']
}
