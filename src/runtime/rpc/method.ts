import type { Limits, RpcOperation, Server } from '../operation.js'
import { validatorsFor } from '../shared/validators.js'
import type { Checks } from '../validate.js'

/** What generated `operations.ts` exports as `rpcService`. */
export type RpcService = {
  readonly servers: readonly Server[]
  readonly limits?: Limits
  /** The path of the server URLs, as a server mounts it: `/zgt/{apiKey}`. */
  readonly path: string
  readonly operations: Readonly<Record<string, RpcOperation>>
}

/**
 * The methods of a service by their wire names, with the checks that the options leave switched on. Throws a TypeError
 * where one of them is missing.
 */
export const readMethods = (
  operations: RpcService['operations'],
  validators: object,
  { params = true, result = true }: RpcValidation = {},
): ReadonlyMap<string, RpcMethod> =>
  new Map(
    Object.values(operations).map((operation) => {
      const { id, method } = operation
      const own: Partial<RpcChecks> =
        params || result ? validatorsFor<RpcChecks>(validators, id) : {}
      return [
        method,
        {
          operation,
          isNamed: operation.paramStructure === 'by-name',
          params: params ? own.params : undefined,
          result: result ? own.result : undefined,
          prefix: `,"method":${JSON.stringify(method)},"params":`,
        },
      ]
    }),
  )

/** Which values are validated; both are by default. */
export type RpcValidation = {
  readonly params?: boolean | undefined
  readonly result?: boolean | undefined
}

export type RpcMethod = {
  readonly operation: RpcOperation
  /** Whether params go by name, as an object. */
  readonly isNamed: boolean
  /** Undefined where params, or results, are not validated. */
  readonly params: Checks | undefined
  readonly result: Checks | undefined
  /** The part of the request between the id and the params. */
  readonly prefix: string
}

type RpcChecks = { readonly params: Checks; readonly result: Checks }
