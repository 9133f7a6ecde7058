import { isDeepStrictEqual } from 'node:util'
import type { Operation, OutgoingRequest, RpcParam } from '../model/api.js'
import type { Finding, Location } from '../model/finding.js'
import { entriesOf, isObject } from '../model/json.js'
import { joinPointer, segmentsOf } from '../runtime/shared/pointer.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import { ASSERTIONS } from '../schema/keywords.js'
import {
  camelCase,
  identifier,
  isIdentifier,
  isReserved,
  pascalCase,
  uniqueName,
} from '../text/names.js'
import type { Bundle } from './bundle.js'
import { locate } from './document.js'

/**
 * Gives every schema of both documents one name. The OpenRPC document is first, so that code generated from it does not depend
 * on the OpenAPI document. A schema that both share has one name.
 */
export function nameSchemas(
  rpc: Bundle | undefined,
  http: Bundle | undefined,
  report: (finding: Finding) => void,
): { readonly rpc: Map<string, string>; readonly http: Map<string, string> } {
  const used = new Set<string>(
    [
      ...TAKEN_NAMES['schemas.ts'],
      ...TAKEN_NAMES['validators.ts'],
      ...TAKEN_NAMES['explanations.ts'],
    ].filter((name) => !GIVES_WAY.has(name)),
  )
  const forRpc = new Map<string, string>()
  const forHttp = new Map<string, string>()
  for (const key of schemaKeys(rpc)) forRpc.set(writtenRef(key), named(key, rpc))
  for (const key of schemaKeys(http)) {
    const rpcName = forRpc.get(writtenRef(key))
    const shared = rpcName !== undefined && rpc && http && isShared(key, rpc, http)
    forHttp.set(writtenRef(key), shared ? rpcName : named(key, http))
  }
  return { rpc: forRpc, http: forHttp }

  function named(key: string, document: Bundle | undefined): string {
    const name = uniqueName(identifier(key, pascalCase), used)
    if (name !== key && document) {
      // Nobody needs to change a name that is only reserved in TypeScript: `Delete` was `delete`.
      const isOurs = isReserved(key)
      const why = isOurs
        ? 'is a reserved word'
        : used.has(key)
          ? 'is already used'
          : 'is not an identifier'
      report({
        rule: 'schema-name-was-changed',
        level: isOurs ? 'note' : 'warning',
        location: placeOf(key, document),
        message: `the schema ${key} is called ${name} in generated code: its own name ${why}`,
      })
    }
    return name
  }
}

/** Gives operations ids that are unique in both documents and differ from the names of schemas. */
export function nameOperations(
  operations: readonly Operation[],
  schemaNames: Iterable<string>,
  report: (finding: Finding) => void,
): ReadonlyMap<Operation, string> {
  const used = new Set<string>([
    ...schemaNames,
    ...TAKEN_NAMES['validators.ts'],
    ...TAKEN_NAMES['explanations.ts'],
    ...TAKEN_NAMES['operations.ts'],
  ])
  const ids = new Map<Operation, string>()
  const isSubscribing = operations.some((one) => one.kind === 'rpc' && one.subscription)
  /** Name -> the operation that has it, as its document calls it. */
  const holders = new Map<string, string>()
  for (const kind of ['rpc', 'http'] as const) {
    for (const operation of operations) {
      if (operation.kind !== kind) continue
      const plain = identifier(operation.id, camelCase)
      const reserved =
        plain === 'then' ||
        (kind === 'rpc' && (RPC_CLIENT.has(plain) || (isSubscribing && plain === 'subscribe')))
      const id = uniqueName(reserved ? `${plain}_` : plain, used)
      ids.set(operation, id)
      const written = operation.kind === 'rpc' ? operation.method : operation.id
      const holder = holders.get(plain)
      holders.set(id, written)
      if (id === operation.id) continue
      const ofOthers =
        holder === undefined
          ? `the name ${plain} is used by a schema or generated code`
          : `${holder || 'another operation'} has the name ${plain} already`
      const isOfOthers = holder !== undefined || plain === operation.id
      report({
        rule: 'operation-name-was-changed',
        level: 'warning',
        location: operation.source.locate(),
        message: `${written || 'an operation'} is called ${id} in generated code: ${isOfOthers ? ofOthers : `its own name is ${whyChanged(operation.id)}`}`,
      })
    }
  }
  return ids
}

