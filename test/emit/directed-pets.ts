import { openapiOf } from '../read/api-of.js'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A document with properties of one direction, also in a nested object and in an example of both directions. */
export const directedPets = {
  ...openapiOf({
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name', 'password'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string' },
          password: { type: 'string', writeOnly: true },
          owner: ref('Owner'),
        },
        example: {
          id: '1',
          name: 'Ada',
          password: 'secret',
          owner: { since: '2020', email: 'a@a.example' },
        },
      },
      Owner: {
        type: 'object',
        properties: { since: { type: 'string', readOnly: true }, email: { type: 'string' } },
      },
    },
    paths: {
      '/pets': {
        post: {
          operationId: 'createPet',
          requestBody: { required: true, ...json(ref('Pet')) },
          responses: { 200: { description: 'Created.', ...json(ref('Pet')) } },
        },
      },
    },
  }),
  openapi: '3.0.3',
}
