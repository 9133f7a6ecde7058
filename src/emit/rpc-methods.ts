import type { Api, RpcOperation, RpcParam } from '../model/api.js'
import { camelCase, identifier, isIdentifier, pascalCase, uniqueName } from '../model/names.js'
import type { Schema } from '../schema/schema.js'
import { code, doc, type Fragment, join, keyText, raw, string } from './file.js'
import { typesOf } from './schema-types.js'
import { typeExpression } from './type-expression.js'

/**
 * The types of the params and the result of each method, by a name of its own. openapi-typescript would make every
 * optional param required, so the tuples are printed here, over its component types.
 */
export function methodTypes(operations: readonly RpcOperation[], api: Api): Fragment {
  const print = (schema: Schema) =>
    typeExpression(schema, (name) => {
      const usedBy = api.schemas.get(name)?.usedBy ?? 'rpc'
      return code`${typesOf(usedBy)}[${string(name)}]`
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
export const rpcMethods = (operations: readonly RpcOperation[]): Fragment =>
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
