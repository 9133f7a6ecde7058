import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation, MediaType, RpcOperation } from '../model/api.js'
import { linkSchema, titled } from '../model/check.js'
import { parametersSchema } from '../model/params.js'
import { referredName, refTo, type Schema, subschemas } from '../model/schema.js'
import { isForm, isJson } from '../runtime/ground/media-type.js'
import {
  code,
  type File,
  type Fragment,
  file,
  imported,
  importedType,
  join,
  keyText,
  literal,
  raw,
  string,
} from './file.js'
import { header } from './header.js'
import { typesOf, withSchemaTypes } from './schema-types.js'

/**
 * `validators.ts`: one validator per named schema, then one object per operation. Each export stands
 * alone, so that a bundler keeps only those that are used.
 */
export function emitValidators(api: Api): File {
  const branches = branchNames(api)
  const named = [...api.schemas.values()].map(({ name, schema, usedBy }) => {
    const type = code`${importedType('Validator', RUNTIME)}<${typesOf(usedBy)}[${string(name)}]>`
    const head = code`export const ${name}: ${type} = `
    return code`${head}${made(branches.has(name) ? titled(name, schema) : schema, head.text.length)}`
  })
  const operations = api.operations.map((operation) => {
    const parts = operation.kind === 'rpc' ? rpcParts(operation) : httpParts(operation)
    return code`export const ${operation.id} = ${record(parts)}`
  })
  const body = join([...named, ...operations, ...services(api)], '\n\n')
  return file('validators.ts', header(), withSchemaTypes(body))
}

/** The validators of each kind of operation together, for the clients: a bundler keeps one kind alone. */
function services(api: Api): readonly Fragment[] {
  return (['http', 'rpc'] as const).flatMap((kind) => {
    if (!api[kind]) return []
    const ids = api.operations.filter((one) => one.kind === kind).map(({ id }) => code`${id},`)
    return [
      code`/** The validators of every operation in \`${kind}Service\`. */
export const ${kind}Validators = {
  ${join(ids)}
}`,
    ]
  })
}

/** The named schemas that are branches of a union, which a fault has to name. */
function branchNames(api: Api): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting: Schema[] = [...api.schemas.values()].map(({ schema }) => schema)
  for (const operation of api.operations) {
    if (operation.kind === 'rpc') waiting.push(parametersSchema(operation), operation.result.schema)
    else {
      waiting.push(...bodySchemas(operation))
      for (const form of operation.forms) for (const name of form.responses) names.add(name)
    }
  }
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one === 'boolean') continue
    for (const branch of [...(one.oneOf ?? []), ...(one.anyOf ?? [])]) {
      const name = referredName(branch)
      if (name !== undefined) names.add(name)
    }
    waiting.push(...subschemas(one))
  }
  return names
}

const RUNTIME = 'twinspec/runtime/validate'

/** `/* @__PURE__ *\/` lets a bundler drop a validator that nobody uses. */
function made(schema: Schema, column: number, type?: Fragment): Fragment {
  const head = code`/* @__PURE__ */ ${imported('validator', RUNTIME)}${type ? code`<${type}>` : ''}(() => `
  const value = literal(linkSchema(schema, raw), column + head.text.length + 4)
  return value.text.startsWith('{') ? code`${head}(${value}))` : code`${head}${value})`
}

/** A named schema is its own validator; anything else gets one in its place. */
const validatorOf = (schema: Schema, column: number, type?: Fragment): Fragment => {
  const name = referredName(schema)
  return name === undefined ? made(schema, column, type) : raw(name)
}

type Parts = readonly (readonly [string, Fragment])[]

function record(parts: Parts): Fragment {
  if (parts.length === 0) return raw('{}')
  return code`{\n  ${join(parts.map(([key, value]) => code`${keyText(key)}: ${value},`))}\n}`
}

function rpcParts(operation: RpcOperation): Parts {
  const methods = importedType('RpcMethods', './rpc.client.js')
  const type = code`${methods}[${string(operation.method)}]`
  return [
    ['params', made(parametersSchema(operation), 10, code`${type}['params']`)],
    ['result', validatorOf(operation.result.schema, 10, code`${type}['result']`)],
  ]
}

function httpParts(operation: HttpOperation): Parts {
  const parameters: Parts = operation.parameters.map((parameter) => [
    `${parameter.in}.${parameter.name}`,
    validatorOf(parameter.schema, parameter.name.length + 14),
  ])
  const content = operation.body?.content ?? []
  const request = anySchema(content, isJson)
  const fields = anySchema(content, isForm)
  const responses: Parts = operation.responses.flatMap(({ status, content }) => {
    const schema = anySchema(content, isJson)
    return schema === undefined ? [] : [[status, validatorOf(schema, 10)] as const]
  })
  const forms: Parts = operation.forms.map((form) => [
    form.name,
    record([
      ['request', raw(form.request)],
      ['response', validatorOf(oneOf(form.responses), 16)],
      ['error', validatorOf(oneOf(form.errors), 16)],
    ]),
  ])
  return [
    ...(parameters.length > 0 ? [['parameters', record(parameters)] as const] : []),
    ...(request === undefined ? [] : [['request', validatorOf(request, 11)] as const]),
    ...(fields === undefined ? [] : [['fields', validatorOf(fields, 10)] as const]),
    ['responses', record(responses)],
    ...(forms.length > 0 ? [['forms', record(forms)] as const] : []),
  ]
}

/** One schema for all media types of a kind, as the types of a body are one union. */
function anySchema(
  content: readonly MediaType[],
  isKind: (type: string) => boolean,
): Schema | undefined {
  const all = content.filter(({ type }) => isKind(type)).map(({ schema }) => schema)
  const distinct = all.filter(
    (schema, at) => all.findIndex((one) => isDeepStrictEqual(one, schema)) === at,
  )
  return distinct.length > 1 ? { anyOf: distinct } : distinct[0]
}

/** What the bodies of an operation are checked against. */
const bodySchemas = ({ body, responses }: HttpOperation): readonly Schema[] =>
  [
    anySchema(body?.content ?? [], isJson),
    anySchema(body?.content ?? [], isForm),
    ...responses.map(({ content }) => anySchema(content, isJson)),
  ].filter((schema) => schema !== undefined)

/** None fits where there is none; one is itself. */
function oneOf(names: readonly string[]): Schema {
  const refs = names.map((name) => ({ $ref: refTo(name) }))
  return refs.length === 1 && refs[0] ? refs[0] : refs.length === 0 ? false : { oneOf: refs }
}
