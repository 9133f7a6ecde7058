import { isDeepStrictEqual } from 'node:util'
import type { Api, Operation } from '../model/api.js'
import { operationRecord } from '../model/operation-record.js'
import { withSentMethods } from '../model/operations.js'
import type { Limits, Server } from '../runtime/operation.js'
import { type Declaration, listDeclaration, listed, type Module } from './declaration.js'
import { code, declared, type Fragment, importedType, join, literal, present } from './file.js'

/** `operations.ts`: each operation as data, without its schemas. */
export function emitOperations(api: Api): Module {
  const items = withSentMethods(api).operations.map((operation): Declaration => {
    const type = importedType(operation.kind === 'http' ? 'HttpOperation' : 'RpcOperation', RUNTIME)
    const data = operationRecord(operation, api)
    const isShared =
      'servers' in data &&
      (data.servers === api.http?.servers || isDeepStrictEqual(data.servers, api.http?.servers))
    const printed = isShared ? { ...data, servers: declared('httpServers') } : data
    return {
      name: operation.id,
      kind: 'item',
      keyword: 'const',
      body: code`: ${type} = ${block(printed)}`,
    }
  })
  return {
    name: 'operations.ts',
    declarations: [
      ...(api.http ? [serverList('httpServers', 'support', api.http.servers)] : []),
      ...(api.rpc ? [serverList('rpcServers', 'list', api.rpc.servers)] : []),
      ...items,
      ...(api.http ? [service('http', api.http.limits, api.operations)] : []),
      ...(api.rpc
        ? [service('rpc', api.rpc.limits, api.operations, api.rpc.path, api.serverMethods)]
        : []),
    ],
  }
}

const RUNTIME = 'twinspec/runtime/operation'

const serverList = (
  name: string,
  kind: 'list' | 'support',
  servers: readonly Server[],
): Declaration => ({
  name,
  kind,
  keyword: 'const',
  body: code`: readonly ${importedType('Server', RUNTIME)}[] = ${literal(servers, 60)}`,
})

function service(
  kind: Operation['kind'],
  limits: Limits,
  operations: readonly Operation[],
  path?: string,
  sent: readonly Operation[] = [],
): Declaration {
  const document = kind === 'http' ? 'OpenAPI' : 'OpenRPC'
  return listDeclaration({
    name: `${kind}Service`,
    comment: `The ${document} document as data for clients and servers: addresses, limits and operations.`,
    operations: operations.filter((one) => one.kind === kind),
    bodyOf: (some) => code`= {
  servers: ${declared(`${kind}Servers`)},
  ${join([code`limits: ${literal(limits, 12, 2)},`, ...(path === undefined ? [] : [code`path: ${literal(path)},`])])}
  operations: {
    ${join(some.map(listed))}
  },${sentMembers(sent)}
}`,
  })
}

/** What the server sends, if the document declares that. */
const sentMembers = (sent: readonly Operation[]): Fragment | '' =>
  sent.length === 0
    ? ''
    : code`
  sent: {
    ${join(sent.map(({ id }) => code`${declared(id)},`))}
  },`

/** Always one property per line, which makes files and diffs readable. */
function block(data: Record<string, unknown>): Fragment {
  const members = present(data).map(
    ([key, value]) => code`${key}: ${literal(value, key.length + 5, 2)},`,
  )
  return code`{\n  ${join(members)}\n}`
}
