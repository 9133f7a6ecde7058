import type { Api, HttpOperation, Operation } from '../../model/api.js'
import { own } from '../../runtime/checks.js'
import type { Link } from '../../runtime/operation.js'
import { declaredResponse } from '../../runtime/wire/status.js'
import type { Exchange, Sent } from '../../traffic/exchange.js'
import { NotTested, type Session } from '../case.js'
import { isRead, ownName } from '../operations.js'
import { isAccepted } from '../outcome.js'
import { isNotOffered } from '../responses/not-offered.js'
import { rpcOutcomeOf } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { type Target, unsupportedReason } from '../target.js'
import { callText, postRpc, writeHttp } from '../wire/write-request.js'
import { expressionValue, type Scope } from '../workflows/scope.js'

/** Rules for the links of a response. */
export const LINK_RULES: readonly Rule[] = [
  {
    id: 'link-target-missing',
    level: 'warning',
    purpose: 'The target of a link in a response exists.',
    clause: 'OpenAPI, links',
    checks: ['H32', 'H33'],
  },
]

/** The target of a link: an operation, and the parameters that the response gives for it. */
export type Lead = {
  readonly link: Link
  readonly target: Operation
  /** Name of a parameter -> its value, never null. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The links (OpenAPI, Link Object) for which this response has all values. */
export const leadsOf = (
  api: Api,
  operation: HttpOperation,
  exchange: Exchange,
): readonly Lead[] => {
  const { status } =
    (exchange.answer && declaredResponse(operation.responses, exchange.answer.status)) ?? {}
  return operation.links.flatMap((link) => {
    if (link.status !== status) return []
    const target = api.operations.find(
      (one) => one.id === link.operation || (one.kind === 'rpc' && one.method === link.operation),
    )
    if (!target) return []
    const values = Object.entries(link.parameters).map(
      ([name, value]) => [name, resolved(value, exchange)] as const,
    )
    const isWhole = values.every(([, value]) => value !== undefined && value !== null)
    return isWhole ? [{ link, target, values: Object.fromEntries(values) }] : []
  })
}

/** The values that a response gives to its links: `getOrder.id` -> the id. Each occurs once; constants are omitted. */
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

/** The request to follow a lead, or why it cannot be made. */
export const requestOf = ({ target, values }: Lead, server: Target): Sent | string => {
  if (target.kind === 'http') {
    const why = unsupportedReason(server, target)
    if (why !== undefined) return why
    const parameters = Object.fromEntries(
      target.parameters.flatMap(({ name, in: place }) => {
        const id = `${place}.${name}`
        const value = own(values, id) ?? own(values, name)
        return value === undefined ? [] : [[id, value] as const]
      }),
    )
    return (
      writeHttp(target, { parameters }, server) ?? 'it needs a key, or more than the link gives'
    )
  }
  if (server.rpc === undefined) return 'no server was given for the OpenRPC document'
  const named = target.params.map(({ name }, at) => own(values, name) ?? own(values, `${at}`))
  const missing = target.params.find(({ required }, at) => required && named[at] === undefined)
  if (missing) return `the link gives no ${missing.name}`
  const last = named.findLastIndex((value) => value !== undefined)
  const gap = named.slice(0, last + 1).indexOf(undefined)
  if (target.paramStructure !== 'by-name' && gap >= 0)
    return `the link gives no ${target.params[gap]?.name}, which precedes the params that it gives`
  const params =
    target.paramStructure === 'by-name'
      ? Object.fromEntries(target.params.map(({ name }, at) => [name, named[at]]))
      : named.slice(0, last + 1)
  return postRpc(server, callText(target.method, params))
}

/** The value of an expression; any other value unchanged. */
const resolved = (value: unknown, exchange: Exchange): unknown => {
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
    return expressionValue(value, scope)
  } catch (error) {
    if (error instanceof NotTested) return undefined
    throw error
  }
}

/** Follows a link until its target is found. If it is never found, reports this for the operation that declares the link. */
export const followLead = async (
  session: Session,
  from: HttpOperation,
  lead: Lead,
): Promise<void> => {
  const { link, target, values } = lead
  const name = `${from.id}, the link ${link.name}`
  const sent = isRead(target)
    ? requestOf(lead, session.target)
    : `${ownName(target)} is not known to be read-only, and links are followed repeatedly`
  if (typeof sent === 'string') return session.skip(name, sent)
  const began = session.now()
  for (let pause = 200; ; pause = Math.min(pause * 2, 3_000)) {
    const exchange = await session.ask(sent)
    const found = foundBy(session, lead, exchange)
    if (found === 'something') return
    if (found === 'not offered')
      return session.skip(name, `the server reports that it does not offer ${ownName(target)}`)
    if (session.now() - began > LONGEST)
      return session.report('link-target-missing', exchange, {
        message: `the link ${link.name} leads to ${ownName(target)} with ${JSON.stringify(values)}, which still returned ${found} after ${LONGEST / 1_000} seconds`,
        expected: 'the resource that the response refers to',
        ...{ operation: from, aspect: link.name },
      })
    await session.sleep(pause)
  }
}

/** Milliseconds: a written record may become visible elsewhere with a delay. */
const LONGEST = 8_000

/** `something`, `not offered`, or the response in its place. */
const foundBy = (session: Session, { target }: Lead, exchange: Exchange): string => {
  const { answer, failure } = exchange
  if (!answer) return failure ?? 'no response'
  if (target.kind === 'http')
    return isAccepted(exchange, target, session) ? 'something' : `${answer.status}`
  const outcome = rpcOutcomeOf(answer)
  if (outcome.kind === 'error')
    return isNotOffered(target, outcome) ? 'not offered' : `error ${outcome.code}`
  const result = outcome.kind === 'result' ? outcome.value : null
  return isNothing(result) ? `the result ${JSON.stringify(result)}` : 'something'
}

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)
