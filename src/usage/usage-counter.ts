import { mediaTypeOf } from '../conform/responses/http.js'
import { routeOfRecorded } from '../conform/traffic/address.js'
import type { Facts, Recording } from '../conform/traffic/recording.js'
import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import type { HttpParameter } from '../model/http-content.js'
import { nameOf } from '../model/names.js'
import { cached } from '../runtime/shared/cached.js'
import { isForm, isJson } from '../runtime/shared/media-type.js'
import { isObject } from '../runtime/validate/json-value.js'
import { createChecker } from '../schema/check.js'
import { type ConsumerKind, createConsumers, secretId } from './consumers.js'
import { dayOf } from './days.js'
import {
  createOperationCounts,
  type OperationCounts,
  shapeOf,
  usageOf,
} from './operation-counts.js'
import { headerIn, sentParameters } from './parameters.js'
import { countIn, createPlaceCounter, createTally, type PlaceCounts } from './place-counts.js'
import { createPlans, type Plan } from './plan.js'
import { addUsages, someShapes, USAGE_SCHEMA, type Usage } from './usage.js'

/** Creates a counter for recorded requests, which are read by the documents of `api`. */
export const createUsageCounter = (api: Api, options: UsageCounterOptions): UsageCounter => {
  const { maxConsumers } = options
  const planOf = createPlans(api.schemas)
  const checker = createChecker(api.schemas)
  const counter = createPlaceCounter()
  const methods = new Map(
    api.operations.flatMap((one) => (one.kind === 'rpc' ? [[one.method, one] as const] : [])),
  )
  let usedSecret: Uint8Array | undefined
  const consumerOf = createConsumers(api, options.by, () => {
    usedSecret ??= options.secret()
    return usedSecret
  })
  const totals = { requests: 0, undocumented: 0 }
  let consumers = new Map<string, Map<Operation, OperationCounts>>()
  const shapes = new Map<Operation, Map<string, number>>()
  /** The usage that was counted before the last reset of `consumers`. */
  let finished: Usage | undefined

  const count = (
    operation: Operation,
    consumer: string,
    time: number | undefined,
    countValues: (counts: OperationCounts, note: (what: string) => void) => void,
  ): void => {
    const day = time === undefined ? undefined : dayOf(time)
    const own = cached(consumers, consumer, () => new Map<Operation, OperationCounts>())
    const counts = cached(own, operation, createOperationCounts)
    countIn(counts.tally, day)
    counter.begin(day)
    counter.root(counts.request)
    counter.root(counts.response)
    countValues(counts, (what) => countIn(cached(counts.counts, what, createTally), day))
    counter.end()
    const shape = shapeOf(counts.request)
    if (shape !== undefined) {
      const known = cached(shapes, operation, () => new Map<string, number>())
      known.set(shape, (known.get(shape) ?? 0) + 1)
      if (known.size > MOST_KEPT)
        shapes.set(operation, new Map(Object.entries(someShapes(Object.fromEntries(known)))))
    }
    // Adding up takes time, so it waits until far more consumers are counted than are kept.
    if (consumers.size > maxConsumers * 2 + 100) {
      finished = usage()
      consumers = new Map()
    }
  }

  const valueAt = (
    parent: PlaceCounts,
    name: string,
    schema: Plan,
    value: unknown,
    isText: boolean,
  ) => counter.visit(counter.member(parent, name, schema), value, isText)

  const countHttp =
    (operation: HttpOperation, facts: Facts, path: readonly string[]) =>
    ({ request, response }: OperationCounts, note: (what: string) => void): void => {
      const { headers, response: received } = facts
      const plan = ({ schema }: HttpParameter) => planOf(schema)
      const wire = { url: facts.url ?? '', path, headers }
      const { sent, hasUndeclared } = sentParameters(operation, wire, plan)
      // Each parameter location is counted in every request, so that missing parameters are counted.
      for (const { in: place } of operation.parameters) counter.member(request, place)
      for (const { parameter, value } of sent) {
        const place = counter.member(request, parameter.in)
        // For a secret, only its presence is counted.
        if (parameter.secret) counter.member(place, parameter.name)
        else
          valueAt(place, parameter.name, plan(parameter), value, parameter.mediaType === undefined)
      }
      if (hasUndeclared) note('query *')
      countBody(operation, facts, request, note)
      if (!received) return
      note(`status ${received.status}`)
      const declared = declaredFor(operation, received.status)
      const place = counter.member(response, `${received.status}`)
      const got = counter.member(place, 'header')
      for (const { name, schema } of declared?.headers ?? []) {
        const value = headerIn(received.headers, name)
        if (value !== undefined) valueAt(got, name.toLowerCase(), planOf(schema), value, true)
      }
      const type = headerIn(received.headers, 'content-type')
      const media = type === undefined ? undefined : mediaTypeOf(declared?.content ?? [], type)
      if (type !== undefined) note(`received ${media?.type ?? '*'}`)
      const body = media && !media.stream && isJson(type ?? '') ? received.body() : undefined
      if (body !== undefined && media) valueAt(place, 'body', planOf(media.schema), body, false)
    }

  const countBody = (
    operation: HttpOperation,
    facts: Facts,
    request: PlaceCounts,
    note: (what: string) => void,
  ): void => {
    const type = headerIn(facts.headers, 'content-type')
    if (facts.hasBody === undefined) {
      note('body unknown')
      return
    }
    if (!facts.hasBody) return
    const content = operation.body?.content ?? []
    const only = content.length === 1 ? content[0] : undefined
    const media = type === undefined ? only : mediaTypeOf(content, type)
    note(`sent ${media?.type ?? '*'}`)
    const place = counter.member(request, 'body', media && planOf(media.schema))
    if (!media || isForm(media.type)) return
    const body = facts.body()
    if (body === undefined) return
    counter.visit(place, body, false)
    for (const { name, request: schema } of operation.variants) {
      if (checker.named(schema).check(body)) note(`variant ${name}`)
    }
  }

  const countCall =
    (operation: RpcOperation, call: Call) =>
    ({ request, response }: OperationCounts, note: (what: string) => void): void => {
      const { params, result, code } = call
      if (params !== undefined) {
        const isNamed = isObject(params)
        const isEmpty = isNamed ? Object.keys(params).length === 0 : params.length === 0
        if (!isEmpty) note(isNamed ? 'params by name' : 'params by position')
        const place = counter.member(request, 'params')
        const count = isNamed ? 0 : params.length
        for (const [index, param] of operation.params.entries()) {
          const isThere = isNamed ? Object.hasOwn(params, param.name) : index < count
          if (!isThere) continue
          const value = isNamed ? params[param.name] : params[index]
          valueAt(place, param.name, planOf(param.schema), value, false)
        }
        const isMore = isNamed
          ? Object.keys(params).some((name) => !operation.params.some((one) => one.name === name))
          : count > operation.params.length
        if (isMore) note('params *')
      }
      if (code !== undefined) note(`error ${isDeclaredCode(operation, code) ? code : '*'}`)
      if (result === undefined) return
      note('result')
      valueAt(response, 'result', planOf(operation.result.schema), result.value, false)
    }

  const addCalls = (recording: Recording, consumer: string): void => {
    const { facts, time } = recording
    const calls = facts.call ? [{ ...facts.call, id: undefined }] : callsIn(facts.body())
    // A body that was left out of the recording, or has no call, is still a request.
    if (calls.length === 0) {
      totals.requests += 1
      totals.undocumented += 1
    }
    const answers = listOf(facts.response?.body())
    const byId = new Map(answers.map((one) => [one.id, one]))
    for (const { method, id, ...call } of calls) {
      totals.requests += 1
      const operation = methods.get(method)
      if (!operation) {
        totals.undocumented += 1
        continue
      }
      const own = id === undefined ? undefined : byId.get(id)
      const answer = calls.length === 1 ? answers[0] : own
      const error = isObject(answer?.error) ? answer.error.code : undefined
      const read = {
        ...call,
        ...(typeof error === 'number' && { code: error }),
        ...(answer && 'result' in answer && { result: { value: answer.result } }),
      }
      count(operation, consumer, time, countCall(operation, read))
    }
  }

  const usage = (): Usage => {
    const own: Usage = {
      $schema: USAGE_SCHEMA,
      version: 1,
      documents: documentsOf(api),
      secrets: usedSecret ? [secretId(usedSecret)] : [],
      maxConsumers,
      ...{ ...totals, faulty: 0 },
      consumers: Object.fromEntries(
        [...consumers].map(([consumer, operations]) => [consumer, usageOf(operations)]),
      ),
      shapes: Object.fromEntries(
        [...shapes].map(([operation, counts]) => [
          nameOf(operation),
          someShapes(Object.fromEntries(counts)),
        ]),
      ),
    }
    if (!finished) return addUsages([own])
    // Totals and shapes are cumulative, so only the last part has them.
    return addUsages([{ ...finished, requests: 0, undocumented: 0, shapes: {} }, own])
  }

  return {
    add: (recording) => {
      const { facts, time } = recording
      const { url } = facts
      const found = url === undefined ? undefined : routeOfRecorded(api, facts.method, url)
      const operation = facts.call || (url === undefined && api.rpc) ? 'rpc' : found?.operation
      if (operation === undefined) {
        totals.requests += 1
        totals.undocumented += 1
        return
      }
      const consumer = consumerOf(facts, { operation, path: found?.path ?? [] })
      if (operation === 'rpc') {
        addCalls(recording, consumer)
        return
      }
      totals.requests += 1
      count(operation, consumer, time, countHttp(operation, facts, found?.path ?? []))
    },
    usage: (faulty) => ({ ...usage(), faulty }),
  }
}

