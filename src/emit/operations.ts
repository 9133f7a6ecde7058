import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { formEncodings } from '../model/form-encoding.js'
import type { HttpParameter } from '../model/http-content.js'
import { sequentialTypes, streamsOf } from '../model/streams.js'
import { type Successor, successorOf } from '../model/successor.js'
import type {
  HttpBigints,
  HttpOperation as HttpRecord,
  Limits,
  Operation as OperationRecord,
  Parameter,
  Promises,
  RpcBigints,
  RpcOperation as RpcRecord,
  Server,
} from '../runtime/operation.js'
import { bigintPlaces, markedIn, namedPlaces, together } from '../schema/bigints.js'
import { referredName, type Schema } from '../schema/schema.js'
import { type Declaration, listDeclaration, listed, type Module } from './declaration.js'
import { code, declared, type Fragment, importedType, join, literal, present } from './file.js'
import { isPart, type Part, type Parts, partsOf } from './parts.js'

/** `operations.ts`: each operation as data, without its schemas. */
export function emitOperations(api: Api): Module {
  const items = api.operations.map((operation): Declaration => {
    const type = importedType(operation.kind === 'http' ? 'HttpOperation' : 'RpcOperation', RUNTIME)
    const data = fieldsOf(operation, api)
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
export const operationRecord = (operation: Operation, api: Api): OperationRecord =>
  Object.fromEntries(present(fieldsOf(operation, api))) as OperationRecord

const fieldsOf = (operation: Operation, api: Api): Fields<HttpRecord> | Fields<RpcRecord> =>
  operation.kind === 'http' ? httpFields(operation, api) : rpcFields(operation, api)

/** Undefined members are omitted. */
type Fields<Record> = { readonly [Key in keyof Required<Record>]: Record[Key] | undefined }

function httpFields(operation: HttpOperation, api: Api): Fields<HttpRecord> {
  return {
    kind: 'http',
    id: operation.id,
    method: operation.method,
    path: operation.path,
    servers: operation.servers,
    parameters: operation.parameters.map(parameterRecord),
    body: operation.body && {
      required: operation.body.required,
      mediaTypes: operation.body.content.map(({ type }) => type),
      ...formEncodings(operation.body.content, api.schemas),
      ...sequentialTypes(operation.body.content),
    },
    responses: Object.fromEntries(
      operation.responses.map(({ status, content }) => [status, content.map(({ type }) => type)]),
    ),
    streams: streamsOf(operation),
    streamDefault: operation.streamDefault,
    security: operation.security,
    schemes: operation.schemes,
    variants: nonEmpty(
      Object.fromEntries(
        operation.variants.map(({ name, request, responses, errors, contractCall }) => [
          name,
          { request, responses, errors, ...(contractCall && { contractCall }) },
        ]),
      ),
    ),
    poll: operation.poll,
    idempotencyKey: operation.idempotencyKey,
    sameAs: nonEmpty(sameAs(operation, api)),
    links: nonEmpty(operation.links),
    bigints: bigintsOf(operation, api),
    ...promised(operation, api, api.http?.limits),
  }
}

function parameterRecord(parameter: HttpParameter): Parameter {
  const { name, required, style, explode, allowReserved, mediaType, isWholeQuery, secret } =
    parameter
  const always = { name, in: parameter.in, required, style, explode }
  return { ...always, allowReserved, mediaType, isWholeQuery, secret } as Parameter
}

function rpcFields(operation: RpcOperation, api: Api): Fields<RpcRecord> {
  return {
    kind: 'rpc',
    id: operation.id,
    method: operation.method,
    params: operation.params.map(({ name, required, acceptsNull }) => ({
      name,
      required,
      ...(acceptsNull && { acceptsNull }),
    })),
    paramStructure: operation.paramStructure,
    errors: operation.errors.map(({ code: number, message }) => ({ code: number, message })),
    isNotification: operation.isNotification,
    bigints: bigintsOf(operation, api),
    ...promised(operation, api, api.rpc?.limits),
  }
}

/** The fields of both kinds. An HTTP operation also has the limits of the document; its own take precedence. */
function promised(operation: Operation, api: Api, limits: Limits = {}): Fields<Promises> {
  return {
    stability: operation.stability,
    access: operation.access,
    idempotent: operation.idempotent,
    pages: operation.pages,
    limits: nonEmpty({ ...(operation.kind === 'http' ? limits : {}), ...operation.limits }),
    deprecated: operation.deprecated || undefined,
    deprecatedAt: operation.deprecatedAt,
    sunset: operation.sunset,
    replacedBy: successorWord(successorOf(operation, api)),
  }
}

const successorWord = (successor: Successor | undefined): string | undefined =>
  successor && ('url' in successor ? successor.url : successor.operation.id)

const nonEmpty = <T extends object>(value: T): T | undefined =>
  Object.keys(value).length > 0 ? value : undefined

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
    if (status.startsWith('2')) for (const { schema } of content) visit(schema)
  }
  return [...pairs.values()]
}

/** The places of bigints (`x-bigint`) in the values of an operation; undefined if there are none. */
function bigintsOf(operation: Operation, { schemas }: Api): (HttpBigints & RpcBigints) | undefined {
  const marked = markedIn(schemas)
  const { parameters, request, fields, responses, items, result } = partsOf(operation)
  const places = (part: Part | Parts | undefined) =>
    part !== undefined && isPart(part) ? bigintPlaces(part.schema, marked) : undefined
  const each = (parts: Part | Parts = {}) =>
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
    ['request', together([places(request), places(fields)])],
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
  const given = entries.flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const]))
  return given.length === 0 ? undefined : Object.fromEntries(given)
}
