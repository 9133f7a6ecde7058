import type { Api, Operation } from '../model/api.js'
import type { Server } from '../runtime/operation.js'
import {
  code,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedType,
  join,
  string,
} from './file.js'

/** `client.ts`: one client for what the documents describe, with `http`, `rpc` or both. */
export function emitClient(api: Api): File {
  const kinds = kindsOf(api)
  const members = kinds.map(
    (kind) => code`readonly ${kind}: ${importedType(`${NAMES[kind]}Client`, moduleOf(kind))}`,
  )
  const own = kinds.map((kind) => code`readonly ${kind}?: ${optionsType(kind, api)} | undefined`)
  const merge = imported('mergeOptions', `twinspec/runtime/${kinds[0] ?? 'http'}`)
  const created = kinds.map((kind) => {
    const create = imported(`create${NAMES[kind]}Client`, moduleOf(kind))
    const all = [kind, ...kinds.filter((other) => other !== kind)].map(serviceOf)
    return code`${kind}: ${create}(${merge}(shared, ${kind}, ${join(all, ', ')})),`
  })
  const named = kinds.map((kind) => `\`${kind}\``)
  const inWords = `${named.join(' and ')} ${named.length === 1 ? 'has' : 'have'}`
  const body = code`${doc(`A client of ${`${api.title} ${api.version}`.trim()}: ${inWords} its operations.`)}
export type Client = {
  ${join(members)}
}

/** Options. Those of a protocol take precedence; headers, auth and variables are merged. */
export type ClientOptions = ${join(
    kinds.map((kind) => optionsType(kind, api)),
    ' & ',
  )} & {
  ${join(own)}
}

/** \`createClient({ server, auth })\`. Throws a TypeError for invalid options. */
export const createClient = ({ ${kinds.join(', ')}, ...shared }: ClientOptions = {}): Client => ({
  ${join(created)}
})`
  return file('client.ts', body)
}

type Kind = Operation['kind']

const NAMES = { http: 'Http', rpc: 'Rpc' } as const

const kindsOf = (api: Api): readonly Kind[] =>
  (['http', 'rpc'] as const).filter((kind) => api[kind] !== undefined)

const moduleOf = (kind: Kind): string => `./${kind}.client.js`

/** The operations of a protocol as data. */
export const serviceOf = (kind: Kind): Fragment => imported(`${kind}Service`, './operations.js')

/** `http: httpService` and `rpc: rpcService`, as far as there are documents. */
export const serviceMembers = (api: Api): readonly Fragment[] =>
  kindsOf(api).map((kind) => code`${kind}: ${serviceOf(kind)}`)

/** The type of the options of a client, `HttpOptions<HttpServer, HttpAuth>`; with an Api, the handlers of what its server sends. */
export function optionsType(kind: Kind, api?: Api): Fragment {
  const [server, auth] = ['Server', 'Auth'].map((name) =>
    importedType(`${NAMES[kind]}${name}`, moduleOf(kind)),
  )
  const options = importedType(`${NAMES[kind]}Options`, `twinspec/runtime/${kind}`)
  const handlers =
    kind === 'rpc' && api && api.serverMethods.length > 0
      ? code`, ${importedType('RpcServerHandlers', moduleOf(kind))}`
      : ''
  return code`${options}<${server ?? ''}, ${auth ?? ''}${handlers}>`
}

/** The function that loads the validators with explanations. */
export const loader = (kind: Kind): string =>
  `() => import('./explanations.js').then(({ ${kind}Validators }) => ${kind}Validators)`

/** The declaration of that function. */
export const loaderDeclaration = (kind: Kind): string =>
  `/** Loaded when the first value is rejected, to report why. */
const explanations = ${loader(kind)}`

/** The names of servers as a union; `fallback` without any. */
export const serverNames = (
  servers: readonly Server[] = [],
  fallback: 'string' | 'never' = 'string',
): string => [...new Set(servers.map(({ name }) => string(name)))].join(' | ') || fallback
