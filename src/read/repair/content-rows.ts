import { isObject, isReference } from '../../model/json.js'
import { JSON_TYPE } from '../../runtime/shared/media-type.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import { ANNOTATIONS, ASSERTIONS } from '../../schema/keywords.js'
import { isMediaType } from '../structure-rules.js'
import { OBJECTS, wrongType } from '../structure-table.js'
import { inMediaType, inOperation } from './examples.js'
import { type Here, type RepairRow, type Rewritten, without } from './repair.js'

/** The faults of bodies, media types, schemas in the place of other objects, and examples in OpenAPI documents. */
export const CONTENT_ROWS: readonly RepairRow[] = [
  {
    id: 'content-without-media-type',
    rule: 'media-type-invalid',
    where: ['content'],
    fault: '`content: { schema: … }`',
    meaning: '`content: { application/json: { schema: … } }`',
    rewrite: (content, { put }) => {
      if (!isObject(content) || content.schema === undefined) return undefined
      if (Object.keys(content).some((key) => key.includes('/'))) return undefined
      const message =
        'schema is not a media type: it is read as the schema of application/json; write the media type above it'
      return { value: { [JSON_TYPE]: put(content) }, faults: [{ message, at: ['schema'] }] }
    },
    example: {
      before: inOperation({
        responses: { 200: { description: '', content: { schema: { type: 'string' } } } },
      }),
      after: inMediaType({ schema: { type: 'string' } }),
      at: '/paths/~1a/get/responses/200/content/schema',
    },
  },
  {
    id: 'media-type-is-short',
    rule: 'media-type-invalid',
    where: ['content'],
    fault: '`json`, or `application/json, text/plain` in one key of `content`',
    meaning: '`application/json`, and one entry for each',
    rewrite: (content) => {
      if (!isObject(content)) return undefined
      const repaired = Object.keys(content).map((key) => [key, repairedMediaTypes(key)] as const)
      const others = repaired.filter(([key, [first]]) => first !== key)
      if (others.length === 0) return undefined
      const written = new Map<string, string>()
      for (const [key, types] of repaired)
        for (const type of types)
          if (type === key || !(Object.hasOwn(content, type) || written.has(type)))
            written.set(type, key)
      const entries = [...written]
      return {
        value: Object.fromEntries(entries.map(([type, key]) => [type, content[key]])),
        faults: others.map(([key, types]) => ({
          message: `${key} is not a media type: it is read as ${types.join(' and ')}; write that`,
          at: [key],
        })),
        keys: Object.fromEntries(
          entries.filter(([type, key]) => type !== key).map(([type, key]) => [type, [key]]),
        ),
      }
    },
    example: {
      before: inOperation({
        responses: { 200: { description: '', content: { json: { schema: { type: 'string' } } } } },
      }),
      after: inMediaType({ schema: { type: 'string' } }),
      at: '/paths/~1a/get/responses/200/content/json',
    },
  },
  {
    id: 'schema-in-place-of-object',
    rule: 'reference-is-inexact',
    where: ['requestBody', 'response', 'mediaType', 'parameter', 'header', 'contentDescriptor'],
    fault: '`$ref` to a schema in the place of a body, response, media type, parameter or header',
    meaning: 'an object with this schema',
    rewrite: (value, { place, follow, put, putAt }) => {
      if (!isReference(value)) return undefined
      const { $ref, ...siblings } = value
      const target = follow($ref)
      const isSchema = target !== undefined && /^\/components\/schemas\/[^/]+$/.test(target.pointer)
      if (!isSchema || !isObject(target.value)) return undefined
      // The object that is expected here may stand among the schemas. A content descriptor there is repaired to its schema.
      if ('schema' in target.value || 'content' in target.value) {
        const isDescriptor = place.holds === 'contentDescriptor' && isObject(target.value.schema)
        const value = isDescriptor ? { ...target.value, schema: put({ $ref }) } : target.value
        return { value: putAt(value, target), faults: [] }
      }
      const message = `${$ref} is a schema, and another object is expected here: it is read as the schema of that object; write it under schema`
      const media = { schema: put({ $ref }) }
      const hasContent = place.holds === 'requestBody' || place.holds === 'response'
      return {
        value: {
          ...siblings,
          ...(hasContent ? put({ content: put({ [JSON_TYPE]: put(media) }) }) : media),
        },
        faults: [{ message, at: ['$ref'] }],
      }
    },
    example: {
      before: inOperation(
        { requestBody: { $ref: '#/components/schemas/Order' } },
        { schemas: { Order: { type: 'object' } } },
        'post',
      ),
      after: inOperation(
        {
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
        { schemas: { Order: { type: 'object' } } },
        'post',
      ),
      at: '/paths/~1a/post/requestBody/$ref',
    },
  },
  {
    id: 'schema-without-content',
    rule: 'schema-keyword-is-outside-schema',
    where: ['requestBody', 'response'],
    fault: '`schema` in a body or a response',
    meaning: 'the schema of `application/json`',
    rewrite: (value, { place, put }) => {
      if (!isObject(value) || value.schema === undefined || value.content !== undefined)
        return undefined
      const keys = ['schema', 'example', 'examples'].filter((key) => value[key] !== undefined)
      const media = put(Object.fromEntries(keys.map((key) => [key, value[key]])))
      const message = `schema is not a field of ${oneOf(place.holds)} and is read as that of application/json: write it under content`
      return {
        value: { ...without(value, keys), content: put({ [JSON_TYPE]: media }) },
        faults: [{ message, at: ['schema'] }],
      }
    },
    example: {
      before: inOperation({ responses: { 200: { description: '', schema: { type: 'string' } } } }),
      after: inMediaType({ schema: { type: 'string' } }),
      at: '/paths/~1a/get/responses/200/schema',
    },
  },
  {
    id: 'keywords-in-media-type',
    rule: 'schema-keyword-is-outside-schema',
    where: ['mediaType'],
    fault: 'the schema in the place of a media type',
    meaning: 'the schema of the media type',
    rewrite: (value, { place, put }) => {
      if (!isObject(value) || value.schema !== undefined || isReference(value)) return undefined
      const outside = Object.keys(value).filter((key) => ASSERTIONS.has(key))
      if (outside.length === 0) return undefined
      const isOfSchema = (key: string) =>
        key !== 'examples' &&
        (ASSERTIONS.has(key) || ANNOTATIONS.has(key) || BESIDE_KEYWORDS.has(key))
      return underSchema(value, isOfSchema, place.holds, put)
    },
    example: {
      before: inMediaType({ type: 'string', description: 'A name.' }),
      after: inMediaType({ schema: { type: 'string', description: 'A name.' } }),
      at: '/paths/~1a/get/responses/200/content/application~1json/type',
    },
  },
  {
    id: 'keywords-in-parameter',
    rule: 'schema-keyword-is-outside-schema',
    where: ['parameter', 'header'],
    fault:
      '`type`, `format`, `enum` and `items` in the place of the schema of a parameter or header',
    meaning: 'that schema',
    rewrite: (value, { place, put }) => {
      if (!isObject(value) || isReference(value)) return undefined
      if ((value.schema ?? value.content) !== undefined) return undefined
      return underSchema(value, (key) => OF_PARAMETERS.has(key), place.holds, put)
    },
    example: {
      before: inOperation({ parameters: [{ name: 'q', in: 'query', type: 'string' }] }),
      after: inOperation({ parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] }),
      at: '/paths/~1a/get/parameters/0/type',
    },
  },
  {
    id: 'examples-are-a-list',
    rule: 'field-has-wrong-type',
    where: ['{example}'],
    fault: 'a list of examples',
    meaning: 'the examples `example1`, `example2`, …',
    rewrite: (value, { name, place, put }) => {
      if (!Array.isArray(value)) return undefined
      const examples = value.map((item: unknown, index) => {
        const isExample = isObject(item) && isExampleObject(item)
        const key = `example${index + 1}`
        return [key, isExample ? item : put({ value: item }, String(index)), String(index)] as const
      })
      return {
        value: Object.fromEntries(examples.map(([key, item]) => [key, item])),
        faults: [{ message: wrongType(name, value, place, 'its items are read as the values') }],
        keys: Object.fromEntries(examples.map(([key, , index]) => [key, [index]])),
      }
    },
    example: {
      before: inMediaType({ schema: {}, examples: [1, { value: 2 }] }),
      after: inMediaType({
        schema: {},
        examples: { example1: { value: 1 }, example2: { value: 2 } },
      }),
      at: '/paths/~1a/get/responses/200/content/application~1json/examples',
    },
  },
  {
    id: 'example-is-a-value',
    rule: 'field-has-wrong-type',
    where: ['example'],
    fault: 'a value in the place of an Example Object',
    meaning: 'the value of the example',
    rewrite: (value, { name }) => {
      if (isObject(value) && isExampleObject(value)) return undefined
      const message = `${name} is not an Example Object and is read as the value: write it under value`
      return { value: { value }, faults: [{ message }], keys: { value: [] } }
    },
    example: {
      before: inMediaType({ schema: {}, examples: { five: { n: 5 } } }),
      after: inMediaType({ schema: {}, examples: { five: { value: { n: 5 } } } }),
      at: '/paths/~1a/get/responses/200/content/application~1json/examples/five',
    },
  },
]

