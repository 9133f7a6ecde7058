import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation } from '../../model/api.js'
import { hasJsonValue, type MediaType } from '../../model/http-content.js'
import { own } from '../../runtime/checks.js'
import { essence } from '../../runtime/shared/media-type.js'
import { isObject } from '../../runtime/validate/json-value.js'
import { headerOf } from '../../runtime/wire/headers.js'
import { withoutQuery } from '../../runtime/wire/routes.js'
import { isMarkedOnPath } from '../../schema/places.js'
import { type Making, samplesOf } from '../../schema/random.js'
import { referredName, type Schema } from '../../schema/schema.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { requestValues } from '../cases/input.js'
import { tagOf, UNKNOWN_TAG } from '../http/conditions.js'
import { describeExchange } from '../http/send-malformed.js'
import { isAccepted, isCarriedOut, isNamed, isOfMissing } from '../outcome.js'
import { isEntityTag } from '../responses/header-syntax.js'
import { receivedMedia, valueIn } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { collectShown } from '../values/shown-values.js'
import { type HttpValues, writeHttp } from '../wire/write-request.js'
import { resourceTypesOf } from './resource-types.js'
import type { Created, ResourceType } from './resources.js'

/** Rules for resources that were created or changed. */
export const WRITE_RULES: readonly Rule[] = [
  {
    id: 'write-not-stored',
    level: 'error',
    purpose: 'GET returns the values that the response to the last write confirmed.',
    clause: 'RFC 9110, 9.3.4, 15.3.1 and 15.3.2; RFC 7396, 2',
    needsState: true,
  },
  {
    id: 'created-resource-missing',
    level: 'error',
    purpose: 'The resource that Location of a 201 response names exists.',
    clause: 'RFC 9110, 10.2.2 and 15.3.2',
    needsState: true,
  },
  {
    id: 'created-resource-not-new',
    level: 'error',
    purpose: 'Two 201 responses to POST with different bodies name two resources.',
    clause: 'RFC 9110, 15.3.2',
    needsState: true,
  },
  {
    id: 'etag-unchanged',
    level: 'error',
    purpose: 'A strong ETag changes when the response of GET changes.',
    clause: 'RFC 9110, 8.8.1',
    needsState: true,
  },
  {
    id: 'precondition-ignored',
    level: 'error',
    purpose: 'A write whose If-Match has another ETag than the resource is rejected with 412.',
    clause: 'RFC 9110, 13.1.1 and 13.2.1',
    needsState: true,
  },
]

/** For each resource that the documents let a run create and read: what was written is read again. */
export const writeCases = (plan: Plan): readonly Case[] => {
  const making = collectShown(plan.api, plan.checker)
  return resourceTypesOf(plan).all.flatMap((resourceType): readonly Case[] => {
    const read = resourceType.operations.get('GET')
    if (read === undefined) return []
    const [creator] = resourceType.creators.filter(({ kind }) => kind === 'returns')
    const context: Context = { resourceType, read, making, plan }
    const one = (operation: HttpOperation, title: string, cost: number, run: Case['run']): Case => {
      return { name: `${operation.id}, ${title}`, operation, cost, needsState: true, run }
    }
    const changes = ['PUT', 'PATCH'].flatMap((method) => resourceType.operations.get(method) ?? [])
    const conditional = [...changes, ...[resourceType.operations.get('DELETE') ?? []].flat()]
    return [
      ...(creator === undefined
        ? []
        : [
            one(creator.operation, 'what it created', 4, (session) =>
              tryCreation(session, creator.operation, context),
            ),
          ]),
      ...changes.map((change) =>
        one(change, 'what it stored', 7, (session) => tryChange(session, change, context)),
      ),
      ...conditional.map((change) =>
        one(change, 'with the ETag of another version', 3, (session) =>
          tryPrecondition(session, change, context),
        ),
      ),
    ]
  })
}

type Context = {
  readonly resourceType: ResourceType
  readonly read: HttpOperation
  readonly making: Making
  readonly plan: Plan
}

const created = async (session: Session, resourceType: ResourceType): Promise<Created> => {
  const made = await session.fixtures.create(resourceType)
  if (typeof made === 'string') throw new NotTested(made)
  return made
}

