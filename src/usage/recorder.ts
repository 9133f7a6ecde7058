import { mediaTypeOf } from '../conform/responses/http.js'
import { routeOfRecorded } from '../conform/traffic/address.js'
import type { Facts, Recording } from '../conform/traffic/recording.js'
import type {
  Api,
  HttpOperation,
  HttpParameter,
  MediaType,
  Operation,
  RpcOperation,
} from '../model/api.js'
import { nameOf } from '../model/names.js'
import { isForm, isJson } from '../runtime/shared/media-type.js'
import { isObject } from '../runtime/validate/json-value.js'
import { createChecker } from '../schema/check.js'
import { type ConsumerKind, createConsumers, secretId } from './consumers.js'
import { dayOf } from './days.js'
import { headerIn, sentParameters } from './parameters.js'
import { createPlans, type Plan } from './plan.js'
import { createRecorded, type Recorded, usageOf } from './recorded.js'
import { type Call, callsIn, isDeclaredCode, listOf } from './rpc-messages.js'
import { shapeOf } from './shape.js'
import { countIn, createCounter, createTally, type Spot } from './spots.js'
import { addUsages, someShapes, USAGE_SCHEMA, type Usage } from './usage.js'

/** Counts recorded requests by the documents of `api`, one after the other. */
export const createUsageRecorder = (api: Api, options: RecorderOptions): UsageRecorder => {
  const { maxConsumers } = options
  const planOf = createPlans(api.schemas)
  const checker = createChecker(api.schemas)
  const counter = createCounter()
  const methods = new Map(
    api.operations.flatMap((one) => (one.kind === 'rpc' ? [[one.method, one] as const] : [])),
  )
  let usedSecret: Uint8Array | undefined
  const consumerOf = createConsumers(api, options.by, () => {
    usedSecret ??= options.secret()
    return usedSecret
  })
  const totals = { requests: 0, undocumented: 0 }
  let consumers = new Map<string, Map<Operation, Recorded>>()
  const shapes = new Map<Operation, Map<string, number>>()
  /** What was counted of consumers beyond the maximum. */
  let finished: Usage | undefined

  const recordedOf = (consumer: string, operation: Operation): Recorded => {
    const known = consumers.get(consumer) ?? new Map<Operation, Recorded>()
    consumers.set(consumer, known)
    const recorded = known.get(operation) ?? createRecorded()
    known.set(operation, recorded)
    return recorded
  }

  const count = (
    operation: Operation,
    consumer: string,
    time: number | undefined,
    record: (recorded: Recorded, note: (what: string) => void) => void,
  ): void => {
    const day = time === undefined ? undefined : dayOf(time)
    const recorded = recordedOf(consumer, operation)
    countIn(recorded.tally, day)
    counter.begin(day)
    counter.root(recorded.request)
    counter.root(recorded.response)
    record(recorded, (what) => {
      const tally = recorded.counts.get(what) ?? createTally()
      recorded.counts.set(what, tally)
      countIn(tally, day)
    })
    counter.end()
    const shape = shapeOf(recorded.request)
    if (shape !== undefined) {
      const own = shapes.get(operation) ?? new Map<string, number>()
      own.set(shape, (own.get(shape) ?? 0) + 1)
      const kept =
        own.size > MOST_KEPT ? new Map(Object.entries(someShapes(Object.fromEntries(own)))) : own
      shapes.set(operation, kept)
    }
    // Adding up costs time, so it waits until there are many more than may stay.
    if (consumers.size > maxConsumers * 2 + 100) {
      finished = usage()
      consumers = new Map()
    }
  }

  const valueAt = (
    parent: Spot,
    name: string,
    schema: Plan | undefined,
    value: unknown,
    isText: boolean,
  ) =>
    counter.visit(
      counter.member(parent, name, () => schema),
      value,
      isText,
    )

  const recordHttp =
    (operation: HttpOperation, facts: Facts, path: readonly string[]) =>
    (recorded: Recorded, note: (what: string) => void): void => {
      const { request, response } = recorded
      const { headers, response: received } = facts
      const plan = ({ schema }: HttpParameter) => planOf(schema)
      const wire = { url: facts.url ?? '', path, headers }
      const { sent, hasUndeclared } = sentParameters(operation, wire, plan)
      // Each place of parameters is there in every request, so that what it lacks is counted.
      const places = new Map<string, Spot>()
      for (const { in: place } of operation.parameters) {
        if (!places.has(place))
          places.set(
            place,
            counter.member(request, place, () => undefined),
          )
      }
      for (const { parameter, value } of sent) {
        const place = places.get(parameter.in)
        if (!place) continue
        // Of a secret nothing is counted but that it was sent.
        if (parameter.secret) counter.member(place, parameter.name, () => undefined)
        else
          valueAt(place, parameter.name, plan(parameter), value, parameter.mediaType === undefined)
      }
      if (hasUndeclared) note('query *')
      recordBody(operation, facts, request, note)
      if (!received) return
      note(`status ${received.status}`)
      const declared = declaredFor(operation, received.status)
      const place = counter.member(response, `${received.status}`, () => undefined)
      const got = counter.member(place, 'header', () => undefined)
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

  const recordBody = (
    operation: HttpOperation,
    facts: Facts,
    request: Spot,
    note: (what: string) => void,
  ): void => {
    const type = headerIn(facts.headers, 'content-type')
    if (facts.hasBody === undefined) {
      note('body unknown')
      return
    }
    if (!facts.hasBody) return
    const content = operation.body?.content ?? []
    const media = type === undefined ? onlyOf(content) : mediaTypeOf(content, type)
    note(`sent ${media?.type ?? '*'}`)
    const spot = counter.member(request, 'body', () => media && planOf(media.schema))
    if (!media || isForm(media.type)) return
    const body = facts.body()
    if (body === undefined) return
    counter.visit(spot, body, false)
    for (const { name, request: schema } of operation.variants) {
      if (checker.named(schema).check(body)) note(`variant ${name}`)
    }
  }

  const recordCall =
    (operation: RpcOperation, call: Call) =>
    ({ request, response }: Recorded, note: (what: string) => void): void => {
      const { params, result, code } = call
      if (params !== undefined) {
        const isNamed = isObject(params)
        const isEmpty = isNamed ? Object.keys(params).length === 0 : params.length === 0
        if (!isEmpty) note(isNamed ? 'params by name' : 'params by position')
        const place = counter.member(request, 'params', () => undefined)
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
    const answers = listOf(facts.response?.body())
    for (const { method, id, ...call } of calls) {
      totals.requests += 1
      const operation = methods.get(method)
      if (!operation) {
        totals.undocumented += 1
        continue
      }
      const answer =
        calls.length === 1 ? answers[0] : answers.find((one) => one.id === id && id !== undefined)
      const error = isObject(answer?.error) ? answer.error.code : undefined
      const read = {
        ...call,
        ...(typeof error === 'number' && { code: error }),
        ...(answer && 'result' in answer && { result: { value: answer.result } }),
      }
      count(operation, consumer, time, recordCall(operation, read))
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
    // The totals and the shapes go on, and are in the last part alone.
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
      count(operation, consumer, time, recordHttp(operation, facts, found?.path ?? []))
    },
    usage: (faulty) => ({ ...usage(), faulty }),
  }
}

export type UsageRecorder = {
  readonly add: (recording: Recording) => void
  /** What was counted, with the number of lines that could not be read. */
  readonly usage: (faulty: number) => Usage
}

export type RecorderOptions = {
  readonly by: ConsumerKind
  readonly maxConsumers: number
  /** The secret of the ids of keys; called once, when the first key comes. */
  readonly secret: () => Uint8Array
}

/** Different shapes that are kept until some are chosen. */
const MOST_KEPT = 200

/** OpenAPI 3.1, Responses Object: a status, else its range, else the default. */
const declaredFor = ({ responses }: HttpOperation, status: number) =>
  [`${status}`, `${Math.trunc(status / 100)}XX`, 'default']
    .map((one) => responses.find((response) => response.status.toUpperCase() === one.toUpperCase()))
    .find((one) => one !== undefined)

const onlyOf = (content: readonly MediaType[]): MediaType | undefined =>
  content.length === 1 ? content[0] : undefined

const documentsOf = ({ http, rpc }: Api): Usage['documents'] =>
  [http, rpc].flatMap((one) => (one ? [{ title: one.title, version: one.version }] : []))
