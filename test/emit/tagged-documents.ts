import { method, openapiOf, openrpcOf } from '../read/api-of.js'

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const json = (schema: object) => ({ content: { 'application/json': { schema } } })

export const read = (id: string, tag: string | undefined, schema: object) => ({
  get: {
    operationId: id,
    ...(tag !== undefined && { tags: [tag] }),
    parameters: [{ name: 'label', in: 'query', schema: { type: 'string', pattern: "^['a-z]+$" } }],
    responses: {
      200: { description: 'Read.', ...json(schema) },
      404: { description: 'None.', ...json(ref('Problem')) },
    },
  },
})

/**
 * 113 operations: those of two tags, one tag that is called as what all share is, one operation without; some called as
 * what stands beside them is.
 */
export const paths = Object.fromEntries([
  ...Array.from({ length: 60 }, (_, at) => [`/p/${at}`, read(`pet${at}`, 'Pet store', ref('Pet'))]),
  ...Array.from({ length: 49 }, (_, at) => [`/l/${at}`, read(`list${at}`, 'shared', ref('label'))]),
  ['/order', read('order', '2nd', { type: 'array', items: ref('Tree') })],
  ['/among', read('operations', '2nd', ref('Tree'))],
  ['/alias', read('sharedTreeSchemas', '2nd', ref('Tree'))],
  ['/{id}/alone', read('alone', undefined, ref('Tree'))],
])

const HOLE = `\${x}`

export const schemas = {
  Pet: {
    type: 'object',
    required: ['name'],
    // Called as another schema and as an operation is, which stand elsewhere.
    properties: { name: { type: 'string' }, label: { type: 'string' }, order: { type: 'integer' } },
    additionalProperties: false,
  },
  label: {
    type: 'object',
    properties: { text: { type: 'string', enum: ['Pet', "a 'Pet'"] }, size: ref('Size') },
  },
  Size: { type: 'integer', minimum: 1 },
  Tree: {
    type: 'object',
    properties: { size: ref('Size'), leaves: { type: 'array', items: ref('Tree') } },
  },
  Problem: {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string', minLength: 2 } },
  },
  // What a text between backticks, JSON or a reference by name could be confused by.
  Strange: {
    type: 'object',
    title: `\`${HOLE}\` \\u0041`,
    required: ['__proto__'],
    properties: {
      ['__proto__']: { enum: ['Size', '`', HOLE, '\\'] },
      enum: ref('Size'),
      $ref: { type: 'string', pattern: '^\\d`\\u0041\\$$' },
      const: { const: { items: 'Size' } },
    },
  },
  Unused: { type: 'object', properties: { pet: ref('Pet'), tree: ref('Tree') } },
}

export const documents = {
  openapi: openapiOf({ paths, schemas }),
  openrpc: openrpcOf({
    methods: [method('count', [], { name: 'size', schema: ref('Size') })],
    schemas: { Size: schemas.Size },
  }),
}
