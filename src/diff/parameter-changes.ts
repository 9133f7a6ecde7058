import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation, RpcParam } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import type { HttpParameter } from '../model/http-content.js'
import { text } from '../read/reading.js'
import { mediaTypeName } from '../runtime/wire/content.js'
import { byKey } from './by-key.js'
import { both, type Change, type Comparison, change } from './change.js'
import { lifecycleChanges, removal, withdrawal } from './lifecycle.js'
import { ofScalar, parameterAsList } from './list-of-one.js'
import { schemaFindings } from './schema-findings.js'
import { valueText } from './schema-words.js'
import type { Carrier, Subject } from './subject.js'
import { defaultOf, isScalar, writtenMember } from './written.js'

/** Changes of the parameters of an HTTP operation, which are matched by place and name, or by position in the path. */
export function* parameterChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, name } = comparison
  const renamed = pathNames(before.path, after.path)
  const found = byKey([...before.parameters, ...before.unusedPathParameters], (parameter) =>
    parameterKey(parameter, renamed),
  )
  const now = byKey([...after.parameters, ...after.unusedPathParameters], (parameter) =>
    parameterKey(parameter),
  )
  for (const [key, parameter] of now) {
    const match = found.get(key)
    found.delete(key)
    if (match) yield* changesOfOne(comparison, match, parameter)
    else yield addition(comparison, parameter)
  }
  for (const parameter of found.values()) {
    const what = `the ${parameter.in} parameter \`${parameter.name}\` of ${name}`
    const places = { before: parameter.source.locate(), after: after.source.locate('parameters') }
    const fate = removal(lifeOf(comparison, 'before', parameter), comparison.today)
    yield withdrawal('parameter', what, places, fate, {
      rule: 'parameter-removed',
      loss: 'the service ignores or rejects it',
    })
  }
}

function* changesOfOne(
  comparison: Comparison<HttpOperation>,
  before: HttpParameter,
  after: HttpParameter,
): Generator<Finding> {
  const { context, name } = comparison
  const what = `the ${after.in} parameter \`${after.name}\` of ${name}`
  const listed = parameterAsList(context, before, after)
  const pair = { before: listed ?? before, after }
  if (before.in === 'path' && before.name !== after.name) {
    const message = `the path parameter \`${before.name}\` of ${name} is named \`${after.name}\` now: code that calls a generated client no longer compiles, requests stay the same`
    yield change('path-parameter-renamed', both(pair, 'name'), message)
  }
  const isPlain = isScalar(context.before, before.schema) && isScalar(context.after, after.schema)
  const [was, is] = [writtenAs(before, isPlain), writtenAs(after, isPlain)]
  if (was !== is && listed === undefined) {
    const message = `${what} is serialized with ${is} now, not with ${was}: the service reads what callers send in another way`
    yield change('parameter-serialization-changed', both(pair), message)
  }
  if (before.allowReserved !== after.allowReserved) {
    const message = after.allowReserved
      ? `${what} may contain reserved characters as they are now (allowReserved)`
      : `${what} may no longer contain reserved characters such as / and ? as they are (allowReserved)`
    yield change('parameter-reserved-changed', both(pair, 'allowReserved'), message)
  }
  if (after.in === 'query') yield* emptyValueChanges(comparison, what, pair)
  const changes = valueChanges(comparison, what, pair, 'may be', {
    isText: isTextParameter(before, after),
    carrier: carrierOf(before, after),
  })
  for (const one of changes) yield listed ? ofScalar(one, before.schema, 0) : one
}

/** Changes that parameters and params have in common: of presence, default, lifecycle and schema. */
export function* valueChanges(
  comparison: Comparison,
  what: string,
  pair: { readonly before: AnyParameter; readonly after: AnyParameter },
  certainty: 'are' | 'may be',
  more: Pick<Subject, 'isText' | 'carrier'> = {},
): Generator<Change> {
  const { before, after } = pair
  if (after.required && !before.required) {
    const message = `${what} is required now: callers who omit it ${certainty} rejected`
    yield change('parameter-became-required', both(pair, 'required'), message)
  }
  if (before.required && !after.required) {
    yield change('parameter-became-optional', both(pair), `${what} is optional now`)
  }
  const isLeftOut = !before.required && !after.required
  if (isLeftOut) yield* defaultChanges(comparison, what, pair)
  const [was, is] = [lifeOf(comparison, 'before', before), lifeOf(comparison, 'after', after)]
  yield* lifecycleChanges('parameter', what, was, is, comparison.today)
  const subject: Subject = {
    ...{ direction: 'request', what, before: before.source, after: after.source },
    ...(isLeftOut && { isDefaultReported: true }),
    ...more,
  }
  yield* schemaFindings(comparison.context, subject, before.schema, after.schema)
}