/** Writes the request of an operation, for the resource at an address. */
const written = (
  { making, plan }: Context,
  operation: HttpOperation,
  address: string,
  values: HttpValues = requestValues(operation, making),
): Sent => {
  const sent = writeHttp(operation, values, plan.target)
  if (sent === undefined) throw new NotTested('its request cannot be written')
  return { ...sent, url: address + sent.url.slice(withoutQuery(sent.url).length) }
}

const tryCreation = async (
  session: Session,
  operation: HttpOperation,
  context: Context,
): Promise<void> => {
  const { resourceType, read } = context
  const first = await created(session, resourceType)
  if (first.creator !== operation) throw new NotTested(`${first.creator.id} creates it`)
  const named = locationOf(first.exchange)
  const isNamedHere = named !== undefined && resourceType.isAddress(named)
  const address = isNamedHere ? named : first.address
  const exchange = await readUntil(
    session,
    written(context, read, address),
    ({ answer }) => answer?.status !== 404,
  )
  const { status = 0 } = exchange.answer ?? {}
  if (isOfMissing(status)) {
    if (!isNamedHere || first.exchange.answer?.status !== 201)
      throw new NotTested('GET does not find what it created, and no Location names it')
    return session.report('created-resource-missing', exchange, {
      message: `its 201 response has Location: ${headerOf(first.exchange.answer.headers, 'location')}, but GET there got ${status}`,
      expected: 'the resource',
      operation,
    })
  }
  await reportDifferences(session, operation, first.exchange, exchange, context)
  await tryAgain(session, operation, first, context)
}

/** Creates another resource with another body. */
const tryAgain = async (
  session: Session,
  operation: HttpOperation,
  first: Created,
  { making, plan }: Context,
): Promise<void> => {
  const values = requestValues(operation, making)
  const media = mediaOf(operation, values)
  if (media === undefined || first.exchange.answer?.status !== 201) return
  const value = samplesOf(media.schema, making).find(
    (one) => isObject(one) && !isDeepStrictEqual(one, first.value),
  )
  if (value === undefined) return
  const body = { type: media.type, value }
  const sent = writeHttp(operation, { ...values, body }, plan.target)
  if (sent === undefined) return
  const second = await session.ask(sent)
  const [one, other] = [first.exchange, second].map(locationOf)
  if (second.answer?.status !== 201 || one === undefined || one !== other) return
  session.report('created-resource-not-new', second, {
    message: `two different bodies got 201 with the same Location: ${headerOf(second.answer.headers, 'location')}`,
    expected: 'another Location, or another status',
    operation,
  })
}

const locationOf = ({ answer, sent }: Exchange): string | undefined => {
  const text = answer && headerOf(answer.headers, 'location')
  return text !== undefined && URL.canParse(text, sent.url)
    ? withoutQuery(new URL(text, sent.url).href)
    : undefined
}

/** Repeats a request for a while, because a written value may become visible later. */
const readUntil = async (
  session: Session,
  sent: Sent,
  isDone: (exchange: Exchange) => boolean,
): Promise<Exchange> => {
  const began = session.now()
  for (let pause = 200; ; pause *= 2) {
    const exchange = await session.ask(sent, { isFinal: true })
    if (isDone(exchange) || session.now() - began > LONGEST) return exchange
    await session.sleep(pause)
  }
}

const LONGEST = 3_000

