import type { Api, RpcOperation } from '../model/api.js'
import {
  code,
  doc,
  type File,
  type Fragment,
  file,
  imported,
  importedNamespace,
  importedType,
  join,
  literal,
  string,
} from './file.js'
import { header } from './header.js'

/** `rpc.methods.ts`: each method as a function by itself, so that a bundle contains the imported ones alone. */
export function emitRpcSingleMethods(api: Api): File {
  const operations = api.operations.filter((operation) => operation.kind === 'rpc')
  const { limits = {}, path = '' } = api.rpc ?? {}
  const said = doc(
    `What the methods of this file are called through: \`${operations[0]?.id ?? 'method'}(createRpcConnection())\`. A bundle contains the methods that are imported, and no other. The client of \`rpc.client.ts\` will do, too.`,
  )
  const [server, auth] = ['RpcServer', 'RpcAuth'].map((name) => importedType(name, CLIENT))
  const connection = importedType('RpcConnection', RUNTIME)
  const body = code`${said}
export const createRpcConnection = (options: ${importedType('RpcOptions', RUNTIME)}<${server ?? ''}, ${auth ?? ''}> = {}): ${connection} =>
  ${imported('createRpc', RUNTIME)}<RpcConnection>(endpoint, {}, options)

const endpoint = {
  servers: ${OPERATIONS}.rpcServers,
  limits: ${literal(limits, 12, 2)},
  path: ${literal(path)},
  operations: {},
}

${join(operations.map(singleMethod), '\n\n')}`
  return file('rpc.methods.ts', header(), body)
}

/** The mark lets bundlers leave out the methods that nobody imports. */
const singleMethod = (operation: RpcOperation): Fragment =>
  code`${doc(`\`${operation.method}\``)}
export const ${operation.id}: ${importedType('MethodCall', RUNTIME)}<${importedType('RpcMethods', CLIENT)}[${string(operation.method)}]> =
  /* @__PURE__ */ ${imported('rpcMethod', RUNTIME)}(${OPERATIONS}.${operation.id}, ${VALIDATORS}.${operation.id})`

const OPERATIONS = importedNamespace('operations', './operations.js')
const VALIDATORS = importedNamespace('validators', './validators.js')
const CLIENT = './rpc.client.js'
const RUNTIME = 'twinspec/runtime/rpc'
