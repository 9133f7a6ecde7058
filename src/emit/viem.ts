import type { Api, HttpOperation } from '../model/api.js'
import { httpOperations } from '../model/operations.js'
import type { Server } from '../runtime/operation.js'
import { fillTemplate } from '../runtime/shared/template.js'
import { memberName } from '../text/escape.js'
import { camelCase, identifier } from '../text/names.js'
import { loader, optionsType, serviceOf } from './client.js'
import {
  code,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedType,
  join,
  literal,
  string,
} from './file.js'

/** `viem.ts`: the networks as chains, the methods that viem does not have, a transport, and the HTTP operations as actions. */
export function emitViem(api: Api): File {
  const body = code`${chains(api)}

${schema(api)}

${transport()}

${join(actionGroups(api).map(actions), '\n\n')}

${join([...(api.http ? [`const whyHttp = ${loader('http')}`] : []), `const whyRpc = ${loader('rpc')}`])}`
  return file('viem.ts', body)
}

/** Why no chain can be generated from these documents, as the end of a sentence. */
export function whyNoViem({ rpc }: Api): string | undefined {
  if (rpc === undefined) return 'there is no OpenRPC document'
  const servers = chainServers(rpc.servers)
  if (servers.length === 0) return 'no server of the OpenRPC document has x-chain-id'
  const poor = servers.find(({ nativeCurrency }) => nativeCurrency === undefined)
  return (
    poor && `the server ${poor.name} has x-chain-id but no x-native-currency, which viem requires`
  )
}

const chainServers = (servers: readonly Server[]): readonly Server[] =>
  servers.filter(({ chainId }) => chainId !== undefined)

function chains({ rpc }: Api): Fragment {
  const named = new Map(chainServers(rpc?.servers ?? []).map((server) => [server.name, server]))
  const members = [...named.values()].map(
    (server) => code`${memberName(server.name)}: ${literal(chainOf(server), 80)},`,
  )
  return code`/** The networks of the document. */
export const chains = {
  ${join(members)}
} as const`
}

const chainOf = ({ name, url, variables, chainId, nativeCurrency }: Server) => ({
  id: chainId,
  name,
  nativeCurrency,
  rpcUrls: {
    default: { http: [fillTemplate(url, (variable) => variables[variable]?.default ?? '')] },
  },
})

function schema({ operations }: Api): Fragment {
  const names = operations.flatMap((one) =>
    one.kind === 'rpc' ? [code`${string(one.method)},`] : [],
  )
  return code`/** The methods that viem does not have. */
export type RpcSchema = ${importedType('OwnMethods', RUNTIME)}<
  ${importedType('RpcMethods', './rpc.types.js')},
  [
    ${join(names)}
  ]
>

/**
 * Gives \`client.request\` the types of these methods and of viem's own:
 * \`createPublicClient({ chain, transport, rpcSchema })\`.
 */
export const rpcSchema: ${importedType('TypedMethods', RUNTIME)}<RpcSchema> = ${imported('typeMethods', RUNTIME)}<RpcSchema>()`
}

function transport(): Fragment {
  const validators = imported('rpcValidators', './validators.js')
  return code`/**
 * JSON-RPC as a transport. Calls of one turn are sent as one batch. Only operations marked
 * \`x-idempotent\` are retried. The server is that of the chain, unless \`server\` is set.
 */
export const rpcTransport = (
  options: ${optionsType('rpc')} = {},
): ${importedType('RpcTransport', RUNTIME)} =>
  ${imported('createRpcTransport', RUNTIME)}(${serviceOf('rpc')}, ${validators}, options, whyRpc)`
}

/** An operation is listed under each of its tags, or without tags under its protocol. */
function actionGroups(api: Api): readonly ActionGroup[] {
  const groups = new Map<string, Set<HttpOperation>>()
  for (const operation of httpOperations(api)) {
    const tags = operation.tags.length > 0 ? operation.tags : ['http']
    for (const tag of tags) {
      const words = identifier(camelCase(`${tag} actions`), camelCase)
      const name = words === CREATE ? `${words}_` : words
      groups.set(name, (groups.get(name) ?? new Set()).add(operation))
    }
  }
  return [...groups].map(([name, operations]) => ({ name, operations: [...operations] }))
}

type ActionGroup = { readonly name: string; readonly operations: readonly HttpOperation[] }

function actions({ name, operations }: ActionGroup): Fragment {
  const ids = operations.map(({ id }) => string(id))
  const client = importedType('HttpClient', './http.client.js')
  const validators = imported('httpValidators', './validators.js')
  const type = name.charAt(0).toUpperCase() + name.slice(1)
  const of = importedType('ActionsOf', RUNTIME)
  const row = code`${of}<${client}, ${ids.join(' | ')}>`
  const own =
    row.text.length <= BY_TAG
      ? row
      : code`${of}<\n  ${client},\n  ${join(ids.map((id) => `| ${id}`))}\n>`
  const list = ids.join(', ').length <= BY_TAG ? ids.join(', ') : `\n  ${ids.join(',\n  ')},\n`
  return code`/** The actions that \`client.extend(${name}({ auth }))\` adds. */
export type ${type} = ${own}

${doc(`${namesOf(operations)} as actions of a client. The server is that of the chain, unless \`server\` is set.`)}
export const ${name} = (
  options: ${optionsType('http')} = {},
): ${importedType('Extension', RUNTIME)}<${type}> =>
  ${imported(CREATE, RUNTIME)}<${type}>(
    ${serviceOf('http')},
    ${validators},
    [${list}],
    options,
    whyHttp,
  )`
}

/** The function of the runtime; the actions of a tag `create` would have the same name. */
const CREATE = 'createActions'

/** Characters that are left for the value of a name on a line of 100. */
const BY_TAG = 70

const namesOf = (operations: readonly HttpOperation[]): string =>
  operations
    .map(({ id }) => `\`${id}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')

const RUNTIME = 'twinspec/runtime/viem'
