import { cached } from '../runtime/shared/cached.js'
import { shapedParams } from '../runtime/shared/sent-params.js'
import type { Checker } from '../schema/check.js'
import type { Schema } from '../schema/schema.js'
import type { RpcOperation, RpcParam, RpcVariant } from './api.js'

/** The schema of a method's `params`: a list by position, whose optional end may be missing, or an object by name, which is closed unless the method has other params. */
export function parametersSchema(operation: RpcOperation): Schema {
  return paramsOf(operation, ({ schema }) => schema)
}

/** The schema of params that a caller may send: like `parametersSchema`, but by position `null` skips an optional param. */
export function sentParametersSchema(operation: RpcOperation): Schema {
  return paramsOf(operation, ({ schema, required, acceptsNull }) =>
    required || acceptsNull ? schema : { anyOf: [schema, { type: 'null' }] },
  )
}

/** The variant of a call (`x-variants` of its method), whose params are as they were sent. */
export const variantOfParams = (
  operation: RpcOperation,
  sent: unknown,
  checker: Checker,
): RpcVariant | undefined => {
  if (operation.variants === undefined) return undefined
  const params = shapedParams(operation, sent)
  return operation.variants.find((variant) =>
    checker.schema(variantParametersSchema(operation, variant)).check(params),
  )
}

/** `sentParametersSchema` of a variant; the same object each time, by which a checker finds its validator. */
export const variantParametersSchema = (operation: RpcOperation, variant: RpcVariant): Schema =>
  cached(variantSchemas, variant, () =>
    sentParametersSchema({ ...operation, params: variant.params }),
  )

const variantSchemas = new WeakMap<RpcVariant, Schema>()

function paramsOf(operation: RpcOperation, positional: (param: RpcParam) => Schema): Schema {
  const { params, paramStructure, otherParams = false } = operation
  if (paramStructure === 'by-name') {
    return {
      type: 'object',
      properties: Object.fromEntries(params.map(({ name, schema }) => [name, schema])),
      required: params.filter(({ required }) => required).map(({ name }) => name),
      ...(otherParams !== true && { additionalProperties: otherParams }),
    }
  }
  if (params.length === 0) return { type: 'array', maxItems: 0 }
  return {
    type: 'array',
    prefixItems: params.map(positional),
    items: false,
    minItems: params.findLastIndex(({ required }) => required) + 1,
  }
}
