import { answers, httpExamples, pairings } from '../emit/msw-examples.js'
import type {
  Api,
  HttpOperation,
  HttpResponse,
  MediaType,
  Operation,
  RpcOperation,
} from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { itemsOfExample } from '../model/streams.js'
import {
  type Documented,
  type DocumentedAnswer,
  type DocumentedHttp,
  type DocumentedRpc,
  ordinaryKeys,
  weightOf,
} from '../runtime/examples/documented.js'
import type { Samples } from '../runtime/examples/policy.js'
import type { Service } from '../runtime/server.js'
import { essence, isJson, isText } from '../runtime/shared/media-type.js'
import type { Checker } from '../schema/check.js'
import { createSampler, type Sampler } from '../schema/readable.js'
import { dereference, type Schema, type SchemaObject } from '../schema/schema.js'
import { errorBody } from './error-body.js'
import { whyNoValue } from './no-value.js'
import { type NotMocked, nameOf } from './service.js'

/**
 * What the mock answers with: the examples that fit their schemas, and samples where there are none.
 */
export const createExamples = (api: Api, service: Service, checker: Checker): Examples => {
  const areRight = wrongExamples(api).length === 0
  const fits = (schema: Schema, value: unknown): boolean =>
    areRight || checker.schema(schema).check(value)
  const sampler = createAnswerSampler(api)
  const samples = createSamples(api, sampler, checker)
  const documented: Record<string, DocumentedHttp | DocumentedRpc> = {}
  const notMocked: NotMocked[] = []
  for (const operation of api.operations) {
    const { id } = operation
    const hasAnswer =
      operation.kind === 'http'
        ? setHttp(operation, service.http?.operations[id])
        : setRpc(operation)
    if (!hasAnswer)
      notMocked.push({
        operation: id,
        rule: 'response-not-mocked',
        level: 'warning',
        location: operation.source.locate(),
        message: `${nameOf(operation)} has no example that fits its schema, and no value can be made from the schema: ${why(operation)}; add an example`,
      })
  }
  return { documented, samples, notMocked }

  function why(operation: Operation): string {
    const schema =
      operation.kind === 'rpc'
        ? operation.result.schema
        : operation.responses.flatMap(({ content }) => content)[0]?.schema
    return whyNoValue(schema ?? true, sampler, api.schemas)
  }

  function setHttp(operation: HttpOperation, record: OperationRecord | undefined): boolean {
    if (record === undefined) return true
    const fitting = answersOf(operation, fits, sampler)
    const shown = httpExamples(operation, fitting)
    if (shown) documented[operation.id] = shown
    const keys = ordinaryKeys(record)
    return (
      fitting.some(({ status }) => keys.includes(status)) ||
      keys.some((key) => record.responses[key]?.length === 0 || samples.response(operation.id, key))
    )
  }

  function setRpc(operation: RpcOperation): boolean {
    const fitting = pairings(operation).filter(
      (one) => !('result' in one) || fits(operation.result.schema, one.result),
    )
    documented[operation.id] = { pairings: fitting }
    return fitting.some((one) => 'result' in one) || samples.result(operation.id) !== undefined
  }
}

export type Examples = {
  readonly documented: Documented
  readonly samples: Samples
  /** Operations that have neither an example nor a sample. */
  readonly notMocked: readonly NotMocked[]
}

type OperationRecord = NonNullable<Service['http']>['operations'][string]

/** The examples that break their schema or fit several branches of a `oneOf`. */
export const wrongExamples = ({ findings }: Api): readonly Finding[] =>
  findings.filter(({ rule }) => rule === 'example-invalid' || rule === 'example-fits-two-branches')

/** The examples of responses that fit their schemas, as they are sent. */
const answersOf = (
  operation: HttpOperation,
  fits: (schema: Schema, value: unknown) => boolean,
  sampler: Sampler,
): readonly DocumentedAnswer[] =>
  operation.responses.flatMap((response) => {
    const headers = headersOf(response, sampler)
    const own = response.content.flatMap((media) => {
      const right = media.examples.filter(({ value }) => {
        const items = isJson(media.type) ? [value] : (itemsOfExample(media, value) ?? [])
        return items.every((item) => fits(media.schema, item))
      })
      const shown = { ...response, content: [{ ...media, examples: right }] }
      return answers({ ...operation, responses: [shown] }).flatMap(
        (one) => written(one, media) ?? [],
      )
    })
    return own.map((one) => ({ ...one, headers }))
  })

/** An answer whose body can be sent in its media type; undefined where the body cannot be written so. */
const written = (
  { type: _, ...answer }: DocumentedAnswer,
  { type }: Pick<MediaType, 'type'>,
): DocumentedAnswer | undefined => {
  if (isJson(type)) return answer
  if (answer.isItems) return { ...answer, type }
  const { value } = answer
  if (typeof value !== 'string' && type.includes('*')) return answer
  const text = textOf(value, type)
  // A range is no media type that a response can have.
  return text === undefined
    ? undefined
    : { ...answer, type: type.includes('*') ? 'text/plain' : type, value: text }
}

