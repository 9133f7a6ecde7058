import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emitAll } from '../../src/emit/emit.js'
import type { File } from '../../src/emit/file.js'
import { emitGo } from '../../src/emit/go/go.js'
import { emitPython } from '../../src/emit/python/python.js'
import type { Api } from '../../src/model/api.js'
import { apiOf } from '../read/api-of.js'
import type { Case } from './case.js'
import { OPENAPI, OPENRPC } from './documents.js'
import { readCases } from './run.js'

/** A language, with the way in which its clients are called. */
export type Language = 'typescript' | 'python' | 'python async' | 'go'

/** The cases of a language. A blocking call of Python has nothing with which its caller cancels it, but its timeout. */
export const casesFor = (language: Language): readonly Case[] =>
  readCases().filter(({ property }) => property !== 'cancellation' || language !== 'python')

const EMIT: Readonly<Record<Language, (api: Api) => readonly File[]>> = {
  typescript: (api) => [
    ...emitAll(api),
    // One module, so that handlers throw the class of the client.
    { name: 'rpc.driver.ts', text: RPC_DRIVER },
  ],
  python: (api) => emitPython(api, { name: 'contract' }),
  'python async': (api) => emitPython(api, { name: 'contract' }),
  go: (api) => [
    ...emitGo(api, { module: 'contract' }),
    // A driver within the module can pass what the types of methods do not allow.
    { name: 'driver.go', text: driverText('go/driver.go') },
    { name: 'cmd/driver/main.go', text: driverText('go/main.go') },
  ],
}

const RPC_DRIVER = `export { createRpcClient } from './rpc.client.js'
export { RpcError } from 'twinspec/runtime/rpc'
`

const driverPath = (name: string) => fileURLToPath(new URL(`drivers/${name}`, import.meta.url))

const driverText = (name: string) => readFileSync(driverPath(name), 'utf8')

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
  if (language === 'go') return ['go', '-C', folder, 'run', './cmd/driver']
  return language === 'typescript'
    ? [
        process.execPath,
        '--import',
        'tsx',
        '-C',
        'twinspec-source',
        driverPath('typescript.ts'),
        folder,
      ]
    : [python, driverPath('python.py'), folder, language === 'python' ? 'sync' : 'async']
}
