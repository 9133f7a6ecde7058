import { shapedParams, valueAtParams, variantOf } from '../../../runtime/shared/sent-params.js'
import { type CheckResult, type DocumentChecks, parse } from './checks.js'
import type { RpcTry, TrySubscription } from './data.js'
import { createItemsView } from './response-view.js'

/** Shows the items of a subscription as they arrive, and validates each. `sent` is the text of the call that begins it. */
export function createSubscriptionItems(
  { operation, variants = {} }: Pick<RpcTry, 'operation' | 'variants'>,
  { id: place, notifications }: TrySubscription,
  checks: DocumentChecks,
  sent: string,
) {
  const view = createItemsView('Items of the subscription')
  const variant = variantOfText()
  /** Notifications that arrived before the id. */
  let early: { readonly call: Call; readonly text: string }[] | undefined = []
  let id: unknown

  function variantOfText() {
    const read = parse(sent)
    const { params } = Object('value' in read ? read.value : undefined)
    const known = Object.entries(variants).map(([name, one]) => [
      name,
      { params: checks.of(one.params) },
    ])
    return variantOf(Object.fromEntries(known), shapedParams(operation, params))
  }

  const take = (call: Call, text: string): boolean => {
    const source = notifications.find(({ method }) => method === call.method)
    if (!source) return false
    if (early) {
      early.push({ call, text })
      return true
    }
    const { params } = call
    if (JSON.stringify(valueAtParams(source, place, params)) !== JSON.stringify(id)) return false
    const faults = checks.faults(source.schema, shapedParams(source, params))
    const item = variant === undefined ? undefined : variants[variant]?.item
    const own =
      item === undefined || faults.length > 0
        ? []
        : checks.faults(item, valueAtParams(source, source.item, params))
    view.add(text, [...faults, ...own])
    return true
  }

  return {
    list: view.list,
    id: () => id,
    take,
    /** Returns how many of the messages before it belong to no subscription, or to another. */
    begin: (own: unknown): number => {
      id = own
      const before = early ?? []
      early = undefined
      return before.filter(({ call, text }) => !take(call, text)).length
    },
    /** The result for all items, once the subscription has ended. */
    verdict: (tone: CheckResult['tone'], note: string): CheckResult => ({
      tone: view.faults.length > 0 ? 'wrong' : tone,
      headline: `A subscription with ${view.words()}.`,
      faults: view.faults,
      notes: [note, ...view.notes()],
      whole: 'the subscription',
    }),
  }
}

type Call = { readonly method?: unknown; readonly params?: unknown }
