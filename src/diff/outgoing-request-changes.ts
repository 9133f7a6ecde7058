import type { OutgoingRequest } from '../model/api.js'
import {
  type HttpParameter,
  type HttpResponse,
  isSuccess,
  type MediaType,
} from '../model/http-content.js'
import { closest, HEADER, headerNamed, mediaTypeFindings } from './body-changes.js'
import { byKey } from './by-key.js'
import { atPlace, both, type Change, change, ofPart, type Places } from './change.js'
import { lifecycleChanges } from './lifecycle.js'
import { isTextParameter, parameterKey, writtenAs } from './parameter-changes.js'
import { responseDeclaring, responsesInRange, statusesOf } from './response-changes.js'
import { schemaFindings } from './schema-findings.js'
import { alternativesOf, credentialsText, isSameSecurity } from './security-changes.js'
import type { DiffContext } from './subject.js'
import { isScalar, writtenRequest } from './written.js'

/** Changes of one webhook or callback: of the sent request, and of the accepted replies. */
export function* requestChanges(pair: OutgoingPair): Generator<Change> {
  const { context, title, before, after } = pair
  if (before.method !== after.method) {
    const message = `${title} is sent with ${after.method} now, not with ${before.method}: subscribers do not expect it`
    yield change('callback-method-changed', both(pair), message)
  }
  yield* lifecycleChanges('operation', title, before, after, context.today)
  yield* securityChanges(pair)
  yield* parameterChanges(pair)
  yield* bodyChanges(pair)
  for (const status of statusesOf(before.responses, after.responses)) {
    const was = responseDeclaring(status, before.responses)
    const is = responseDeclaring(status, after.responses)
    if (was && is) yield* atPlace(status, replyChanges(pair, status, was, is))
    else yield* ofPart(status, replyStatusChanges(pair, was, is))
  }
}

/** Changes of a status that only one version declares as a reply. */
function* replyStatusChanges(
  { title, before, after }: OutgoingPair,
  was: HttpResponse | undefined,
  is: HttpResponse | undefined,
): Generator<Change> {
  if (is && isSuccess(is.status)) {
    const places = { before: before.source.locate('responses'), after: is.source.locate() }
    const message = `subscribers may reply to ${title} with ${is.status}`
    yield change('reply-status-added', places, message)
  }
  if (!was) return
  const places = { before: was.source.locate(), after: after.source.locate('responses') }
  const message =
    responsesInRange(was.status, after.responses).length > 0
      ? `not every status of ${was.status} is declared as a reply to ${title} any longer`
      : `${was.status} is no longer declared as a reply to ${title}`
  yield isSuccess(was.status)
    ? change(
        'reply-status-removed',
        places,
        `${message}: the service may treat that reply as a failure`,
      )
    : change('reply-error-status-removed', places, message)
}

type OutgoingPair = {
  readonly context: DiffContext
  /** The name in messages: ``the webhook `orderCreated` ``. */
  readonly title: string
  readonly before: OutgoingRequest
  readonly after: OutgoingRequest
}

/** Sent values must stay valid for subscribers. */
const SENT = { direction: 'response', consequence: 'subscribers do not expect it' } as const
/** Replies of subscribers must stay valid for the service. */
const ACCEPTED = {
  direction: 'request',
  consequence: 'the service may reject replies that it accepted',
} as const

/** Credentials that the service presents to subscribers. The `security` of the document applies only to its callers. */
function* securityChanges(pair: OutgoingPair): Generator<Change> {
  const { context, title, before, after } = pair
  const was = alternativesOf(writtenRequest(context.before, before).security)
  const is = alternativesOf(writtenRequest(context.after, after).security)
  if (isSameSecurity(was, is)) return
  const words = (ways: typeof was) =>
    ways.map(credentialsText).filter(Boolean).sort().join(' or ') || 'no credentials'
  const places = both(pair, 'security')
  if (words(was) === words([])) {
    yield change('outgoing-security-added', places, `${title} comes with ${words(is)} now`)
  } else {
    const message = `${title} comes with ${words(is)} now, and came with ${words(was)}: subscribers who check it may reject it`
    yield change('outgoing-security-changed', places, message)
  }
}