/** Reports values of the response to a write that GET does not return, if both responses have the same schema. */
const reportDifferences = async (
  session: Session,
  operation: HttpOperation,
  write: Exchange,
  last: Exchange,
  { read, plan }: Context,
): Promise<void> => {
  const confirmed = valueIn(write.answer)
  const schema = sharedSchema(operation, write, read, last)
  if (schema === undefined || !isObject(confirmed)) return
  const differing = (exchange: Exchange) => {
    const found = valueIn(exchange.answer)
    return isAccepted(exchange, read, session) && isObject(found)
      ? Object.keys(confirmed).filter(
          (name) =>
            isSteady(name, schema, plan) &&
            Object.hasOwn(found, name) &&
            !isDeepStrictEqual(confirmed[name], own(found, name)),
        )
      : []
  }
  const exchange =
    differing(last).length === 0
      ? last
      : await readUntil(session, last.sent, (one) => differing(one).length === 0)
  for (const name of differing(exchange)) {
    const value = own(valueIn(exchange.answer) as object, name)
    // A value that changes by itself was perhaps stored.
    if (!isDeepStrictEqual(value, own(valueIn(last.answer) as object, name))) continue
    session.report('write-not-stored', exchange, {
      message: `its response has ${name} ${JSON.stringify(confirmed[name])}, but GET returns ${JSON.stringify(value)}`,
      expected: JSON.stringify(confirmed[name]),
      ...{ operation, aspect: name },
    })
  }
}

/** Whether a property is no value that the server sets by itself, such as a time. An identifier is. */
const isSteady = (name: string, schema: Schema, { api }: Plan): boolean =>
  name === 'id' || !isMarkedOnPath(schema, [name], 'readOnly', api.schemas)

const schemaIn = (operation: HttpOperation, { answer }: Exchange): Schema | undefined =>
  answer && receivedMedia(operation, answer)?.schema

/** The schema by name of both responses: a shorter view of a resource has another one. */
const sharedSchema = (
  operation: HttpOperation,
  write: Exchange,
  read: HttpOperation,
  found: Exchange,
): Schema | undefined => {
  const [first, second] = [schemaIn(operation, write), schemaIn(read, found)]
  if (typeof first !== 'object' || typeof second !== 'object') return undefined
  const name = referredName(first)
  return name !== undefined && name === referredName(second) ? first : undefined
}

const tryChange = async (
  session: Session,
  operation: HttpOperation,
  context: Context,
): Promise<void> => {
  const { resourceType, read, making } = context
  const values = requestValues(operation, making)
  const media = mediaOf(operation, values)
  const first = values.body?.value
  if (media === undefined || !isObject(first)) throw new NotTested('its body is no JSON object')
  const made = await created(session, resourceType)
  const { address } = made
  // A value that the resource had before would hide that it was not stored.
  const former = [first, made.value, valueIn(made.exchange.answer)].filter(isObject)
  const second = otherBody(first, former, media, making)
  if (second === undefined) throw new NotTested('all of its valid bodies are alike')
  const reading = written(context, read, address)
  const change = (value: object) =>
    session.ask(
      written(context, operation, address, { ...values, body: { type: media.type, value } }),
      { isFinal: true },
    )
  const isDone = (one: Exchange) => isCarriedOut(one, operation, session)
  if (!isDone(await change(first))) throw new NotTested('its example is rejected')
  const before = await session.ask(reading, { isFinal: true })
  const write = await change(second)
  if (!isDone(write)) throw new NotTested('another valid body is rejected')
  const after = await session.ask(reading, { isFinal: true })
  if (![before, after].every((one) => isAccepted(one, read, session)))
    throw new NotTested(`GET got the status ${after.answer?.status}`)
  reportTag(session, read, before, after)
  await reportDifferences(session, operation, write, after, context)
  if (valueIn(write.answer) === undefined && isWhole(operation, media, schemaIn(read, after)))
    await reportUnstored(session, operation, { before, after }, second, context)
}

/** Whether a success without a body means that the sent values are those of the resource from now on. */
const isWhole = (
  { method }: HttpOperation,
  { type, schema }: MediaType,
  shown: Schema | undefined,
): boolean => {
  const names = [schema, shown].map((one) => typeof one === 'object' && referredName(one))
  const isOne = names[0] !== undefined && names[0] !== false && names[0] === names[1]
  return isOne && (method === 'PUT' || essence(type) === 'application/merge-patch+json')
}