/** The media types of a key of `content`: `json` means application/json, and some documents write several in one key. */
function repairedMediaTypes(key: string): readonly string[] {
  if (isMediaType(key)) return [key]
  const parts = key
    .split(',')
    .map((part) => part.trim())
    .map((part) => SHORT_TYPES.get(part.toLowerCase()) ?? part)
  return parts.every(isMediaType) ? [...new Set(parts)] : [key]
}

const SHORT_TYPES: ReadonlyMap<string, string> = new Map([
  ['json', JSON_TYPE],
  ['xml', 'application/xml'],
  ['text', 'text/plain'],
  ['html', 'text/html'],
])

/** The object with keywords of a schema moved below `schema`. */
function underSchema(
  value: JsonObject,
  isOfSchema: (key: string) => boolean,
  kind: string | undefined,
  put: Here['put'],
): Rewritten | undefined {
  const fields = fieldsOf(kind)
  const keys = Object.keys(value).filter((key) => isOfSchema(key) && !fields.has(key))
  const reported = keys.filter((key) => ASSERTIONS.has(key) || key === 'format')
  if (reported.length === 0) return undefined
  const schema = put(Object.fromEntries(keys.map((key) => [key, value[key]])))
  return {
    value: { ...without(value, keys), schema },
    faults: reported.map((key) => ({
      message: `${key} is a keyword of schemas, not a field of ${oneOf(kind)}, and is read as a part of the schema: put it under schema`,
      at: [key],
    })),
  }
}

/** Keywords that a schema has beside assertions and annotations. */
const BESIDE_KEYWORDS: ReadonlySet<string> = new Set([
  'nullable',
  'x-nullable',
  'discriminator',
  'xml',
  'title',
])

/** Swagger 2.0 has these in a parameter or a header. */
const OF_PARAMETERS: ReadonlySet<string> = new Set(['type', 'format', 'enum', 'items'])

const oneOf = (kind: string | undefined): string => rowOf(kind)?.one ?? 'this object'

const fieldsOf = (kind: string | undefined): ReadonlySet<string> =>
  new Set(Object.keys(rowOf(kind)?.fields ?? {}))

const rowOf = (kind = '') =>
  Object.hasOwn(OBJECTS, kind) ? OBJECTS[kind as keyof typeof OBJECTS] : undefined

/** Whether a named example is an Example Object: some documents write the value in its place. */
const isExampleObject = (node: JsonObject): boolean =>
  isReference(node) ||
  ['externalValue', 'value', 'dataValue', 'serializedValue'].some((field) => field in node) ||
  Object.keys(node).every((key) => /^(summary|description|x-.*)$/.test(key))
