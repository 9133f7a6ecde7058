import type { Api, HttpOperation, Operation, RpcOperation } from '../model/api.js'
import type { HttpParameter, HttpResponse } from '../model/http-content.js'
import { nameOf } from '../model/operation-name.js'
import { variantOfParams } from '../model/params.js'
import { matchById } from '../runtime/rpc/match.js'
import { cached } from '../runtime/shared/cached.js'
import { isImported, responseCodec, sentCodec, type ValueCodecs } from '../runtime/shared/codecs.js'
import { isObject } from '../runtime/validate/json-value.js'
import { declaredContent } from '../runtime/wire/content.js'
import { headerOf } from '../runtime/wire/headers.js'
import { readHeader } from '../runtime/wire/parameters.js'
import { decodeContent } from '../runtime/wire/read-body.js'
import type { RequestReading } from '../runtime/wire/read-request.js'
import { declaredResponse } from '../runtime/wire/status.js'
import type { UnreadReason } from '../runtime/wire/unread.js'
import { createChecker } from '../schema/check.js'
import { maybeOf, routeOfRecorded } from '../traffic/address.js'
import { recordedMessages } from '../traffic/event-messages.js'
import { contentTypeOf } from '../traffic/exchange.js'
import { createRequestReader } from '../traffic/read-request.js'
import type { Facts, Recording } from '../traffic/recording.js'
import type { PathTexts, Route } from '../traffic/route.js'
import { type ConsumerKind, createConsumers, secretId } from './consumers.js'
import { utcDay } from './days.js'
import {
  createOperationCounts,
  type OperationCounts,
  shapeOf,
  usageOf,
} from './operation-counts.js'
import {
  countIn,
  createPlaceCounter,
  createUsageTally,
  type PlaceCounts,
  type Texts,
} from './place-counts.js'
import { createPlans, type UsagePlan } from './plan.js'
import { ANY_METHOD, addUsages, serverName, someShapes, USAGE_SCHEMA, type Usage } from './usage.js'

