import type { RpcOperation } from '../operation.js'
import type { Checks } from '../validate.js'

/**
 * The operations of a service by their wire names, with the checks that the options leave switched on. Where one is
 * missing, nothing is sent: a client that checks less than it says would be worse than none.
 */
export const readMethods = (
  operations: Readonly<Record<string, RpcOperation>>,
  validators: object,
  { params = true, result = true }: RpcValidation = {},
): ReadonlyMap<string, RpcMethod> =>
  new Map(
    Object.values(operations).map((operation) => {
      const { id, method } = operation
      const own = (validators as Readonly<Record<string, RpcChecks | undefined>>)[id]
      return [
        method,
        own || !(params || result)
          ? {
              operation,
              isNamed: operation.paramStructure === 'by-name',
              params: params ? own?.params : undefined,
              result: result ? own?.result : undefined,
              middle: `,"method":${JSON.stringify(method)},"params":`,
            }
          : unknownMethod(operation),
      ]
    }),
  )

/** A method that cannot be called: the document does not have it, or it is known by name alone. */
export const unknownMethod = (operation: { readonly method: string }): RpcMethod =>
  ({ operation, params: { check: () => false } }) as unknown as RpcMethod

/** Which values are held against the document; both are, unless switched off. */
export type RpcValidation = {
  readonly params?: boolean | undefined
  readonly result?: boolean | undefined
}

export type RpcMethod = {
  readonly operation: RpcOperation
  /** Whether params go by name, as an object. */
  readonly isNamed: boolean
  /** Undefined where params, or results, are taken as they come. */
  readonly params: Checks | undefined
  readonly result: Checks | undefined
  /** What stands between the id and the params of a call. */
  readonly middle: string
}

type RpcChecks = { readonly params: Checks; readonly result: Checks }
