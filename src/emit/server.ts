import type { Api } from '../model/api.js'
import {
  code,
  doc,
  type File,
  file,
  imported,
  importedNamespace,
  importedType,
  join,
  string,
} from './file.js'
import { operationComment, variantsName } from './http-client.js'

/** `server.ts`: the handlers that a service has to write, typed, and the call that makes a server of them. */
export function emitServer(api: Api): File {
  const members = api.operations.map((operation) => {
    if (operation.kind === 'rpc') {
      const type = code`${importedType('RpcHandler', RUNTIME)}<${importedType('RpcMethods', './rpc.client.js')}[${string(operation.method)}]>`
      return code`${doc(...operationComment(operation))}\nreadonly ${operation.id}: ${type}`
    }
    const entry = code`${importedType('operations', './http.types.js')}[${string(operation.id)}]`
    const type =
      operation.variants.length > 0
        ? code`${importedType('VariantHandlers', RUNTIME)}<${entry}, ${importedType(variantsName(operation), './http.client.js')}>`
        : code`${importedType('HttpHandler', RUNTIME)}<${entry}>`
    return code`${doc(...operationComment(operation))}\nreadonly ${operation.id}: ${type}`
  })
  const services = [
    ...(api.http ? [code`http: ${imported('httpService', './operations.js')}`] : []),
    ...(api.rpc ? [code`rpc: ${imported('rpcService', './operations.js')}`] : []),
  ]
  const parts = [
    ...(api.http ? [code`http: ${imported('httpService', './operations.js')},`] : []),
    ...(api.rpc ? [code`rpc: ${imported('rpcService', './operations.js')},`] : []),
    code`validators: ${importedNamespace('explanations', './explanations.js')},`,
    ...(api.rpc ? ['openrpc,'] : []),
  ]
  const body = code`/** One handler per operation; the compiler misses none. */
export type Handlers = {
  ${join(members)}
}

/** A server without a socket: hand it to \`toNodeListener\` or to \`toFetchHandler\`. */
export const createServer = (handlers: Handlers, options: ${importedType('ServerOptions', RUNTIME)} = {}): ${importedType('Server', RUNTIME)} =>
  ${imported('createServerCore', RUNTIME)}(
    {
      ${join(parts)}
    },
    handlers,
    options,
  )

/** Every operation refused: spread it first while some handlers are still to be written. */
export const notOffered: Handlers = ${imported('refuseAll', RUNTIME)}<Handlers>({ ${join(services, ', ')} })

export { toFetchHandler, toNodeListener } from '${RUNTIME}'`
  const made = file('server.ts', body)
  // Imports end at the first empty line.
  return api.rpc ? { ...made, text: made.text.replace('\n\n', `\n${DOCUMENT}\n\n`) } : made
}

const RUNTIME = 'twinspec/runtime/server'
const DOCUMENT = "import openrpc from './rpc.openrpc.json' with { type: 'json' }"
