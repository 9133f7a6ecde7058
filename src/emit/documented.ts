import type { Api, HttpOperation, RpcExample, RpcOperation } from '../model/api.js'
import { exactIn } from '../model/exact-examples.js'
import type { Example, HttpResponse, MediaType } from '../model/http-content.js'
import { isObject } from '../model/json.js'
import { variantParametersSchema } from '../model/params.js'
import { itemsOfExample } from '../model/streams.js'
import type {
  DocumentedAnswer,
  DocumentedHttp,
  DocumentedRpc,
  Pairing,
} from '../runtime/examples/documented.js'
import type { FormEncoding } from '../runtime/operation.js'
import type { ErrorObject } from '../runtime/rpc/match.js'
import { codecOf, holdsValue, sentCodec } from '../runtime/shared/codecs.js'
import { writeJson } from '../runtime/shared/json.js'
import { essence } from '../runtime/shared/media-type.js'
import { byAccept, concreteOf } from '../runtime/wire/content.js'
import { writeBody } from '../runtime/wire/write-body.js'
import { createSampler, type Sampler } from '../schema/readable.js'
import type { Schema } from '../schema/schema.js'

/**
 * The examples of an operation as mocks send them: integers with all digits, bodies in their media types, and the headers
 * of responses. `fits` decides which are sent. Undefined if there are none.
 */
export const documentedHttp = (
  operation: HttpOperation,
  { api, sampler, fits = () => true }: ExampleTerms,
): DocumentedHttp | undefined => {
  const exact = exactIn(api.http)
  const all = (examples: readonly Example[]) =>
    examples.map((one) => ({ ...one, value: exact(one.value, one.holder) }))
  const contentOf = (
    { content }: { readonly content: readonly MediaType[] },
    isSent: (media: MediaType, value: unknown) => boolean = () => true,
  ) =>
    content.map((media) => {
      const sent = media.examples.filter(({ value }) => isSent(media, value))
      return { ...media, examples: all(sent) }
    })
  const fitting = (media: MediaType, value: unknown): boolean => {
    const items = holdsValue(media.codec) ? [value] : (itemsOfExample(media, value) ?? [])
    return items.every((item) => fits(media.schema, item))
  }
  const { body, parameters, responses } = operation
  const heads: Record<string, Readonly<Record<string, string>>> = {}
  const compare = byAccept(undefined)
  const shown = responses.flatMap((response) => {
    const headers = headersOf(
      { headers: response.headers.map((one) => ({ ...one, examples: all(one.examples) })) },
      sampler,
    )
    if (response.content.length === 0 && Object.keys(headers).length > 0)
      heads[response.status] = headers
    // The example of a range is not sent where a narrower type describes the same body.
    const content = contentOf(response, fitting).toSorted((one, other) =>
      compare(one.type, other.type),
    )
    return content.flatMap((media) =>
      documentedAnswers({ ...operation, responses: [{ ...response, content: [media] }] }).flatMap(
        (one) => {
          const answer = written(one, media)
          if (answer === undefined) return []
          return Object.keys(headers).length === 0 ? answer : { ...answer, headers }
        },
      ),
    )
  })
  return httpExamples(
    {
      ...operation,
      body: body && { ...body, content: contentOf(body) },
      parameters: parameters.map((one) => ({ ...one, examples: all(one.examples) })),
    },
    shown,
    heads,
  )
}

export type ExampleTerms = {
  readonly api: Api
  /** Makes the headers that a response requires. */
  readonly sampler: Sampler
  readonly fits?: (schema: Schema, value: unknown) => boolean
}

/** The same for a method. */
export const documentedRpc = (
  operation: RpcOperation,
  { api, fits = () => true }: Pick<ExampleTerms, 'api' | 'fits'>,
): DocumentedRpc | undefined => {
  const exact = exactIn(api.rpc)
  const examples = operation.examples.flatMap((one): readonly RpcExample[] => {
    const { outcome } = one
    if (outcome.kind !== 'result') return [one]
    const params = operation.paramStructure === 'by-name' ? one.namedParams : one.params
    const variant = operation.variants?.find((each) =>
      fits(variantParametersSchema(operation, each), params),
    )
    if (!fits(variant?.result ?? operation.result.schema, outcome.value)) return []
    const value = exact(outcome.value, outcome.holder)
    return [{ ...one, outcome: { ...outcome, value } }]
  })
  const shown = pairings({ ...operation, examples }).map((one) => exact(one) as Pairing)
  const errors = errorsWithData(operation).map((one) => ({ ...one, data: exact(one.data) }))
  if (shown.length + errors.length === 0) return undefined
  return { pairings: shown, ...(errors.length > 0 && { errors }) }
}

/** The declared errors of a method that have `data`. */
export const errorsWithData = ({ errors }: RpcOperation): readonly ErrorObject[] =>
  errors.flatMap(({ code, message, data }) => (data === undefined ? [] : [{ code, message, data }]))

