import { isDeepStrictEqual } from 'node:util'
import type { Api, Operation, RpcDocument } from '../model/api.js'
import { operationRecord } from '../model/operation-record.js'
import { withSentMethods } from '../model/operations.js'
import type { Limits, Server } from '../runtime/operation.js'
import type { Declaration, Module } from './declaration.js'
import {
  code,
  declared,
  doc,
  type Fragment,
  importedType,
  join,
  literal,
  type Printable,
  present,
} from './file.js'

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
      ...(api.http ? [serverList('httpServers', api.http.servers)] : []),
      ...(api.rpc ? [serverList('rpcServers', api.rpc.servers)] : []),
      ...items,
      ...(api.http ? [service('http', api.http.limits, api.operations)] : []),
      ...(api.rpc
        ? [service('rpc', api.rpc.limits, api.operations, api.rpc, api.serverMethods)]
        : []),
    ],
  }
}

const RUNTIME = 'twinspec/runtime/operation'

const serverList = (name: string, servers: readonly Server[]): Declaration => ({
  name,
  kind: 'list',
  keyword: 'const',
  body: code`: readonly ${importedType('Server', RUNTIME)}[] = ${literal(servers, 60)}`,
})

function service(
  kind: Operation['kind'],
  limits: Limits,
  operations: readonly Operation[],
  { path, cancel, progress }: Partial<RpcDocument> = {},
  sent: readonly Operation[] = [],
): Declaration {
  const document = kind === 'http' ? 'OpenAPI' : 'OpenRPC'
  const some = operations.filter((one) => one.kind === kind)
  return {
    name: `${kind}Service`,
    kind: 'list',
    keyword: 'const',
    comment: doc(
      `The ${document} document as data for clients and servers: addresses, limits and operations.`,
    ),
    body: code`: {
  ${join([...serviceType(kind, limits, some, { hasPath: path !== undefined, sent }), ...messageTypes({ cancel, progress })])}
} = {
  ${join([
    code`servers: ${declared(`${kind}Servers`)},`,
    code`limits: ${literal(limits, 12, 2)},`,
    ...(path === undefined ? [] : [code`path: ${literal(path)},`]),
    table(
      'operations',
      some.map(({ id }) => code`${declared(id)},`),
    ),
    ...(sent.length > 0
      ? [
          table(
            'sent',
            sent.map(({ id }) => code`${declared(id)},`),
          ),
        ]
      : []),
    ...(cancel ? [code`cancel: ${literal(cancel, 12, 2)},`] : []),
    ...(progress ? [code`progress: ${literal(progress, 12, 2)},`] : []),
  ])}
}`,
  }
}

const NOTHING = 'Readonly<Record<never, never>>'

/** Written out, with the keys of the document. */
const serviceType = (
  kind: Operation['kind'],
  limits: Limits,
  operations: readonly Operation[],
  { hasPath, sent }: { readonly hasPath: boolean; readonly sent: readonly Operation[] },
): readonly Printable[] => {
  const record = importedType(kind === 'http' ? 'HttpOperation' : 'RpcOperation', RUNTIME)
  const bounds = Object.keys(limits).map((name) => `readonly ${name}: number`)
  const rowsOf = (name: string, all: readonly { readonly id: string }[]) => {
    const rows = all.map(({ id }) => code`readonly ${id}: ${record}`)
    return rows.length === 0
      ? code`readonly ${name}: ${NOTHING}`
      : code`readonly ${name}: {\n  ${join(rows)}\n}`
  }
  return [
    code`readonly servers: readonly ${importedType('Server', RUNTIME)}[]`,
    `readonly limits: ${bounds.length === 0 ? NOTHING : `{ ${bounds.join('; ')} }`}`,
    ...(hasPath ? [code`readonly path: string`] : []),
    rowsOf('operations', operations),
    ...(sent.length > 0 ? [rowsOf('sent', sent)] : []),
  ]
}

const table = (name: string, members: readonly Printable[]): Fragment =>
  code`${name}: {\n  ${join(members)}\n},`

/** `x-cancel` and `x-progress`, if the document has them. */
const messageTypes = ({ cancel, progress }: CallMessages): readonly Fragment[] => [
  ...(cancel ? [code`readonly cancel: ${importedType('CancelMessage', RUNTIME)}`] : []),
  ...(progress ? [code`readonly progress: ${importedType('ProgressMessage', RUNTIME)}`] : []),
]

type CallMessages = {
  readonly cancel: RpcDocument['cancel'] | undefined
  readonly progress: RpcDocument['progress'] | undefined
}

/** Always one property per line, which makes files and diffs readable. */
function block(data: Record<string, unknown>): Fragment {
  const members = present(data).map(
    ([key, value]) => code`${key}: ${literal(value, key.length + 5, 2)},`,
  )
  return code`{\n  ${join(members)}\n}`
}
