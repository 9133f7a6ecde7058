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
  validation: RpcValidation = {},
): ReadonlyMap<string, RpcMethod> => {
  const { request, response } = validation
  const isOff = request === 'off' && response === 'off'
  return new Map(
    Object.values(operations).map((operation) => {
      const { id, method } = operation
      const own = isOff ? {} : validatorsFor<RpcChecks>(validators, id)
      return [method, withValidation(describeMethod(operation, own), validation)]
    }),
  )
}

/** A method with both of its checks. */
export const describeMethod = (operation: RpcOperation, checks: Partial<RpcChecks>): RpcMethod => ({
  operation,
  isNamed: operation.paramStructure === 'by-name',
  params: checks.params,
  result: checks.result,
  prefix: `,"method":${JSON.stringify(operation.method)},"params":`,
})

/** The same method without the checks that are switched off. */
export const withValidation = (
  method: RpcMethod,
  { request, response }: RpcValidation = {},
): RpcMethod =>
  request === 'off' || response === 'off'
    ? {
        ...method,
        params: request === 'off' ? undefined : method.params,
        result: response === 'off' ? undefined : method.result,
      }
    : method

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

export type RpcChecks = { readonly params: Checks; readonly result: Checks }