/** A value as text of a media type; undefined for XML and others that would need rules of their own. */
const textOf = (value: unknown, type: string): string | Uint8Array | undefined => {
  if (typeof value === 'string' || value instanceof Uint8Array) return value
  const json = JSON.stringify(value)
  const name = essence(type)
  if (name === 'application/x-www-form-urlencoded')
    return new URLSearchParams(
      Object.entries(Object(value)).map(([key, one]) => [key, String(one)]),
    ).toString()
  return /[/+](xml|html)$/.test(name) || !isText(name) ? undefined : json
}

/** The headers of a response that the document shows, and those that it requires. */
const headersOf = ({ headers }: HttpResponse, sampler: Sampler): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.flatMap(({ name, required, schema, examples: [example] }) => {
      const shown = typeof schema === 'object' ? schema.examples?.[0] : undefined
      const value = example?.value ?? shown ?? (required ? sampler(schema) : undefined)
      const isWritable = /^[\w-]+$/.test(name) && /^[\t -~]+$/.test(String(value))
      const isSent = value !== undefined && typeof value !== 'object' && isWritable
      return isSent && !FRAMING.has(name.toLowerCase()) ? [[name.toLowerCase(), String(value)]] : []
    }),
  )

/** Headers that say how a body was sent: documents that were recorded declare them, and they are wrong for other bodies. */
const FRAMING = new Set([
  ...['content-type', 'transfer-encoding', 'content-length', 'content-encoding'],
  ...['connection', 'keep-alive', 'trailer', 'upgrade'],
])

/** A value with optional members where there is one, else the smallest. */
const createAnswerSampler = ({ schemas }: Api): Sampler => {
  const full = createSampler(schemas, 'response')
  const short = createSampler(schemas, 'request')
  return (schema) => full(schema) ?? short(schema)
}

const createSamples = (api: Api, sampler: Sampler, checker: Checker): Samples => {
  const operations = new Map(api.operations.map((one) => [one.id, one]))
  const known = new Map<string, DocumentedAnswer | undefined>()
  return {
    response: (id, key, { accept, ...facts } = {}) => {
      const operation = operations.get(id)
      const response =
        operation?.kind === 'http' && operation.responses.find(({ status }) => status === key)
      if (!response) return undefined
      const media = mediaFor(response, accept)
      const place = `${id} ${key} ${media?.type}`
      if (media && !known.has(place))
        known.set(place, sampleOf(response, media, sampler, api.schemas))
      const answer = known.get(place)
      if (!answer || !media || !isJson(media.type) || (facts.status ?? 0) < 400) return answer
      return {
        ...answer,
        value: errorBody(answer.value, facts, checker.schema(media.schema).check),
      }
    },
    result: (id) => {
      const operation = operations.get(id)
      if (operation?.kind !== 'rpc') return undefined
      const { schema } = operation.result
      // A method without a result answers null, as a generated server does.
      const result = schema === true ? null : sampler(schema)
      return result === undefined ? undefined : { result }
    },
  }
}

/** The media type that `Accept` prefers, JSON among equals. */
const mediaFor = ({ content }: HttpResponse, accept: string | undefined): MediaType | undefined =>
  content.toSorted(
    (a, b) =>
      weightOf(accept, b.type) - weightOf(accept, a.type) ||
      Number(isJson(b.type)) - Number(isJson(a.type)),
  )[0]

/** Whether a string stands for bytes: a text of another media type, such as a game of chess, is one. */
const isBinary = ({ type, schema }: MediaType, schemas: Api['schemas']): boolean => {
  const { type: valueType, format } = Object(dereference(schema, schemas)) as SchemaObject
  return (
    valueType !== 'string' ||
    format === 'binary' ||
    /^(audio|font|image|model|video)\/|\b(octet-stream|zip|gzip|pdf)$/.test(essence(type))
  )
}

const sampleOf = (
  response: HttpResponse,
  media: MediaType,
  sampler: Sampler,
  schemas: Api['schemas'],
): DocumentedAnswer | undefined => {
  const { status } = response
  const made = sampler(media.schema)
  if (media.stream !== undefined)
    return made === undefined
      ? undefined
      : {
          ...{ status, name: 'sample', type: media.type, value: [made], isItems: true },
          headers: headersOf(response, sampler),
        }
  // Nothing is known of bytes but that there are some.
  const other = isText(media.type) ? 'text' : new TextEncoder().encode('bytes')
  const isBytes = typeof made === 'string' && !isText(media.type) && isBinary(media, schemas)
  const value = isJson(media.type) ? made : isBytes ? other : (made ?? other)
  if (value === undefined) return undefined
  const answer = written({ status, name: 'sample', value }, media)
  return answer && { ...answer, headers: headersOf(response, sampler) }
}
