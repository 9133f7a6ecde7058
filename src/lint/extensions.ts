import type { HttpOperation } from '../model/api.js'
import type { FindingDetails } from '../model/finding.js'
import { successResponses } from '../runtime/wire/status.js'
import { createChecker } from '../schema/check.js'
import { referredName, refTo, type Schema, subschemas } from '../schema/schema.js'
import { createIsRead } from './extension-places.js'
import type { LintRule, Survey } from './survey.js'

/** Extensions for facts that plain OpenAPI and OpenRPC cannot declare: their shapes and references. */
export const EXTENSION_RULES: readonly LintRule[] = [
  {
    id: 'extension-invalid',
    level: 'error',
    purpose: 'An extension with an invalid value is ignored, so it has no effect.',
    find: invalidExtensions,
  },
  {
    id: 'poll-cannot-end',
    level: 'error',
    purpose: 'Clients poll until the field of x-poll has one of its terminal values.',
    find: endless,
  },
  {
    id: 'same-as-names-no-property',
    level: 'error',
    purpose:
      'The value is read from the property that x-same-as names, so that property must exist.',
    find: sameAsNoProperty,
  },
  {
    id: 'contract-call-names-no-property',
    level: 'error',
    purpose:
      'Clients write a contract call to the properties that x-contract-call names, and read its output from the named property.',
    find: lostFields,
  },
]

const text: Schema = { type: 'string', minLength: 1 }
const pointer: Schema = { type: 'string', pattern: '^(/.*)?$' }
const flag: Schema = { type: 'boolean' }
const date: Schema = {
  type: 'string',
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T.+)?$',
}
const count: Schema = { type: 'integer', minimum: 1 }
const texts: Schema = { type: 'array', items: { type: ['string', 'number', 'boolean'] } }
const reference: Schema = { type: 'object', required: ['$ref'], properties: { $ref: text } }

const SHAPES: Readonly<Record<string, Schema>> = {
  'x-variants': {
    type: 'object',
    minProperties: 1,
    additionalProperties: {
      type: 'object',
      required: ['request', 'responses'],
      properties: {
        request: reference,
        responses: { type: 'array', minItems: 1, items: reference },
        errors: { type: 'array', items: reference },
        example: text,
        'x-contract-call': {
          type: 'object',
          required: ['abi', 'method', 'arguments', 'output'],
          properties: { abi: text, method: text, arguments: text, output: text },
          patternProperties: { '^x-': true },
          additionalProperties: false,
        },
      },
      patternProperties: { '^x-': true },
      additionalProperties: false,
    },
  },
  'x-poll': {
    type: 'object',
    required: ['field', 'terminal'],
    properties: { field: text, terminal: { ...texts, minItems: 1 }, order: texts },
  },
  'x-stream-end': text,
  'x-same-as': text,
  'x-secret': flag,
  'x-bigint': flag,
  'x-access': { enum: ['public', 'key'] },
  'x-limits': {
    type: 'object',
    properties: { requestsPerMinute: count, batchSize: count, payloadBytes: count },
    patternProperties: { '^x-': true },
    additionalProperties: false,
  },
  'x-stability-level': { enum: ['draft', 'alpha', 'beta', 'stable'] },
  'x-deprecated-at': date,
  'x-sunset': date,
  'x-replaced-by': text,
  'x-idempotent': flag,
  'x-idempotency-key': { anyOf: [text, { const: true }] },
  'x-pagination': {
    type: 'object',
    minProperties: 1,
    properties: {
      items: pointer,
      next: { type: 'object', minProperties: 1, additionalProperties: text },
      page: text,
      offset: text,
      more: pointer,
    },
    patternProperties: { '^x-': true },
    additionalProperties: false,
  },
  'x-chain-id': { type: 'integer', minimum: 0 },
  'x-native-currency': {
    type: 'object',
    required: ['name', 'symbol', 'decimals'],
    properties: {
      name: text,
      symbol: text,
      decimals: { type: 'integer', minimum: 0, maximum: 255 },
    },
    patternProperties: { '^x-': true },
    additionalProperties: false,
  },
  'x-name': text,
  'x-rpc-method': text,
  'x-direction': { enum: ['client', 'server', 'both'] },
  'x-subscription': {
    type: 'object',
    required: ['unsubscribe', 'id', 'notifications'],
    properties: {
      unsubscribe: text,
      id: pointer,
      notifications: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['method', 'item'],
          properties: { method: text, item: pointer },
          patternProperties: { '^x-': true },
          additionalProperties: false,
        },
      },
    },
    patternProperties: { '^x-': true },
    additionalProperties: false,
  },
  'x-cancel': {
    type: 'object',
    required: ['notification', 'id'],
    properties: { notification: text, id: pointer },
    patternProperties: { '^x-': true },
    additionalProperties: false,
  },
  'x-progress': {
    type: 'object',
    required: ['notification', 'token', 'value', 'request'],
    properties: { notification: text, token: pointer, value: pointer, request: pointer },
    patternProperties: { '^x-': true },
    additionalProperties: false,
  },
  'x-additional-params': { anyOf: [{ const: true }, { type: 'object' }] },
  'x-error': {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'integer' }, message: { type: 'string' } },
  },
  'x-not-shown': text,
  'x-assumption': text,
}

