import { isObject } from '../model/json.js'

export type ObjectKind =
  | 'document'
  | 'info'
  | 'server'
  | 'serverVariable'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'response'
  | 'header'
  | 'components'
  | 'securityScheme'
  | 'requirement'
  | 'example'
  | 'link'
  | 'tag'

export type StructureRow = {
  readonly one: string
  readonly many: string
  readonly fields: Readonly<Record<string, ObjectField>>
  /** The type of all other fields; without it, such a field is unknown. */
  readonly others?: ObjectField
}

export type ObjectField = {
  /** A `text` may be a number, because YAML reads versions as numbers; a `string` may not. */
  readonly form: 'any' | 'text' | 'string' | 'flag' | 'object' | 'schema' | 'list' | 'map'
  readonly holds?: ObjectKind
  /** The required format of the names of a map. */
  readonly keys?: 'path' | 'status' | 'mediaType' | 'headerName' | 'method'
  /** The level of a wrong type. */
  readonly level: 'error' | 'warning'
  /** The level of a missing field. */
  readonly needed?: 'error' | 'warning'
}

const any: ObjectField = { form: 'any', level: 'warning' }
const text: ObjectField = { form: 'text', level: 'warning' }
const string: ObjectField = { form: 'string', level: 'error' }
const flag: ObjectField = { form: 'flag', level: 'warning' }
const readFlag: ObjectField = { form: 'flag', level: 'error' }
const schema: ObjectField = { form: 'schema', level: 'error' }
const list: ObjectField = { form: 'list', level: 'warning' }
const map: ObjectField = { form: 'map', level: 'warning' }
const one = (holds: ObjectKind): ObjectField => ({ form: 'object', holds, level: 'error' })
const listOf = (holds: ObjectKind): ObjectField => ({ form: 'list', holds, level: 'error' })
const mapOf = (holds: ObjectKind, keys?: ObjectField['keys']): ObjectField => ({
  form: 'map',
  holds,
  level: 'error',
  ...(keys && { keys }),
})
const schemas: ObjectField = { form: 'map', level: 'error' }
const needed = (field: ObjectField, level: 'error' | 'warning' = 'warning'): ObjectField => ({
  ...field,
  needed: level,
})

const operation = one('operation')
const texts = { summary: text, description: text }
const schemaAndExamples = { schema, example: any, examples: mapOf('example') }

const styled = {
  description: text,
  required: readFlag,
  deprecated: flag,
  allowEmptyValue: flag,
  style: text,
  explode: readFlag,
  allowReserved: readFlag,
  ...schemaAndExamples,
  content: mapOf('mediaType', 'mediaType'),
}

/**
 * The objects of OpenAPI 3.0 to 3.2 with their fields. A field of only one version is allowed in all of them. A wrong type is
 * an error if the toolkit reads the field.
 */
