import type { Api, Operation, RpcOperation } from '../model/api.js'
import { isPart, type OperationPart, operationParts, type Parts } from '../model/operation-parts.js'
import { code, type Fragment, importedType, string } from './file.js'
import { namesIn } from './order.js'

/** The Api with only the schemas that the code of some operations checks: those of parts, and those that these refer to. */
export function withCheckedSchemas(api: Api, operations: readonly Operation[]): Api {
  const partsIn = (parts: Parts): readonly OperationPart[] =>
    Object.values(parts).flatMap((one) => (isPart(one) ? [one] : partsIn(one)))
  const parts = operations.flatMap((operation) => partsIn(operationParts(operation)))
  const names = new Set(parts.flatMap(({ schema }) => [...namesIn(schema)]))
  // The iteration includes members that are added during it.
  for (const name of names)
    for (const one of namesIn(api.schemas.get(name)?.schema ?? true)) names.add(one)
  return { ...api, schemas: new Map([...api.schemas].filter(([name]) => names.has(name))) }
}

/** The types of a method's params and result. */
export const methodType = ({ method, isSent, isNotification }: RpcOperation): Fragment => {
  if (!isSent) return code`${importedType('RpcMethods', TYPES)}[${string(method)}]`
  const type = code`${importedType('RpcServerMethods', TYPES)}[${string(method)}]`
  return isNotification ? code`(${type} & { result: unknown })` : type
}

const TYPES = './rpc.types.js'
