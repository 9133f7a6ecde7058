import { CallError } from '../errors.js'
import type { Limits, RpcOperation, RpcValidators } from '../operation.js'
import { open, type Validator } from '../validate.js'

/**
 * The operations of a service with the validators that the options leave switched on, results read openly. Throws a
 * TypeError where a validator is missing: a client that checks less than it says would be worse than none.
 */
export const readMethods = (
  operations: Readonly<Record<string, RpcOperation>>,
  validators: object,
  validate: RpcValidation = {},
  limits: Limits = {},
): readonly RpcMethod[] =>
  Object.values(operations).map((operation) => {
    const { params = true, result = true } = validate
    const own = params || result ? readValidators(operation, validators) : undefined
    const bytes = [limits.payloadBytes, operation.limits?.payloadBytes]
    return {
      operation,
      params: params ? own?.params : undefined,
      result: result && own !== undefined ? open(own.result) : undefined,
      payloadBytes: Math.min(...bytes.map((limit) => limit ?? Number.POSITIVE_INFINITY)),
    }
  })

/** Which values are held against the document; both are, unless switched off. */
export type RpcValidation = {
  readonly params?: boolean | undefined
  readonly result?: boolean | undefined
}

export type RpcMethod = {
  readonly operation: RpcOperation
  readonly params: Validator | undefined
  readonly result: Validator | undefined
  readonly payloadBytes: number
}

/** The method of a wire name, or an error that names it. */
export const findMethod = (
  methods: ReadonlyMap<string, RpcMethod>,
  name: string,
): RpcMethod | CallError =>
  methods.get(name) ??
  new CallError({
    reason: 'invalid-input',
    operation: String(name),
    message: `${name} was not sent: the document has no such method`,
  })

const readValidators = (operation: RpcOperation, validators: object): RpcValidators => {
  const own: unknown = (validators as Readonly<Record<string, unknown>>)[operation.id]
  if (isRpcValidators(own)) return own
  throw new TypeError(
    `no validators for ${operation.method}: give the generated ones, or switch validation off`,
  )
}

const isRpcValidators = (value: unknown): value is RpcValidators =>
  typeof value === 'object' && value !== null && 'params' in value && 'result' in value
