import type { Api } from '../model/api.js'
import { emitContracts, whyNoContracts } from './contracts.js'
import { emitEip1193, whyNoEip1193 } from './eip1193.js'
import type { File } from './file.js'
import { emitMsw, whyNoMsw } from './msw.js'
import { emitOpenapiFetch, whyNoOpenapiFetch } from './openapi-fetch.js'
import { emitStandardSchema, whyNoStandardSchema } from './standard-schema.js'
import { emitTanstackQuery, whyNoTanstackQuery } from './tanstack-query.js'
import { emitViem, whyNoViem } from './viem.js'

/** Files for libraries, generated if `--with` names them. Each file has the name of its row. */
export const PLUGINS = {
  contracts: { emit: emitContracts, whyNot: whyNoContracts },
  eip1193: { emit: emitEip1193, whyNot: whyNoEip1193 },
  msw: { emit: emitMsw, whyNot: whyNoMsw },
  'openapi-fetch': { emit: emitOpenapiFetch, whyNot: whyNoOpenapiFetch },
  'standard-schema': { emit: emitStandardSchema, whyNot: whyNoStandardSchema },
  'tanstack-query': { emit: emitTanstackQuery, whyNot: whyNoTanstackQuery },
  viem: { emit: emitViem, whyNot: whyNoViem },
} as const satisfies Readonly<Record<string, Extra>>

export type PluginName = keyof typeof PLUGINS

export type Extra = {
  readonly emit: (api: Api) => File
  /** Why the file is of no use for documents, as the end of a sentence; undefined if it is. */
  readonly whyNot: (api: Api) => string | undefined
}

export const pluginNames = Object.keys(PLUGINS) as readonly PluginName[]

export const isPlugin = (name: string): name is PluginName => Object.hasOwn(PLUGINS, name)
