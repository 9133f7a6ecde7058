import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Api, RpcOperation, RpcVariant } from '../model/api.js'
import { nameOf } from '../model/operation-name.js'
import { itemSchemas } from '../model/subscriptions.js'
import { cached } from '../runtime/shared/cached.js'
import { valueAtParams } from '../runtime/shared/sent-params.js'
import type { Checker } from '../schema/check.js'
import type { Sampler } from '../schema/readable.js'
import type { NotMocked } from './service.js'

/**
 * What the mock sends for subscriptions: in turn the items of documented notifications that the subscription has, else samples of
 * the schemas of its items. One is sent every `interval` milliseconds.
 */
export const createPushedItems = (
  api: Api,
  sampler: Sampler,
  checker: Checker,
  interval: number,
): SubscriptionItems => {
  const subscribing = api.operations.flatMap((one) =>
    one.kind === 'rpc' && one.subscription ? [one] : [],
  )
  const known = new Map<string, readonly unknown[]>()
  const valuesOf = (operation: RpcOperation, variant: RpcVariant | undefined) =>
    cached(known, `${operation.id} ${variant?.name ?? ''}`, () => {
      const schemas = itemSchemas(operation, api).map((schema) => variant?.item ?? schema ?? true)
      const shown = (operation.subscription?.notifications ?? []).flatMap(
        ({ method, item }, at) => {
          const notification = api.serverMethods.find((one) => one.method === method)
          return (notification?.examples ?? [])
            .map((one) => valueAtParams(notification ?? operation, item, one.namedParams))
            .filter(
              (value) => value !== undefined && checker.schema(schemas[at] ?? true).check(value),
            )
        },
      )
      if (shown.length > 0) return shown
      const made = variant?.item === undefined ? schemas : schemas.slice(0, 1)
      return made.map(sampler).filter((value) => value !== undefined)
    })
  const lacking = subscribing.flatMap((operation): readonly NotMocked[] => {
    const forms = [undefined, ...(operation.variants ?? [])]
    const none = forms.find((variant) => valuesOf(operation, variant).length === 0)
    if (forms.every((variant) => valuesOf(operation, variant).length > 0)) return []
    const what = none === undefined ? '' : ` of the variant ${none.name}`
    return [
      {
        operation: operation.id,
        rule: 'response-not-mocked',
        level: 'warning',
        location: operation.source.locate(),
        message: `no item${what} is sent to subscribers of ${nameOf(operation)}: no value can be generated from its schema; correct the schema, or add an example to the notification`,
      },
    ]
  })
  return {
    notMocked: lacking,
    items: (id, variantName, signal) => {
      const operation = subscribing.find((one) => one.id === id)
      const variant = operation?.variants?.find(({ name }) => name === variantName)
      return repeated(operation ? valuesOf(operation, variant) : [], interval, signal)
    },
  }
}

type SubscriptionItems = {
  readonly items: (
    operation: string,
    variant: string | undefined,
    signal: AbortSignal | undefined,
  ) => AsyncIterable<unknown>
  /** Methods whose subscribers get no items, with the reason. */
  readonly notMocked: readonly NotMocked[]
}

async function* repeated(
  values: readonly unknown[],
  interval: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown> {
  // Each subscription of the connection waits with it.
  if (signal) setMaxListeners(0, signal)
  for (let at = 0; ; at += 1) {
    // The end of the connection ends the pause; `ref: false` lets the process end before.
    await pause(interval, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal?.aborted) return
    if (values.length > 0) yield values[at % values.length]
  }
}