/** Extensions that have another shape in OpenRPC. */
const RPC_SHAPES: Readonly<Record<string, Schema>> = {
  'x-variants': {
    type: 'object',
    minProperties: 1,
    additionalProperties: {
      type: 'object',
      required: ['params', 'result'],
      properties: {
        params: { type: 'object' },
        result: { type: ['object', 'boolean'] },
        item: { type: ['object', 'boolean'] },
        errors: { type: 'array' },
      },
      patternProperties: { '^x-': true },
      additionalProperties: false,
    },
  },
}

const HINTS: Readonly<Record<string, string>> = {
  'x-deprecated-at': ': write a date such as 2026-01-31',
  'x-sunset': ': write a date such as 2027-01-31',
  'x-replaced-by': ': write an operationId, `GET /path`, the name of a method, or a URL',
  'x-limits': ': it has requestsPerMinute, batchSize and payloadBytes',
  'x-subscription': ': it has unsubscribe, id and notifications',
  'x-cancel': ': it has notification and id',
  'x-progress': ': it has notification, token, value and request',
  'x-additional-params': ': it is true, or a schema',
  'x-native-currency': ': it has name, symbol and decimals',
  'x-stream-end': ': it is the text that ends the stream, such as [DONE]',
  'x-pagination': ': it has items, next, page, offset and more',
  'x-variants': ': a variant has request, responses, errors and example',
}

const RPC_HINTS: Readonly<Record<string, string>> = {
  'x-variants': ': a variant of a method has params, result, item and errors',
}

function* invalidExtensions({ written }: Survey): Generator<FindingDetails> {
  const checker = createChecker(new Map())
  const isRead = createIsRead(written)
  for (const one of written) {
    const { node, kind, document } = one
    if (kind === 'map') continue
    for (const [name, value] of Object.entries(node)) {
      const shapes = document.kind === 'rpc' ? { ...SHAPES, ...RPC_SHAPES } : SHAPES
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
      // In another place it may be an extension of somebody else, and extension-misplaced reports it.
      if (shape === undefined || !isRead(one, name)) continue
      const [fault] = checker.schema(shape).explain(value)
      if (!fault) continue
      const where = fault.pointer === '' ? name : `${name}, ${fault.pointer.slice(1)},`
      yield {
        location: document.sourceOf(node).locate(name),
        message: `${where} ${fault.message}${(document.kind === 'rpc' && RPC_HINTS[name]) || (HINTS[name] ?? '')}`,
      }
    }
  }
}

/** A terminal value must be valid for that field in some response. */
function* endless({ api, http, checker }: Survey): Generator<FindingDetails> {
  for (const operation of http) {
    const { poll, source } = operation
    if (!poll) continue
    const fields = fieldsOf(operation, poll.field, api.schemas)
    if (fields.length === 0) {
      yield {
        location: source.locate('x-poll', 'field'),
        message: `no response has a property ${poll.field}, so polling would never end: name a property of a response`,
      }
      continue
    }
    const impossible = poll.terminal.find(
      (value) => !fields.some((field) => checker.schema(field).check(value)),
    )
    if (impossible !== undefined) {
      yield {
        location: source.locate('x-poll', 'terminal'),
        message: `${poll.field} is never ${impossible}: name only values that a response can have`,
      }
    }
    const unordered = poll.terminal.find((value) => !poll.order.includes(value))
    if (poll.order.length > 0 && unordered !== undefined) {
      yield {
        location: source.locate('x-poll', 'order'),
        message: `the order omits the terminal value ${unordered}: add it`,
      }
    }
  }
}

/** The schemas of a property in the 2xx responses, through references and combinations. */
function fieldsOf(
  { responses }: HttpOperation,
  name: string,
  schemas: Survey['api']['schemas'],
): readonly Schema[] {
  const answers = successResponses(responses).flatMap(({ content }) =>
    content.map(({ schema }) => schema),
  )
  return propertiesOf(answers, name, schemas)
}

function propertiesOf(
  owners: readonly Schema[],
  name: string,
  schemas: Survey['api']['schemas'],
): readonly Schema[] {
  const waiting = [...owners]
  const found: Schema[] = []
  const seen = new Set<Schema>()
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one === 'boolean' || seen.has(one)) continue
    seen.add(one)
    const target = schemas.get(referredName(one) ?? '')?.schema
    if (target !== undefined) waiting.push(target)
    const property = one.properties?.[name]
    if (property !== undefined) found.push(property)
    for (const inner of subschemas(one, 'in-place')) waiting.push(inner)
  }
  return found
}

function* sameAsNoProperty({ schemas }: Survey): Generator<FindingDetails> {
  for (const { schema, source } of schemas) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const alias = typeof property === 'object' ? property['x-same-as'] : undefined
      if (typeof alias !== 'string' || Object.hasOwn(schema.properties ?? {}, alias)) continue
      yield {
        location: source.locate('properties', name, 'x-same-as'),
        message: `${name} is the same as ${alias}, which is not a property of the same object: name one that is`,
      }
    }
  }
}

function* lostFields({ api, http }: Survey): Generator<FindingDetails> {
  for (const operation of http) {
    for (const { name, request, responses, contractCall } of operation.variants) {
      if (!contractCall) continue
      for (const [part, property] of Object.entries(contractCall)) {
        const owners = part === 'output' ? responses : [request]
        const schemas = owners.map((owner) => ({ $ref: refTo(owner) }))
        if (propertiesOf(schemas, property, api.schemas).length > 0) continue
        const lack =
          part === 'output'
            ? `no response of the variant ${name} has a property`
            : `the request of the variant ${name} has no property`
        yield {
          location: operation.source.locate('x-variants', name, 'x-contract-call', part),
          message: `${lack} ${property}: name one that it has`,
        }
      }
    }
  }
}
