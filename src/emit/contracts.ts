import type { Api, HttpOperation, Variant } from '../model/api.js'
import { httpOperations } from '../model/operations.js'
import { keyText } from '../text/escape.js'
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
import { type OperationNames, operationNames } from './operation-names.js'

/** `contracts.ts`: the operations that call contracts, typed by the ABI of each call. */
export function emitContracts(api: Api): File {
  const calls = contractCalls(api)
  const names = operationNames(api)
  const ids = calls.map(({ operation }) => string(operation.id))
  const client = importedType('HttpClient', './http.client.js')
  const create = imported('createContractCalls', RUNTIME)
  const service = imported('httpService', './operations.js')
  const body = code`/**
 * The operations that call contracts. The ABI in each call determines the types of its arguments
 * and output.
 */
export type ContractCalls = {
  ${join(calls.map((call) => member(call, names(call.operation))))}
}

${doc(`\`contractCalls(client).${calls[0]?.operation.id ?? ''}(…)\`: the compiler checks a call against its ABI lines, if these are literals.`)}
export const contractCalls = (client: Pick<${client}, ${ids.join(' | ')}>): ContractCalls =>
  ${create}<ContractCalls>(${service}, client, [${ids.join(', ')}])`
  return file('contracts.ts', body)
}

export const whyNoContracts = (api: Api): string | undefined =>
  contractCalls(api).length === 0 ? 'no variant of an operation has x-contract-call' : undefined

/** One variant per operation, because a call could not select one of two. */
function contractCalls(api: Api): readonly Called[] {
  return httpOperations(api).flatMap((operation) => {
    const variant = operation.variants.find(({ contractCall }) => contractCall !== undefined)
    return variant ? [{ operation, variant }] : []
  })
}

type Called = { readonly operation: HttpOperation; readonly variant: Variant }

function member({ operation, variant }: Called, names: OperationNames): Fragment {
  const client = importedType('HttpClient', './http.client.js')
  const variants = importedType(names.variants, './http.types.js')
  const fields = Object.entries(variant.contractCall ?? {}).map(
    ([key, name]) => code`readonly ${keyText(key)}: ${string(name)}`,
  )
  return code`readonly ${operation.id}: ${importedType('ContractCall', RUNTIME)}<
  ${client}[${string(operation.id)}],
  ${variants}[${string(variant.name)}],
  {
    ${join(fields)}
  }
>`
}

const RUNTIME = 'twinspec/runtime/contracts'
