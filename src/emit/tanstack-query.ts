import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { httpOperations } from '../model/operations.js'
import { holdsValue } from '../runtime/shared/codecs.js'
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
import { methodType } from './parts.js'

/** `tanstack-query.ts`: query, infinite-query and mutation options of every operation, over both protocols. */
export function emitTanstackQuery(api: Api): File {
  const http = httpOperations(api)
  const rpc = api.operations
    .filter((one) => one.kind === 'rpc')
    .filter(({ isNotification }) => isNotification !== true)
  const isMarked = rpc.some(({ idempotent }) => idempotent)
  const rows = {
    Http: http.map((operation) => ({ operation, kinds: httpKinds(operation) })),
    Rpc: rpc.map((operation) => ({ operation, kinds: rpcKinds(operation, isMarked) })),
  }
  const parts = [
    ...(api.http ? [protocol(api, 'Http', rows.Http.map(row))] : []),
    ...(api.rpc ? [protocol(api, 'Rpc', rows.Rpc.map(row))] : []),
  ]
  const tag = code`/** The type that TanStack Query attaches to query keys. */
type Tag = ${importedType('DataTag', '@tanstack/query-core')}<object, ${importedType('Marked', RUNTIME)}>`
  // Mutations alone have no keys.
  const kinds = [...rows.Http, ...rows.Rpc].flatMap((one) => one.kinds)
  const tags = kinds.every((kind) => kind === 'Mutation') ? [] : [tag]
  return file('tanstack-query.ts', join([...parts, ...tags], '\n\n'))
}

type Kind = 'Query' | 'Pages' | 'Mutation'

/** Safe methods are queries (RFC 9110 §9.2.1), those marked `x-idempotent` are both. Streams and files are never keys or data. */
function httpKinds(operation: HttpOperation): readonly Kind[] {
  const { method, idempotent, responses, body } = operation
  const isSafe = ['GET', 'HEAD', 'QUERY'].includes(method)
  const isData =
    responses.every(({ content }) => content.every(({ stream }) => stream === undefined)) &&
    (body?.content ?? []).every(({ codec }) => holdsValue(codec))
  const isQuery = isData && (isSafe || idempotent)
  return [
    ...(isQuery ? queryKinds(operation) : []),
    ...(isSafe && isQuery ? [] : ['Mutation' as const]),
  ]
}

/** OpenRPC does not declare which methods only read: if no method is marked `x-idempotent`, each is both. */
const rpcKinds = (operation: RpcOperation, isMarked: boolean): readonly Kind[] => [
  ...(operation.idempotent || !isMarked ? queryKinds(operation) : []),
  'Mutation',
]

/** The data of a query has no headers. If a header names the next page, there is no infinite query. */
const queryKinds = ({ pages }: Operation): readonly Kind[] => {
  const isInHeader = Object.values(pages?.next ?? {}).some((from) => from.startsWith('$response.'))
  return pages !== undefined && !isInHeader ? ['Query', 'Pages'] : ['Query']
}

function row({
  operation,
  kinds,
}: {
  readonly operation: Operation
  readonly kinds: readonly Kind[]
}): Fragment {
  const { id } = operation
  const [prefix, of] =
    operation.kind === 'http'
      ? (['Http', code`${importedType('HttpClient', './http.client.js')}[${string(id)}]`] as const)
      : (['Rpc', methodType(operation)] as const)
  const types = kinds.map((kind) => {
    const type = importedType(`${prefix}${kind}`, RUNTIME)
    return kind === 'Mutation' ? code`${type}<${of}>` : code`${type}<Tag, ${of}>`
  })
  return code`readonly ${id}: ${join(types, ' & ')}`
}

function protocol(api: Api, prefix: 'Http' | 'Rpc', rows: readonly Fragment[]): Fragment {
  const name = prefix === 'Http' ? 'http' : 'rpc'
  const title = (api[name] ?? api).title
  const client = importedType(`${prefix}Client`, `./${name}.client.js`)
  return code`${doc(`The operations of ${title} for TanStack Query.`)}
export type ${prefix}Queries = {
  ${join(rows)}
}

export const create${prefix}Queries = (client: ${client}, options?: ${importedType('QueriesOptions', RUNTIME)}): ${prefix}Queries =>
  ${imported(`${name}QueriesOf`, RUNTIME)}<${prefix}Queries>(${imported(`${name}Service`, './operations.js')}, client, ${string(title)}, options)`
}

const RUNTIME = 'twinspec/runtime/tanstack-query'
