import { string } from '../../emit/file.js'
import type { Api, HttpOperation } from '../../model/api.js'
import type { Server } from '../../runtime/operation.js'
import { named } from './calls.js'

/** Which server a client is made for, as code: an address of one's own where the environment has one. */
export const serverOf = (api: Api, kind: 'http' | 'rpc'): string =>
  `process.env.${VARIABLES[kind]} ?? ${string(usualServer(api, kind))}`

/** The variable of the environment that a snippet takes an address from. */
export const VARIABLES = { http: 'HTTP_SERVER', rpc: 'RPC_SERVER' } as const

/** The name of the first server, or an address of one's own where the document says none but its path. */
export const usualServer = (api: Api, kind: 'http' | 'rpc'): string => {
  const first = api[kind]?.servers[0]
  return first && isAbsolute(first) ? first.name : ownAddress(api, kind)
}

/** Where the service answers that runs at one's own machine: a path as documented, what is secret in it still a variable. */
export const ownAddress = (api: Api, kind: 'http' | 'rpc'): string => {
  const first = api[kind]?.servers[0]
  const url = (first?.url ?? '').replace(/\{([^}]+)\}/g, (hole, name: string) => {
    const variable = first?.variables[name]
    return variable === undefined || variable.secret ? hole : variable.default
  })
  // A hole in the place of a host makes no URL.
  const path = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url.replace(/^[^:]+:\/\/[^/]*/, '') : url
  // What is no address at all has no path to show.
  const { pathname } = URL.canParse(path, OWN) ? new URL(path, OWN) : new URL(OWN)
  return `${OWN}${pathname.replaceAll('%7B', '{').replaceAll('%7D', '}').replace(/\/+$/, '')}`
}

const OWN = 'http://127.0.0.1:8080'

/** The options of a client: its server, and what calls of these operations prove who they are by. */
export const optionsOf = (
  api: Api,
  kind: 'http' | 'rpc',
  operations: readonly HttpOperation[] = [],
): string => {
  const auth = neededAuth(api, kind, operations)
  return `{ server: ${serverOf(api, kind)}${auth === undefined ? '' : `, auth: ${auth}`} }`
}

/** What calls of these operations cannot do without. */
export const neededAuth = (
  api: Api,
  kind: 'http' | 'rpc',
  operations: readonly HttpOperation[],
): string | undefined =>
  authOf(kind === 'rpc' ? rpcSecrets(api, 'without a default') : httpSecrets(operations))

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
export const isAbsolute = ({ url, variables }: Server): boolean =>
  /^https?:\/\//.test(
    url.replace(/\{([^}]+)\}/g, (_, name: string) => variables[name]?.default ?? ''),
  )
