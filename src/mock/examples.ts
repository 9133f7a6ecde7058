import {
  createAnswerSampler,
  documentedHttp,
  documentedRpc,
  headersOf,
  written,
} from '../emit/documented.js'
import { sampleError } from '../emit/error-samples.js'
import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import type { HttpResponse, MediaType } from '../model/http-content.js'
import { nameOf } from '../model/operation-name.js'
import {
  type Documented,
  type DocumentedAnswer,
  type DocumentedHttp,
  type DocumentedRpc,
  ordinaryKeys,
} from '../runtime/examples/documented.js'
import type { ResponseSamples } from '../runtime/examples/policy.js'
import type { Service } from '../runtime/server.js'
import { holdsValue, isBinaryType } from '../runtime/shared/codecs.js'
import { pointerStep } from '../runtime/shared/pointer.js'
import { byAccept } from '../runtime/wire/content.js'
import { errorBody } from '../runtime/wire/error-body.js'
import type { Checker } from '../schema/check.js'
import type { Sampler } from '../schema/readable.js'
import {
  dereference,
  isNever,
  referredName,
  type Schema,
  type SchemaObject,
  type Schemas,
} from '../schema/schema.js'
import type { NotMocked } from './service.js'
import { createPushedItems } from './subscription-items.js'

/**
 * Collects the examples that fit their schemas, and creates samples, for the mock server. `runtime/examples/http.ts` and `rpc.ts`
 * choose among them for a request.
 */
export const createExamples = (
  api: Api,
  service: Service,
  checker: Checker,
  pushInterval = 1_000,
): Examples => {
  const areRight = wrongExamples(api).length === 0
  const fits = (schema: Schema, value: unknown): boolean =>
    areRight || checker.schema(schema).check(value)
  const sampler = createAnswerSampler(api)
  const { items, notMocked: withoutItems } = createPushedItems(
    ...([api, sampler, checker, pushInterval] as const),
  )
  const samples = { ...createSamples(api, sampler, checker), items }
  const documented: Record<string, DocumentedHttp | DocumentedRpc> = {}
  const notMocked: NotMocked[] = [...withoutItems]
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
        message: `${nameOf(operation)} has no example that matches its schema, and no value can be generated from the schema: ${why(operation)}; correct the schema, or add an example`,
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
    const shown = documentedHttp(operation, { api, sampler, fits })
    if (shown) documented[operation.id] = shown
    const fitting = shown?.answers ?? []
    const keys = ordinaryKeys(record)
    return (
      keys.length === 0 ||
      fitting.some(({ status }) => keys.includes(status)) ||
      record.responses.some(
        ({ status, content }) =>
          keys.includes(status) &&
          (content.length === 0 || samples.response(operation.id, status) !== undefined),
      )
    )
  }

  function setRpc(operation: RpcOperation): boolean {
    const shown = documentedRpc(operation, { api, fits })
    if (shown) documented[operation.id] = shown
    const hasResult = shown?.pairings.some((one) => 'result' in one)
    return hasResult || samples.result(operation.id) !== undefined
  }
}

export type Examples = {
  readonly documented: Documented
  readonly samples: ResponseSamples
  /** Operations that have neither an example nor a sample. */
  readonly notMocked: readonly NotMocked[]
}

type OperationRecord = NonNullable<Service['http']>['operations'][string]

/** The examples that break their schema or fit several branches of a `oneOf`. */
export const wrongExamples = ({ findings }: Api): readonly Finding[] =>
  findings.filter(({ rule }) => rule === 'example-invalid' || rule === 'example-fits-two-branches')

