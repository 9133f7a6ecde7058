import type { Api } from '../model/api.js'
import { cancelFaults, progressFaults, readCancel, readProgress } from '../model/call-messages.js'
import type { FindingDetails } from '../model/finding.js'
import { readSubscription, schemaAtParams } from '../model/subscriptions.js'
import type { Schema } from '../schema/schema.js'
import { overlapIn } from './overlap.js'
import type { LintRule, Survey } from './survey.js'

/** `x-subscription`, `x-cancel` and `x-progress` name methods of the document, and places in params. */
export const SUBSCRIPTION_RULES: readonly LintRule[] = [
  {
    id: 'subscription-cannot-work',
    level: 'error',
    purpose:
      'A client can subscribe only if x-subscription names methods of the document, and params of its notifications that have the id and the items.',
    find: brokenSubscriptions,
  },
  {
    id: 'cancel-cannot-work',
    level: 'error',
    purpose: 'A call can be cancelled only if x-cancel names a notification, and a param of it.',
    find: ({ api }) => brokenMessages(api, 'x-cancel', readCancel, cancelFaults),
  },
  {
    id: 'progress-cannot-work',
    level: 'error',
    purpose:
      'Progress arrives only if x-progress names a notification, params of it, and a param of some methods.',
    find: ({ api }) => brokenMessages(api, 'x-progress', readProgress, progressFaults),
  },
]

function* brokenMessages<Message>(
  api: Api,
  name: string,
  read: (value: unknown) => Message | undefined,
  faultsOf: (
    message: Message,
    api: Api,
  ) => readonly { readonly member: string; readonly message: string }[],
): Generator<FindingDetails> {
  const message = read(api.rpc?.bundled[name])
  if (message === undefined || api.rpc === undefined) return
  for (const { member, message: text } of faultsOf(message, api))
    yield { location: api.rpc.source.locate(name, member), message: text }
}

function* brokenSubscriptions({ api, rpc, written }: Survey): Generator<FindingDetails> {
  const overlap = overlapIn(api)
  const areApart = (one: Schema, other: Schema) => overlap(one, other, []).kind === 'apart'
  for (const { node, document } of written) {
    const subscription = readSubscription(node['x-subscription'])
    if (subscription === undefined || document.kind !== 'rpc') continue
    const { unsubscribe, id, notifications } = subscription
    const locate = (...path: readonly (string | number)[]) =>
      document.sourceOf(node).locate('x-subscription', ...path)
    const end = rpc.find(({ method }) => method === unsubscribe)
    const begin = rpc.find(({ method }) => method === node.name)
    const idSchema = begin?.result.schema ?? true
    const [taken] = end?.params ?? []
    if (end === undefined)
      yield {
        location: locate('unsubscribe'),
        message: `clients cannot call ${unsubscribe}, which ends the subscription: name a method of clients`,
      }
    else if (taken === undefined)
      yield {
        location: locate('unsubscribe'),
        message: `${unsubscribe} takes no params, but the server has to know which subscription ends: give it the id as its first param`,
      }
    else if (areApart(idSchema, taken.schema))
      yield {
        location: locate('unsubscribe'),
        message: `the first param of ${unsubscribe} accepts no result of ${begin?.method}, which is the id: give both the same schema`,
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
      ] as const) {
        const found = schemaAtParams(notification, pointer, api.schemas)
        if (found === undefined)
          yield {
            location: place,
            message: `${pointer} leads to nothing in the params of ${method}: begin with the name or the position of a param`,
          }
        else if (pointer === id && areApart(idSchema, found))
          yield {
            location: place,
            message: `no value at ${pointer} of ${method} is a result of ${begin?.method}, which is the id: give both the same schema`,
          }
      }
    }
    const items = notifications.flatMap(({ method, item }) => {
      const sent = api.serverMethods.find((one) => one.method === method)
      return (sent && schemaAtParams(sent, item, api.schemas)) ?? []
    })
    for (const { name, item } of begin?.variants ?? [])
      if (item !== undefined && items.length > 0 && areApart(item, { anyOf: items }))
        yield {
          location: document.sourceOf(node).locate('x-variants', name, 'item'),
          message: `no notification has an item of the variant ${name}: add it to the schema of the item`,
        }
  }
}
