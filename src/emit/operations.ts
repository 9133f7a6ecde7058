import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation, Operation } from '../model/api.js'
import { recordOf } from '../model/operation-record.js'
import { type Successor, successorOf } from '../model/successor.js'
import type {
  HttpBigints,
  HttpOperation as HttpRecord,
  Limits,
  RpcBigints,
  RpcOperation as RpcRecord,
  Server,
} from '../runtime/operation.js'
import { isSuccessKey } from '../runtime/wire/status.js'
import { bigintPlaces, markedIn, namedPlaces, together } from '../schema/bigints.js'
import { referredName, type Schema } from '../schema/schema.js'
import { type Declaration, listDeclaration, listed, type Module } from './declaration.js'
import { code, declared, type Fragment, importedType, join, literal, present } from './file.js'
import { isPart, type OperationPart, operationParts, type Parts } from './parts.js'

/** `operations.ts`: each operation as data, without its schemas. */
export function emitOperations(api: Api): Module {
  const items = api.operations.map((operation): Declaration => {
    const type = importedType(operation.kind === 'http' ? 'HttpOperation' : 'RpcOperation', RUNTIME)
    const data = operationRecord<Operation>(operation, api)
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
      ...(api.rpc ? [service('rpc', api.rpc.limits, api.operations, api.rpc.path)] : []),
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
  },
}`,
  })
}

/** Always one property per line, which makes files and diffs readable. */
function block(data: Record<string, unknown>): Fragment {
  const members = present(data).map(
    ([key, value]) => code`${key}: ${literal(value, key.length + 5, 2)},`,
  )
  return code`{\n  ${join(members)}\n}`
}

/** The record of an operation, as generated code contains it. */
export const operationRecord = <One extends Operation>(operation: One, api: Api): RecordOf<One> => {
  // An address or an id, in place of any name of the operation.
  const { replacedBy: _, ...record } = recordOf(operation)
  const replacedBy = successorWord(successorOf(operation, api))
  const pairs = operation.kind === 'http' ? sameAs(operation, api) : []
  const bigints = bigintsOf(operation, api)
  return {
    ...record,
    ...(replacedBy !== undefined && { replacedBy }),
    ...(pairs.length > 0 && { sameAs: pairs }),
    ...(bigints && { bigints }),
  } as RecordOf<One>
}

type RecordOf<One extends Operation> = One extends HttpOperation ? HttpRecord : RpcRecord

const successorWord = (successor: Successor | undefined): string | undefined =>
  successor && ('url' in successor ? successor.url : successor.operation.id)

/** The pairs of properties that `x-same-as` joins in the successful responses of an operation. */
function sameAs(operation: HttpOperation, api: Api): readonly (readonly [string, string])[] {
  const pairs = new Map<string, readonly [string, string]>()
  const seen = new Set<string>()
  const visit = (schema: Schema) => {
    if (typeof schema === 'boolean') return
    const name = referredName(schema)
    if (name !== undefined && !seen.has(name)) {
      seen.add(name)
      visit(api.schemas.get(name)?.schema ?? true)
    }
    for (const branch of [schema.allOf, schema.anyOf, schema.oneOf].flat()) {
      if (branch !== undefined) visit(branch)
    }
    for (const [property, value] of Object.entries(schema.properties ?? {})) {
      const alias = typeof value === 'object' ? value['x-same-as'] : undefined
      if (typeof alias !== 'string') continue
      const pair = [property, alias].sort() as [string, string]
      pairs.set(pair.join(), pair)
    }
  }
  for (const { status, content } of operation.responses) {
    if (isSuccessKey(status)) for (const { schema } of content) visit(schema)
  }
  return [...pairs.values()]
}

/** The places of bigints (`x-bigint`) in the values of an operation; undefined if there are none. */
function bigintsOf(operation: Operation, { schemas }: Api): (HttpBigints & RpcBigints) | undefined {
  const marked = markedIn(schemas)
  const {
    parameters,
    request,
    fields,
    requests = {},
    responses,
    items,
    result,
  } = operationParts(operation)
  const places = (part: OperationPart | Parts | undefined) =>
    part !== undefined && isPart(part) ? bigintPlaces(part.schema, marked) : undefined
  const each = (parts: OperationPart | Parts = {}) =>
    record(Object.entries(parts).map(([key, part]) => [key, places(part)]))
  const params = operation.kind === 'http' ? [] : operation.params
  const properties = record(
    params.flatMap(({ name, schema }, index) => {
      const own = bigintPlaces(schema, marked)
      return [
        [`${index}`, own],
        [name, own],
      ]
    }),
  )
  const found = record([
    ['parameters', each(parameters)],
    ['request', together([request, fields, ...Object.values(requests)].map(places))],
    ['responses', each(responses)],
    ['items', each(items)],
    ['params', properties && { properties }],
    ['result', places(result)],
  ])
  if (found === undefined) return undefined
  const named = namedPlaces(found, schemas)
  return named ? { named, ...found } : found
}

/** An object of the entries that are defined; undefined if there are none. */
const record = <T>(
  entries: readonly (readonly [string, T | undefined])[],
): Readonly<Record<string, T>> | undefined => {
  const present = entries.flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const]))
  return present.length === 0 ? undefined : Object.fromEntries(present)
}