export const OBJECTS: Readonly<Record<ObjectKind, StructureRow>> = {
  document: {
    one: 'an OpenAPI document',
    many: 'documents',
    fields: {
      openapi: any,
      $self: text,
      info: needed(one('info'), 'error'),
      jsonSchemaDialect: text,
      servers: listOf('server'),
      paths: needed(mapOf('pathItem', 'path'), 'error'),
      webhooks: map,
      components: one('components'),
      security: listOf('requirement'),
      tags: { form: 'list', holds: 'tag', level: 'warning' },
      externalDocs: any,
    },
  },
  info: {
    one: 'the info object',
    many: 'info objects',
    fields: {
      title: needed(text),
      version: needed(text),
      ...texts,
      termsOfService: text,
      contact: any,
      license: any,
    },
  },
  server: {
    one: 'a server',
    many: 'servers',
    fields: {
      url: needed(text),
      name: text,
      description: text,
      variables: mapOf('serverVariable'),
    },
  },
  serverVariable: {
    one: 'a server variable',
    many: 'server variables',
    fields: { default: needed(any), enum: list, description: text },
  },
  pathItem: {
    one: 'a path item',
    many: 'paths',
    fields: {
      $ref: string,
      ...texts,
      get: operation,
      put: operation,
      post: operation,
      delete: operation,
      options: operation,
      head: operation,
      patch: operation,
      trace: operation,
      query: operation,
      additionalOperations: mapOf('operation', 'method'),
      servers: listOf('server'),
      parameters: listOf('parameter'),
    },
  },
  operation: {
    one: 'an operation',
    many: 'operations',
    fields: {
      tags: list,
      ...texts,
      externalDocs: any,
      // A number is read as its digits.
      operationId: { form: 'string', level: 'warning' },
      parameters: listOf('parameter'),
      requestBody: one('requestBody'),
      responses: mapOf('response', 'status'),
      callbacks: map,
      deprecated: flag,
      security: listOf('requirement'),
      servers: listOf('server'),
    },
  },
  parameter: {
    one: 'a parameter',
    many: 'parameters',
    fields: { name: needed(text), in: needed(text), ...styled },
  },
  header: { one: 'a header', many: 'headers', fields: styled },
  requestBody: {
    one: 'a request body',
    many: 'request bodies',
    fields: {
      description: text,
      required: readFlag,
      content: needed(mapOf('mediaType', 'mediaType')),
    },
  },
  mediaType: {
    one: 'a media type',
    many: 'media types',
    fields: {
      ...schemaAndExamples,
      itemSchema: schema,
      encoding: map,
      prefixEncoding: list,
      itemEncoding: any,
    },
  },
  response: {
    one: 'a response',
    many: 'responses',
    fields: {
      ...texts,
      headers: mapOf('header', 'headerName'),
      content: mapOf('mediaType', 'mediaType'),
      links: mapOf('link'),
    },
  },
  components: {
    one: 'components',
    many: 'components',
    fields: {
      schemas,
      responses: mapOf('response'),
      parameters: mapOf('parameter'),
      examples: mapOf('example'),
      requestBodies: mapOf('requestBody'),
      headers: mapOf('header'),
      securitySchemes: mapOf('securityScheme'),
      links: mapOf('link'),
      callbacks: map,
      pathItems: mapOf('pathItem'),
      mediaTypes: mapOf('mediaType'),
    },
  },
  securityScheme: {
    one: 'a security scheme',
    many: 'security schemes',
    fields: {
      type: needed(text),
      description: text,
      name: text,
      in: text,
      scheme: text,
      bearerFormat: text,
      flows: any,
      openIdConnectUrl: text,
      oauth2MetadataUrl: text,
      deprecated: flag,
    },
  },
  requirement: {
    one: 'a security requirement',
    many: 'security requirements',
    fields: {},
    others: list,
  },
  example: {
    one: 'an example',
    many: 'examples',
    fields: {
      ...texts,
      value: any,
      dataValue: any,
      serializedValue: text,
      externalValue: text,
    },
  },
  link: {
    one: 'a link',
    many: 'links',
    fields: {
      operationRef: text,
      operationId: text,
      parameters: map,
      requestBody: any,
      description: text,
      server: any,
    },
  },
  tag: {
    one: 'a tag',
    many: 'tags',
    fields: { name: needed(text), ...texts, externalDocs: any, parent: text, kind: text },
  },
}

/** The message for a value of a wrong type. */
export const wrongType = (
  name: string,
  value: unknown,
  field: { readonly form: ObjectField['form']; readonly holds?: string | undefined },
  how?: string,
): string =>
  `${name} must be ${formOf(field)}, not ${described(value)}${how === undefined ? '' : `: ${how}`}`

/** A value of a wrong type, in words. */
export const described = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return typeof value === 'string' ? `the string ${JSON.stringify(value)}` : String(value)
}

const FORMS: Readonly<Record<ObjectField['form'], string>> = {
  any: 'anything',
  text: 'a string',
  string: 'a string',
  flag: 'true or false',
  object: 'an object',
  schema: 'a schema',
  list: 'a list',
  map: 'an object',
}

const formOf = ({
  form,
  holds,
}: {
  readonly form: ObjectField['form']
  readonly holds?: string | undefined
}) => {
  const many = form === 'object' || holds === undefined ? undefined : manyOf(holds)
  return many === undefined ? FORMS[form] : `${FORMS[form]} of ${many}`
}

const manyOf = (kind: string): string | undefined =>
  Object.hasOwn(OBJECTS, kind) ? OBJECTS[kind as ObjectKind].many : undefined
