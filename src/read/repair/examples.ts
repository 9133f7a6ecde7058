/** An OpenAPI document with some more fields. */
export const inRoot = (parts: object = {}, version = '3.0.3'): object => ({
  openapi: version,
  info: { title: 'Orders', version: '1.0.0' },
  paths: {},
  ...parts,
})

export const inPaths = (paths: object, components: object = {}): object =>
  inRoot({ paths, ...(Object.keys(components).length > 0 && { components }) })

/** An OpenAPI document with one operation, for `/a`. */
export const inOperation = (operation: object, components: object = {}, method = 'get'): object =>
  inPaths({ '/a': { [method]: { responses: RESPONSES, ...operation } } }, components)

/** An OpenAPI document with one response in JSON. */
export const inMediaType = (media: object, components: object = {}): object =>
  inOperation(
    { responses: { 200: { description: '', content: { 'application/json': media } } } },
    components,
  )

/** An OpenAPI document with one operation and the security scheme `key`. */
export const inScheme = (scheme: object, parts: object): object =>
  inRoot({
    paths: { '/a': { get: { responses: RESPONSES } } },
    components: { securitySchemes: { key: scheme } },
    ...parts,
  })

export const RESPONSES = { 200: { description: 'Done.' } }

/** A parameter of a path. */
export const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

export const inSchemas = (schemas: object, version?: string): object =>
  inRoot({ components: { schemas } }, version)

/** An OpenAPI document with the schema `Order`. */
export const inSchema = (schema: object, version?: string): object =>
  inSchemas({ Order: schema }, version)

/** An OpenRPC document with one method. */
export const inMethod = (method: object, components?: object): object => ({
  openrpc: '1.3.2',
  info: { title: 'Orders', version: '1.0.0' },
  methods: [
    { name: 'send', params: [], result: { name: 'result', schema: { type: 'string' } }, ...method },
  ],
  ...(components && { components }),
})

/** A Swagger 2.0 document with one operation. */
export const inSwagger = (parts: object, operation: object = {}): object => ({
  swagger: '2.0',
  info: { title: 'Orders', version: '1.0.0' },
  paths: { '/a': { post: { responses: RESPONSES, ...operation } } },
  ...parts,
})
