import type { Api, RpcOperation, RpcParam } from '../model/api.js'
import { rpcOperations } from '../model/operations.js'
import { paramLabels } from '../read/naming.js'
import type { Schema } from '../schema/schema.js'
import { keyText } from '../text/escape.js'
import { camelCase, pascalCase } from '../text/names.js'
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
  schemaTypes,
  string,
} from './file.js'
import { clientGroups } from './groups.js'
import { authMembers, itemKeys, operationComment } from './http-client.js'
import { typeExpression } from './type-expression.js'

/** `rpc.client.ts`: the map of methods, the client's type with a documented member each, and the function that creates one. */
export function emitRpcClient(api: Api): File {
  const operations = rpcOperations(api)
  const members = operations.map((operation) => {
    const params = operation.params.map(({ name, description, summary, required }) => {
      const text = description ?? summary
      return text ? `@param ${name}${required ? '' : ' (optional)'} ${text}` : undefined
    })
    const errors = operation.errors.map(({ code: number, message }) => `\`${number}\` (${message})`)
    const errorList = errors.length > 0 ? `Errors: ${[...new Set(errors)].join(', ')}.` : undefined
    const comment = doc(
      ...operationComment(operation),
      errorList,
      params.filter(Boolean).join('\n'),
    )
    return code`${comment}
readonly ${operation.id}: ${methodType(operation)}`
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
  const caller = code`${importedType('RpcCaller', RUNTIME)}<RpcMethods>`
  const calls = code`{\n  ${join(members)}\n}`
  const create = code`${imported('createRpc', RUNTIME)}<RpcClient>(${serviceOf('rpc')}, ${imported('rpcValidators', './validators.js')}, options, explanations${partsOf(operations, groups !== undefined, api)})`
  const client = groups
    ? code`${doc('Every method by its id.')}
export type ${groups.operations} = ${calls}

${groups.declaration}

${comment}
export type RpcClient = ${caller} & ${groups.operations}${groups.type}`
    : code`${comment}
export type RpcClient = ${caller} & ${calls}`
  const print = printerOf(api)
  const body = code`${methodTypes(operations, print)}

/** Method name -> the types of its params and its result. */
export type RpcMethods = {
  ${rpcMethods(operations)}
}
${serverMethodTypes(api, print)}
${client}

/** The names of the servers in the document. */
export type RpcServer = ${serverNames(api.rpc?.servers)}

/** The secret variables of the server URLs. */
export type RpcAuth = ${auth}

/** Creates a client, which calls the first server unless \`server\` is set. */
export const createRpcClient = (options: ${optionsType('rpc')} = {}): RpcClient =>
  ${create}

${loaderDeclaration('rpc')}

export { isCallError, isRpcError } from '${RUNTIME}'`
  return file('rpc.client.ts', body)
}

/** The parts that only some clients need, so that the bundles of others do not contain them. */
const partsOf = (operations: readonly RpcOperation[], hasGroups: boolean, api: Api): Fragment => {
  const parts = [
    ...(operations.some(takesBoth) ? [imported('namedParams', RUNTIME)] : []),
    ...(operations.some(({ pages }) => pages) ? [imported('addPages', RUNTIME)] : []),
    ...(hasGroups
      ? [code`group: (client) => ${imported('addGroups', RUNTIME)}(client, groups)`]
      : []),
    ...(hasSocket(api) ? [imported('serverSocket', SOCKET)] : []),
  ]
  return parts.length === 0 ? raw('') : code`, { ${join(parts, ', ')} }`
}

const hasSocket = ({ rpc }: Api): boolean =>
  rpc?.servers.some(({ url }) => /^wss?:/i.test(url)) === true

/** A method as a member of the client. */
const methodType = ({ method, pages }: RpcOperation): Fragment => {
  const types = code`RpcMethods[${string(method)}]`
  return pages
    ? code`${importedType('PagedMethod', RUNTIME)}<${types}, ${itemKeys(pages)}>`
    : code`${importedType('Method', RUNTIME)}<${types}>`
}

const RUNTIME = 'twinspec/runtime/rpc'
const SOCKET = 'twinspec/runtime/links/socket'

/**
 * The types of the params and the result of each method, under its own name. openapi-typescript would make every
 * optional param required, so the tuples are printed here, over its component types.
 */
function methodTypes(operations: readonly RpcOperation[], print: Print): Fragment {
  const rows = operations.map(
    (operation) => code`${doc(`\`${operation.method}\``)}
export type ${methodName(operation)} = {
  params: ${paramsType(operation, print)}${namedType(operation, print)}
  result: ${print(operation.result.schema)}
}`,
  )
  return join(rows, '\n\n')
}

type Print = (schema: Schema) => Fragment

const printerOf =
  ({ schemas }: Api): Print =>
  (schema) =>
    typeExpression(schema, (name) => {
      const usedBy = schemas.get(name)?.usedBy ?? 'rpc'
      return code`${schemaTypes(usedBy)}[${string(name)}]`
    })

/** The types of the messages that a server sends without a request, if the document declares such methods. */
function serverMethodTypes({ serverMethods }: Api, print: Print): Fragment | '' {
  if (serverMethods.length === 0) return ''
  const rows = serverMethods.map((operation) => {
    const { method, summary, description, isNotification, result } = operation
    const params = join(
      (takesBoth(operation)
        ? (['by-position', 'by-name'] as const)
        : [operation.paramStructure]
      ).map((paramStructure) => paramsType({ ...operation, paramStructure }, print)),
      ' | ',
    )
    const answer = isNotification ? '' : code`; result: ${print(result.schema)}`
    return commented(
      doc(description ?? summary),
      code`${keyText(method)}: { params: ${params}${answer} }`,
    )
  })
  return code`
/** Method name -> the types of a message from the server: a notification, or a request, which has a result. */
export type RpcServerMethods = {
  ${join(rows)}
}
`
}

/** Method name -> those types. */
const rpcMethods = (operations: readonly RpcOperation[]): Fragment =>
  join(operations.map((one) => code`${keyText(one.method)}: ${methodName(one)}`))

/**
 * `ethGetBalance` -> `EthGetBalanceMethod`; an id in another case is unchanged, so that names are unique. `PagedMethod` is a
 * type of the runtime.
 */
const methodName = ({ id }: RpcOperation): string =>
  camelCase(id) === id && id !== 'paged' ? `${pascalCase(id)}Method` : `${id}_Method`

function paramsType(operation: RpcOperation, print: Print): Fragment {
  const { params, paramStructure, otherParams } = operation
  const isNamed = paramStructure === 'by-name'
  const isOpen = isNamed && otherParams !== undefined && otherParams !== true
  if (params.length === 0 && isNamed && otherParams !== undefined)
    return code`Record<string, ${print(otherParams)}>`
  if (params.length === 0) return raw(isNamed ? 'Record<string, never>' : '[]')
  const members = isNamed ? byName(params, print) : labelled(params, print)
  // The members must fit into the type of all others.
  if (isOpen) members.push(code`[name: string]: unknown`)
  const [open, close, separator] =
    paramStructure === 'by-name' ? ['{ ', ' }', '; '] : ['[', ']', ', ']
  const flat = code`${open}${join(members, separator)}${close}`
  if (flat.text.length <= 84 && !flat.text.includes('\n')) return flat
  const lines = members.map((member) => code`${member}${paramStructure === 'by-name' ? '' : ','}`)
  return code`${open.trim()}\n  ${join(lines)}\n${close.trim()}`
}

const takesBoth = ({ paramStructure, params }: RpcOperation): boolean =>
  paramStructure === 'either' && params.length > 0

/** If a method takes both structures: the params as an object, for `request`, `raw` and `notify`. */
const namedType = (operation: RpcOperation, print: Print): Fragment | '' => {
  if (!takesBoth(operation)) return ''
  const params = operation.params.map((param) => ({ ...param, description: undefined }))
  return code`\nnamed: ${paramsType({ ...operation, params, paramStructure: 'by-name' }, print)}`
}

function byName(params: readonly RpcParam[], print: Print) {
  const isFirst = ({ name }: RpcParam, at: number) =>
    params.findIndex((one) => one.name === name) === at
  return params
    .filter(isFirst)
    .map(({ name, required, schema, description }) =>
      commented(doc(description), code`${keyText(name)}${required ? '' : '?'}: ${print(schema)}`),
    )
}

/**
 * `[address: Address, block?: Block | undefined]`; labels are identifiers. TypeScript allows no required member after an
 * optional one, so callers pass `undefined` for an optional param before a required one.
 */
function labelled(params: readonly RpcParam[], print: Print) {
  const labels = paramLabels(params)
  const last = params.findLastIndex(({ required }) => required)
  return params.map(({ required, schema }, at) => {
    const type = print(schema)
    const skipped = required || type.text === 'unknown' ? '' : ' | undefined'
    return code`${labels[at] ?? ''}${required || at < last ? '' : '?'}: ${type}${skipped}`
  })
}

/** `rpc.methods.ts`: each method as a separate function, so that a bundle contains only the imported ones. */
export function emitRpcSingleMethods(api: Api): File {
  const operations = rpcOperations(api)
  const { limits = {}, path = '' } = api.rpc ?? {}
  const comment = doc(
    `Creates the connection that the methods of this file take: \`${operations[0]?.id ?? 'method'}(createRpcConnection())\`. They also take the client of \`rpc.client.ts\`. A bundle contains only the methods that are imported.`,
  )
  const connection = importedType('RpcConnection', RUNTIME)
  const socketPart = hasSocket(api)
    ? code`, undefined, { ${imported('serverSocket', SOCKET)} }`
    : ''
  const body = code`${comment}
export const createRpcConnection = (options: ${optionsType('rpc')} = {}): ${connection} =>
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
export const ${operation.id}: ${importedType('MethodCall', RUNTIME)}<${importedType('RpcMethods', CLIENT)}[${string(operation.method)}]> =
  /* @__PURE__ */ ${imported('rpcMethod', RUNTIME)}(${OPERATIONS}.${operation.id}, ${VALIDATORS}.${operation.id})`

const OPERATIONS = importedNamespace('operations', './operations.js')
const VALIDATORS = importedNamespace('validators', './validators.js')
const CLIENT = './rpc.client.js'
