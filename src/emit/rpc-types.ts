import type { Api, RpcDeclaredError, RpcOperation, RpcParam } from '../model/api.js'
import { rpcOperations } from '../model/operations.js'
import { itemSchemas, schemaAtParams } from '../model/subscriptions.js'
import { paramLabels } from '../read/naming.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import type { Schema } from '../schema/schema.js'
import { keyText } from '../text/escape.js'
import { code, commented, doc, type File, type Fragment, file, join, raw } from './file.js'
import {
  componentsOf,
  declarationsOf,
  IN_ALL,
  printedProperties,
  printSchemas,
  schemaType,
} from './openapi-types.js'
import { operationNames } from './operation-names.js'
import { parameterComment } from './schema-comment.js'
import { typeExpression } from './type-expression.js'

/** `rpc.types.ts`: the types of the schemas, and of the params, the result and the errors of each method. */
export function emitRpcTypes(api: Api): File {
  const options = { used: IN_ALL }
  const schemas = printSchemas(api, 'rpc', options)
  const print: Print = {
    type: (schema) => typeExpression(schema, (name) => raw(schemaType(name, name, options)), api),
    comment: (param) => doc(...parameterComment(param)),
  }
  const operations = rpcOperations(api)
  const body = code`${declarationsOf(schemas)}
${componentsOf(printedProperties(schemas), 'client')}
${methodTypes(api, operations, print)}

/** Method name -> the types of its params and its result. */
export type RpcMethods = {
  ${methodMap(api, operations, print)}
}
${serverMethodTypes(api, print)}${itemTypes(api, operations, print)}${progressType(api, print)}`
  return file('rpc.types.ts', body)
}

/** Whether a method takes its params by position and by name. */
export const takesBoth = ({ paramStructure, params }: RpcOperation): boolean =>
  paramStructure === 'either' && params.length > 0

/**
 * The types of the params, the result and the errors of each method, under its own name. openapi-typescript would make
 * every optional param required, so the tuples are printed here, over its component types.
 */
function methodTypes(api: Api, operations: readonly RpcOperation[], print: Print): Fragment {
  const names = operationNames(api)
  const rows = operations.map((operation) => {
    const { input, result, error } = names(operation)
    return code`export type ${input} = ${paramsType(operation, print)}
export type ${result} = ${print.type(operation.result.schema)}
export type ${error} = ${errorType(operation.errors)}${variantTypes(operation, names(operation).variants, print)}`
  })
  return join(rows, '\n\n')
}

/** The types of each variant, if the method has some (`x-variants`). */
function variantTypes(operation: RpcOperation, name: string, print: Print): Fragment | '' {
  const { variants = [] } = operation
  const rows = variants.map((variant) => {
    const params = paramsType({ ...operation, params: variant.params }, print)
    const item = variant.item === undefined ? '' : code`; item: ${print.type(variant.item)}`
    return code`${keyText(variant.name)}: { params: ${params}; result: ${print.type(variant.result)}${item} }`
  })
  return rows.length === 0 ? '' : code`\nexport type ${name} = {\n  ${join(rows)}\n}`
}

/** OpenRPC declares an example of the data, and no schema. */
function errorType(errors: readonly RpcDeclaredError[]): Fragment {
  const codes = [...new Set(errors.map(({ code: number }) => number))]
  if (codes.length === 0) return raw('never')
  const members = codes.map((number) => `{ code: ${number}; data?: unknown }`)
  const flat = members.join(' | ')
  return flat.length <= 75 ? raw(flat) : code`\n  | ${join(members, '\n| ')}`
}

function methodMap(api: Api, operations: readonly RpcOperation[], print: Print): Fragment {
  const names = operationNames(api)
  const rows = operations.map((operation) => {
    const { input, result } = names(operation)
    return takesBoth(operation)
      ? code`${keyText(operation.method)}: {
  params: ${input}
  named: ${namedParams(operation, print)}
  result: ${result}
}`
      : code`${keyText(operation.method)}: { params: ${input}; result: ${result} }`
  })
  return join(rows)
}

type Print = {
  readonly type: (schema: Schema) => Fragment
  /** The comment of a param. */
  readonly comment: (param: RpcParam) => Fragment
}

