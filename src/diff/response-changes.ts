import type { HttpOperation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { type HttpResponse, isSuccess, type MediaType } from '../model/http-content.js'
import { essence } from '../runtime/shared/media-type.js'
import { mediaTypeName } from '../runtime/wire/content.js'
import { declaredResponse, isErrorDefault, isSuccessKey } from '../runtime/wire/status.js'
import { closest, HEADER, headerNamed, mediaTypeFindings } from './body-changes.js'
import { atPlace, both, type Change, type Comparison, change, ofPart } from './change.js'
import { schemaFindings } from './schema-findings.js'

/** Changes of the responses of an HTTP operation: for each declared status, of the responses that describe it. */
export function* responseChanges(comparison: Comparison<HttpOperation>): Generator<Change> {
  const { before, after } = comparison
  for (const status of statusesOf(before.responses, after.responses)) {
    const was = responseDeclaring(status, before.responses)
    const is = responseDeclaring(status, after.responses)
    if (!was && is) yield* ofPart(status, [addition(comparison, is)])
    if (was && !is && responsesInRange(status, after.responses).length === 0) {
      yield* ofPart(status, [withdrawal(comparison, was)])
    }
    const old = comparable(status, before.responses)
    const young = comparable(status, after.responses)
    if (!old || !young) continue
    const by = was
      ? ', which the default response describes now,'
      : ', which the default response described before,'
    const what = `the ${status} response of ${comparison.name}${was && is ? '' : by}`
    yield* atPlace(status, changesOfOne(comparison, what, old, young))
  }
}

/** The statuses and ranges that one of two versions declares, those of the new one first. */
export const statusesOf = (
  before: readonly HttpResponse[],
  after: readonly HttpResponse[],
): ReadonlySet<string> => new Set([...after, ...before].map(({ status }) => status))

/** The response that describes a status or a range. */
const describing = (
  status: string,
  responses: readonly HttpResponse[],
): HttpResponse | undefined => {
  if (/^\d+$/.test(status)) return declaredResponse(responses, Number(status))
  // Of the statuses of a range, the declared ones are compared apart, so that the default describes the others.
  const own = responses.find((one) => one.status === status)
  return own ?? responses.find((one) => one.status === 'default')
}

/** The response that describes a status, unless it is a success and only the errors of the default are described. */
const comparable = (
  status: string,
  responses: readonly HttpResponse[],
): HttpResponse | undefined => {
  const found = describing(status, responses)
  return isSuccessKey(status) && isErrorDefault(responses, found) ? undefined : found
}

/** The response that declares a status or a range, and is not the default of others. */
export const responseDeclaring = (
  status: string,
  responses: readonly HttpResponse[],
): HttpResponse | undefined => {
  const found = describing(status, responses)
  return found?.status === 'default' && status !== 'default' ? undefined : found
}

/** The responses of a range: `2XX` includes `200`. */
export const responsesInRange = (
  status: string,
  responses: readonly HttpResponse[],
): readonly HttpResponse[] =>
  status.endsWith('XX') ? responses.filter((one) => one.status[0] === status[0]) : []

const addition = (comparison: Comparison<HttpOperation>, response: HttpResponse): Change => {
  const { before, name } = comparison
  const known = responsesInRange(response.status, before.responses).map(({ status }) => status)
  return change(
    isSuccess(response.status) ? 'success-status-added' : 'error-status-added',
    { before: before.source.locate('responses'), after: response.source.locate() },
    known.length === 0
      ? `${name} may return ${response.status} now`
      : `${name} may return any status of ${response.status} now, not only ${known.join(', ')}: clients that know only those receive others`,
  )
}

const withdrawal = ({ after, name }: Comparison<HttpOperation>, response: HttpResponse): Change => {
  const places = { before: response.source.locate(), after: after.source.locate('responses') }
  return isSuccess(response.status)
    ? change(
        'success-status-removed',
        places,
        `${name} no longer returns ${response.status}: clients that expect it may treat another status as a failure`,
      )
    : change('error-status-removed', places, `${name} no longer declares ${response.status}`)
}

/** Changes of one response; `what` is the response in messages. */
function* changesOfOne(
  comparison: Comparison<HttpOperation>,
  what: string,
  before: HttpResponse,
  after: HttpResponse,
): Generator<Change> {
  yield* headerChanges(comparison, what, before, after)
  yield* contentChanges(comparison, what, before, after)
  for (const media of before.content) {
    if (after.content.some((one) => meeting(one, before.content).match === media)) continue
    if (meeting(media, after.content).match) continue
    const places = { before: media.source.locate(), after: after.source.locate('content') }
    // Also if the default response described it: clients read the body of that error, and there is none now.
    const message =
      after.content.length === 0
        ? `${what} has no body now, and came as ${media.type}: clients that read the body receive nothing`
        : `${what} no longer comes as ${media.type}: clients that accept only that type receive another type or an error`
    yield change('response-media-type-removed', places, message)
  }
}

/** Changes of the content of a response; `what` is the response in messages. */
function* contentChanges(
  { context }: Comparison<HttpOperation>,
  what: string,
  before: HttpResponse,
  after: HttpResponse,
): Generator<Change> {
  for (const media of after.content) {
    const { match, kind } = meeting(media, before.content)
    if (!match) {
      const places = { before: before.source.locate('content'), after: media.source.locate() }
      const message = `${what} may come as ${media.type} now as well`
      yield change('response-media-type-added', places, message)
      continue
    }
    const pair = both({ before: match, after: media })
    if (kind === 'generalized') {
      const message = `${what} comes as ${media.type} now, and came as ${match.type}: clients may receive a type that they cannot read`
      yield change('response-media-type-generalized', pair, message)
    }
    if (kind === 'specialized') {
      const message = `${what} comes as ${media.type} now, and came as ${match.type}`
      yield change('response-media-type-specialized', pair, message)
    }
    const type = after.content.length === 1 ? '' : ` (${media.type})`
    const subject = {
      direction: 'response',
      what: `${what}${type}`,
      before: match.source,
      after: media.source,
    } as const
    if (match.streamEnd !== media.streamEnd) {
      const [was, is] = [match, media].map(({ streamEnd }) => quotedEnd(streamEnd))
      const message = `${what}${type} ends with ${is} now, and ended with ${was}: clients may read the end as an item`
      yield change('stream-end-changed', pair, message)
    }
    const changes = mediaTypeFindings(context, subject, match, media)
    yield* ofPart(media.type, changes)
  }
}

const quotedEnd = (text: string | undefined): string =>
  text === undefined ? 'its connection' : `the text ${JSON.stringify(text)}`

/** The matching media type of the other version, and whether this one is wider or narrower. */
const meeting = (media: MediaType, others: readonly MediaType[]) => {
  const wide = closest(media, others)
  if (wide) {
    const isSame = mediaTypeName(wide.type) === mediaTypeName(media.type)
    // Most clients ignore other parameters, so a media type with other parameters is the same type.
    const isSpelling = essence(wide.type) === essence(media.type)
    return { match: wide, kind: isSame || isSpelling ? 'same' : 'specialized' } as const
  }
  const narrow = others.find((other) => closest(other, [media]))
  const spelled = others.find((other) => essence(other.type) === essence(media.type))
  const isRange = narrow && essence(narrow.type) !== essence(media.type)
  return { match: narrow ?? spelled, kind: isRange ? 'generalized' : 'same' } as const
}

/** Changes of the headers of a response; `what` is the response in messages: `200 of GET /orders`. */
function* headerChanges(
  { context }: Comparison<HttpOperation>,
  what: string,
  before: HttpResponse,
  after: HttpResponse,
): Generator<Finding> {
  for (const header of after.headers) {
    const match = headerNamed(header.name, before.headers)
    const places = {
      before: before.source.locate('headers', match?.name ?? header.name),
      after: after.source.locate('headers', header.name),
    }
    const name = `the header \`${header.name}\` of ${what}`
    if (!match) {
      yield change('response-header-added', places, `${name} is new`)
      continue
    }
    if (match.required && !header.required) {
      const message = `${name} may be absent now: clients that need it fail`
      yield change('response-header-became-optional', places, message)
    }
    if (!match.required && header.required) {
      yield change('response-header-became-required', places, `${name} is always present now`)
    }
    const subject = {
      direction: 'response',
      what: name,
      before: { locate: () => places.before },
      after: { locate: () => places.after },
      ...HEADER,
    } as const
    yield* schemaFindings(context, subject, match.schema, header.schema)
  }
  for (const header of before.headers) {
    if (headerNamed(header.name, after.headers)) continue
    const places = {
      before: before.source.locate('headers', header.name),
      after: after.source.locate('headers'),
    }
    const name = `the header \`${header.name}\` of ${what}`
    yield header.required
      ? change(
          'required-response-header-removed',
          places,
          `${name} is removed: clients that need it fail`,
        )
      : change(
          'optional-response-header-removed',
          places,
          `${name} is removed: clients that use it no longer receive it`,
        )
  }
}
