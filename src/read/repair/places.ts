import { OBJECTS, type ObjectField } from '../structure-table.js'

/**
 * What a document may have at a place, with its name: `response` for an object, `[server]` for a list, `{response}` for a map. A map
 * whose keys have a format is called after its field: `paths`, `responses`, `content`, `headers`.
 */
export type Place = Pick<ObjectField, 'form' | 'needed'> & {
  readonly name: string
  /** The kind of the object, or of the objects in the list or the map. */
  readonly holds: string | undefined
  readonly keys: ObjectField['keys'] | undefined
}

/** The place of a member; undefined where no repair applies. */
export function placeWithin(place: Place | undefined, key: string): Place | undefined {
  if (place === undefined) return undefined
  if (place.form === 'schema') return SCHEMA_FIELDS.get(key)
  if (place.form !== 'object') {
    // Next to paths and statuses, `x-` marks an extension; the name of a header or of a property may begin with it.
    const isExtension = key.startsWith('x-') && place.keys && place.keys !== 'headerName'
    return isExtension ? undefined : placeOfItems(place)
  }
  const kind = KINDS.get(place.holds ?? '')
  return kind?.fields.get(key) ?? kind?.others
}

/** The place of each item of a list or each member of a map. */
export const placeOfItems = ({ holds }: Place): Place | undefined =>
  holds === undefined ? undefined : placeOfKind(holds)

/** The place of an object of a kind. */
export const placeOfKind = (kind: string): Place | undefined => OF_KIND.get(kind)

/** The place of the target of a reference, by its section of the components. */
export const placeInSection = (section: string | undefined): Place | undefined =>
  section === undefined ? undefined : OF_KIND.get(KIND_OF_SECTION.get(section) ?? '')

type Kind = {
  readonly fields: ReadonlyMap<string, Place>
  readonly others: Place | undefined
}

type Shape = Pick<ObjectField, 'form' | 'keys' | 'needed'> & { readonly holds?: string }

const placeOf = ({ form, holds, keys, needed }: Shape): Place | undefined => {
  const name = nameOf(form, holds, keys)
  return name === undefined ? undefined : { name, form, holds, keys, ...(needed && { needed }) }
}

const nameOf = (
  form: ObjectField['form'],
  holds: string | undefined,
  keys: ObjectField['keys'],
) => {
  if (form === 'object') return holds
  if (form === 'list') return holds === undefined ? 'list' : `[${holds}]`
  if (form === 'map') return keys ? MAPS[keys] : holds === undefined ? 'map' : `{${holds}}`
  return form === 'schema' || form === 'flag' ? form : undefined
}

const MAPS = {
  path: 'paths',
  status: 'responses',
  mediaType: 'content',
  headerName: 'headers',
  method: 'additionalOperations',
} as const

const object = (holds: string): Shape => ({ form: 'object', holds })
const listOf = (holds: string): Shape => ({ form: 'list', holds })
const mapOf = (holds: string): Shape => ({ form: 'map', holds })
const schema: Shape = { form: 'schema' }
const flag: Shape = { form: 'flag' }

type Shapes = Readonly<Record<string, Shape>>

/** Fields that the structure check does not enter, and extensions. */
const MORE: Readonly<Record<string, Shapes>> = {
  document: { webhooks: mapOf('pathItem'), 'x-webhooks': mapOf('pathItem') },
  operation: { callbacks: mapOf('callback'), 'x-idempotent': flag },
  parameter: { 'x-secret': flag },
  components: { schemas: mapOf('schema'), callbacks: mapOf('callback') },
  mediaType: {
    encoding: mapOf('encoding'),
    prefixEncoding: listOf('encoding'),
    itemEncoding: object('encoding'),
  },
}

/** Objects that OpenAPI has beside those of the structure table, and those of OpenRPC and Swagger 2.0. */
const OTHERS: Readonly<Record<string, { readonly fields: Shapes; readonly others?: Shape }>> = {
  callback: { fields: {}, others: object('pathItem') },
  encoding: {
    fields: {
      headers: { ...mapOf('header'), keys: 'headerName' },
      explode: flag,
      allowReserved: flag,
    },
  },
  openrpc: {
    fields: {
      servers: listOf('server'),
      methods: listOf('method'),
      components: object('rpcComponents'),
    },
  },
  rpcComponents: {
    fields: {
      schemas: mapOf('schema'),
      contentDescriptors: mapOf('contentDescriptor'),
      errors: mapOf('error'),
      examplePairingObjects: mapOf('examplePairing'),
    },
  },
  method: {
    fields: {
      params: listOf('contentDescriptor'),
      result: object('contentDescriptor'),
      errors: listOf('error'),
      examples: listOf('examplePairing'),
      deprecated: flag,
      'x-additional-params': schema,
      'x-idempotent': flag,
    },
  },
  contentDescriptor: {
    fields: { schema, required: flag, deprecated: flag, oneOf: listOf('contentDescriptor') },
  },
  error: { fields: {} },
  examplePairing: { fields: { params: listOf('rpcExample'), result: object('rpcExample') } },
  rpcExample: { fields: {} },
  swagger: {
    fields: {
      parameters: mapOf('swaggerParameter'),
      responses: mapOf('swaggerResponse'),
      paths: mapOf('swaggerPathItem'),
    },
  },
  swaggerPathItem: {
    fields: {
      parameters: listOf('swaggerParameter'),
      ...Object.fromEntries(
        'get put post delete options head patch'
          .split(' ')
          .map((method) => [method, object('swaggerOperation')]),
      ),
    },
  },
  swaggerOperation: {
    fields: {
      parameters: listOf('swaggerParameter'),
      responses: mapOf('swaggerResponse'),
    },
  },
  swaggerParameter: { fields: {} },
  swaggerResponse: { fields: {} },
}

const placesOf = (shapes: Shapes): ReadonlyMap<string, Place> =>
  new Map(
    Object.entries(shapes).flatMap(([key, shape]) => {
      const place = placeOf(shape)
      return place ? [[key, place] as const] : []
    }),
  )

const KINDS: ReadonlyMap<string, Kind> = new Map(
  [...Object.entries(OBJECTS), ...Object.entries(OTHERS)].map(([kind, { fields, others }]) => [
    kind,
    { fields: placesOf({ ...fields, ...MORE[kind] }), others: others && placeOf(others) },
  ]),
)

const OF_KIND: ReadonlyMap<string, Place> = placesOf({
  ...Object.fromEntries([...KINDS.keys()].map((kind) => [kind, object(kind)])),
  schema,
})

const SCHEMA_FIELDS: ReadonlyMap<string, Place> = placesOf({
  ...Object.fromEntries(
    `items additionalItems contains additionalProperties propertyNames not if then else unevaluatedItems
    unevaluatedProperties contentSchema`
      .split(/\s+/)
      .map((key) => [key, schema]),
  ),
  ...Object.fromEntries(
    ['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => [key, listOf('schema')]),
  ),
  ...Object.fromEntries(
    `properties patternProperties dependentSchemas dependencies $defs definitions`
      .split(' ')
      .map((key) => [key, mapOf('schema')]),
  ),
})

const KIND_OF_SECTION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    schemas: 'schema',
    parameters: 'parameter',
    requestBodies: 'requestBody',
    responses: 'response',
    headers: 'header',
    examples: 'example',
    mediaTypes: 'mediaType',
    securitySchemes: 'securityScheme',
    links: 'link',
    callbacks: 'callback',
    pathItems: 'pathItem',
    methods: 'method',
    contentDescriptors: 'contentDescriptor',
    errors: 'error',
    examplePairingObjects: 'examplePairing',
  }),
)