const createSamples = (api: Api, sampler: Sampler, checker: Checker): ResponseSamples => {
  const operations = new Map(api.operations.map((one) => [one.id, one]))
  const known = new Map<string, DocumentedAnswer | undefined>()
  const tools = { schemas: api.schemas, checker, sampler }
  return {
    response: (id, key, { accept, ...facts } = {}) => {
      const operation = operations.get(id)
      const response =
        operation?.kind === 'http' && operation.responses.find(({ status }) => status === key)
      if (!response) return undefined
      const media = mediaFor(response, accept)
      const place = `${id} ${key} ${media?.type}`
      if (media && !known.has(place)) {
        const { status } = response
        const made: Sampler = (schema) =>
          (/^[45]/.test(status) && holdsValue(media.codec)
            ? sampleError({ status, type: media.type }, schema, tools)
            : undefined) ?? sampler(schema)
        known.set(place, sampleOf(response, media, made, api.schemas))
      }
      const answer = known.get(place)
      if (!answer || !media || !holdsValue(media.codec) || (facts.status ?? 0) < 400) return answer
      return {
        ...answer,
        value: errorBody(answer.value, facts, checker.schema(media.schema).check),
      }
    },
    result: (id, variantName) => {
      const operation = operations.get(id)
      if (operation?.kind !== 'rpc') return undefined
      const variant = operation.variants?.find(({ name }) => name === variantName)
      const schema = variant?.result ?? operation.result.schema
      // The result of a method without a declared result is null, as on a generated server.
      const result = schema === true ? null : sampler(schema)
      return result === undefined ? undefined : { result }
    },
  }
}

/** The media type that `Accept` prefers; JSON among equals. */
const mediaFor = ({ content }: HttpResponse, accept: string | undefined): MediaType | undefined => {
  const compare = byAccept(accept)
  return content.toSorted(
    (a, b) => compare(a.type, b.type) || Number(b.codec === 'json') - Number(a.codec === 'json'),
  )[0]
}

/** Whether a string represents bytes: text of another media type, such as a chess game, is plain text. */
const isBinary = ({ type, schema }: MediaType, schemas: Api['schemas']): boolean => {
  const { type: valueType, format } = Object(dereference(schema, schemas)) as SchemaObject
  return valueType !== 'string' || format === 'binary' || isBinaryType(type)
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
  // Any non-empty bytes will do.
  const other = media.codec === 'text' ? 'text' : new TextEncoder().encode('bytes')
  const isBytes = typeof made === 'string' && media.codec !== 'text' && isBinary(media, schemas)
  const value = holdsValue(media.codec) ? made : isBytes ? other : (made ?? other)
  if (value === undefined) return undefined
  const writtenAs = (body: unknown) => written({ status, name: 'sample', value: body }, media)
  // A ZIP file of an object is bytes.
  const answer = writtenAs(value) ?? (media.codec === 'text' ? undefined : writtenAs(other))
  return answer && { ...answer, headers: headersOf(response, sampler) }
}

/** The reason why `sampler` finds no value of a schema, with the place in the value: `/items/0/name accepts no value`. */
const whyNoValue = (schema: Schema, sampler: Sampler, schemas: Schemas): string => {
  const has = (one: Schema): boolean => sampler(one) !== undefined
  const reason = (one: Schema, pointer: string, above: readonly string[]): string => {
    const name = referredName(one)
    const place = pointer === '' ? 'the schema' : pointer
    if (name !== undefined && above.includes(name)) return `${place} contains itself endlessly`
    const real = dereference(one, schemas)
    const within = name === undefined ? above : [...above, name]
    if (typeof real === 'boolean' || isNever(real)) return `${place} accepts no value`
    const member = (real.required ?? []).find((key) => !has(real.properties?.[key] ?? true))
    if (member !== undefined)
      return reason(real.properties?.[member] ?? true, pointer + pointerStep(member), within)
    const part = real.allOf?.find((each) => !has(each))
    if (part !== undefined) return reason(part, pointer, within)
    if (typeof real.items === 'object' && (real.minItems ?? 0) > 0 && !has(real.items))
      return reason(real.items, `${pointer}/0`, within)
    const branches = real.oneOf ?? real.anyOf ?? []
    if (real.oneOf && branches.filter(has).length > 1)
      return `each value that was tried for ${place} matches several branches of its oneOf, or none`
    const [first] = branches
    if (first !== undefined && !branches.some(has)) return reason(first, pointer, within)
    if (real.pattern !== undefined)
      return `no string was found for ${place} that matches ${real.pattern}`
    return `no value was found for ${place}`
  }
  return reason(schema, '', [])
}
