import { parseDocument } from '../../src/read/document.js'
import { type ApiFiles, loadApi } from '../../src/read/load.js'

/** Reads documents that stand in a test as data; each is one JSON file called after its kind. */
export const apiOf = (documents: {
  readonly openapi?: object
  readonly openrpc?: object
  readonly arazzo?: object
}) => {
  const files = Object.entries(documents).map(([kind, value]) => [
    kind,
    parseDocument(JSON.stringify(value, null, 2), `${kind}.json`),
  ])
  return loadApi(Object.fromEntries(files) as ApiFiles)
}

/** An OpenAPI document with one operation per entry of `paths`, whose answers are left to the test. */
export const openapiOf = (parts: {
  readonly version?: string
  readonly paths?: object
  readonly schemas?: object
  readonly components?: object
  readonly [key: string]: unknown
}) => {
  const { version = '3.0.3', paths = {}, schemas = {}, components = {}, ...rest } = parts
  return {
    openapi: version,
    info: { title: 'Test', version: '1.0.0' },
    paths,
    components: { schemas, ...components },
    ...rest,
  }
}

/** A path item with one GET that answers 200 with a schema. */
export const answering = (schema: object, operationId = 'read') => ({
  get: {
    operationId,
    responses: { 200: { description: 'Read.', content: { 'application/json': { schema } } } },
  },
})

export const openrpcOf = (parts: {
  readonly methods?: readonly object[]
  readonly schemas?: object
  readonly [key: string]: unknown
}) => {
  const { methods = [], schemas = {}, ...rest } = parts
  return {
    openrpc: '1.3.2',
    info: { title: 'Test', version: '1.0.0' },
    methods,
    components: { schemas },
    ...rest,
  }
}

export const method = (name: string, params: readonly object[] = [], result: object = {}) => ({
  name,
  params,
  result: { name: 'result', schema: result },
})
