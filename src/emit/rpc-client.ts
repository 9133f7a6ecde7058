import type { Api, RpcOperation } from '../model/api.js'
import { rpcOperations } from '../model/operations.js'
import { declaresSocket } from '../model/sockets.js'
import { loaderDeclaration, optionsType, serverNames, serviceOf } from './client.js'
import {
  code,
  commented,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedNamespace,
  importedType,
  join,
  literal,
  raw,
  string,
} from './file.js'
import { clientGroups } from './groups.js'
import { authMembers, itemKeys } from './http-client.js'
import { operationComment } from './operation-comment.js'
import { operationNames } from './operation-names.js'
import { methodType } from './parts.js'
import { takesBoth } from './rpc-types.js'
import { paramText } from './schema-comment.js'

/** `rpc.client.ts`: the client's type with a documented member each, and the function that creates one. */
export function emitRpcClient(api: Api): File {
  const operations = rpcOperations(api)
  const names = operationNames(api)
  const variantsOf = (operation: RpcOperation): Fragment =>
    importedType(names(operation).variants, './rpc.types.js')
  const members = operations.map((operation) => {
    const params = operation.params.flatMap((param) => {
      const text = paramText(param, api.schemas)
      return text === undefined ? [] : [`@param ${text}`]
    })
    const errors = operation.errors.map(({ code: number, message }) => `\`${number}\` (${message})`)
    const errorList = errors.length > 0 ? `Errors: ${[...new Set(errors)].join(', ')}.` : undefined
    const comment = doc(...operationComment(operation), errorList, params.join('\n'))
    return code`${comment}
readonly ${operation.id}: ${memberType(operation, variantsOf(operation))}`
  })
  const secrets = (api.rpc?.servers ?? []).flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, { secret }]) => (secret ? [name] : [])),
  )
  const auth = authMembers(new Map(secrets.map((name) => [name, 'string'])), RUNTIME)
  const { title, version } = api.rpc ?? api
  const comment = doc(
    `Every method of ${title} ${version}, as a function, and \`request\`, \`raw\`, \`batch\`, \`with\` and \`notify\`.`,
  )
  const groups = clientGroups('rpc', api)
  const subscriptions = subscribeType(operations, variantsOf)
  const callOptions = api.rpc?.progress
    ? code`, ${importedType('RpcCallOptions', RUNTIME)} & ${importedType('ProgressOption', DUPLEX)}<${PROGRESS}>`
    : ''
  const caller = code`${importedType('RpcCaller', RUNTIME)}<${importedType('RpcMethods', './rpc.types.js')}${callOptions}>`
  const calls = code`{\n  ${join(members)}\n}`
  const create = code`${imported('createRpc', RUNTIME)}<RpcClient>(${serviceOf('rpc')}, ${imported('rpcValidators', './validators.js')}, options, explanations${partsOf(operations, groups !== undefined, api)})`
  const client = groups
    ? code`${doc('Every method by its id.')}
export type ${groups.operations} = ${calls}

${groups.declaration}

${comment}
export type RpcClient = ${caller} & ${groups.operations} & {
  ${join(groups.membersOf(groups.operations, () => true))}
}${subscriptions}`
    : code`${comment}
export type RpcClient = ${caller} & ${calls}${subscriptions}`
  const body = code`${client}

/** The names of the servers in the document. */
export type RpcServer = ${serverNames(api.rpc?.servers)}

/** The secret variables of the server URLs. */
export type RpcAuth = ${auth}
${serverHandlers(api)}
/** Creates a client, which calls the first server unless \`server\` is set. */
export const createRpcClient = (options: ${optionsType('rpc', api)} = {}): RpcClient =>
  ${create}

${loaderDeclaration('rpc')}

export { isCallError, isRpcError } from '${RUNTIME}'`
  return file('rpc.client.ts', body)
}

/** The member `subscribe`, if a method has subscriptions. */
const subscribeType = (
  operations: readonly RpcOperation[],
  variantsOf: (operation: RpcOperation) => Fragment,
): Fragment | '' => {
  const members = operations
    .filter(({ subscription }) => subscription)
    .map((operation) => {
      const items = code`${importedType('RpcItems', './rpc.types.js')}[${string(operation.method)}]`
      const types = methodType(operation)
      const hasItems = operation.variants?.every(({ item }) => item !== undefined)
      const type = hasItems
        ? code`${importedType('SubscribeVariants', DUPLEX)}<${types}, ${variantsOf(operation)}, ${items}>`
        : code`${importedType('Subscribe', DUPLEX)}<${types}, ${items}>`
      return code`${doc(...operationComment(operation))}\nreadonly ${operation.id}: ${type}`
    })
  return members.length === 0
    ? ''
    : code` & {
  /** The subscriptions of the service, by the id of the method that begins them. */
  readonly subscribe: {
    ${join(members)}
  }
}`
}

