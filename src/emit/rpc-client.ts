import type { Api, RpcOperation, RpcParam } from '../model/api.js'
import { camelCase, identifier, isIdentifier, pascalCase, uniqueName } from '../model/names.js'
import type { Schema } from '../schema/schema.js'
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
  keyText,
  literal,
  raw,
  schemaTypes,
  string,
} from './file.js'
import { authMembers, operationComment } from './http-client.js'
import { typeExpression } from './type-expression.js'

/** `rpc.client.ts`: the map of methods, the client's type with one documented member each, and the call that makes one. */
export function emitRpcClient(api: Api): File {
  const operations = api.operations.filter((operation) => operation.kind === 'rpc')
  const members = operations.map((operation) => {
    const params = operation.params.map(({ name, description, summary, required }) => {
      const text = description ?? summary
      return text ? `@param ${name}${required ? '' : ' (optional)'} ${text}` : undefined
    })
    const errors = operation.errors.map(({ code: number, message }) => `\`${number}\` (${message})`)
    const refusals =
      errors.length > 0 ? `Refused with ${[...new Set(errors)].join(', ')}.` : undefined
    const said = doc(...operationComment(operation), refusals, params.filter(Boolean).join('\n'))
    return code`${said}
readonly ${operation.id}: ${importedType('Method', RUNTIME)}<RpcMethods[${string(operation.method)}]>`
  })
  const names = api.rpc?.servers.map(({ name }) => string(name)) ?? []
  const servers = [...new Set(names)].join(' | ') || 'string'
  const secrets = (api.rpc?.servers ?? []).flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([name, { secret }]) => (secret ? [name] : [])),
  )
  const auth = authMembers(new Map(secrets.map((name) => [name, 'string'])), RUNTIME)
  const { title, version } = api.rpc ?? api
  const said = doc(
    `Every method of ${title} ${version}, beside \`request\`, \`raw\`, \`batch\`, \`with\` and \`notify\`.`,
  )
  const body = code`${methodTypes(operations, api)}

/** Wire name -> the types of its params and its result. */
export type RpcMethods = {
  ${rpcMethods(operations)}
}

${said}
export type RpcClient = ${importedType('RpcCaller', RUNTIME)}<RpcMethods> & {
  ${join(members)}
}

/** The servers that the document names. */
export type RpcServer = ${servers}

/** The secrets of the servers' addresses. */
export type RpcAuth = ${auth}

/** A client of every method, at the first of the servers unless \`server\` says otherwise. */
export const createRpcClient = (options: ${importedType('RpcOptions', RUNTIME)}<RpcServer, RpcAuth> = {}): RpcClient =>
  ${imported('createRpc', RUNTIME)}<RpcClient>(${imported('rpcService', './operations.js')}, ${imported('rpcValidators', './validators.js')}, options, explanations)

/** Loaded when the first value is rejected, to say why. */
const explanations = () => import('./explanations.js').then(({ rpcValidators }) => rpcValidators)

export { isCallError, isRpcError } from '${RUNTIME}'`
  return file('rpc.client.ts', body)
}

const RUNTIME = 'twinspec/runtime/rpc'

/**
 * The types of the params and the result of each method, by a name of its own. openapi-typescript would make every
 * optional param required, so the tuples are printed here, over its component types.
 */
function methodTypes(operations: readonly RpcOperation[], api: Api): Fragment {
  const print = (schema: Schema) =>
    typeExpression(schema, (name) => {
      const usedBy = api.schemas.get(name)?.usedBy ?? 'rpc'
      return code`${schemaTypes(usedBy)}[${string(name)}]`
    })
  const rows = operations.map(
    (operation) => code`${doc(`\`${operation.method}\``)}
export type ${methodName(operation)} = {
  params: ${paramsType(operation, print)}
  result: ${print(operation.result.schema)}
}`,
  )
  return join(rows, '\n\n')
}

/** Wire name -> those types. */
const rpcMethods = (operations: readonly RpcOperation[]): Fragment =>
  join(operations.map((one) => code`${keyText(one.method)}: ${methodName(one)}`))

/** `ethGetBalance` -> `EthGetBalanceMethod`; an id spelt otherwise keeps its spelling, so that no two share a name. */
const methodName = ({ id }: RpcOperation): string =>
  camelCase(id) === id ? `${pascalCase(id)}Method` : `${id}_Method`

function paramsType(operation: RpcOperation, print: (schema: Schema) => Fragment): Fragment {
  const { params, paramStructure } = operation
  if (params.length === 0) return raw(paramStructure === 'by-name' ? 'Record<string, never>' : '[]')
  const members = paramStructure === 'by-name' ? byName(params, print) : labelled(params, print)
  const [open, close, separator] =
    paramStructure === 'by-name' ? ['{ ', ' }', '; '] : ['[', ']', ', ']
  const flat = code`${open}${join(members, separator)}${close}`
  if (flat.text.length <= 84 && !flat.text.includes('\n')) return flat
  const lines = members.map((member) => code`${member}${paramStructure === 'by-name' ? '' : ','}`)
  return code`${open.trim()}\n  ${join(lines)}\n${close.trim()}`
}

function byName(params: readonly RpcParam[], print: (schema: Schema) => Fragment) {
  return params.map(({ name, required, schema, description }) => {
    const comment = doc(description)
    const line = code`${keyText(name)}${required ? '' : '?'}: ${print(schema)}`
    return comment.text === '' ? line : code`${comment}\n${line}`
  })
}

/** `[address: Address, block?: Block]`; a label is an identifier of its own. */
function labelled(params: readonly RpcParam[], print: (schema: Schema) => Fragment) {
  const taken = new Set<string>()
  return params.map(({ name, required, schema }) => {
    const plain = isIdentifier(name) ? name : identifier(name, camelCase)
    const label = uniqueName(KEYWORDS.has(plain) ? `${plain}_` : plain, taken)
    return code`${label}${required ? '' : '?'}: ${print(schema)}`
  })
}

/**
 * Words that TypeScript rejects as the label of a tuple member: the reserved words, those that are reserved in strict mode
 * (TS1214), and `await`, which is reserved at the top level of a module (TS1262).
 */
const KEYWORDS = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends
  finally for function if implements import in instanceof interface let new package private protected
  public return static super switch throw try var while with yield`.split(/\s+/),
)

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
  return file('rpc.methods.ts', body)
}

/** The mark lets bundlers leave out the methods that nobody imports. */
const singleMethod = (operation: RpcOperation): Fragment =>
  code`${doc(`\`${operation.method}\``)}
export const ${operation.id}: ${importedType('MethodCall', RUNTIME)}<${importedType('RpcMethods', CLIENT)}[${string(operation.method)}]> =
  /* @__PURE__ */ ${imported('rpcMethod', RUNTIME)}(${OPERATIONS}.${operation.id}, ${VALIDATORS}.${operation.id})`

const OPERATIONS = importedNamespace('operations', './operations.js')
const VALIDATORS = importedNamespace('validators', './validators.js')
const CLIENT = './rpc.client.js'