export type UsageCounter = {
  readonly add: (recording: Recording) => void
  /** The counted usage, with the number of lines that could not be read. */
  readonly usage: (faulty: number) => Usage
}

export type UsageCounterOptions = {
  readonly by: ConsumerKind
  readonly maxConsumers: number
  /** The secret for the ids of keys; called once, at the first key. */
  readonly secret: () => Uint8Array
}

/** The number of different shapes after which they are reduced to a sample. */
const MOST_KEPT = 200

/** OpenAPI 3.1, Responses Object: the response for a status, else for its range, else the default. */
const declaredFor = ({ responses }: HttpOperation, status: number) =>
  [`${status}`, `${Math.trunc(status / 100)}XX`, 'default']
    .map((one) => responses.find((response) => response.status.toUpperCase() === one.toUpperCase()))
    .find((one) => one !== undefined)

const documentsOf = ({ http, rpc }: Api): Usage['documents'] =>
  [http, rpc].flatMap((one) => (one ? [{ title: one.title, version: one.version }] : []))

/** The recorded parts of one JSON-RPC call and its response. */
type Call = {
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined
  readonly result?: { readonly value: unknown }
  readonly code?: number | undefined
}

const callsIn = (
  body: unknown,
): readonly (Call & { readonly method: string; readonly id: unknown })[] =>
  listOf(body).flatMap(({ method, id, params }) => {
    if (typeof method !== 'string') return [{ method: '', id }]
    const isList = Array.isArray(params)
    return [{ method, id, params: isList || isObject(params) ? params : [] }]
  })

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  (Array.isArray(value) ? value : [value]).filter(isObject)

/** JSON-RPC 2.0, 5.1: the codes from -32768 to -32000 are reserved, and reveal nothing about a caller. */
const isDeclaredCode = ({ errors }: RpcOperation, code: number): boolean =>
  (code >= -32768 && code <= -32000) || errors.some((one) => one.code === code)
