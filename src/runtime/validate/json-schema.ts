import { mapSubschemas } from './subschemas.js'
import { isValidator, type Validator, type ValidatorSchema, validatorSource } from './validator.js'

/**
 * The schema of a validator as JSON Schema, with all referenced validators in `$defs` or `definitions`. Throws a TypeError for
 * a target other than `draft-2020-12` and `draft-07`. It also throws for a keyword that draft-07 does not have, and for a
 * handwritten validator.
 */
export const toJsonSchema = (root: Validator, target: string): Record<string, unknown> => {
  const draft = DRAFTS[target]
  if (draft === undefined)
    throw new TypeError(`target is ${target}: expected ${Object.keys(DRAFTS).join(' or ')}`)
  const names = new Map<Validator, string>()
  const definitions: Record<string, unknown> = {}
  const refTo = (validator: Validator): unknown => {
    if (validator === root) return { $ref: '#' }
    const known = names.get(validator)
    const name = known ?? freeName(schemaOf(validator), definitions)
    if (known === undefined) {
      names.set(validator, name)
      // The name is reserved before the schema is written, because it may refer to itself.
      definitions[name] = true
      definitions[name] = write(schemaOf(validator))
    }
    return { $ref: `#/${draft.definitions}/${name}` }
  }
  const write = (schema: ValidatorSchema): unknown => {
    if (typeof schema === 'boolean') return schema
    return isValidator(schema) ? refTo(schema) : draft.adapt(mapSubschemas(schema, write))
  }
  const schema = schemaOf(root)
  const whole = isValidator(schema) ? { allOf: [refTo(schema)] } : write(schema)
  const isBoolean = typeof whole === 'boolean'
  return {
    $schema: draft.address,
    ...(isBoolean ? (whole ? {} : { not: {} }) : (whole as object)),
    ...(Object.keys(definitions).length > 0 && { [draft.definitions]: definitions }),
  }
}

const schemaOf = (validator: Validator): ValidatorSchema => {
  const source = validatorSource(validator)
  if (source === undefined)
    throw new TypeError('the validator was written by hand: it has no schema to print')
  return source.schema()
}

/** A free name: the title, if it needs no escaping in a reference, else `schema`. */
const freeName = (schema: ValidatorSchema, used: object): string => {
  const title = typeof schema === 'object' && !isValidator(schema) ? schema.title : undefined
  const name = title !== undefined && /^\w+$/.test(title) ? title : 'schema'
  let free = name
  for (let count = 2; Object.hasOwn(used, free); count += 1) free = `${name}${count}`
  return free
}

type Written = Readonly<Record<string, unknown>>

/** Converts keywords that were renamed since draft-07 to JSON Schema draft-07. */
const adaptToDraft7 = ({
  prefixItems,
  items,
  dependentRequired,
  dependentSchemas,
  ...rest
}: Written): Written => {
  const foreign = NOT_IN_DRAFT_7.find((key) => key in rest)
  if (foreign !== undefined)
    throw new TypeError(`draft-07 has no ${foreign}: use the target draft-2020-12`)
  const dependencies = [dependentRequired, dependentSchemas].flatMap((one) =>
    one === undefined ? [] : [{ dependencies: one }],
  )
  const [first, ...others] = dependencies
  const isList = prefixItems !== undefined
  return {
    ...rest,
    ...(isList && { items: prefixItems }),
    ...(items !== undefined && { [isList ? 'additionalItems' : 'items']: items }),
    ...first,
    ...(others.length > 0 && { allOf: [...((rest.allOf as unknown[]) ?? []), ...others] }),
  }
}

const DRAFTS: Readonly<Record<string, Draft>> = {
  'draft-2020-12': {
    address: 'https://json-schema.org/draft/2020-12/schema',
    definitions: '$defs',
    adapt: (schema) => schema,
  },
  'draft-07': {
    address: 'http://json-schema.org/draft-07/schema#',
    definitions: 'definitions',
    adapt: adaptToDraft7,
  },
}

type Draft = {
  readonly address: string
  readonly definitions: string
  readonly adapt: (schema: Written) => Written
}

const NOT_IN_DRAFT_7 = ['unevaluatedProperties', 'unevaluatedItems', 'minContains', 'maxContains']
