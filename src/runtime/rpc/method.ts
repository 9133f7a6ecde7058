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
  { request = 'strict', response = 'tolerant' }: RpcValidation = {},
): ReadonlyMap<string, RpcMethod> =>
  new Map(
    Object.values(operations).map((operation) => {
      const { id, method } = operation
      const own: Partial<RpcChecks> =
        request === 'off' && response === 'off' ? {} : validatorsFor<RpcChecks>(validators, id)
      return [
        method,
        {
          operation,
          isNamed: operation.paramStructure === 'by-name',
          params: request === 'off' ? undefined : own.params,
          result: response === 'off' ? undefined : own.result,
          prefix: `,"method":${JSON.stringify(method)},"params":`,
        },
      ]
    }),
  )

/** How values are validated. */
export type RpcValidation = {
  /** `strict`, the default: a request that is invalid is not sent. */
  readonly request?: 'strict' | 'off' | undefined
  /**
   * `tolerant`, the default: unknown properties are ignored. An unknown value of an enum, an unknown variant and the absence
   * of a property that may be null are reported to `onWarning`, and the result is returned. Everything else rejects the call.
   * `strict`: every difference from the document rejects the call.
   */
  readonly response?: 'tolerant' | 'strict' | 'off' | undefined
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
