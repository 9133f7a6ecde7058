import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation, HttpParameter } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { text } from '../model/reading.js'
import { mediaTypeName } from './body-changes.js'
import { both, type Comparison, change } from './change.js'
import { lifecycleChanges, removal } from './lifecycle.js'
import { schemaFindings } from './schema-findings.js'
import type { Carrier } from './subject.js'
import { defaultOf, isScalar, writtenMember } from './written.js'

/** The parameters of an HTTP operation, each found again by its place and its name, one of the path by its position. */
export function* parameterChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, name, context } = comparison
  const renamed = pathNames(before.path, after.path)
  const found = new Map(
    [...before.parameters, ...before.unusedPathParameters].map((parameter) => [
      keyOf(parameter, renamed),
      parameter,
    ]),
  )
  for (const parameter of [...after.parameters, ...after.unusedPathParameters]) {
    const key = keyOf(parameter)
    const match = found.get(key)
    found.delete(key)
    if (match) yield* changesOfOne(comparison, match, parameter)
    else yield addition(comparison, parameter)
  }
  for (const parameter of found.values()) {
    const life = { ...parameter, sunset: sunsetOf(context.before, before, parameter) }
    const what = `the ${parameter.in} parameter \`${parameter.name}\` of ${name}`
    const places = {
      before: parameter.source.locate(),
      after: after.source.locate('parameters'),
    }
    yield withdrawal(what, places, removal(life, comparison.today))
  }
}

function* changesOfOne(
  comparison: Comparison<HttpOperation>,
  before: HttpParameter,
  after: HttpParameter,
): Generator<Finding> {
  const { context, name, today } = comparison
  const what = `the ${after.in} parameter \`${after.name}\` of ${name}`
  const pair = { before, after }
  if (before.in === 'path' && before.name !== after.name) {
    const message = `the path parameter \`${before.name}\` of ${name} is named \`${after.name}\` now: code that calls a generated client no longer compiles, requests stay the same`
    yield change('path-parameter-renamed', both(pair, 'name'), message)
  }
  if (after.required && !before.required) {
    const message = `${what} is required now: callers who omit it may be rejected`
    yield change('parameter-became-required', both(pair, 'required'), message)
  }
  if (before.required && !after.required) {
    yield change('parameter-became-optional', both(pair), `${what} is optional now`)
  }
  const isPlain = isScalar(context.before, before.schema) && isScalar(context.after, after.schema)
  const [was, is] = [writtenAs(before, isPlain), writtenAs(after, isPlain)]
  if (was !== is) {
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
  const isLeftOut = !before.required && !after.required
  if (isLeftOut) yield* defaultChanges(comparison, what, pair)
  const life = (which: 'before' | 'after') => ({
    ...pair[which],
    sunset: sunsetOf(context[which], comparison[which], pair[which]),
  })
  yield* lifecycleChanges('parameter', what, life('before'), life('after'), today)
  yield* schemaFindings(
    context,
    {
      ...{ direction: 'request', what, before: before.source, after: after.source },
      ...(isLeftOut && { defaultIsTold: true }),
      isText: isText(before, after),
      carrier: carrierOf(before, after),
    },
    before.schema,
    after.schema,
  )
}

const carrierOf = (before: HttpParameter, after: HttpParameter): Carrier | undefined => {
  if (!isText(before, after)) return undefined
  if (after.in === 'header') return 'header'
  // Other styles write a prefix before an empty value.
  return after.in === 'path' && [before, after].every(({ style }) => style === 'simple')
    ? 'path'
    : undefined
}

/** OpenAPI 3.1, Parameter Object: whether `?q` and `?q=` may be sent, even if the schema rejects them. */
function* emptyValueChanges(
  { context, ...versions }: Comparison<HttpOperation>,
  what: string,
  pair: { readonly before: HttpParameter; readonly after: HttpParameter },
): Generator<Finding> {
  const [was, is] = (['before', 'after'] as const).map(
    (which) => written(context[which], versions[which], pair[which]).allowEmptyValue === true,
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

/** What callers get who leave a parameter out. */
export function* defaultChanges(
  { context }: Pick<Comparison, 'context'>,
  what: string,
  pair: { readonly before: Defaulted; readonly after: Defaulted },
): Generator<Finding> {
  const was = defaultOf(context.before, pair.before.schema)
  const is = defaultOf(context.after, pair.after.schema)
  if (isDeepStrictEqual(was, is)) return
  const said = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
  const message = `the default of ${what} is ${said(is)} now, and was ${said(was)}: callers who omit it get other results`
  yield change('parameter-default-changed', both(pair, 'schema', 'default'), message)
}

type Defaulted = Pick<HttpParameter, 'schema' | 'source'>

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

/** What the removal of a parameter means to those who send it. */
export const withdrawal = (
  what: string,
  places: Parameters<typeof change>[1],
  fate: ReturnType<typeof removal>,
  rule: 'parameter-removed' | 'param-removed' = 'parameter-removed',
): Finding => {
  // A list of params is closed; a query or a header that nobody reads may pass.
  const fare = rule === 'param-removed' ? 'rejects' : 'ignores or rejects'
  switch (fate.kind) {
    case 'undeprecated':
      return change(rule, places, `${what} is removed: the service ${fare} it`)
    case 'too-early':
      return change(
        'parameter-removed-before-sunset',
        places,
        `${what} is removed before its x-sunset ${fate.day}: the service ${fare} it`,
      )
    case 'no-date':
      return change(
        'sunset-is-no-date',
        places,
        `${what} is removed, and its x-sunset was ${fate.sunset}, which is not a date: callers could not plan for it`,
      )
    case 'in-time':
      return change(
        'parameter-removed-after-deprecation',
        places,
        `${what} is removed: ${fate.text}`,
      )
  }
}

const keyOf = (parameter: HttpParameter, renamed: ReadonlyMap<string, string> = new Map()) => {
  const { name } = parameter
  if (parameter.in === 'path') return `path.${renamed.get(name) ?? name}`
  // RFC 9110, 5.1: the names of header fields know no case.
  return `${parameter.in}.${parameter.in === 'header' ? name.toLowerCase() : name}`
}

/** The names in one template by the names in the other. */
const pathNames = (before: string, after: string): ReadonlyMap<string, string> => {
  const names = (path: string) => [...path.matchAll(/{([^}]*)}/g)].map(([, name = '']) => name)
  const now = names(after)
  return new Map(names(before).map((name, index) => [name, now[index] ?? name]))
}

/** A parameter with a media type is read as its media type says; all others are texts. */
export const isText = (before: HttpParameter, after: HttpParameter): boolean =>
  before.mediaType === undefined && after.mediaType === undefined

/** How a value becomes text; `explode` says nothing of one that has no parts. */
export const writtenAs = (
  { mediaType, style, explode }: HttpParameter,
  isPlain: boolean,
): string => {
  if (mediaType !== undefined) return mediaTypeName(mediaType)
  return isPlain ? `style ${style}` : `style ${style}, explode ${explode}`
}

const sunsetOf = (
  api: Comparison['context']['before'],
  operation: HttpOperation,
  parameter: HttpParameter,
) => text(written(api, operation, parameter)['x-sunset'])

/** What the document says of a parameter, with what the Api leaves out. */
const written = (
  api: Comparison['context']['before'],
  operation: HttpOperation,
  { name, in: place }: HttpParameter,
) =>
  writtenMember(
    api,
    operation,
    'parameters',
    (member) => member.name === name && member.in === place,
  )