/**
 * Gives webhooks and callbacks their ids: the name of a webhook, and of a callback the id of its operation before its name. The
 * second request of a name has its method after it.
 */
export function nameOutgoing(
  outgoing: readonly OutgoingRequest[],
  operations: readonly Operation[],
): readonly OutgoingRequest[] {
  const used = new Set<string>()
  return outgoing.map((one) => {
    const { name, method, callback } = one
    const caller = operations.find(
      (each) =>
        each.kind === 'http' && each.method === callback?.method && each.path === callback.path,
    )
    const plain = caller
      ? identifier(`${caller.id} ${name}`, camelCase)
      : identifier(name, camelCase)
    const long = identifier(`${plain} ${method.toLowerCase()}`, camelCase)
    return { ...one, id: uniqueName(used.has(plain) ? long : plain, used) }
  })
}

/** The names of positional params in generated types: unique identifiers. */
export function paramLabels(params: readonly RpcParam[]): readonly string[] {
  const used = new Set<string>()
  return params.map(({ name }) => {
    const plain = isIdentifier(name) ? name : identifier(name, camelCase)
    return uniqueName(KEYWORDS.has(plain) ? `${plain}_` : plain, used)
  })
}

/**
 * Words that TypeScript rejects as the label of a tuple member: reserved words, those of strict mode (TS1214), and
 * `await` (TS1262).
 */
