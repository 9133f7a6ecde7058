import type { Api, RpcDeclaredError, RpcOperation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { change } from './change.js'
import { both, type Comparison } from './comparison.js'
import { paramsChanges } from './params-changes.js'
import { schemaFindings } from './schema-findings.js'
import { isSameWritten, writtenOperation } from './written.js'

/** A method of JSON-RPC: its params, its result and its errors. */
export function* methodChanges(comparison: Comparison<RpcOperation>): Generator<Finding> {
  yield* paramsChanges(comparison)
  yield* resultChanges(comparison)
  yield* errorChanges(comparison)
}

function* resultChanges(comparison: Comparison<RpcOperation>): Generator<Finding> {
  const { before, after, name, context } = comparison
  const [was, is] = [answers(comparison, 'before'), answers(comparison, 'after')]
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
const answers = ({ context, ...versions }: Comparison<RpcOperation>, which: 'before' | 'after') =>
  writtenOperation(context[which], versions[which]).result !== undefined

/**
 * Any server may refuse with codes that no document names, so that callers need a way with those:
 * a new one is reported and breaks nobody.
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
      yield change(
        'error-message-changed',
        both({ before: match, after: error }, 'message'),
        `the message of the error ${error.code} of ${name} is "${error.message}" now, and was "${match.message}"`,
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

/** OpenRPC 1.3, Error Object: `data` is defined by the server, so that any other data is another promise. */
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