function* parameterChanges({ context, title, before, after }: OutgoingPair): Generator<Change> {
  const keyOf = (parameter: HttpParameter) => parameterKey(parameter)
  const free = byKey(before.parameters, keyOf)
  for (const [key, parameter] of byKey(after.parameters, keyOf)) {
    const known = free.get(key)
    free.delete(key)
    const what = `the ${parameter.in} parameter \`${parameter.name}\` of ${title}`
    if (!known) {
      const places = {
        before: before.source.locate('parameters'),
        after: parameter.source.locate(),
      }
      yield change('outgoing-parameter-added', places, `${what} is new`)
      continue
    }
    const pair = { before: known, after: parameter }
    if (known.required && !parameter.required) {
      const message = `${what} may be absent now: subscribers do not expect it`
      yield change('outgoing-parameter-became-optional', both(pair, 'required'), message)
    }
    if (!known.required && parameter.required) {
      const message = `${what} is always sent now`
      yield change('outgoing-parameter-became-required', both(pair, 'required'), message)
    }
    const isPlain =
      isScalar(context.before, known.schema) && isScalar(context.after, parameter.schema)
    const [was, is] = [writtenAs(known, isPlain), writtenAs(parameter, isPlain)]
    if (was !== is) {
      const message = `${what} is serialized with ${is} now, not with ${was}: subscribers do not expect it`
      yield change('outgoing-parameter-serialization-changed', both(pair), message)
    }
    const subject = {
      ...{ ...SENT, what, before: known.source, after: parameter.source },
      isText: isTextParameter(known, parameter),
    }
    yield* schemaFindings(context, subject, known.schema, parameter.schema)
  }
  for (const parameter of free.values()) {
    const places = { before: parameter.source.locate(), after: after.source.locate('parameters') }
    const message = `the ${parameter.in} parameter \`${parameter.name}\` of ${title} is removed: subscribers who read it fail`
    yield change(
      `outgoing-${parameter.required ? 'required' : 'optional'}-parameter-removed`,
      places,
      message,
    )
  }
}

function* bodyChanges({ context, title, before, after }: OutgoingPair): Generator<Change> {
  const [was, is] = [before.body, after.body]
  const places = both({ before, after }, 'requestBody')
  if (!was && is) yield change('outgoing-body-added', places, `${title} has a body now`)
  if (was && !is) {
    const message = `${title} has no body any more: subscribers who read it fail`
    yield change('outgoing-body-removed', places, message)
  }
  if (!was || !is) return
  if (was.required && !is.required) {
    const message = `the body of ${title} may be absent now: subscribers do not expect it`
    yield change('outgoing-body-became-optional', both({ before: was, after: is }), message)
  }
  if (!was.required && is.required) {
    const message = `${title} always has a body now`
    yield change('outgoing-body-became-required', both({ before: was, after: is }), message)
  }
  for (const media of is.content) {
    const known = closest(media, was.content)
    if (!known) {
      const where = { before: was.source.locate('content'), after: media.source.locate() }
      const message = `the body of ${title} may come as ${media.type}: subscribers do not expect it`
      yield change('outgoing-media-type-added', where, message)
      continue
    }
    const what = `the body of ${title}${is.content.length > 1 ? ` (${media.type})` : ''}`
    const subject = {
      ...{ ...SENT, what, before: known.source, after: media.source },
    }
    yield* ofPart(media.type, mediaTypeFindings(context, subject, known, media))
  }
  yield* removedTypes('outgoing', `the body of ${title}`, was.content, is.content, is.source)
}

function* replyChanges(
  { context, title, before: sent }: OutgoingPair,
  status: string,
  before: HttpResponse,
  after: HttpResponse,
): Generator<Change> {
  const reply = `the ${status} reply to ${title}`
  for (const header of after.headers) {
    const known = headerNamed(header.name, before.headers)
    const places = {
      before: before.source.locate('headers', known?.name ?? header.name),
      after: after.source.locate('headers', header.name),
    }
    const what = `the header \`${header.name}\` of ${reply}`
    if (header.required && !known?.required) {
      const message = `${what} is required now: the service may reject replies without it`
      yield change('reply-header-became-required', places, message)
    }
    if (!known) continue
    const subject = {
      ...{ ...ACCEPTED, what },
      before: { locate: () => places.before },
      after: { locate: () => places.after },
      ...HEADER,
    }
    yield* schemaFindings(context, subject, known.schema, header.schema)
  }
  for (const media of before.content) {
    const known = closest(media, after.content)
    if (!known) continue
    const what = `${reply}${before.content.length > 1 ? ` (${media.type})` : ''}`
    const subject = { ...ACCEPTED, what, before: media.source, after: known.source }
    yield* ofPart(media.type, mediaTypeFindings(context, subject, media, known))
  }
  yield* removedTypes('reply', reply, before.content, after.content, after.source)
  for (const media of after.content) {
    if (closest(media, before.content)) continue
    const places = { before: sent.source.locate('responses'), after: media.source.locate() }
    yield change('reply-media-type-added', places, `${reply} may come as ${media.type}`)
  }
}

/** Media types that only the old version has: not breaking for sent bodies, breaking for accepted replies. */
function* removedTypes(
  kind: 'outgoing' | 'reply',
  what: string,
  before: readonly MediaType[],
  after: readonly MediaType[],
  holder: HttpResponse['source'],
): Generator<Change> {
  for (const media of before) {
    const isKnown =
      kind === 'reply' ? closest(media, after) : after.some((one) => closest(one, [media]))
    if (isKnown) continue
    const places: Places = { before: media.source.locate(), after: holder.locate('content') }
    const words = `${what} no longer comes as ${media.type}`
    yield kind === 'reply'
      ? change('reply-media-type-removed', places, `${words}: the service may reject such replies`)
      : change('outgoing-media-type-removed', places, words)
  }
}
