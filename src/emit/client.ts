import type { Api } from '../model/api.js'
import {
  code,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedType,
  join,
  memberName,
} from './file.js'
import { header } from './header.js'
import { httpCredentials, httpOperations } from './http-client.js'

/** `client.ts`: one client for what the documents describe, with `http`, `rpc` or both. */
export function emitClient(api: Api): File {
  const protocols = [...(api.http ? [HTTP] : []), ...(api.rpc ? [RPC] : [])]
  const names = protocols.map(({ name }) => name).join(', ')
  const members = protocols.map(
    (one) => code`readonly ${one.name}: ${importedType(one.client, one.from)}`,
  )
  const own = protocols.map((one) => code`readonly ${one.name}?: ${optionsOf(one)} | undefined`)
  const created = protocols.map((one) => {
    const create = imported(one.create, one.from)
    return code`${one.name}: ${create}({ ...shared${one === RPC ? rpcAuth(api) : ''}, ...${one.name} }),`
  })
  const body = code`${doc(`A client of ${api.title} ${api.version}, with a member for each protocol.`)}
export type Client = {
  ${join(members)}
}

/** Options for every call; those of one protocol stand under its name, and win. */
export type ClientOptions = ${join(protocols.map(optionsOf), ' & ')} & {
  ${join(own)}
}

/** \`createClient({ server, auth })\`. Throws a TypeError for options that cannot work. */
export const createClient = ({ ${names}, ...shared }: ClientOptions = {}): Client => ({
  ${join(created)}
})`
  return file('client.ts', header(), body)
}

type Protocol = {
  readonly name: string
  readonly from: string
  readonly client: string
  readonly create: string
  readonly options: Fragment
}

const HTTP: Protocol = {
  name: 'http',
  from: './http.client.js',
  client: 'HttpClient',
  create: 'createHttpClient',
  options: importedType('HttpOptions', 'twinspec/runtime/http'),
}

const RPC: Protocol = {
  name: 'rpc',
  from: './rpc.client.js',
  client: 'RpcClient',
  create: 'createRpcClient',
  options: importedType('RpcOptions', 'twinspec/runtime/rpc'),
}

const optionsOf = ({ options, name, from }: Protocol): Fragment => {
  const title = name === 'http' ? 'Http' : 'Rpc'
  return code`${options}<${importedType(`${title}Server`, from)}, ${importedType(`${title}Auth`, from)}>`
}

/** The JSON-RPC client rejects credentials that only HTTP operations have. */
function rpcAuth(api: Api): Fragment | string {
  const secrets = (api.rpc?.servers ?? []).flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, { secret }]) => (secret ? [name] : [])),
  )
  const others = [...httpCredentials(httpOperations(api)).keys()]
  if (others.every((name) => secrets.includes(name))) return ''
  const members = [...new Set(secrets)].map(
    (name) => `${memberName(name)}: shared.auth?.[${JSON.stringify(name)}]`,
  )
  return code`, auth: ${members.length === 0 ? 'undefined' : `{ ${members.join(', ')} }`}`
}
