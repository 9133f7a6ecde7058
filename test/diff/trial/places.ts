import type { Plain } from '../../schema/contain/declared-only.js'

/** Where a schema of a document stands, and which way its values go. */
export type Place = {
  readonly name: string
  /** Who is harmed: callers by less in a request, readers by more in a response. */
  readonly direction: 'request' | 'response'
  /** Scalars are texts on the wire. */
  readonly isText: boolean
  readonly document: (schema: Plain) => object
  /** Absent where every value can be sent. */
  readonly canSend?: (value: unknown) => boolean
  /** Whether a list of this scalar alone is the same text as the scalar. Absent where none is. */
  readonly isListOfOne?: (scalar: unknown) => boolean
  /** Values are objects with a field for each item, so that a field sent once is a scalar or a list of it. */
  readonly hasFields?: boolean
}

const ORDERS = (operation: object, rest: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: { '/orders/{id}': { post: { operationId: 'order', ...operation } } },
  ...rest,
})

const JSON_OF = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const DONE = { '204': { description: 'Done' } }
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

const parameter = (place: string): Place => ({
  name: `a ${place} parameter`,
  ...{ direction: 'request', isText: true },
  ...(place === 'path' && { canSend: isSegment }),
  // A header has no escape for the comma between items.
  isListOfOne: (scalar) => place !== 'header' || typeof scalar !== 'string',
  document: (schema) => {
    const own = { name: place === 'path' ? 'id' : 'q', in: place, required: true, schema }
    return ORDERS({ parameters: place === 'path' ? [own] : [ID, own], responses: DONE })
  },
})

/** An empty segment matches no path template; an empty list or object is an empty text. */
const isSegment = (value: unknown): boolean =>
  value !== '' && (typeof value !== 'object' || value === null || Object.keys(value).length > 0)

const webhook = (request: object, responses: object = DONE) =>
  ORDERS(
    { parameters: [ID], responses: DONE },
    { webhooks: { paid: { post: { ...request, responses } } } },
  )

export const PLACES: readonly Place[] = [
  {
    ...{ name: 'a request body', direction: 'request', isText: false },
    document: (schema) =>
      ORDERS({
        parameters: [ID],
        requestBody: { required: true, ...JSON_OF(schema) },
        responses: DONE,
      }),
  },
  {
    ...{ name: 'a response body', direction: 'response', isText: false },
    document: (schema) =>
      ORDERS({ parameters: [ID], responses: { '200': { description: 'Ok', ...JSON_OF(schema) } } }),
  },
  {
    ...{ name: 'a response by reference', direction: 'response', isText: false },
    document: (schema) =>
      ORDERS(
        {
          parameters: [ID],
          responses: {
            '200': { description: 'Ok', ...JSON_OF({ $ref: '#/components/schemas/Order' }) },
          },
        },
        { components: { schemas: { Order: schema } } },
      ),
  },
  {
    ...{ name: 'what a webhook sends', direction: 'response', isText: false },
    document: (schema) => webhook({ requestBody: { required: true, ...JSON_OF(schema) } }),
  },
  {
    ...{ name: 'the reply to a webhook', direction: 'request', isText: false },
    document: (schema) => webhook({}, { '200': { description: 'Ok', ...JSON_OF(schema) } }),
  },
  parameter('query'),
  parameter('path'),
  parameter('header'),
  parameter('cookie'),
  {
    ...{ name: 'a form', direction: 'request', isText: true, hasFields: true },
    document: (schema) =>
      ORDERS({
        parameters: [ID],
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema } },
        },
        responses: DONE,
      }),
  },
  {
    ...{ name: 'a response header', direction: 'response', isText: true },
    document: (schema) =>
      ORDERS({
        parameters: [ID],
        responses: {
          '204': { description: 'Done', headers: { 'x-left': { required: true, schema } } },
        },
      }),
  },
]
