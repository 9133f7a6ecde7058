import { createChecker } from '../schema/check.js'
import type { Schema } from '../schema/schema.js'
import { USAGE_SCHEMA, type Usage } from './usage.js'

/** Parses a usage file. Throws UsageFileError if the text is not a usage. */
export const readUsage = (file: string, text: string): Usage => {
  const fail = (what: string, options?: ErrorOptions): never => {
    throw new UsageFileError(
      `${file}: ${what}: create it with \`twinspec usage\` of this version`,
      options,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return fail('this is not JSON', { cause })
  }
  const { definitions, ...root } = usageSchema('#/components/schemas/')
  const named = Object.entries(definitions).map(
    ([name, schema]) => [name, { schema: schema as Schema }] as const,
  )
  const validator = createChecker(new Map(named)).schema(root as Schema)
  if (validator.check(value)) return value as Usage
  const [first] = validator.explain(value)
  return fail(`${first?.pointer || 'the file'} ${first?.message ?? 'is not a file of usage'}`)
}

/** Thrown for an invalid usage file: one sentence with its name, and what to do. */
export class UsageFileError extends Error {
  override readonly name = 'UsageFileError'
}

/** The JSON Schema of usage files, draft 2020-12; its text is `usage.schema.json` of the package. */
export const publishedUsageSchema = (): string => {
  const { definitions, ...root } = usageSchema('#/$defs/')
  return `${JSON.stringify({ ...root, $defs: definitions }, null, 1)}\n`
}

/** The schema with `references` as the prefix of its references, and the definitions that they refer to. */
const usageSchema = (references: string) => {
  const whole = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
  const day = { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' }
  const map = (of: object, description?: string) => ({
    type: 'object',
    additionalProperties: of,
    ...(description !== undefined && { description }),
  })
  const closed = (required: Readonly<Record<string, object>>, optional: object = {}) => ({
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  })
  const ref = (name: string) => ({ $ref: `${references}${name}` })
  const days = { first: day, last: day }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: USAGE_SCHEMA,
    title: 'What recorded requests used of an API: shapes and counts, no values',
    ...closed(
      {
        $schema: { type: 'string' },
        version: { const: 2, description: 'Of this format' },
        documents: {
          type: 'array',
          items: closed({ title: { type: 'string' }, version: { type: 'string' } }),
          description: 'The documents that requests were matched with',
        },
        secrets: {
          type: 'array',
          items: { type: 'string', pattern: '^[0-9a-f]{8}$' },
          description: 'Identifies the secrets that turned keys into ids',
        },
        maxConsumers: { type: 'integer', minimum: 1 },
        requests: { ...whole, description: 'All requests that were read' },
        undocumented: { ...whole, description: 'Requests that match no declared operation' },
        faulty: { ...whole, description: 'Lines or entries that could not be read' },
        unread: map(
          map(whole),
          'Requests that may be of an operation but could not be read, by its name, then by the reason',
        ),
        consumers: map(map(ref('operation')), 'By consumer, then by operation'),
        shapes: map(
          map(whole),
          'Some different shapes of requests, as JSON text, with their counts',
        ),
      },
      { others: map(ref('operation'), 'Consumers beyond maxConsumers, together') },
    ),
    definitions: {
      count: closed({ requests: whole }, days),
      operation: closed(
        {
          requests: whole,
          counts: map(ref('count'), 'Statuses, error codes, media types and variants'),
          request: ref('place'),
          response: ref('place'),
        },
        days,
      ),
      place: closed(
        { requests: whole, always: whole },
        {
          ...days,
          types: map(whole),
          values: map(ref('count'), 'Values that the document lists, by their JSON'),
          unlisted: whole,
          unread: map(whole, 'Requests in which the place could not be read, by the reason'),
          lengths: ref('sizes'),
          sizes: ref('sizes'),
          members: ref('sizes'),
          digits: {
            ...map(whole, 'Numbers by sign and digits before the decimal point'),
            propertyNames: { pattern: '^-?\\d+$' },
          },
          properties: map(ref('place')),
          prefixItems: map(ref('place')),
          items: ref('place'),
          others: { ...ref('place'), description: 'Properties without a declaration' },
        },
      ),
      sizes: closed({ least: whole, most: whole, upTo: map(whole) }),
    },
  }
}
