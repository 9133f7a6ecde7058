import { string } from '../../emit/file.js'
import type { Api, HttpOperation } from '../../model/api.js'
import type { Server } from '../../runtime/operation.js'
import { named } from './calls.js'

/** Which server a client is made for, as code: an address of one's own where the environment has one. */
export const serverOf = (api: Api, kind: 'http' | 'rpc'): string => {
  const variable = kind === 'http' ? 'HTTP_SERVER' : 'RPC_SERVER'
  const first = (kind === 'http' ? api.http : api.rpc)?.servers[0]
  const path = kind === 'rpc' ? (api.rpc?.path ?? '') : ''
  const usual =
    first && isAbsolute(first) ? first.name : `http://127.0.0.1:8080${path === '/' ? '' : path}`
  return `process.env.${variable} ?? ${string(usual)}`
}

/** The options of a client: its server, and what calls of these operations prove who they are by. */
export const optionsOf = (
  api: Api,
  kind: 'http' | 'rpc',
  operations: readonly HttpOperation[] = [],
): string => {
  const auth = authOf(
    kind === 'rpc' ? rpcSecrets(api, 'without a default') : httpSecrets(operations),
  )
  return `{ server: ${serverOf(api, kind)}${auth === undefined ? '' : `, auth: ${auth}`} }`
}

/** Undefined where nothing is to be proven. */
export const authOf = (secrets: readonly Secret[]): string | undefined =>
  secrets.length === 0
    ? undefined
    : named(Object.fromEntries(secrets.map(({ name, isBasic }) => [name, isBasic ? BASIC : KEY])))

export type Secret = { readonly name: string; readonly isBasic: boolean }

/** Variables of servers that are secret. */
export const rpcSecrets = ({ rpc }: Api, which: 'all' | 'without a default'): readonly Secret[] => {
  const variables = rpc?.servers.flatMap(({ variables }) => Object.entries(variables)) ?? []
  const names = variables.flatMap(([name, { secret, default: usual }]) =>
    secret && (which === 'all' || usual === '') ? [name] : [],
  )
  return [...new Set(names)].map((name) => ({ name, isBasic: false }))
}

/** Secret parameters, and the credentials of the first alternative of each operation. */
export const httpSecrets = (operations: readonly HttpOperation[]): readonly Secret[] => {
  const found = operations.flatMap(({ parameters, security, schemes }) => [
    ...parameters.flatMap(({ name, secret }) => (secret ? [{ name, isBasic: false }] : [])),
    ...(security[0] ?? []).flatMap((name) => {
      const kind = schemes[name]?.kind
      return kind === undefined || kind === 'outside' ? [] : [{ name, isBasic: kind === 'basic' }]
    }),
  ])
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

const KEY = `process.env.API_KEY ?? 'my-key'`

const BASIC = `{ username: 'me', password: process.env.API_KEY ?? 'my-key' }`

/** Once its variables have their defaults. */
const isAbsolute = ({ url, variables }: Server): boolean =>
  /^https?:\/\//.test(
    url.replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? ''),
  )
