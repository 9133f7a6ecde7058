import { isObject, isReference } from '../../model/json.js'
import { segmentsOf } from '../../runtime/shared/pointer.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import { ASSERTIONS } from '../../schema/keywords.js'
import { text } from '../reading.js'
import { described } from '../structure-table.js'
import { inMethod } from './examples.js'
import type { RepairRow } from './repair.js'

/** The faults of OpenRPC documents outside their schemas. */
export const OPENRPC_ROWS: readonly RepairRow[] = [
  {
    id: 'params-without-list',
    rule: 'field-has-wrong-type',
    where: ['method'],
    fault: 'OpenRPC: `params: {}`, `params: null`',
    meaning: 'no params',
    rewrite: (method) => {
      if (!isObject(method)) return undefined
      const { params } = method
      const isEmpty = params === null || (isObject(params) && Object.keys(params).length === 0)
      if (!isEmpty) return undefined
      const what = params === null ? 'null' : 'an empty object'
      const message = `the params of ${nameOfMethod(method)} must be a list, not ${what}: it is read as no params; write params: []`
      return { value: { ...method, params: [] }, faults: [{ message, at: ['params'] }] }
    },
    example: {
      before: inMethod({ params: {} }),
      after: inMethod({ params: [] }),
      at: '/methods/0/params',
    },
  },
  {
    id: 'result-is-null',
    rule: 'field-has-wrong-type',
    where: ['method'],
    fault: 'OpenRPC: `result: null`',
    meaning: 'any result',
    rewrite: (method, { put }) => {
      if (!isObject(method) || method.result !== null) return undefined
      const message = `the result of ${nameOfMethod(method)} must be an object, not null: it is read as any result; write result: { name: result, schema: true }`
      const result = put({ name: 'result', schema: true }, 'result')
      return { value: { ...method, result }, faults: [{ message, at: ['result'] }] }
    },
    example: {
      before: inMethod({ result: null }),
      after: inMethod({ result: { name: 'result', schema: true } }),
      at: '/methods/0/result',
    },
  },
  {
    id: 'keywords-in-content-descriptor',
    rule: 'schema-keyword-is-outside-schema',
    where: ['contentDescriptor'],
    fault: 'OpenRPC: `{ name: to, type: string }` as a param or a result',
    meaning: 'a content descriptor with the schema `{ type: string }`',
    rewrite: (descriptor, { put }) => {
      const own = isObject(descriptor) ? ownKeywords(descriptor) : []
      if (!isObject(descriptor) || own.length === 0) return undefined
      const message = `${text(descriptor.name) ?? 'the content descriptor'} has no schema: its own keywords (${own.join(', ')}) are read as the schema; put them under schema`
      const others = Object.entries(descriptor).filter(([key]) => !own.includes(key))
      const schema = put(schemaOf(descriptor, own))
      return { value: { ...Object.fromEntries(others), schema }, faults: [{ message }] }
    },
    example: {
      before: inMethod({ params: [{ name: 'to', type: 'string' }] }),
      after: inMethod({ params: [{ name: 'to', schema: { type: 'string' } }] }),
      at: '/methods/0/params/0',
    },
  },
  {
    id: 'schema-is-a-content-descriptor',
    rule: 'reference-is-no-schema',
    where: ['contentDescriptor'],
    fault: "OpenRPC: `schema: { $ref: '#/components/contentDescriptors/To' }`",
    meaning: 'the schema of this content descriptor',
    rewrite: (descriptor, { origin, follow, put, putAt }) => {
      const { schema } = isObject(descriptor) ? descriptor : {}
      if (!isObject(descriptor) || !isReference(schema)) return undefined
      if (!schema.$ref.startsWith(DESCRIPTORS)) return undefined
      const target = follow(schema.$ref, 'schema')
      if (!isObject(target?.value) || segmentsOf(target.pointer).length !== 3) return undefined
      const { value, pointer, document } = target
      if (document !== origin.document) return undefined
      const own = ownKeywords(value)
      if (value.schema === undefined && own.length === 0) return undefined
      const repaired = `#${pointer}/schema`
      const message = `${schema.$ref} is a content descriptor, not a schema: its schema is read; write ${repaired}`
      const read =
        value.schema === undefined
          ? putAt(schemaOf(value, own), { document, pointer })
          : put({ ...schema, $ref: repaired }, 'schema')
      return {
        value: { ...descriptor, schema: read },
        faults: [{ message, at: ['schema', '$ref'] }],
      }
    },
    example: {
      before: inMethod(
        { params: [{ name: 'to', schema: { $ref: '#/components/contentDescriptors/To' } }] },
        { contentDescriptors: { To: { name: 'to', schema: { type: 'string' } } } },
      ),
      after: inMethod(
        { params: [{ name: 'to', schema: { $ref: '#/components/contentDescriptors/To/schema' } }] },
        { contentDescriptors: { To: { name: 'to', schema: { type: 'string' } } } },
      ),
      at: '/methods/0/params/0/schema/$ref',
    },
  },
  {
    id: 'error-code-in-quotes',
    rule: 'field-has-wrong-type',
    where: ['error'],
    fault: 'OpenRPC: `code: "-32010"`',
    meaning: '`-32010`',
    rewrite: (error) => {
      if (!isObject(error) || typeof error.code !== 'string') return undefined
      if (!/^[+-]?\d{1,15}$/.test(error.code.trim())) return undefined
      const code = Number(error.code)
      const message = `code must be an integer, not ${described(error.code)}: it is read as ${code}; write it without quotes`
      return { value: { ...error, code }, faults: [{ message, at: ['code'] }] }
    },
    example: {
      before: inMethod({ errors: [{ code: '-32010', message: 'No.' }] }),
      after: inMethod({ errors: [{ code: -32010, message: 'No.' }] }),
      at: '/methods/0/errors/0/code',
    },
  },
]

const nameOfMethod = (method: JsonObject): string => text(method.name) ?? 'the method'

/** The keys of a content descriptor without a schema that are parts of one. */
function ownKeywords(descriptor: JsonObject): readonly string[] {
  const { oneOf, required, schema } = descriptor
  if (schema !== undefined || isReference(descriptor)) return []
  const isChoice = Array.isArray(oneOf) && oneOf.some(isDescriptor)
  const own = Object.keys(descriptor).filter((key) =>
    key === 'required' ? Array.isArray(required) : !FIELDS.has(key) && !key.startsWith('x-'),
  )
  return !isChoice && own.some((key) => ASSERTIONS.has(key) || key === 'format') ? own : []
}

const schemaOf = (descriptor: JsonObject, own: readonly string[]): JsonObject =>
  Object.fromEntries(own.map((key) => [key, descriptor[key]]))

/** OpenRPC 1.1 and 1.2, OneOf Object: a choice of content descriptors. */
const isDescriptor = (value: unknown): boolean =>
  isReference(value)
    ? !value.$ref.includes('/schemas/')
    : isObject(value) && ('schema' in value || 'name' in value)

const FIELDS: ReadonlySet<string> = new Set('name summary description deprecated schema'.split(' '))

const DESCRIPTORS = '#/components/contentDescriptors/'
