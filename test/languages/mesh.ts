import { apiOf, openapiOf } from '../read/api-of.js'

/** A document whose schemas all lead to all others, as those of large services do. */
export const meshApi = () => {
  const names = Array.from({ length: 24 }, (_, at) => `Part${at}`)
  const properties = Object.fromEntries(
    names.map((name) => [
      name.toLowerCase(),
      { anyOf: [{ type: 'string' }, { $ref: `#/components/schemas/${name}` }] },
    ]),
  )
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]))
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Part0' } } }
  const get = { operationId: 'getPart', responses: { 200: { description: 'Good.', content } } }
  return apiOf({ openapi: openapiOf({ paths: { '/part': { get } }, components: { schemas } }) })
}
