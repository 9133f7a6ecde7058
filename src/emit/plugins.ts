import type { Api } from '../model/api.js'
import { isOnlySent } from '../model/outgoing.js'
import { whyNoDates } from '../schema/bigints.js'
import { emitContracts, whyNoContracts } from './contracts.js'
import { emitEip1193, whyNoEip1193 } from './eip1193.js'
import type { File } from './file.js'
import { DEFAULT_KINDS, kindNames } from './kinds.js'
import { emitMsw } from './msw.js'
import { emitOpenapiFetch, whyNoOpenapiFetch } from './openapi-fetch.js'
import { emitOperationsJson } from './operations-json.js'
import { emitStandardSchema } from './standard-schema.js'
import { emitTanstackQuery } from './tanstack-query.js'
import { emitValibot } from './valibot.js'
import { emitViem, whyNoViem } from './viem.js'
import { emitZod } from './zod.js'

/** Some files can be generated from any documents. */
const always = (): undefined => undefined

/** Others need an operation. */
const whyNoCalls = (api: Api): string | undefined =>
  isOnlySent(api) ? 'they only describe webhooks, which clients do not call' : undefined

/** Files for libraries and other languages, generated if `--with` names them. */
export const PLUGINS = {
  contracts: { emit: emitContracts, whyNot: whyNoContracts },
  eip1193: { emit: emitEip1193, whyNot: whyNoEip1193 },
  msw: { emit: emitMsw, whyNot: whyNoCalls },
  'openapi-fetch': {
    emit: emitOpenapiFetch,
    whyNot: (api) => whyNoOpenapiFetch(api) ?? whyNoCalls(api) ?? whyNoDates(api.schemas),
  },
  'operations-json': { emit: emitOperationsJson, whyNot: always },
  'standard-schema': { emit: emitStandardSchema, whyNot: (api) => whyNoDates(api.schemas) },
  'tanstack-query': { emit: emitTanstackQuery, whyNot: whyNoCalls },
  valibot: { emit: emitValibot, whyNot: always },
  viem: { emit: emitViem, whyNot: whyNoViem },
  zod: { emit: emitZod, whyNot: always },
} as const satisfies Readonly<Record<string, Extra>>

export type PluginName = keyof typeof PLUGINS

export type Extra = {
  readonly emit: (api: Api) => File
  /** Why the file is of no use for documents, as the end of a sentence; undefined if it is. */
  readonly whyNot: (api: Api) => string | undefined
}

export const pluginNames = Object.keys(PLUGINS) as readonly PluginName[]

/** What `--with` adds to the default. */
export const optionalNames: readonly string[] = [
  ...kindNames.filter((name) => !DEFAULT_KINDS.includes(name)),
  ...pluginNames,
]

export const isPlugin = (name: string): name is PluginName => Object.hasOwn(PLUGINS, name)
