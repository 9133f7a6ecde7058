import type { Schema } from '../schema/schema.js'
import type { RpcOperation } from './api.js'

/**
 * The one schema of a method's `params`: a list by position, its optional tail free to be left
 * out, or a closed object by name.
 */
export function parametersSchema(operation: RpcOperation): Schema {
  const { params, paramStructure } = operation
  if (paramStructure === 'by-name') {
    return {
      type: 'object',
      properties: Object.fromEntries(params.map(({ name, schema }) => [name, schema])),
      required: params.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    }
  }
  if (params.length === 0) return { type: 'array', maxItems: 0 }
  return {
    type: 'array',
    prefixItems: params.map(({ schema }) => schema),
    items: false,
    minItems: params.findLastIndex(({ required }) => required) + 1,
  }
}