/** The examples of an HTTP operation; `shown` are those of its responses, and `heads` the headers of those without content. */
export function httpExamples(
  operation: HttpOperation,
  shown: readonly DocumentedAnswer[] = documentedAnswers(operation),
  heads: NonNullable<DocumentedHttp['heads']> = {},
): DocumentedHttp | undefined {
  const requests = (operation.body?.content ?? []).flatMap(({ examples }) => examples.map(named))
  const parameters = operation.parameters.flatMap(({ in: where, name, examples }) =>
    examples.length > 0 ? [[`${where}.${name}`, examples.map(named)] as const] : [],
  )
  const variants = operation.variants.flatMap(({ name, example }) =>
    example === undefined ? [] : [[name, example] as const],
  )
  const hasHeads = Object.keys(heads).length > 0
  if (requests.length + parameters.length + shown.length === 0 && !hasHeads) return undefined
  return {
    ...(requests.length > 0 && { requests }),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    answers: shown,
    ...(hasHeads && { heads }),
    ...(variants.length > 0 && { variants: Object.fromEntries(variants) }),
  }
}

export const documentedAnswers = ({ responses }: HttpOperation): readonly DocumentedAnswer[] =>
  responses.flatMap(({ status, content }) =>
    content.flatMap((media) =>
      media.examples.map(({ name, value }) => {
        const items = itemsOfExample(media, value)
        return {
          status,
          name,
          ...(media.type !== 'application/json' && { type: media.type }),
          ...(items === undefined ? { value } : { value: items, isItems: true as const }),
        }
      }),
    ),
  )

const named = ({ name, value }: { readonly name: string; readonly value: unknown }) => ({
  name,
  value,
})

export const pairings = ({ examples, paramStructure }: RpcOperation): readonly Pairing[] =>
  examples.flatMap(({ name, params, namedParams, outcome }): readonly Pairing[] => {
    const request = { name, params: paramStructure === 'by-name' ? namedParams : params }
    if (outcome.kind === 'none') return []
    return outcome.kind === 'error'
      ? [{ ...request, error: outcome.error }]
      : [{ ...request, result: outcome.value }]
  })

/** A response whose body can be sent in its media type; undefined if the body cannot be written in it. */
export const written = (
  { type: _, ...answer }: DocumentedAnswer,
  { type, codec, encoding }: Pick<MediaType, 'type' | 'codec' | 'encoding'>,
): DocumentedAnswer | undefined => {
  if (answer.isItems && codec !== 'json') return { ...answer, type }
  const { value } = answer
  // A response cannot have a media range as its type.
  const sent = concreteOf(type, value)
  if (sent !== undefined && holdsValue(sentCodec({ codec }, sent)))
    return sent === 'application/json' ? answer : { ...answer, type: sent }
  const text = textOf(value, type, encoding)
  return text === undefined
    ? undefined
    : { ...answer, type: concreteOf(type, text) ?? type, value: text }
}

/** A value as text of a media type; undefined for XML and others that would need their own rules. */
const textOf = (
  value: unknown,
  type: string,
  encoding: FormEncoding = {},
): string | Uint8Array | undefined => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value
  const name = essence(type)
  const codec = codecOf(name)
  if (codec === 'form')
    return isObject(value) ? String(writeBody(value, { type, codec, encoding }).body) : undefined
  return /[/+](xml|html)$/.test(name) || codec !== 'text' ? undefined : writeJson(value)
}

/** The headers of a response that have an example, and those that are required. */
export const headersOf = (
  { headers }: Pick<HttpResponse, 'headers'>,
  sampler: Sampler,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.flatMap(({ name, required, schema, examples: [example] }) => {
      const shown = typeof schema === 'object' ? schema.examples?.[0] : undefined
      const value = example?.value ?? shown ?? (required ? sampler(schema) : undefined)
      const isWritable = /^[\w-]+$/.test(name) && /^[\t -~]+$/.test(String(value))
      const isSent = value !== undefined && typeof value !== 'object' && isWritable
      return isSent && !FRAMING.has(name.toLowerCase()) ? [[name.toLowerCase(), String(value)]] : []
    }),
  )

/** Headers about the transfer of a body. Recorded documents declare them, and they are wrong for other bodies. */
const FRAMING = new Set([
  ...['content-type', 'transfer-encoding', 'content-length', 'content-encoding'],
  ...['connection', 'keep-alive', 'trailer', 'upgrade'],
])

/** Samples a value with optional members if there is one, else the smallest. */
export const createAnswerSampler = ({ schemas }: Api): Sampler => {
  const full = createSampler(schemas, 'response')
  const short = createSampler(schemas, 'request')
  return (schema) => full(schema) ?? short(schema)
}
