import type { Api, RpcOperation } from '../model/api.js'
import { byKey } from './by-key.js'
import { both, type Change, change, weighed } from './change.js'
import { schemaFindings } from './schema-findings.js'
import type { DiffContext } from './subject.js'

/**
 * Changes of methods that the server calls, and of the side that sends a method. Clients read the params of the server like a
 * response, so the params may not be widened; the accepted replies may not be narrowed.
 */
export function* serverMethodChanges(context: DiffContext): Generator<ServerMethodChange> {
  const [before, after] = [sidesOf(context.before), sidesOf(context.after)]
  for (const [name, was] of before) {
    const is = after.get(name)
    const changes = is ? sideChanges(context, was, is) : removal(context, was)
    for (const one of changes) yield { ...weighed(one, was.method), operation: name }
  }
  for (const [name, { method, sender }] of after) {
    if (before.has(name) || sender === 'client' || context.before.rpc === undefined) continue
    const places = {
      before: context.before.rpc.source.locate('methods'),
      after: method.source.locate(),
    }
    const how = isNotification(method) ? 'sends' : 'calls and waits for the reply of'
    const message = `the server ${how} the new method ${name}`
    yield { ...change('server-method-added', places, message), operation: name }
  }
}

type ServerMethodChange = Change & { readonly operation: string }

/** Whether a method is compared here, and not reported as a removed or added operation. */
export const isKnownMethod = (api: Api, operation: Api['operations'][number]): boolean =>
  operation.kind === 'rpc' &&
  api.serverMethods.some(({ method }) => method === operation.method) &&
  !api.operations.some((one) => one.kind === 'rpc' && one.method === operation.method)

type Sided = { readonly method: RpcOperation; readonly sender: 'client' | 'server' | 'both' }

const sidesOf = (api: Api): ReadonlyMap<string, Sided> => {
  const sides = new Map<string, Sided>()
  for (const one of api.operations)
    if (one.kind === 'rpc') sides.set(one.method, { method: one, sender: 'client' })
  for (const one of api.serverMethods) {
    const sender = sides.has(one.method) ? 'both' : 'server'
    sides.set(one.method, { method: one, sender })
  }
  return sides
}

const isNotification = ({ isNotification: isOne }: RpcOperation): boolean => isOne === true

function* removal({ after }: DiffContext, { method, sender }: Sided): Generator<Change> {
  if (sender === 'client' || after.rpc === undefined) return
  const places = { before: method.source.locate(), after: after.rpc.source.locate('methods') }
  const message = `the server no longer sends ${method.method}: clients that wait for it receive nothing`
  yield { ...change('server-method-removed', places, message), ...OF_SERVER }
}

function* sideChanges(context: DiffContext, was: Sided, is: Sided): Generator<Change> {
  const pair = { before: was.method, after: is.method }
  const name = is.method.method
  if (was.sender !== is.sender) {
    const message = `${name} is sent by ${SENDERS[is.sender]} now, and was sent by ${SENDERS[was.sender]}`
    const rule = is.sender === 'both' ? 'method-direction-widened' : 'method-direction-changed'
    const lostResult = isNotification(is.method) && !isNotification(was.method)
    const why = lostResult
      ? ': it has no result any more; add x-direction: client if only clients send it'
      : ''
    const found = change(rule, both(pair, 'x-direction'), `${message}${why}`)
    yield was.sender === 'server' ? { ...found, ...OF_SERVER } : found
  }
  if (was.sender !== 'client' && is.sender !== 'client')
    for (const one of sentChanges(context, pair)) yield { ...one, ...OF_SERVER }
}

const OF_SERVER = { sender: 'server' } as const

const SENDERS = { client: 'clients', server: 'the server', both: 'both sides' } as const

type Pair = { readonly before: RpcOperation; readonly after: RpcOperation }

function* sentChanges(context: DiffContext, pair: Pair): Generator<Change> {
  const { before, after } = pair
  const name = `the server method ${after.method}`
  const isByName = before.paramStructure === 'by-name' && after.paramStructure === 'by-name'
  const known = byKey(before.params, (param) => param.name)
  const kept = [...byKey(after.params, (param) => param.name)].flatMap(([key, param]) => {
    const match = known.get(key)
    return match ? [{ before: match, after: param }] : []
  })
  for (const param of after.params) {
    if (kept.some((one) => one.after === param)) continue
    const places = { before: before.source.locate('params'), after: param.source.locate() }
    yield change('server-param-added', places, `${name} has the new param \`${param.name}\``)
  }
  for (const param of before.params) {
    if (kept.some((one) => one.before === param)) continue
    const places = { before: param.source.locate(), after: after.source.locate('params') }
    const message = `${name} lacks the param \`${param.name}\` now: clients that read it fail`
    yield change('server-param-removed', places, message)
  }
  const isMoved = kept.some(
    (one) => before.params.indexOf(one.before) !== after.params.indexOf(one.after),
  )
  if (isMoved && !isByName) {
    const message = `the params of ${name} have another order now: clients that read them by position read the wrong values`
    yield change('server-params-reordered', both(pair, 'params'), message)
  }
  for (const one of kept) {
    const what = `the param \`${one.after.name}\` of ${name}`
    if (one.before.required && !one.after.required) {
      const message = `${what} may be absent now: clients do not expect it`
      yield change('server-param-became-optional', both(one, 'required'), message)
    }
    const subject = {
      ...({ direction: 'response', what } as const),
      ...{ before: one.before.source, after: one.after.source },
    }
    yield* schemaFindings(context, subject, one.before.schema, one.after.schema)
  }
  yield* replyChanges(context, pair, name)
}

function* replyChanges(context: DiffContext, pair: Pair, name: string): Generator<Change> {
  const { before, after } = pair
  const places = both(pair, 'result')
  if (isNotification(before) && !isNotification(after)) {
    const message = `${name} is a request now: the server waits for a reply that clients do not send`
    yield change('server-result-added', places, message)
  } else if (!isNotification(before) && isNotification(after)) {
    yield change('server-result-removed', places, `${name} is a notification now`)
  } else if (!isNotification(after)) {
    const subject = {
      direction: 'request',
      what: `the reply to ${name}`,
      consequence: 'the server may reject replies that it accepted',
      before: before.result.source,
      after: after.result.source,
    } as const
    yield* schemaFindings(context, subject, before.result.schema, after.result.schema)
  }
}
