import type { Api } from '../model/api.js'
import { code, doc, type File, file, imported, importedType, join, string } from './file.js'
import { header } from './header.js'
import { authMembers, told } from './http-client.js'
import { methodTypes, rpcMethods } from './rpc-methods.js'
import { withSchemaTypes } from './schema-types.js'

/** `rpc.client.ts`: the map of methods, the client's type with one documented member each, and the call that makes one. */
export function emitRpcClient(api: Api): File {
  const operations = api.operations.filter((operation) => operation.kind === 'rpc')
  const members = operations.map((operation) => {
    const params = operation.params.map(({ name, description, summary, required }) => {
      const text = description ?? summary
      return text ? `@param ${name}${required ? '' : ' (optional)'} ${text}` : undefined
    })
    const errors = operation.errors.map(({ code: number, message }) => `\`${number}\` (${message})`)
    const refusals =
      errors.length > 0 ? `Refused with ${[...new Set(errors)].join(', ')}.` : undefined
    const said = doc(...told(operation), refusals, params.filter(Boolean).join('\n'))
    return code`${said}
readonly ${operation.id}: ${importedType('Method', RUNTIME)}<RpcMethods[${string(operation.method)}]>`
  })
  const names = api.rpc?.servers.map(({ name }) => string(name)) ?? []
  const servers = [...new Set(names)].join(' | ') || 'string'
  const secrets = (api.rpc?.servers ?? []).flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, { secret }]) => (secret ? [name] : [])),
  )
  const auth = authMembers(new Map(secrets.map((name) => [name, 'string'])), RUNTIME)
  const { title, version } = api.rpc ?? api
  const said = doc(
    `Every method of ${title} ${version}, beside \`request\`, \`raw\`, \`batch\`, \`with\` and \`notify\`.`,
  )
  const body = code`${methodTypes(operations, api)}

/** Wire name -> the types of its params and its result. */
export type RpcMethods = {
  ${rpcMethods(operations)}
}

${said}
export type RpcClient = ${importedType('RpcCaller', RUNTIME)}<RpcMethods> & {
  ${join(members)}
}

/** The servers that the document names. */
export type RpcServer = ${servers}

/** The secrets of the servers' addresses. */
export type RpcAuth = ${auth}

/** A client of every method, at the first of the servers unless \`server\` says otherwise. */
export const createRpcClient = (options: ${importedType('RpcOptions', RUNTIME)}<RpcServer, RpcAuth> = {}): RpcClient =>
  ${imported('createRpc', RUNTIME)}<RpcClient>(${imported('rpcService', './operations.js')}, ${imported('rpcValidators', './validators.js')}, options, explanations)

/** Loaded when the first value is refused, to say why. */
const explanations = () => import('./explanations.js').then(({ rpcValidators }) => rpcValidators)

export { isCallError, isRpcError } from '${RUNTIME}'`
  return file('rpc.client.ts', header(), withSchemaTypes(body))
}

const RUNTIME = 'twinspec/runtime/rpc'
