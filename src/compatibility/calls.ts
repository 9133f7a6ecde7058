import { completed, shownRequests } from '../conform/cases/input.js'
import { MADE_UP, withBodies } from '../conform/values/bodies.js'
import { collectShown } from '../conform/values/shown-values.js'
import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import { filesIn } from '../model/form-encoding.js'
import { type HttpParameter, hasJsonValue } from '../model/http-content.js'
import { isObject } from '../model/json.js'
import { parametersSchema } from '../model/params.js'
import { sampleRequest, withoutBytes } from '../model/sample-request.js'
import { holdsFields, holdsValue } from '../runtime/shared/codecs.js'
import type { Checker } from '../schema/check.js'
import type { Making } from '../schema/random.js'
import { createSampler, type Sampler } from '../schema/readable.js'
import { refTo, type Schema } from '../schema/schema.js'

/**
 * Creates the calls that test old clients: every request shown in the document, one with only required values, and one with
 * all declared values. The result maps an operation's id to its calls.
 */
export const createCalls = (
  source: Api,
  checker: Checker,
): ((id: string) => readonly PlannedCall[]) => {
  const api = withBodies(source)
  const terms: Terms = {
    api,
    making: collectShown(api, checker),
    smallest: createSampler(api.schemas, 'request'),
    whole: createSampler(api.schemas, 'response'),
  }
  const operations = new Map(api.operations.map((one) => [one.id, one]))
  return (id) => {
    const operation = operations.get(id)
    if (operation === undefined) return []
    const calls =
      operation.kind === 'http' ? httpCalls(operation, terms) : rpcCalls(operation, terms)
    const known = new Set<string>()
    return calls.filter(({ values }) => {
      const key = JSON.stringify(values)
      return !known.has(key) && known.add(key)
    })
  }
}

/** One call of a client, with the values that its caller passes. */
export type PlannedCall = {
  /** The description of the request: `the example paid`, `a sample of all that is declared`. */
  readonly label: string
  readonly values: HttpCallValues | RpcValues
  /** The example in the document has an error as its outcome. */
  readonly isOfError?: true
}

export type HttpCallValues = {
  readonly kind: 'http'
  /** `path.id`, `query.limit` -> value. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: {
    readonly type: string
    readonly value: unknown
    readonly files: readonly string[]
  }
}

export type RpcValues = {
  readonly kind: 'rpc'
  /** A list, or an object if params are passed by name. */
  readonly params: readonly unknown[] | Readonly<Record<string, unknown>>
}

type Terms = {
  readonly api: Api
  readonly making: Making
  /** Generates values with required members only. */
  readonly smallest: Sampler
  /** Generates values that include optional members where possible. */
  readonly whole: Sampler
}

/** The maximum number of examples sent per operation. */
const MOST_EXAMPLES = 30

const httpCalls = (operation: HttpOperation, terms: Terms): readonly PlannedCall[] => {
  const { api, making } = terms
  const shown = shownRequests(operation)
    .slice(0, MOST_EXAMPLES)
    .map(({ names, body, parameters }): PlannedCall => {
      const media = operation.body?.content.find(({ type }) => type === body?.type)
      const isMultipart = media?.codec === 'multipart'
      const files = isMultipart ? filesIn(media.schema, api.schemas) : []
      return {
        label: labelOf(names),
        values: {
          kind: 'http',
          parameters: completed(parameters, operation, making),
          ...(body && { body: { ...body, files } }),
        },
      }
    })
  return [...shown, ...httpSamples(operation, terms)]
}

const labelOf = (names: readonly string[]): string => {
  const shown = new Set(names.filter((name) => name !== MADE_UP && name !== UNNAMED))
  if (shown.size > 0) return `the example ${[...shown].join(' with ')}`
  return names.includes(UNNAMED) ? 'the example' : 'the request'
}

/** The name of the single `example` of a parameter or media type. */
const UNNAMED = 'example'

const httpSamples = (operation: HttpOperation, terms: Terms): readonly PlannedCall[] => {
  const { api, smallest, whole } = terms
  const either: Sampler = (schema) => whole(schema) ?? smallest(schema)
  const least = {
    ...operation,
    parameters: operation.parameters.filter(({ required }) => required),
    body: operation.body?.required ? withoutExamples(operation.body) : undefined,
  }
  const most = {
    ...operation,
    parameters: operation.parameters.map((one) => ({ ...one, required: true })),
    body: operation.body && { ...withoutExamples(operation.body), required: true },
  }
  const all = bodiesOf(operation, terms, either)
  return [
    ...sampled(least, undefined, smallest, api, 'a sample of what is required'),
    ...(operation.body === undefined || all.length === 0
      ? sampled({ ...most, body: undefined }, undefined, either, api, WHOLE)
      : all.flatMap((body) => sampled(most, body, either, api, WHOLE))),
  ]
}

const WHOLE = 'a sample of all that is declared'

const withoutExamples = (body: NonNullable<HttpOperation['body']>) => ({
  ...body,
  content: body.content.map((media) => ({ ...media, examples: [] })),
})

