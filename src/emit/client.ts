import type { Api } from '../model/api.js'
import { code, doc, type File, type Fragment, file, imported, importedType, join } from './file.js'

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
    const merge = imported('mergeOptions', protocols[0]?.runtime ?? one.runtime)
    const others = protocols.filter((other) => other !== one)
    const services = [one, ...others].map(({ service }) => imported(service, './operations.js'))
    return code`${one.name}: ${create}(${merge}(shared, ${one.name}, ${join(services, ', ')})),`
  })
  const body = code`${doc(`A client of ${api.title} ${api.version}, with a member for each protocol.`)}
export type Client = {
  ${join(members)}
}

/** Options for every call. Those under the name of a protocol take precedence; headers, credentials and variables are merged. */
export type ClientOptions = ${join(protocols.map(optionsOf), ' & ')} & {
  ${join(own)}
}

/** \`createClient({ server, auth })\`. Throws a TypeError for invalid options. */
export const createClient = ({ ${names}, ...shared }: ClientOptions = {}): Client => ({
  ${join(created)}
})`
  return file('client.ts', body)
}

type Protocol = {
  readonly name: string
  readonly from: string
  readonly client: string
  readonly create: string
  readonly runtime: string
  readonly service: string
  readonly options: Fragment
}

const HTTP: Protocol = {
  name: 'http',
  from: './http.client.js',
  client: 'HttpClient',
  create: 'createHttpClient',
  runtime: 'twinspec/runtime/http',
  service: 'httpService',
  options: importedType('HttpOptions', 'twinspec/runtime/http'),
}

const RPC: Protocol = {
  name: 'rpc',
  from: './rpc.client.js',
  client: 'RpcClient',
  create: 'createRpcClient',
  runtime: 'twinspec/runtime/rpc',
  service: 'rpcService',
  options: importedType('RpcOptions', 'twinspec/runtime/rpc'),
}

const optionsOf = ({ options, name, from }: Protocol): Fragment => {
  const title = name === 'http' ? 'Http' : 'Rpc'
  return code`${options}<${importedType(`${title}Server`, from)}, ${importedType(`${title}Auth`, from)}>`
}
