import type { HttpOperation, MediaType } from '../model/api.js'
import { change } from './change.js'
import { both, type Comparison } from './comparison.js'
import { mediaTypeFindings } from './encoding-changes.js'
import type { Change } from './gather.js'
import { covers, essenceOf, mediaTypeName } from './media-type-names.js'

/** What an HTTP operation takes as its body. */
export function* bodyChanges(comparison: Comparison<HttpOperation>): Generator<Change> {
  const { before, after, name } = comparison
  const places = both(comparison, 'requestBody')
  const [was, is] = [before.body, after.body]
  if (!was && !is) return
  if (!was) {
    yield is?.required
      ? change(
          'request-body-added-required',
          places,
          `${name} requires a request body now: callers who send none may be rejected`,
        )
      : change('request-body-added-optional', places, `${name} accepts a request body now`)
    return
  }
  if (!is) {
    const message = `${name} no longer has a request body: the service ignores or rejects what callers send`
    yield change('request-body-removed', places, message)
    return
  }
  if (is.required && !was.required) {
    const message = `the request body of ${name} is required now: callers who send none may be rejected`
    yield change(
      'request-body-became-required',
      both(comparison, 'requestBody', 'required'),
      message,
    )
  }
  if (was.required && !is.required) {
    const message = `the request body of ${name} is optional now`
    yield change('request-body-became-optional', places, message)
  }
  yield* requestTypeChanges(comparison, was.content, is.content)
}

function* requestTypeChanges(
  comparison: Comparison<HttpOperation>,
  before: readonly MediaType[],
  after: readonly MediaType[],
): Generator<Change> {
  const { context, name } = comparison
  for (const media of before) {
    const match = closest(media, after)
    if (!match) {
      const places = {
        before: media.source.locate(),
        after: comparison.after.source.locate('requestBody', 'content'),
      }
      const message = `${name} no longer accepts ${media.type}: callers who send it may be rejected`
      yield change('request-media-type-removed', places, message)
      continue
    }
    yield* mediaTypeFindings(
      context,
      {
        direction: 'request',
        what: bodyOf(name, media, before),
        before: media.source,
        after: match.source,
        isText: isForm(media) && isForm(match),
      },
      media,
      match,
    )
  }
  for (const media of after) {
    if (closest(media, before)) continue
    const places = {
      before: comparison.before.source.locate('requestBody', 'content'),
      after: media.source.locate(),
    }
    yield change('request-media-type-added', places, `${name} accepts ${media.type} now as well`)
  }
}

/** The media type of a list that takes all that this one is: the same, or the narrowest range around it. */
export const closest = (media: MediaType, others: readonly MediaType[]): MediaType | undefined => {
  const name = mediaTypeName(media.type)
  const around = others.filter((other) => covers(other.type, media.type))
  return (
    around.find((other) => mediaTypeName(other.type) === name) ??
    around.sort((a, b) => b.type.length - a.type.length)[0]
  )
}

/** The fields of a form are texts. */
export const isForm = ({ type }: MediaType): boolean =>
  essenceOf(type) === 'application/x-www-form-urlencoded'

const bodyOf = (name: string, { type }: MediaType, all: readonly MediaType[]) =>
  all.length === 1 ? `the request body of ${name}` : `the request body of ${name} (${type})`
