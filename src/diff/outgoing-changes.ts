import type { Api, OutgoingRequest } from '../model/api.js'
import { withoutNames } from '../runtime/shared/template.js'
import { grouped } from '../schema/grouped.js'
import { both, type Change, change, weighed } from './change.js'
import { requestChanges } from './outgoing-request-changes.js'
import type { DiffContext } from './subject.js'

/**
 * Changes of webhooks and callbacks: requests that the service sends and subscribers reply to. Directions are reversed: the
 * sent values may not be widened, and the accepted replies may not be narrowed.
 */
export function* outgoingChanges(context: DiffContext): Generator<OutgoingChange> {
  const [before, after] = [groupsOf(context.before), groupsOf(context.after)]
  for (const [key, was] of before) {
    const is = after.get(key)
    const [first] = was
    if (!first) continue
    if (is) yield* changesOfGroup(context, was, is)
    // Callers who can no longer call the operation do not wait for its callbacks.
    else if (isOffered(context.after, first)) yield* removal(context, was, before, after)
  }
  for (const [key, is] of after) {
    const [first] = is
    if (!first || before.has(key) || !isOffered(context.before, first)) continue
    if (first.kind === 'callback' && movedTo(first, after, before)) continue
    const places = { before: homeOf(context.before, first), after: first.source.locate() }
    const message = `${titleOf(first)} is new`
    yield { ...change(`${first.kind}-added`, places, message), operation: labelOf(first) }
  }
}

/** A change, and the name of the changed request in reports. */
type OutgoingChange = Change & { readonly operation: string }

/** All methods of one webhook, or of one URL of a callback. */
type Group = readonly OutgoingRequest[]

const groupsOf = (api: Api): ReadonlyMap<string, Group> =>
  grouped(api.outgoing, (one) => JSON.stringify([keyOf(one), one.callback?.url]))

const keyOf = ({ kind, name, callback }: OutgoingRequest) =>
  [kind, name, callback?.method, callback && withoutNames(callback.path)].join(' ')

/** The name in messages: ``the callback `done` of POST /orders``. */
const titleOf = ({ kind, name, callback }: OutgoingRequest) =>
  `the ${kind} \`${name}\`${callback ? ` of ${callback.method} ${callback.path}` : ''}`

const labelOf = ({ kind, name, callback }: OutgoingRequest) =>
  callback ? `${callback.method} ${callback.path}` : `${kind} ${name}`

/** Whether a subscriber can still receive it: a callback needs its operation. */
const isOffered = (api: Api, one: OutgoingRequest) => !one.callback || offering(api, one)

/** The operation that a callback belongs to. */
const offering = (api: Api, { callback }: OutgoingRequest) =>
  callback &&
  api.operations.find(
    (one) =>
      one.kind === 'http' &&
      one.method === callback.method &&
      withoutNames(one.path) === withoutNames(callback.path),
  )

/** The location in a version that lacks the request. */
const homeOf = (api: Api, one: OutgoingRequest) =>
  offering(api, one)?.source.locate('callbacks') ?? api.http?.source.locate('webhooks')

/** The callback of the same name whose URL is read from another place of the request, if there is exactly one. */
const movedTo = (
  one: OutgoingRequest,
  own: ReadonlyMap<string, Group>,
  others: ReadonlyMap<string, Group>,
): Group | undefined => {
  const groups = (all: ReadonlyMap<string, Group>, without: ReadonlyMap<string, Group>) =>
    [...all].filter(([key, [first]]) => first && keyOf(first) === keyOf(one) && !without.has(key))
  const [moved, ...more] = groups(others, own)
  return more.length === 0 && groups(own, others).length === 1 ? moved?.[1] : undefined
}

function* removal(
  context: DiffContext,
  was: Group,
  before: ReadonlyMap<string, Group>,
  after: ReadonlyMap<string, Group>,
): Generator<OutgoingChange> {
  const [first] = was
  if (!first) return
  const moved = first.kind === 'callback' ? movedTo(first, before, after) : undefined
  const [now] = moved ?? []
  if (moved && now) {
    const message = `the service reads the address of ${titleOf(now)} from \`${now.callback?.url}\` now, not from \`${first.callback?.url}\`: callers who send it there get no callback`
    const places = both({ before: first, after: now })
    yield { ...change('callback-url-changed', places, message), operation: labelOf(now) }
    yield* changesOfGroup(context, was, moved)
    return
  }
  const places = { before: first.source.locate(), after: homeOf(context.after, first) }
  const message = `${titleOf(first)} is removed: subscribers wait for a request that never comes`
  const found = change(`${first.kind}-removed`, places, message)
  yield { ...weighed(found, first), operation: labelOf(first) }
}

function* changesOfGroup(context: DiffContext, was: Group, is: Group): Generator<OutgoingChange> {
  const [only, ...others] = is
  for (const before of was) {
    const alike = is.filter(({ method }) => method === before.method)
    // Paths that differ only in the names of their parameters are in one group.
    const same = alike.find((one) => one.callback?.path === before.callback?.path) ?? alike[0]
    const isRenamed = !same && was.length === 1 && others.length === 0
    const after = same ?? (isRenamed ? only : undefined)
    if (after) {
      for (const found of requestChanges({ context, title: titleOf(after), before, after })) {
        yield { ...weighed(found, before), operation: labelOf(after) }
      }
      continue
    }
    const places = { before: before.source.locate(), after: only?.source.locate() }
    const message = `${titleOf(before)} is no longer sent with ${before.method}: subscribers wait for a request that never comes`
    const found = change('callback-method-changed', places, message)
    yield { ...weighed(found, before), operation: labelOf(before) }
  }
}