/** The types of the messages that a server sends without a request, if the document declares such methods. */
function serverMethodTypes({ serverMethods }: Api, print: Print): Fragment | '' {
  if (serverMethods.length === 0) return ''
  const rows = serverMethods.map((operation) => {
    const { method, summary, description, isNotification, result } = operation
    const params = paramsType(operation, print)
    const named = takesBoth(operation) ? code`; named: ${namedParams(operation, print)}` : ''
    const answer = isNotification ? '' : code`; result: ${print.type(result.schema)}`
    return commented(
      doc(description ?? summary),
      code`${keyText(method)}: { params: ${params}${named}${answer} }`,
    )
  })
  return code`
/** Method name -> the types of a message from the server: a notification, or a request, which has a result. */
export type RpcServerMethods = {
  ${join(rows)}
}
`
}

/** The types of the items of subscriptions, if there are some. */
function itemTypes(api: Api, operations: readonly RpcOperation[], print: Print): Fragment | '' {
  const rows = operations
    .filter(({ subscription }) => subscription)
    .map((operation) => {
      const schemas = itemSchemas(operation, api).map((schema = true) => schema)
      const [only = true] = schemas
      const type = print.type(schemas.length > 1 ? { anyOf: schemas } : only)
      return code`${keyText(operation.method)}: ${type}`
    })
  return rows.length === 0
    ? ''
    : code`
/** Method name -> the type of the items of its subscription. */
export type RpcItems = {
  ${join(rows)}
}
`
}

/** The type of the values of `x-progress`, if the document has it. */
function progressType(
  { rpc, operations, serverMethods, schemas }: Api,
  print: Print,
): Fragment | '' {
  const { notification, value, token = '' } = rpc?.progress ?? {}
  const all = [...serverMethods, ...operations.filter((one) => one.kind === 'rpc')]
  const operation = all.find(({ method }) => method === notification)
  if (operation === undefined || value === undefined) return ''
  const type =
    value === ''
      ? paramsType(withoutParam(operation, token), print)
      : print.type(schemaAtParams(operation, value, schemas) ?? true)
  return code`
/** The values of the progress of a call. */
export type RpcProgress = ${type}
`
}

/** The token is not part of the value: the runtime adds it. */
const withoutParam = (operation: RpcOperation, pointer: string): RpcOperation => {
  const [name, ...rest] = segmentsOf(pointer)
  if (operation.paramStructure !== 'by-name' || rest.length > 0) return operation
  return { ...operation, params: operation.params.filter((param) => param.name !== name) }
}

function paramsType(operation: RpcOperation, print: Print): Fragment {
  const { params, paramStructure, otherParams } = operation
  const isNamed = paramStructure === 'by-name'
  const isOpen = isNamed && otherParams !== undefined && otherParams !== true
  if (params.length === 0 && isNamed && otherParams !== undefined)
    return code`Record<string, ${print.type(otherParams)}>`
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

/** For a method that takes both structures: the params as an object, for `request`, `raw` and `notify`. */
const namedParams = (operation: RpcOperation, print: Print): Fragment =>
  paramsType({ ...operation, paramStructure: 'by-name' }, { ...print, comment: () => raw('') })

function byName(params: readonly RpcParam[], print: Print) {
  const isFirst = ({ name }: RpcParam, at: number) =>
    params.findIndex((one) => one.name === name) === at
  return params
    .filter(isFirst)
    .map((param) =>
      commented(
        print.comment(param),
        code`${keyText(param.name)}${param.required ? '' : '?'}: ${print.type(param.schema)}`,
      ),
    )
}

/**
 * `[address: Address, block?: Block | undefined]`; labels are identifiers. TypeScript allows no required member after an
 * optional one, so callers pass `undefined` for an optional param before a required one.
 */
function labelled(params: readonly RpcParam[], print: Print) {
  const labels = paramLabels(params)
  const last = params.findLastIndex(({ required }) => required)
  return params.map((param, at) => {
    const { required, schema } = param
    const type = print.type(schema)
    const skipped = required || type.text === 'unknown' ? '' : ' | undefined'
    return commented(
      print.comment(param),
      code`${labels[at] ?? ''}${required || at < last ? '' : '?'}: ${type}${skipped}`,
    )
  })
}
