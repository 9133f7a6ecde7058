import type { Api, HttpOperation, Operation } from '../../model/api.js'
import type { Link } from '../../runtime/operation.js'
import { ownName } from '../operation-name.js'
import type { Target } from '../target.js'
import { unsupportedReason } from '../target.js'
import type { Exchange, Sent } from '../wire/exchange.js'
import { writeHttp } from '../wire/write-http.js'
import { callText, postRpc } from '../wire/write-rpc.js'
import { NotTested } from '../workflows/not-tested.js'
import { type Scope, valueAt } from '../workflows/scope.js'

/** Where an answer leads to: an operation, and the parameters that the answer gives for it. */
export type Lead = {
  readonly link: Link
  readonly target: Operation
  /** Name of a parameter -> its value, never null. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The links (OpenAPI, Link Object) that this answer has all values for. */
export const leadsOf = (api: Api, operation: HttpOperation, exchange: Exchange): readonly Lead[] =>
  operation.links.flatMap((link) => {
    if (!isOfStatus(link.status, exchange.answer?.status)) return []
    const target = api.operations.find(
      (one) => one.id === link.operation || (one.kind === 'rpc' && one.method === link.operation),
    )
    if (!target) return []
    const values = Object.entries(link.parameters).map(
      ([name, value]) => [name, meant(value, exchange)] as const,
    )
    const isWhole = values.every(([, value]) => value !== undefined && value !== null)
    return isWhole ? [{ link, target, values: Object.fromEntries(values) }] : []
  })

/** What an answer gives to those who follow it: `getOrder.id` -> the id; each once, constants left out. */
export const linkValues = (
  api: Api,
  operation: HttpOperation,
  exchange: Exchange,
): readonly { readonly key: string; readonly value: unknown }[] => {
  const found = new Map<string, unknown>()
  for (const { link, target, values } of leadsOf(api, operation, exchange))
    for (const [name, value] of Object.entries(values))
      if (value !== link.parameters[name]) found.set(`${ownName(target)}.${name}`, value)
  return [...found].map(([key, value]) => ({ key, value }))
}

/** The request that a lead asks for, or why it cannot be made. */
export const requestOf = ({ target, values }: Lead, server: Target): Sent | string => {
  if (target.kind === 'http') {
    const why = unsupportedReason(server, target)
    if (why !== undefined) return why
    const parameters = Object.fromEntries(
      target.parameters.flatMap(({ name, in: place }) => {
        const id = `${place}.${name}`
        const value = values[id] ?? values[name]
        return value === undefined ? [] : [[id, value] as const]
      }),
    )
    return (
      writeHttp(target, { parameters }, server) ?? 'it needs a key, or more than the link gives'
    )
  }
  if (server.rpc === undefined) return 'no server was named that answers the OpenRPC document'
  const named = target.params.map(({ name }, at) => values[name] ?? values[String(at)])
  const missing = target.params.find(({ required }, at) => required && named[at] === undefined)
  if (missing) return `the link gives no ${missing.name}`
  const last = named.findLastIndex((value) => value !== undefined)
  const gap = named.slice(0, last + 1).indexOf(undefined)
  if (target.paramStructure !== 'by-name' && gap >= 0)
    return `the link gives no ${target.params[gap]?.name}, which stands before what it gives`
  const params =
    target.paramStructure === 'by-name'
      ? Object.fromEntries(target.params.map(({ name }, at) => [name, named[at]]))
      : named.slice(0, last + 1)
  return postRpc(server, callText(target.method, params))
}

const isOfStatus = (declared: string, status: number | undefined): boolean =>
  declared === String(status) ||
  declared === 'default' ||
  (status !== undefined && declared === `${String(status)[0]}XX`)

/** An expression's value, and all else as it stands. */
const meant = (value: unknown, exchange: Exchange): unknown => {
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  const scope: Scope = {
    inputs: {},
    steps: new Map(),
    workflows: new Map(),
    output: () => undefined,
    exchange,
    parameters: {},
  }
  try {
    return valueAt(value, scope)
  } catch (error) {
    if (error instanceof NotTested) return undefined
    throw error
  }
}
