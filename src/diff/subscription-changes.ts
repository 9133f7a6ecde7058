import type { Api, RpcOperation } from '../model/api.js'
import type { Subscription } from '../runtime/operation.js'
import { segmentsOf } from '../runtime/shared/pointer.js'
import { both, type Change, type Comparison, change } from './change.js'

/**
 * Changes of `x-subscription`: old clients call the old method to unsubscribe, and look for ids and items at the old places. The
 * schema of the items is compared with the params of the notification.
 */
export function* subscriptionChanges(comparison: Comparison<RpcOperation>): Generator<Change> {
  const { before, after, name } = comparison
  const [was, is] = [before.subscription, after.subscription]
  const places = (...path: readonly (string | number)[]) =>
    both(comparison, 'x-subscription', ...path)
  if (was && !is) {
    const message = `${name} begins no subscription now: clients that subscribe get no items`
    yield change('subscription-removed', places(), message)
  }
  if (is && !was) yield change('subscription-added', places(), `${name} begins a subscription now`)
  if (was && is) yield* changesOfOne(comparison, was, is)
}

function* changesOfOne(
  comparison: Comparison<RpcOperation>,
  was: Subscription,
  is: Subscription,
): Generator<Change> {
  const { context, name } = comparison
  const places = (...path: readonly (string | number)[]) =>
    both(comparison, 'x-subscription', ...path)
  if (was.unsubscribe !== is.unsubscribe) {
    const message = `subscriptions of ${name} end by ${is.unsubscribe} now, and ended by ${was.unsubscribe}: those of old clients may not end`
    yield change('unsubscribe-method-changed', places('unsubscribe'), message)
  }
  const isMoved = (method: string, from: string, to: string) =>
    placeIn(context.before, method, from) !== placeIn(context.after, method, to)
  let isIdMoved = false
  for (const [at, { method, item }] of was.notifications.entries()) {
    const index = is.notifications.findIndex((one) => one.method === method)
    const match = is.notifications[index]
    const own = {
      before: places('notifications', at).before,
      after: places('notifications', ...(match ? [index] : [])).after,
    }
    if (match === undefined) {
      const message = `the items of ${name} are no longer sent by ${method}: old clients get none`
      yield change('subscription-notification-removed', own, message)
      continue
    }
    if (isMoved(method, item, match.item)) {
      const message = `the item is at ${match.item} in the params of ${method} now, and was at ${item}: old clients look there`
      yield change('subscription-item-moved', own, message)
    }
    isIdMoved ||= isMoved(method, was.id, is.id)
  }
  if (isIdMoved) {
    const message = `the id of a subscription of ${name} is at ${is.id} now, and was at ${was.id}: old clients drop the items`
    yield change('subscription-id-moved', places('id'), message)
  }
  for (const [at, { method }] of is.notifications.entries()) {
    if (was.notifications.some((one) => one.method === method)) continue
    const own = {
      before: places('notifications').before,
      after: places('notifications', at).after,
    }
    const message = `${method} sends items of ${name} now as well: old clients ignore them`
    yield change('subscription-notification-added', own, message)
  }
}

/** A pointer whose first step is the position of the param: two pointers may differ only in how they name it. */
const placeIn = ({ serverMethods }: Api, method: string, pointer: string): string => {
  const [first, ...rest] = segmentsOf(pointer)
  const { params = [], paramStructure } = serverMethods.find((one) => one.method === method) ?? {}
  const at = params.findIndex(({ name }, index) => name === first || String(index) === first)
  // By name, a param may change its position.
  const param = at < 0 ? first : paramStructure === 'by-name' ? params[at]?.name : String(at)
  return JSON.stringify([param, ...rest])
}
