import type { Member, Shape } from './shape.js'

/** JSON Schema of a shape, for ajv (`discriminator` is a keyword of its own) and typebox 1.x. */
export function schemaOf(shape: Shape): object {
  switch (shape.kind) {
    case 'any':
      return {}
    case 'never':
      return { not: {} }
    case 'null':
    case 'boolean':
    case 'number':
      return { type: shape.kind }
    case 'string': {
      const { pattern, minLength } = shape
      return {
        type: 'string',
        ...(pattern !== undefined && { pattern }),
        ...(minLength !== undefined && { minLength }),
      }
    }
    case 'literals':
      return shape.values.length === 1 ? { const: shape.values[0] } : { enum: shape.values }
    case 'list': {
      const { least, most } = shape
      return {
        type: 'array',
        items: schemaOf(shape.items),
        ...(least > 0 && { minItems: least }),
        ...(most !== undefined && { maxItems: most }),
      }
    }
    case 'tuple':
      return {
        type: 'array',
        prefixItems: shape.items.map(schemaOf),
        items: false,
        minItems: shape.least,
      }
    case 'object':
      return {
        type: 'object',
        required: shape.members.filter(({ isRequired }) => isRequired).map(({ name }) => name),
        properties: Object.fromEntries(
          shape.members.map(({ name, shape }: Member) => [name, schemaOf(shape)]),
        ),
        ...(shape.isClosed && { additionalProperties: false }),
      }
    case 'union': {
      const branches = shape.branches.map(schemaOf)
      return shape.tag === undefined
        ? { anyOf: branches }
        : { type: 'object', discriminator: { propertyName: shape.tag }, oneOf: branches }
    }
  }
}
