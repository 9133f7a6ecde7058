import type { Api, HttpOperation, JsonObject, RpcOperation } from '../model/api.js'
import { isObject, isReference } from '../model/json.js'
import { segmentsOf } from '../model/pointer.js'
import { createSampler } from '../model/sample.js'
import { isJson } from '../runtime/shared/media-type.js'
import type { Schema } from '../schema/schema.js'

/**
 * The documents for Prism, with an answer made up wherever they show none: what Prism samples of a schema that leads to itself
 * breaks it, and so does every answer of JSON-RPC. What is made up is valid; where nothing can be, Prism is left to its own.
 */
export function withAnswers(api: Api, projection: JsonObject | undefined): Documents {
  const full = createSampler(api.schemas, 'answered')
  const short = createSampler(api.schemas)
  const madeUp = (schema: Schema) => full(schema) ?? short(schema)
  const documents = { http: api.http?.bundled, rpc: projection }
  for (const operation of api.operations) {
    const lacking =
      operation.kind === 'http' ? lackingAnswers(operation) : lackingResult(operation, api)
    for (const { place, schema, answer } of lacking) {
      const [document, value] = [documents[operation.kind], madeUp(schema)]
      if (document && value !== undefined)
        documents[operation.kind] = put(document, place, answer(value))
    }
  }
  return documents
}

export type Documents = {
  readonly http: JsonObject | undefined
  readonly rpc: JsonObject | undefined
}

type Lacking = {
  /** Where its media type stands in the document. */
  readonly place: readonly string[]
  readonly schema: Schema
  readonly answer: (value: unknown) => JsonObject
}

const lackingAnswers = ({ path, method, responses }: HttpOperation): readonly Lacking[] =>
  responses.flatMap(({ status, content }) =>
    content
      .filter(({ type, examples }) => isJson(type) && examples.length === 0)
      .map(({ type, schema }) => ({
        place: ['paths', path, method.toLowerCase(), 'responses', status, 'content', type],
        schema,
        answer: (value) => ({ value }),
      })),
  )

/** A server that was generated answers null for a method without a result, which nobody should have called with an id. */
const lackingResult = (
  { method, result, examples }: RpcOperation,
  api: Api,
): readonly Lacking[] => {
  if (examples.some(({ outcome }) => outcome.kind === 'result')) return []
  const hasResult = writtenMethod(api, method)?.result !== undefined
  return [
    {
      place: ['paths', `/${method}`, 'post', 'responses', '200', 'content', 'application/json'],
      schema: hasResult ? result.schema : { type: 'null' },
      answer: (value) => ({ value: { jsonrpc: '2.0', id: 1, result: value } }),
    },
  ]
}

const writtenMethod = ({ rpc }: Api, method: string): JsonObject | undefined => {
  const { methods } = rpc?.bundled ?? {}
  return Array.isArray(methods)
    ? methods.find((one) => isObject(one) && one.name === method)
    : undefined
}

/** A copy in which the media type has an example; what a reference on the way leads to is written out. */
function put(document: JsonObject, place: readonly string[], example: JsonObject): JsonObject {
  const within = (node: unknown, [key, ...rest]: readonly string[]): unknown => {
    const known = resolved(document, node)
    if (known === undefined) return node
    return key === undefined
      ? { ...known, examples: { ...resolved(document, known.examples), 'made-up': example } }
      : { ...known, ...(Object.hasOwn(known, key) && { [key]: within(known[key], rest) }) }
  }
  return within(document, place) as JsonObject
}

const resolved = (document: JsonObject, node: unknown): JsonObject | undefined => {
  const target = isReference(node)
    ? segmentsOf(node.$ref.slice(1)).reduce<unknown>(
        (one, key) => (isObject(one) ? one[key] : undefined),
        document,
      )
    : node
  return isObject(target) ? target : undefined
}
