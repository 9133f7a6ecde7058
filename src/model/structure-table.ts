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

export type Row = {
  readonly one: string
  readonly many: string
  readonly fields: Readonly<Record<string, Field>>
  /** The type of all other fields; without it, such a field is unknown. */
  readonly others?: Field
}

export type Field = {
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

const any: Field = { form: 'any', level: 'warning' }
const text: Field = { form: 'text', level: 'warning' }
const string: Field = { form: 'string', level: 'error' }
const flag: Field = { form: 'flag', level: 'warning' }
const readFlag: Field = { form: 'flag', level: 'error' }
const schema: Field = { form: 'schema', level: 'error' }
const list: Field = { form: 'list', level: 'warning' }
const map: Field = { form: 'map', level: 'warning' }
const one = (holds: ObjectKind): Field => ({ form: 'object', holds, level: 'error' })
const listOf = (holds: ObjectKind): Field => ({ form: 'list', holds, level: 'error' })
const mapOf = (holds: ObjectKind, keys?: Field['keys']): Field => ({
  form: 'map',
  holds,
  level: 'error',
  ...(keys && { keys }),
})
const schemas: Field = { form: 'map', level: 'error' }
const needed = (field: Field, level: 'error' | 'warning' = 'warning'): Field => ({
  ...field,
  needed: level,
})

const operation = one('operation')
const described = { summary: text, description: text }
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
export const OBJECTS: Readonly<Record<ObjectKind, Row>> = {
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
      ...described,
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
      ...described,
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
      ...described,
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
      ...described,
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
      ...described,
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
    fields: { name: needed(text), ...described, externalDocs: any, parent: text, kind: text },
  },
}
