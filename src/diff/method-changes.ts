import { isDeepStrictEqual } from 'node:util'
import type { Api, RpcDeclaredError, RpcOperation, RpcParam } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import type { Schema } from '../schema/schema.js'
import { both, type Change, type Comparison, change } from './change.js'
import { removal, withdrawal } from './lifecycle.js'
import { methodVariantChanges } from './method-variant-changes.js'
import { lifeOf, valueChanges } from './parameter-changes.js'
import { schemaFindings } from './schema-findings.js'
import { subscriptionChanges } from './subscription-changes.js'
import { isSameWritten, writtenOperation } from './written.js'

/** Changes of the params, the result, the errors, the variants and the subscription of a JSON-RPC method. */
export function* methodChanges(comparison: Comparison<RpcOperation>): Generator<Change> {
  yield* paramsChanges(comparison)
  yield* resultChanges(comparison)
  yield* errorChanges(comparison)
  yield* methodVariantChanges(comparison)
  yield* subscriptionChanges(comparison)
}

function* resultChanges(comparison: Comparison<RpcOperation>): Generator<Finding> {
  const { before, after, name, context } = comparison
  const [was, is] = [hasResult(comparison, 'before'), hasResult(comparison, 'after')]
  const places = both(comparison, 'result')
  if (was && !is) {
    const message = `${name} is a notification now: callers who wait for a result receive none`
    yield change('result-removed', places, message)
  } else if (is && !was) yield change('result-added', places, `${name} returns a result now`)
  else if (is) {
    const what = `the result of ${name}`
    const [one, other] = [before.result, after.result]
    yield* schemaFindings(
      context,
      { direction: 'response', what, before: one.source, after: other.source },
      one.schema,
      other.schema,
    )
  }
}

/** OpenRPC 1.3, Method Object: without a result a method is a notification. */
const hasResult = ({ context, ...versions }: Comparison<RpcOperation>, which: 'before' | 'after') =>
  writtenOperation(context[which], versions[which]).result !== undefined

/**
 * A new error code is not breaking: any server may return undeclared codes, so callers must handle them
 * anyway.
 */
function* errorChanges(comparison: Comparison<RpcOperation>): Generator<Finding> {
  const { before, after, name } = comparison
  const free = new Set(before.errors)
  const take = (isMatch: (one: RpcDeclaredError) => boolean) => {
    const match = [...free].find(isMatch)
    if (match) free.delete(match)
    return match
  }
  // One code may be declared with several messages.
  const same = new Map(
    after.errors.map((error) => [
      error,
      take(({ code, message }) => code === error.code && message === error.message),
    ]),
  )
  const added: RpcDeclaredError[] = []
  for (const error of after.errors) {
    const known = same.get(error)
    if (known) {
      yield* dataChanges(comparison, known, error)
      continue
    }
    const match = take(({ code }) => code === error.code)
    if (match) yield* dataChanges(comparison, match, error)
    if (!match) {
      added.push(error)
      const places = { before: before.source.locate('errors'), after: error.source.locate() }
      const message = `${name} may return the error ${error.code} (${error.message}) now`
      yield change('error-code-added', places, message)
    } else {
      const message = `the message of the error ${error.code} of ${name} is "${error.message}" now, and was "${match.message}"`
      yield change(
        'error-message-changed',
        both({ before: match, after: error }, 'message'),
        message,
      )
    }
  }
  for (const error of free) {
    const places = { before: error.source.locate(), after: after.source.locate('errors') }
    const message = `${name} no longer declares the error ${error.code} (${error.message})`
    if (added.length === 0) {
      yield change('error-code-removed', places, message)
      continue
    }
    const others = added.map(({ code }) => code).join(' and ')
    const so = `and declares ${others} now: callers who look for ${error.code} may miss it`
    yield change('error-code-replaced', places, `${message} ${so}`)
  }
}

/** OpenRPC 1.3, Error Object: the server defines `data`, so any difference is a change. */
function* dataChanges(
  { context, name }: Comparison<RpcOperation>,
  before: RpcDeclaredError,
  after: RpcDeclaredError,
): Generator<Finding> {
  const written = (api: Api, { data }: RpcDeclaredError) => ({
    bundled: api.rpc?.bundled ?? {},
    value: data,
  })
  if (isSameWritten(written(context.before, before), written(context.after, after))) return
  const places = both({ before, after }, 'data')
  const what = `the error ${after.code} of ${name}`
  if (before.data === undefined) {
    yield change('error-data-added', places, `${what} declares \`data\` now`)
  } else {
    const how = after.data === undefined ? 'no longer declares `data`' : 'declares other `data` now'
    const message = `${what} ${how}: clients that read it may fail`
    yield change('error-data-changed', places, message)
  }
}

/** Changes of the params of a method, by position and by name, if both versions allow it. */
function* paramsChanges(comparison: Comparison<RpcOperation>): Generator<Change> {
  const { before, after, name } = comparison
  yield* structureChanges(comparison)
  const { pairs, added, removed } = matchParams(before, after)
  const isPositional = before.paramStructure !== 'by-name' && after.paramStructure !== 'by-name'
  if (isPositional) yield* orderChanges(comparison, pairs, added, removed)
  for (const pair of pairs) yield* changesOfOne(comparison, pair)
  yield* otherParamsChanges(comparison)
  for (const param of added) {
    const places = { before: before.source.locate('params'), after: param.source.locate() }
    yield param.required
      ? change(
          'parameter-added-required',
          places,
          `the param \`${param.name}\` of ${name} is new and required: callers who do not send it are rejected`,
        )
      : change(
          'parameter-added-optional',
          places,
          `the param \`${param.name}\` of ${name} is new and optional`,
        )
  }
  for (const param of removed) {
    const what = `the param \`${param.name}\` of ${name}`
    const places = { before: param.source.locate(), after: after.source.locate('params') }
    const fate = removal(lifeOf(comparison, 'before', param), comparison.today)
    // A list of params is closed; an unknown query parameter or header may be ignored.
    yield withdrawal('parameter', what, places, fate, {
      rule: 'param-removed',
      loss: 'the service rejects it',
    })
  }
}