/** The type of the option `handlers`, if the server sends methods. */
const serverHandlers = ({ serverMethods, rpc }: Api): Fragment | '' => {
  if (serverMethods.length === 0) return ''
  const context = rpc?.progress
    ? code`, ${importedType('ProgressContext', DUPLEX)}<${PROGRESS}>`
    : ''
  const methods = importedType('RpcServerMethods', './rpc.types.js')
  const members = serverMethods.map(({ id, method, summary, description }) =>
    commented(
      doc(description ?? summary),
      code`readonly ${id}?: ${importedType('ServerMethodHandler', DUPLEX)}<${methods}[${string(method)}]${context}> | undefined`,
    ),
  )
  return code`
/** Handlers of what the server sends, by id: the option \`handlers\`. A request without a handler gets the error -32601. */
export type RpcServerHandlers = {
  ${join(members)}
}
`
}

/** The parts that only some clients need, so that the bundles of others do not contain them. */
const partsOf = (operations: readonly RpcOperation[], hasGroups: boolean, api: Api): Fragment => {
  const parts = [
    ...(operations.some(takesBoth) ? [imported('namedParams', RUNTIME)] : []),
    ...(operations.some(({ pages }) => pages) ? [imported('addPages', RUNTIME)] : []),
    ...(hasGroups
      ? [code`group: (client) => ${imported('addGroups', RUNTIME)}(client, groups)`]
      : []),
    ...(api.serverMethods.length > 0 ? [imported('serveHandlers', DUPLEX)] : []),
    ...(operations.some(({ subscription }) => subscription)
      ? [imported('createSubscriptions', DUPLEX)]
      : []),
    ...(cancelsCalls(api) ? [imported('cancelWriter', DUPLEX)] : []),
    ...(receivesProgress(api) ? [imported('trackProgress', DUPLEX)] : []),
    ...(api.rpc && declaresSocket(api.rpc) ? [imported('serverSocket', SOCKET)] : []),
  ]
  return parts.length === 0 ? raw('') : code`, { ${join(parts, ', ')} }`
}

/** Whether clients send the notification of `x-cancel`. */
const cancelsCalls = ({ rpc, operations }: Api): boolean =>
  operations.some((one) => one.kind === 'rpc' && one.method === rpc?.cancel?.notification)

/** Whether the server sends the notification of `x-progress`. */
const receivesProgress = ({ rpc, serverMethods }: Api): boolean =>
  serverMethods.some(({ method }) => method === rpc?.progress?.notification)

/** A method as a member of the client. */
const memberType = (operation: RpcOperation, variants: Fragment): Fragment => {
  const types = methodType(operation)
  if (operation.variants && !operation.pages)
    return code`${importedType('VariantMethod', RUNTIME)}<${types}, ${variants}>`
  return operation.pages
    ? code`${importedType('PagedMethod', RUNTIME)}<${types}, ${itemKeys(operation.pages)}>`
    : code`${importedType('Method', RUNTIME)}<${types}>`
}

const PROGRESS = importedType('RpcProgress', './rpc.types.js')
const RUNTIME = 'twinspec/runtime/rpc'
const DUPLEX = 'twinspec/runtime/duplex'
const SOCKET = 'twinspec/runtime/links/socket'

/** `rpc.methods.ts`: each method as a separate function, so that a bundle contains only the imported ones. */
export function emitRpcSingleMethods(api: Api): File {
  const operations = rpcOperations(api)
  const { limits = {}, path = '' } = api.rpc ?? {}
  const comment = doc(
    `Creates the connection that the methods of this file take: \`${operations[0]?.id ?? 'method'}(createRpcConnection())\`. They also take the client of \`rpc.client.ts\`. A bundle contains only the methods that are imported.`,
  )
  const connection = importedType('RpcConnection', RUNTIME)
  const parts = partsOf([], false, { ...api, operations: [], serverMethods: [] })
  const socketPart = parts.text === '' ? '' : code`, undefined${parts}`
  const body = code`${comment}
export const createRpcConnection = (options: ${optionsType('rpc', api)} = {}): ${connection} =>
  ${imported('createRpc', RUNTIME)}<RpcConnection>(endpoint, {}, options${socketPart})

const endpoint = {
  servers: ${OPERATIONS}.rpcServers,
  limits: ${literal(limits, 12, 2)},
  path: ${literal(path)},
  operations: {},
}

${join(operations.map(singleMethod), '\n\n')}`
  return file('rpc.methods.ts', body)
}

/** The annotation lets bundlers omit the methods that are not imported. */
const singleMethod = (operation: RpcOperation): Fragment =>
  code`${doc(`\`${operation.method}\``)}
export const ${operation.id}: ${importedType('MethodCall', RUNTIME)}<${methodType(operation)}> =
  /* @__PURE__ */ ${imported('rpcMethod', RUNTIME)}(${OPERATIONS}.${operation.id}, ${VALIDATORS}.${operation.id})`

const OPERATIONS = importedNamespace('operations', './operations.js')
const VALIDATORS = importedNamespace('validators', './validators.js')
