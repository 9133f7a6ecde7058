import type { RpcOperation } from '../operation.js'
import type { Checks } from '../validate.js'

/**
 * The operations of a service by their wire names, with the checks that the options leave switched on. Throws a
 * TypeError where one is missing: a client that checks less than it says would be worse than none.
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
      if (own === undefined && (params || result))
        throw new TypeError(
          `no validators for ${method}: give the generated ones, or switch validation off`,
        )
      return [
        method,
        {
          operation,
          params: params ? own?.params : undefined,
          result: result ? own?.result : undefined,
          // Answers are open: a service may add to them.
          opens: result ? (own?.result.open ?? own?.result.check) : undefined,
          middle: `,"method":${JSON.stringify(method)},"params":`,
        },
      ]
    }),
  )

/** A method that the document does not have: nothing is sent to it. */
export const unknownMethod = (method: string): RpcMethod =>
  ({ operation: { method }, params: { check: () => false } }) as unknown as RpcMethod

/** Which values are held against the document; both are, unless switched off. */
export type RpcValidation = {
  readonly params?: boolean | undefined
  readonly result?: boolean | undefined
}

export type RpcMethod = {
  readonly operation: RpcOperation
  /** Undefined where params, or results, are taken as they come. */
  readonly params: Checks | undefined
  readonly result: Checks | undefined
  /** Whether a result is allowed, in the open reading. */
  readonly opens: Checks['check'] | undefined
  /** What stands between the id and the params of a call. */
  readonly middle: string
}

type RpcChecks = { readonly params: Checks; readonly result: Checks }