/** Changes of the params by name that a method does not list. */
function* otherParamsChanges({
  before,
  after,
  name,
  context,
}: Comparison<RpcOperation>): Generator<Finding> {
  const [was = false, is = false] = [before.otherParams, after.otherParams]
  if (before.paramStructure !== 'by-name' || after.paramStructure !== 'by-name') return
  if (was === false && is === false) return
  const others = (additionalProperties: Schema): Schema => ({
    type: 'object',
    additionalProperties,
  })
  const what = `the params of ${name} that it does not list`
  const places = { before: before.source, after: after.source }
  const subject = { direction: 'request', what, ...places } as const
  yield* schemaFindings(context, subject, others(was), others(is))
}

function* structureChanges(comparison: Comparison<RpcOperation>): Generator<Change> {
  const { before, after, name } = comparison
  const [was, is] = [before.paramStructure, after.paramStructure]
  if (was === is) return
  const places = both(comparison, 'paramStructure')
  if (is === 'either') {
    const message = `the params of ${name} can be sent by position and by name now`
    yield change('param-structure-widened', places, message)
    return
  }
  const way = is === 'by-name' ? 'by position' : 'by name'
  const message = `the params of ${name} can only be sent ${is.replace('-', ' ')} now: callers who send them ${way} are rejected`
  yield { ...change('param-structure-narrowed', places, message), lost: way }
}

/** Callers by position depend on the order. */
function* orderChanges(
  comparison: Comparison<RpcOperation>,
  pairs: readonly MatchedParam[],
  added: readonly RpcParam[],
  removed: readonly RpcParam[],
): Generator<Finding> {
  const { before, after, name } = comparison
  const order = pairs.map(({ before: param }) => before.params.indexOf(param))
  const places = both(comparison, 'params')
  const moved = pairs.filter(
    (pair) => before.params.indexOf(pair.before) !== after.params.indexOf(pair.after),
  )
  const [first] = moved
  if (!first) return
  const position = (params: readonly RpcParam[], param: RpcParam) => params.indexOf(param) + 1
  const where = `\`${first.after.name}\` is number ${position(after.params, first.after)} and was number ${position(before.params, first.before)}`
  if (order.some((at, index) => at < (order[index - 1] ?? -1))) {
    const message = `the params of ${name} have another order now (${where}): calls by position give values to the wrong params`
    yield change('params-reordered', places, message)
    return
  }
  const cause = [
    ...added.map((param) => `\`${param.name}\` is added`),
    ...removed.map((param) => `\`${param.name}\` is removed`),
  ]
  const message = `${cause.join(' and ')} before other params of ${name} (${where}): calls by position give values to the wrong params`
  yield change('params-shifted', places, message)
}

function* changesOfOne(
  comparison: Comparison<RpcOperation>,
  pair: MatchedParam,
): Generator<Finding> {
  const what = `the param \`${pair.after.name}\` of ${comparison.name}`
  if (pair.before.name !== pair.after.name) yield renaming(comparison, pair)
  yield* valueChanges(comparison, what, pair, 'are')
}

const renaming = (
  { before, after, name }: Comparison<RpcOperation>,
  pair: MatchedParam,
): Finding => {
  const sentence = `the param \`${pair.before.name}\` of ${name} is named \`${pair.after.name}\` now`
  const isNamed = before.paramStructure !== 'by-position' && after.paramStructure !== 'by-position'
  return isNamed
    ? change(
        'param-renamed',
        both(pair, 'name'),
        `${sentence}: the service does not read the old name in calls by name`,
      )
    : change('param-title-changed', both(pair, 'name'), sentence)
}

/**
 * Pairs the params of two versions of a method. Params with the same name are a pair. Others are a pair if they have the same
 * position, and either equal schemas or lists of equal length.
 */
function matchParams(before: RpcOperation, after: RpcOperation): MatchedParams {
  const byName = new Map(before.params.map((param) => [param.name, param]))
  const pairs: MatchedParam[] = []
  const added: RpcParam[] = []
  const matched = new Set<RpcParam>()
  const isFree = (param: RpcParam | undefined) =>
    param !== undefined && !after.params.some(({ name }) => name === param.name)
  for (const [index, param] of after.params.entries()) {
    const there = before.params[index]
    const renamed =
      there &&
      isFree(there) &&
      (before.params.length === after.params.length || isAlike(there, param))
        ? there
        : undefined
    const match = there?.name === param.name ? there : (byName.get(param.name) ?? renamed)
    if (match && !matched.has(match)) {
      matched.add(match)
      pairs.push({ before: match, after: param })
    } else added.push(param)
  }
  return { pairs, added, removed: before.params.filter((param) => !matched.has(param)) }
}

export type MatchedParam = { readonly before: RpcParam; readonly after: RpcParam }

type MatchedParams = {
  /** In the order of the new version. */
  readonly pairs: readonly MatchedParam[]
  readonly added: readonly RpcParam[]
  readonly removed: readonly RpcParam[]
}

const isAlike = (one: RpcParam, other: RpcParam) => isDeepStrictEqual(one.schema, other.schema)