type AnyParameter = HttpParameter | RpcParam

/** A parameter with its `x-sunset`, which the Api omits. */
export const lifeOf = (
  comparison: Comparison,
  which: 'before' | 'after',
  parameter: AnyParameter,
) => ({
  ...parameter,
  sunset: text(written(comparison, which, parameter)['x-sunset']),
})

const carrierOf = (before: HttpParameter, after: HttpParameter): Carrier | undefined => {
  if (!isTextParameter(before, after)) return undefined
  if (after.in === 'header') return 'header'
  // Other styles write a prefix before an empty value.
  return after.in === 'path' && [before, after].every(({ style }) => style === 'simple')
    ? 'path'
    : undefined
}

/** OpenAPI 3.1, Parameter Object: whether `?q` and `?q=` may be sent, even if the schema rejects them. */
function* emptyValueChanges(
  comparison: Comparison,
  what: string,
  pair: { readonly before: HttpParameter; readonly after: HttpParameter },
): Generator<Finding> {
  const [was, is] = (['before', 'after'] as const).map(
    (which) => written(comparison, which, pair[which]).allowEmptyValue === true,
  )
  if (was === is) return
  const places = both(pair, 'allowEmptyValue')
  yield is
    ? change(
        'parameter-empty-value-accepted',
        places,
        `${what} may be sent without a value now (allowEmptyValue)`,
      )
    : change(
        'parameter-empty-value-rejected',
        places,
        `${what} may no longer be sent without a value (allowEmptyValue): callers who do may be rejected`,
      )
}

/** Changes of the default of an omitted parameter. */
function* defaultChanges(
  { context }: Comparison,
  what: string,
  pair: { readonly before: AnyParameter; readonly after: AnyParameter },
): Generator<Finding> {
  const was = defaultOf(context.before, pair.before.schema)
  const is = defaultOf(context.after, pair.after.schema)
  if (isDeepStrictEqual(was, is)) return
  const message = `the default of ${what} is ${valueText(is)} now, and was ${valueText(was)}: callers who omit it get other results`
  yield change('parameter-default-changed', both(pair, 'schema', 'default'), message)
}

const addition = ({ before, name }: Comparison, parameter: HttpParameter): Finding => {
  const places = { before: before.source.locate('parameters'), after: parameter.source.locate() }
  const what = `the ${parameter.in} parameter \`${parameter.name}\` of ${name} is new`
  return parameter.required
    ? change(
        'parameter-added-required',
        places,
        `${what} and required: callers who do not send it may be rejected`,
      )
    : change('parameter-added-optional', places, `${what} and optional`)
}

/** Equal for the same parameter of two versions; `renamed` maps the old names of path parameters to the new ones. */
export const parameterKey = (
  parameter: HttpParameter,
  renamed: ReadonlyMap<string, string> = new Map(),
): string => {
  const { name } = parameter
  if (parameter.in === 'path') return `path.${renamed.get(name) ?? name}`
  // RFC 9110, 5.1: names of header fields are case-insensitive.
  return `${parameter.in}.${parameter.in === 'header' ? name.toLowerCase() : name}`
}

/** Maps the parameter names of one path template to those of the other. */
const pathNames = (before: string, after: string): ReadonlyMap<string, string> => {
  const names = (path: string) => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const now = names(after)
  return new Map(names(before).map((name, index) => [name, now[index] ?? name]))
}

/** A parameter with a media type is parsed by that type; all others are texts. */
export const isTextParameter = (before: HttpParameter, after: HttpParameter): boolean =>
  before.mediaType === undefined && after.mediaType === undefined

/** The serialization of a value; `explode` does not affect a scalar. */
export const writtenAs = (
  { mediaType, style, explode }: HttpParameter,
  isPlain: boolean,
): string => {
  if (mediaType !== undefined) return mediaTypeName(mediaType)
  return isPlain ? `style ${style}` : `style ${style}, explode ${explode}`
}

/** The parameter in the document, with members that the Api omits. */
const written = (
  { context, ...versions }: Comparison,
  which: 'before' | 'after',
  parameter: AnyParameter,
) => {
  const place = 'in' in parameter ? parameter.in : undefined
  return writtenMember(
    context[which],
    versions[which],
    place === undefined ? 'params' : 'parameters',
    (member) => member.name === parameter.name && (place === undefined || member.in === place),
  )
}
