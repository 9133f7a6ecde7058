import { isObject, isReference } from '../../model/json.js'
import { joinPointer, segmentsOf } from '../../runtime/shared/pointer.js'
import type { JsonObject } from '../../runtime/validate/json-value.js'
import { ASSERTIONS } from '../../schema/keywords.js'
import { valueAt } from '../document.js'
import { text } from '../reading.js'
import { described } from '../structure-table.js'
import { inMethod } from './examples.js'
import type { Here, RepairRow } from './repair.js'

const TO = { name: 'to', schema: { type: 'string' } }

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
  {
    id: 'example-params-by-name',
    rule: 'field-has-wrong-type',
    where: ['[rpcExample]'],
    fault: 'OpenRPC: `params: { to: ann }` in an example',
    meaning: '`params: [{ name: to, value: ann }]`',
    rewrite: (params, here) => {
      if (!isObject(params) || isReference(params)) return undefined
      const written = Object.keys(params)
      const known = paramsOfMethod(here)
      const names = known?.filter((name) => name !== undefined && written.includes(name)) ?? written
      const surplus = written.filter((name) => !names.includes(name))
      const ignored =
        surplus.length === 0 ? '' : `; ${surplus.join(', ')} is no param of the method`
      const message = `the params of an example must be a list of Example Objects, not an object: its properties are read as the params by name${ignored}; write params: [{ name: …, value: … }]`
      return {
        value: names.map((name) => params[name ?? '']),
        keys: Object.fromEntries(names.map((name, index) => [index, [name ?? '']])),
        faults: [{ message }],
      }
    },
    example: {
      before: inMethod({ params: [TO], examples: [{ name: 'one', params: { to: 'ann' } }] }),
      after: inMethod({
        params: [TO],
        examples: [{ name: 'one', params: [{ name: 'to', value: 'ann' }] }],
      }),
      at: '/methods/0/examples/0/params',
    },
  },
  {
    id: 'example-without-object',
    rule: 'field-has-wrong-type',
    where: ['rpcExample'],
    fault: 'OpenRPC: `params: [ann]` or `result: 5` in an example',
    meaning: '`params: [{ name: to, value: ann }]`, `result: { name: result, value: 5 }`',
    rewrite: (value, here) => {
      if (value === undefined || isReference(value)) return undefined
      const { name, isByName } = nameOfExample(here)
      if (isObject(value) && isExampleObject(value))
        return isByName && value.name !== name
          ? { value: { ...value, name }, faults: [] }
          : undefined
      const message = `an Example Object must be an object with a name and a value, not ${described(value)}: what is written here is read as the value; write { name: ${name}, value: … }`
      return {
        value: { name, value },
        keys: { value: [] },
        // The other row reports params by name.
        faults: isByName ? [] : [{ message }],
      }
    },
    example: {
      before: inMethod({ params: [TO], examples: [{ name: 'one', params: ['ann'] }] }),
      after: inMethod({
        params: [TO],
        examples: [{ name: 'one', params: [{ name: 'to', value: 'ann' }] }],
      }),
      at: '/methods/0/examples/0/params/0',
    },
  },
]

const nameOfMethod = (method: JsonObject): string => text(method.name) ?? 'the method'

/** The name for an example: of the param or the result in whose place it is; else a title, which is the name of no param. */
function nameOfExample(here: Here): { readonly name: string; readonly isByName: boolean } {
  const { document, pointer } = here.origin
  const segments = segmentsOf(pointer)
  const [holder, last = ''] = segments.slice(-2)
  if (last === 'result' && holder !== 'params') return { name: last, isByName: false }
  const list = valueAt({ document, pointer: joinPointer('', ...segments.slice(0, -1)) })
  if (!Array.isArray(list)) return { name: last, isByName: true }
  const params = paramsOfMethod(here)
  return { name: params?.[Number(last)] ?? `example ${Number(last) + 1}`, isByName: false }
}

/** The names of the params of the method that has this example; undefined for an example among the components. */
function paramsOfMethod({ origin, follow }: Here): readonly (string | undefined)[] | undefined {
  const { document, pointer } = origin
  const segments = segmentsOf(pointer)
  const method = segments.slice(0, segments.lastIndexOf('examples'))
  const node = valueAt({ document, pointer: joinPointer('', ...method) })
  if (!segments.includes('examples') || !isObject(node) || !Array.isArray(node.params))
    return undefined
  return node.params.map((param: unknown) => {
    const read = isReference(param) ? follow(param.$ref)?.value : param
    return isObject(read) ? text(read.name) : undefined
  })
}

/** OpenRPC, Example Object: a name and a value, or nothing but fields of one. A transaction, too, has a `value`. */
const isExampleObject = (node: JsonObject): boolean =>
  ('name' in node && 'value' in node) || Object.keys(node).every((key) => EXAMPLE_FIELDS.test(key))

const EXAMPLE_FIELDS = /^(name|summary|description|value|externalValue|x-.*)$/

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