/** Creates a counter for recorded requests, which are read by the documents of `api`. */
export const createUsageCounter = (api: Api, options: UsageCounterOptions): UsageCounter => {
  const { maxConsumers } = options
  const planOf = createPlans(api.schemas)
  const checker = createChecker(api.schemas)
  const read = createRequestReader(api.schemas, checker, options.codecs ?? {})
  const counter = createPlaceCounter()
  const methods = new Map(
    api.operations.flatMap((one) => (one.kind === 'rpc' ? [[one.method, one] as const] : [])),
  )
  // Copies, because a method that both sides send is counted for each.
  const served = new Map(api.serverMethods.map((one) => [one.method, { ...one }] as const))
  const ofServer = new Set<Operation>(served.values())
  const usedName = (operation: Operation): string =>
    ofServer.has(operation) ? serverName(operation) : nameOf(operation)
  let usedSecret: Uint8Array | undefined
  const consumerOf = createConsumers(api, options.by, () => {
    usedSecret ??= options.secret()
    return usedSecret
  })
  const totals = { requests: 0, undocumented: 0 }
  const unread = new Map<string, Map<UnreadReason, number>>()
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
    const day = time === undefined ? undefined : utcDay(time)
    const own = cached(consumers, consumer, () => new Map<Operation, OperationCounts>())
    const counts = cached(own, operation, createOperationCounts)
    countIn(counts.tally, day)
    counter.begin(day)
    counter.root(counts.request)
    counter.root(counts.response)
    countValues(counts, (what) => countIn(cached(counts.counts, what, createUsageTally), day))
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
    schema: UsagePlan,
    value: unknown,
    texts: Texts,
  ) => counter.visit(counter.member(parent, name, schema), value, texts)

  const countHttp =
    (operation: HttpOperation, facts: Facts, path: PathTexts) =>
    ({ request, response }: OperationCounts, note: (what: string) => void): void => {
      const { response: received } = facts
      const { parameters, undeclared, lacksHeaders, body } = read(operation, facts, path)
      // Each parameter location is counted in every request, so that missing parameters are counted.
      for (const place of new Set(operation.parameters.map((one) => one.in))) {
        const counts = counter.member(request, place)
        if (lacksHeaders && HEADERS.has(place)) counter.unread(counts, 'not-recorded')
      }
      for (const one of parameters) countParameter(one, request)
      if (undeclared.length > 0) note('query *')
      countBody(operation, body, request, note)
      if (!received) {
        note('response unknown')
        return
      }
      note(`status ${received.status}`)
      const declared = declaredResponse(operation.responses, received.status)
      const place = counter.member(response, `${received.status}`)
      const got = counter.member(place, 'header')
      if (received.lacksHeaders) counter.unread(got, 'not-recorded')
      for (const header of declared?.headers ?? []) {
        const text = headerOf(received.headers, header.name)
        if (text !== undefined) countHeader(header, text, got)
      }
      const type = contentTypeOf(received)
      // Headers that were not recorded may have named any type.
      const isKnown = type !== undefined || !received.lacksHeaders
      const media = isKnown ? declaredContent(declared?.content ?? [], type) : undefined
      const codec = media && sentCodec(media, type ?? '', responseCodec)
      const isDecoded = codec !== undefined && isImported(codec)
      const value = isDecoded
        ? decodeContent(received.content() ?? NO_BYTES, codec, options.codecs)?.value
        : codec === 'json'
          ? received.body()
          : undefined
      if (type !== undefined || value !== undefined) note(`received ${media?.type ?? '*'}`)
      if (value !== undefined && media) valueAt(place, 'body', planOf(media.schema), value, 'none')
      else if ((declared?.content.length ?? 0) > 0) {
        const reason = isDecoded ? 'codec' : 'media-type'
        counter.unknown(place, 'body', received.hasBody() ? reason : 'not-recorded')
      }
    }

  const countParameter = (
    reading: RequestReading<HttpParameter>['parameters'][number],
    request: PlaceCounts,
  ): void => {
    if (reading.kind === 'missing') return
    const { parameter } = reading
    const { name, schema, secret, codec } = parameter
    const place = counter.member(counter.member(request, parameter.in), name, planOf(schema))
    // For a secret, only its presence is counted.
    if (secret === true) return
    if (reading.kind === 'unread') counter.unread(place, reading.reason)
    else counter.visit(place, reading.written, codec === 'json' ? 'none' : 'all')
  }

  const countHeader = (
    header: HttpResponse['headers'][number],
    text: string,
    headers: PlaceCounts,
  ): void => {
    const { name, schema, codec } = header
    const reading = readHeader(header, text, checker.schema(schema))
    if (reading && 'written' in reading)
      valueAt(
        headers,
        name.toLowerCase(),
        planOf(schema),
        reading.written,
        codec === 'json' ? 'none' : 'all',
      )
  }

  const countBody = (
    operation: HttpOperation,
    body: RequestReading['body'],
    request: PlaceCounts,
    note: (what: string) => void,
  ): void => {
    if (body.kind === 'none') return
    if (body.kind === 'unknown') {
      note('body unknown')
      counter.unknown(request, 'body', 'not-recorded')
      return
    }
    note(`sent ${body.content ?? '*'}`)
    const place = counter.member(request, 'body')
    const media = operation.body?.content.find(({ type }) => type === body.content)
    const own = media && counter.member(place, media.type, planOf(media.schema))
    if (body.kind === 'unread') {
      // A variant cannot be recognized by a part of the value.
      if (own && body.written !== undefined && operation.variants.length === 0)
        counter.visit(own, body.written, 'none')
      else counter.unread(own ?? place, body.reason)
      return
    }
    if (own) counter.visit(own, body.written, body.texts)
    for (const { name, request: schema } of operation.variants) {
      if (checker.named(schema).check(body.written)) note(`variant ${name}`)
    }
  }

  const countCall =
    (operation: RpcOperation, call: Call) =>
    ({ request, response }: OperationCounts, note: (what: string) => void): void => {
      const { params, result, code, isUnknown } = call
      // A span has neither params nor a result.
      if (isUnknown === true) counter.unknown(request, 'params', 'not-recorded')
      if (isUnknown === true || call.lacksResponse === true)
        counter.unknown(response, 'result', 'not-recorded')
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
          valueAt(place, param.name, planOf(param.schema), value, 'none')
        }
        const isMore = isNamed
          ? Object.keys(params).some((name) => !operation.params.some((one) => one.name === name))
          : count > operation.params.length
        if (isMore) note('params *')
      }
      if (isUnknown !== true) {
        const variant = variantOfParams(operation, params, checker)
        if (variant) note(`variant ${variant.name}`)
      }
      if (code !== undefined) note(`error ${isDeclaredCode(operation, code) ? code : '*'}`)
      if (result === undefined) return
      note('result')
      valueAt(response, 'result', planOf(operation.result.schema), result.value, 'none')
    }

  const addCalls = (recording: Recording, consumer: string): void => {
    const { facts, time, sender } = recording
    const known = sender === 'server' ? served : methods
    const calls = facts.call
      ? [{ ...facts.call, id: undefined, isUnknown: true }]
      : callsIn(facts.body())
    // A body that has no call is still a request.
    if (calls.length === 0) {
      totals.requests += 1
      totals.undocumented += 1
      const isLeftOut = facts.content() === undefined
      // A server that could not parse the request either has called no method.
      const isNoCall = !isLeftOut && listOf(facts.response?.body()).some(isParseError)
      if (facts.hasBody !== false && facts.body() === undefined && !isNoCall)
        countUnread(ANY_METHOD, isLeftOut ? 'not-recorded' : 'json')
    }
    const packaging = Array.isArray(facts.body()) ? 'batch' : 'single'
    const ids = calls.map(({ id }) => id)
    const matchOf = matchById(ids, facts.response?.body(), packaging)
    for (const { method, id, ...call } of calls) {
      totals.requests += 1
      const operation = known.get(method)
      if (!operation) {
        totals.undocumented += 1
        continue
      }
      const match = matchOf(id)
      const read = {
        ...call,
        ...(match.kind === 'rejected' && { code: match.error.code }),
        ...(match.kind === 'result' && { result: { value: match.value } }),
        ...(id !== undefined && match.kind === 'unusable' && { lacksResponse: true }),
      }
      count(operation, consumer, time, countCall(operation, read))
    }
  }

  const countUnread = (name: string, reason: UnreadReason): void => {
    const reasons = cached(unread, name, () => new Map<UnreadReason, number>())
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }

  const usage = (): Usage => {
    const own: Usage = {
      $schema: USAGE_SCHEMA,
      version: 2,
      documents: documentsOf(api),
      secrets: usedSecret ? [secretId(usedSecret)] : [],
      maxConsumers,
      ...{ ...totals, faulty: 0 },
      unread: Object.fromEntries(
        [...unread].map(([name, reasons]) => [name, Object.fromEntries(reasons)]),
      ),
      consumers: Object.fromEntries(
        [...consumers].map(([consumer, operations]) => [consumer, usageOf(operations, usedName)]),
      ),
      shapes: Object.fromEntries(
        [...shapes].map(([operation, counts]) => [
          usedName(operation),
          someShapes(Object.fromEntries(counts)),
        ]),
      ),
    }
    if (!finished) return addUsages([own])
    // Totals and shapes are cumulative, so only the last part has them.
    return addUsages([{ ...finished, requests: 0, undocumented: 0, unread: {}, shapes: {} }, own])
  }

  const addOne = (recording: Recording): void => {
    const { facts, time } = recording
    const { url } = facts
    const found = url === undefined ? undefined : routeOfRecorded(api, facts.method, url)
    const isRpc = facts.call !== undefined || (url === undefined && api.rpc !== undefined)
    const route: Route | undefined = isRpc ? { operation: 'rpc', path: {} } : found
    if (recording.unread) {
      // It may be of any method, or the response of one.
      if (route) countUnread(ANY_METHOD, recording.unread.reason)
      return
    }
    if (route === undefined) {
      totals.requests += 1
      totals.undocumented += 1
      for (const one of url === undefined ? [] : maybeOf(api, facts.method, url))
        countUnread(nameOf(one), 'address')
      return
    }
    const { operation, path } = route
    const consumer = consumerOf(facts, route)
    if (operation === 'rpc') {
      addCalls(recording, consumer)
      return
    }
    totals.requests += 1
    count(operation, consumer, time, countHttp(operation, facts, path))
  }

  return {
    add: (recording) => {
      for (const one of recordedMessages(api, recording)) addOne(one)
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
  /** The codecs of bodies that are not built in; without its codec, a body is counted as not read. */
  readonly codecs?: ValueCodecs
  /** The secret for the ids of keys; called once, at the first key. */
  readonly secret: () => Uint8Array
}

const NO_BYTES = { raw: '' } as const

/** The places of parameters that a recording without headers does not have. */
const HEADERS: ReadonlySet<string> = new Set(['header', 'cookie'])

/** The number of different shapes after which they are reduced to a sample. */
const MOST_KEPT = 200

const documentsOf = ({ http, rpc }: Api): Usage['documents'] =>
  [http, rpc].flatMap((one) => (one ? [{ title: one.title, version: one.version }] : []))

/** The recorded parts of one JSON-RPC call and its response. */
type Call = {
  readonly params?: readonly unknown[] | Readonly<Record<string, unknown>> | undefined
  readonly result?: { readonly value: unknown }
  readonly code?: number | undefined
  /** Only the method and the code were recorded. */
  readonly isUnknown?: boolean
  /** A call with an id whose response was not recorded, or has nothing that a client can use. */
  readonly lacksResponse?: boolean
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

/** JSON-RPC 2.0, 5.1: -32700 is the code of a request that is not JSON. */
const isParseError = ({ error }: Readonly<Record<string, unknown>>): boolean =>
  isObject(error) && error.code === -32_700

/** JSON-RPC 2.0, 5.1: the codes from -32768 to -32000 are reserved, and reveal nothing about a caller. */
const isDeclaredCode = ({ errors }: RpcOperation, code: number): boolean =>
  (code >= -32768 && code <= -32000) || errors.some((one) => one.code === code)