/** Reports sent values that GET does not return, and that had another value before. */
const reportUnstored = async (
  session: Session,
  operation: HttpOperation,
  { before, after }: { readonly before: Exchange; readonly after: Exchange },
  sent: Readonly<Record<string, unknown>>,
  { read, plan }: Context,
): Promise<void> => {
  const old = valueIn(before.answer)
  const shown = schemaIn(read, after) ?? true
  const unstored = (exchange: Exchange) => {
    const found = valueIn(exchange.answer)
    if (!isObject(found) || !isObject(old)) return []
    return Object.keys(sent).filter(
      (name) =>
        isSteady(name, shown, plan) &&
        Object.hasOwn(found, name) &&
        !isDeepStrictEqual(own(found, name), sent[name]) &&
        isDeepStrictEqual(own(found, name), own(old, name)),
    )
  }
  const exchange =
    unstored(after).length === 0
      ? after
      : await readUntil(session, after.sent, (one) => unstored(one).length === 0)
  for (const name of unstored(exchange)) {
    const value = own(valueIn(exchange.answer) as object, name)
    session.report('write-not-stored', exchange, {
      message: `${name} ${JSON.stringify(sent[name])} was accepted, but GET still returns ${JSON.stringify(value)}`,
      expected: JSON.stringify(sent[name]),
      ...{ operation, aspect: name },
    })
  }
}

const reportTag = (
  session: Session,
  read: HttpOperation,
  before: Exchange,
  after: Exchange,
): void => {
  const [one, other] = [before, after].map(tagOf)
  if (one === undefined || one !== other || !isEntityTag(one) || one.startsWith('W/')) return
  if (Buffer.compare(before.answer?.body ?? NONE, after.answer?.body ?? NONE) === 0) return
  session.report('etag-unchanged', after, {
    message: `the response changed, but its ETag is still ${one}`,
    expected: 'another ETag',
    operation: read,
  })
}

const NONE = new Uint8Array()

const mediaOf = ({ body }: HttpOperation, values: HttpValues): MediaType | undefined =>
  body?.content.find((one) => one.type === values.body?.type && hasJsonValue(one))

/** A valid body in which as many properties as possible differ from all former values. */
const otherBody = (
  first: Fields,
  former: readonly Fields[],
  { schema }: MediaType,
  making: Making,
): Fields | undefined => {
  const { check } = making.checker.schema(schema)
  const isNew = (name: string, value: unknown) =>
    former.every((one) => !isDeepStrictEqual(own(one, name), value))
  const differences = (one: Fields) =>
    Object.keys(one).filter((name) => isNew(name, one[name])).length
  const samples = samplesOf(schema, making).filter(isObject)
  // One property after the other takes a value of a sample, so that all that can differ do.
  const mixed = samples.reduce<Fields>((body, sample) => {
    let next = body
    for (const [name, value] of Object.entries(sample)) {
      if (isNew(name, next[name]) && Object.hasOwn(next, name)) continue
      const changed = { ...next, [name]: value }
      if (isNew(name, value) && check(changed)) next = changed
    }
    return next
  }, first)
  const [best] = [mixed, ...samples].toSorted((a, b) => differences(b) - differences(a))
  return best !== undefined && differences(best) > 0 && check(best) ? best : undefined
}

type Fields = Readonly<Record<string, unknown>>

/** Sends a write that no version of the resource allows. */
const tryPrecondition = async (
  session: Session,
  operation: HttpOperation,
  context: Context,
): Promise<void> => {
  const { resourceType, read } = context
  const { address } = await created(session, resourceType)
  const tag = tagOf(await session.ask(written(context, read, address), { isFinal: true }))
  // A server without validators has nothing to compare.
  const isDeclared =
    isNamed(operation, 412) ||
    operation.parameters.some((one) => one.in === 'header' && /^if-match$/i.test(one.name))
  if (tag === undefined || !isEntityTag(tag) || !isDeclared)
    throw new NotTested('its resource has no ETag, or it declares neither 412 nor If-Match')
  const plain = written(context, operation, address)
  const sent = { ...plain, headers: { ...plain.headers, 'if-match': UNKNOWN_TAG } }
  const exchange = await session.ask(sent, { isFinal: true })
  if (!isAccepted(exchange, operation, session)) return
  session.report('precondition-ignored', exchange, {
    message: `If-Match with an unknown ETag ${describeExchange(exchange)}, but the ETag of the resource is ${tag}`,
    expected: '412',
    operation,
  })
}
