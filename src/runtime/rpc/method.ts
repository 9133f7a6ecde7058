import type { Limits, RpcOperation } from '../operation.js'
import type { Checks } from '../validate.js'

/**
 * The operations of a service with the checks that the options leave switched on. Throws a TypeError where one is
 * missing: a client that checks less than it says would be worse than none.
 */
export const readMethods = (
  operations: Readonly<Record<string, RpcOperation>>,
  validators: object,
  { params = true, result = true }: RpcValidation = {},
  limits: Limits = {},
): readonly RpcMethod[] =>
  Object.values(operations).map((operation) => {
    const own = params || result ? readChecks(operation, validators) : undefined
    const results = result ? own?.result : undefined
    return {
      operation,
      params: params ? own?.params : undefined,
      result: results,
      // Answers are open: a service may add to them.
      opens: results?.open ?? results?.check,
      payloadBytes: Math.min(
        limits.payloadBytes ?? Number.POSITIVE_INFINITY,
        operation.limits?.payloadBytes ?? Number.POSITIVE_INFINITY,
      ),
      middle: `,"method":${JSON.stringify(operation.method)},"params":`,
    }
  })

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
  readonly payloadBytes: number
  /** What stands between the id and the params of a call. */
  readonly middle: string
}

const readChecks = ({ id, method }: RpcOperation, validators: object): RpcChecks => {
  const own: unknown = (validators as Readonly<Record<string, unknown>>)[id]
  if (typeof own === 'object' && own !== null && 'params' in own && 'result' in own)
    return own as RpcChecks
  throw new TypeError(
    `no validators for ${method}: give the generated ones, or switch validation off`,
  )
}

type RpcChecks = { readonly params: Checks; readonly result: Checks }
