import { lint } from '../../src/lint/lint.js'
import { apiOf, method, openapiOf, openrpcOf } from '../read/api-of.js'

type Documents = Parameters<typeof apiOf>[0]

/** What one rule says of documents: level, pointer and message of each finding. */
export const findingsOf = async (rule: string, documents: Documents): Promise<readonly string[]> =>
  lint(await apiOf(documents), { only: [rule] }).map(
    ({ level, location, message }) => `${level} ${location.pointer || '/'} ${message}`,
  )

/** An OpenAPI document of one operation at `/a`. */
export const http = (operation: object, rest: object = {}, verb = 'get'): Documents => ({
  openapi: openapiOf({
    paths: { '/a': { [verb]: { operationId: 'one', ...operation } } },
    ...rest,
  }),
})

/** An OpenAPI document of one schema, which the answer of one operation refers to. */
export const schema = (one: object, rest: object = {}): Documents =>
  http(
    { responses: { 200: json({ $ref: '#/components/schemas/One' }) } },
    {
      ...rest,
      schemas: { One: one },
    },
  )

/** An OpenRPC document of one method. */
export const rpc = (fields: object, rest: object = {}): Documents => ({
  openrpc: openrpcOf({ methods: [{ ...method('one'), ...fields }], ...rest }),
})

/** A response, or with `required` a request body, of JSON. */
export const json = (schema: object, media: object = {}) => ({
  description: 'One.',
  content: { 'application/json': { schema, ...media } },
})
