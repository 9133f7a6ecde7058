import type { FindingDetails } from '../model/finding.js'
import { readSubscription, schemaAtParams } from '../model/subscriptions.js'
import type { LintRule, Survey } from './survey.js'

/** `x-subscription` names methods of the document, and places in the params of its notifications. */
export const SUBSCRIPTION_RULES: readonly LintRule[] = [
  {
    id: 'subscription-cannot-work',
    level: 'error',
    purpose:
      'A client can subscribe only if x-subscription names methods of the document, and params of its notifications.',
    find: brokenSubscriptions,
  },
]

function* brokenSubscriptions({ api, written }: Survey): Generator<FindingDetails> {
  for (const { node, document } of written) {
    const subscription = readSubscription(node['x-subscription'])
    if (subscription === undefined || document.kind !== 'rpc') continue
    const { unsubscribe, id, notifications } = subscription
    const locate = (...path: readonly (string | number)[]) =>
      document.sourceOf(node).locate('x-subscription', ...path)
    if (!api.operations.some((one) => one.kind === 'rpc' && one.method === unsubscribe))
      yield {
        location: locate('unsubscribe'),
        message: `clients cannot call ${unsubscribe}, which ends the subscription: name a method of clients`,
      }
    for (const [index, { method, item }] of notifications.entries()) {
      const notification = api.serverMethods.find((one) => one.method === method)
      if (notification === undefined) {
        yield {
          location: locate('notifications', index, 'method'),
          message: `the server does not send ${method}: add the method, with x-direction: server`,
        }
        continue
      }
      for (const [place, pointer] of [
        [locate('id'), id],
        [locate('notifications', index, 'item'), item],
      ] as const)
        if (schemaAtParams(notification, pointer, api.schemas) === undefined)
          yield {
            location: place,
            message: `${pointer} leads to nothing in the params of ${method}: begin with the name or the position of a param`,
          }
    }
  }
}