/** A body of each media type and each variant, with all declared members. */
const bodiesOf = (
  { body, variants }: HttpOperation,
  { api }: Terms,
  sampler: Sampler,
): readonly Body[] =>
  (body?.content ?? []).flatMap((media) => {
    if (!hasJsonValue(media) && !holdsFields(media.codec)) return []
    const schemas: readonly Schema[] =
      variants.length > 0 && holdsValue(media.codec)
        ? variants.map(({ request }) => ({ $ref: refTo(request) }))
        : [holdsFields(media.codec) ? withoutBytes(media.schema, api.schemas) : media.schema]
    return schemas.flatMap((schema) => {
      const value = sampler(schema)
      const { source } = media
      return value === undefined
        ? []
        : [{ media, example: { name: '', summary: undefined, value, source } }]
    })
  })

type Body = NonNullable<ReturnType<typeof sampleRequest>['sent']>

const sampled = (
  operation: HttpOperation,
  source: Body | undefined,
  sampler: Sampler,
  { schemas }: Api,
  label: string,
): readonly PlannedCall[] => {
  const {
    operation: filled,
    sent,
    files,
    lacksBody,
  } = sampleRequest(operation, sampler, source, schemas)
  if (lacksBody) return []
  const parameters = filled.parameters.flatMap((one) => exampleOf(one, operation))
  const isMultipart = sent?.media.codec === 'multipart'
  const body = sent && {
    type: sent.media.type,
    value: sent.example.value,
    files: isMultipart ? files : [],
  }
  return [
    {
      label,
      values: { kind: 'http', parameters: Object.fromEntries(parameters), ...(body && { body }) },
    },
  ]
}

const exampleOf = (
  { in: place, name, examples, secret }: HttpParameter,
  { idempotencyKey }: HttpOperation,
) => {
  const [example] = examples
  const isOwn = secret === true || (place === 'header' && name === idempotencyKey)
  return example === undefined || isOwn ? [] : [[`${place}.${name}`, example.value] as const]
}

const rpcCalls = (operation: RpcOperation, { smallest, whole }: Terms): readonly PlannedCall[] => {
  const { paramStructure, params, examples } = operation
  const shown = examples.slice(0, MOST_EXAMPLES).flatMap((one): readonly PlannedCall[] => {
    const label = `the example ${one.name}`
    const isOfError = one.outcome.kind === 'error' ? { isOfError: true as const } : {}
    const listed = { kind: 'rpc', params: one.params.map(skipped) } as const
    const named = { kind: 'rpc', params: one.namedParams } as const
    if (paramStructure === 'by-name') return [{ label, values: named, ...isOfError }]
    const both = paramStructure === 'either' && one.params.length > 0
    return [
      { label, values: listed, ...isOfError },
      ...(both ? [{ label: `${label} by name`, values: named, ...isOfError }] : []),
    ]
  })
  const isNamed = paramStructure === 'by-name'
  const least = smallest(parametersSchema(operation))
  const each = params.map(({ name, schema }) => [name, whole(schema) ?? smallest(schema)] as const)
  const made = each.findIndex(([, value]) => value === undefined)
  const listed = each.slice(0, made === -1 ? each.length : made).map(([, value]) => value)
  const isEnough = listed.length > params.findLastIndex(({ required }) => required)
  const most = isNamed
    ? Object.fromEntries(each.filter(([, value]) => value !== undefined))
    : listed
  return [
    ...shown,
    ...(Array.isArray(least) || isObject(least)
      ? [{ label: 'a sample of what is required', values: { kind: 'rpc', params: least } as const }]
      : []),
    ...(isNamed || isEnough
      ? [{ label: WHOLE, values: { kind: 'rpc', params: most } as const }]
      : []),
  ]

  /** By position, `null` skips an optional param. */
  function skipped(value: unknown, at: number): unknown {
    const param = params[at]
    const isSkipped = value === null && param?.required === false && param.acceptsNull !== true
    return isSkipped ? undefined : value
  }
}

/** The member of a client that calls an operation, and its arguments. */
export const argumentsOf = (values: PlannedCall['values'], operation: Operation): ClientCall => {
  const { id } = operation
  if (values.kind === 'rpc') {
    const { params } = values
    if (Array.isArray(params)) return { member: id, args: params }
    // For a method with either `paramStructure`, the generated function takes params by position.
    const isNamed = operation.kind === 'rpc' && operation.paramStructure === 'by-name'
    return isNamed
      ? { member: id, args: [params] }
      : { member: 'request', args: [{ method: operation.method, params }] }
  }
  const input: Record<string, Record<string, unknown>> = {}
  for (const [place, value] of Object.entries(values.parameters)) {
    const [where = '', name = ''] = /^([^.]*)\.(.*)$/s.exec(place)?.slice(1) ?? []
    input[where] = { ...input[where], [name]: value }
  }
  const { body } = values
  const sent = body && { body: bodyOf(body), contentType: body.type }
  return { member: id, args: [{ ...input, ...sent }] }
}

type ClientCall = { readonly member: string; readonly args: readonly unknown[] }

/** A form body whose files are Blobs, as clients expect them. */
const bodyOf = ({ value, files }: NonNullable<HttpCallValues['body']>): unknown => {
  if (files.length === 0 || !isObject(value)) return value
  const fields = Object.entries(value).map(([name, one]) => [
    name,
    files.includes(name) || (files.includes('*') && one instanceof Uint8Array) ? fileOf(one) : one,
  ])
  return Object.fromEntries(fields)
}

const fileOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(fileOf)
  if (value instanceof Uint8Array) return new Blob([new Uint8Array(value)])
  return typeof value === 'string' ? new Blob([value]) : value
}