const KEYWORDS = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends
  finally for function if implements import in instanceof interface let new package private protected
  public return static super switch throw try var while with yield`.split(/\s+/),
)

/** Positional params with another name in generated types. By name, a param keeps its name. */
export function* paramFindings(operations: readonly Operation[]): Generator<Finding> {
  for (const operation of operations) {
    if (operation.kind !== 'rpc' || operation.paramStructure === 'by-name') continue
    const labels = paramLabels(operation.params)
    for (const [index, { name, source }] of operation.params.entries()) {
      const label = labels[index] ?? name
      // For two params of one name, `param-name-is-duplicate` reports the second.
      const isSecond = operation.params.findIndex((one) => one.name === name) < index
      if (label === name || isSecond) continue
      yield {
        rule: 'param-name-was-changed',
        level: 'note',
        location: source.locate('name'),
        message: `the param ${name} of ${operation.method} is called ${label} in generated types: its own name is ${whyChanged(name)}`,
      }
    }
  }
}

/** The reason for a new name, as the end of a sentence. */
const whyChanged = (name: string): string => {
  if (KEYWORDS.has(name) || isReserved(name)) return 'a reserved word'
  return isIdentifier(name) ? 'already used' : 'not an identifier'
}

const writtenRef = (key: string) => joinPointer('#', 'components', 'schemas', key)

const schemasOf = (document: Bundle): object => {
  const { components } = document.value
  const schemas = isObject(components) ? components.schemas : undefined
  return isObject(schemas) ? schemas : document.value
}

/** The location of the name, not of its value, where both have one position. */
const placeOf = (key: string, document: Bundle): Location => {
  const section = schemasOf(document)
  const schema = (section as JsonObject)[key]
  if (typeof schema !== 'object' || schema === null) return locate(document.originOf(section), key)
  const { document: written, pointer } = document.originOf(schema)
  return written.locate(pointer, 'key')
}

const schemaKeys = (document: Bundle | undefined): readonly string[] =>
  document && isObject(document.value.components)
    ? entriesOf(document.value.components.schemas).map(([key]) => key)
    : []

/** Whether a schema has different meanings in OpenAPI 3.0, draft-07 and 2020-12, so that each document needs its own. */
function dependsOnDialect(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (Array.isArray(schema)) return schema.some(dependsOnDialect)
  const { type, exclusiveMinimum, exclusiveMaximum, items, dependencies, $ref } =
    schema as JsonObject
  const siblings = Object.keys(schema).filter((key) => ASSERTIONS.has(key))
  return (
    type === null ||
    typeof exclusiveMinimum === 'boolean' ||
    typeof exclusiveMaximum === 'boolean' ||
    Array.isArray(items) ||
    isObject(dependencies) ||
    (typeof $ref === 'string' && siblings.length > 0) ||
    Object.values(schema).some(dependsOnDialect)
  )
}

/** Whether both documents refer to one schema, or contain two identical copies of it. */
function isShared(key: string, rpc: Bundle, http: Bundle): boolean {
  const waiting = [key]
  const seen = new Set<string>()
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const one = (schemasOf(rpc) as Record<string, unknown>)[name]
    const other = (schemasOf(http) as Record<string, unknown>)[name]
    if (!isDeepStrictEqual(one, other) || dependsOnDialect(one)) return false
    for (const referred of referredIn(one)) waiting.push(referred)
  }
  return true
}

/** The names of the schemas that a schema refers to, also in the mapping of a discriminator. */
function referredIn(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return value.startsWith(writtenRef('')) ? segmentsOf(value).slice(-1) : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referredIn) : []
}

/** Of those, what generated code imports under another name or writes `globalThis.JSON`, where a schema has the name. */
const GIVES_WAY = new Set(
  `Static TArray TEnum TIntersect TLiteral TObject TOptional TRecord TUnion TUnsafe Type BigInt Checks JSON MethodChecks
  RangeError Uint8Array ExplainedParts MethodValidators Validator ValidatorSchema checks explained explainedByText
  explainedPart`.split(/\s+/),
)

/**
 * Names that generated files import, declare or use at their top level, by file. Exports named after operations must not
 * have these names.
 */
export const TAKEN_NAMES = {
  'schemas.ts': [
    'MapOf',
    'OneOf',
    'Static',
    'TArray',
    'TBoolean',
    'TEnum',
    'TInteger',
    'TIntersect',
    'TLiteral',
    'TNever',
    'TNull',
    'TNumber',
    'TObject',
    'TOptional',
    'TRecord',
    'TSchema',
    'TString',
    'TUnion',
    'TUnknown',
    'TUnsafe',
    'Type',
  ],
  'validators.ts': [
    'BigInt',
    'Checks',
    'HttpComponents',
    'HttpSchemas',
    'JSON',
    'MethodChecks',
    'RangeError',
    'RpcComponents',
    'RpcMethods',
    'RpcSchemas',
    'Uint8Array',
    'httpValidators',
    'rpcValidators',
  ],
  'explanations.ts': [
    'ExplainedParts',
    'HttpComponents',
    'HttpSchemas',
    'MethodValidators',
    'RpcComponents',
    'RpcMethods',
    'RpcSchemas',
    'Validator',
    'ValidatorSchema',
    'checks',
    'explained',
    'explainedByText',
    'explainedPart',
    'httpValidators',
    'rpcValidators',
  ],
  'operations.ts': [
    'HttpOperation',
    'RpcOperation',
    'Server',
    'httpServers',
    'httpService',
    'rpcServers',
    'rpcService',
  ],
  'rpc.methods.ts': [
    'MethodCall',
    'RpcAuth',
    'RpcConnection',
    'RpcMethods',
    'RpcOptions',
    'RpcServer',
    'createRpc',
    'createRpcConnection',
    'endpoint',
    'operations',
    'rpcMethod',
    'validators',
  ],
} as const

/**
 * Members of the RPC client and of the file of single methods other than methods. A `then` would make either client a promise.
 */
const RPC_CLIENT = new Set<string>([
  'request',
  'raw',
  'with',
  'batch',
  'notify',
  ...TAKEN_NAMES['rpc.methods.ts'],
])
