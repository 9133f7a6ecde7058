import { randomUUID } from 'node:crypto'
import type { HttpOperation } from '../../model/api.js'
import type { Exchange } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { requestValues } from '../cases/input.js'
import type { Rule } from '../rule.js'
import { collectShown } from '../values/shown-values.js'
import { writeHttp } from '../wire/write-request.js'
import { idempotencyKeyOf } from './fixtures.js'

/** Rules for requests with an Idempotency-Key. */
export const IDEMPOTENCY_RULES: readonly Rule[] = [
  {
    id: 'idempotency-key-ignored',
    level: 'warning',
    purpose: 'A request that is repeated with the same Idempotency-Key creates nothing more.',
    clause: 'draft-ietf-httpapi-idempotency-key-header, 2.6',
    needsState: true,
  },
]

/** The same request twice with one key, and once with another, for each operation that declares the header. */
export const idempotencyCases = (plan: Plan): readonly Case[] =>
  plan.api.operations.flatMap((operation): readonly Case[] => {
    if (operation.kind !== 'http' || idempotencyKeyOf(operation) === undefined) return []
    const run = (session: Session) => tryKey(session, operation, plan)
    const name = `${operation.id}, twice with one Idempotency-Key`
    return [{ name, operation, cost: 3, needsState: true, run }]
  })

const tryKey = async (session: Session, operation: HttpOperation, plan: Plan): Promise<void> => {
  const { api, checker, target } = plan
  const parameter = idempotencyKeyOf(operation)
  const values = requestValues(operation, collectShown(api, checker))
  const accepts = checker.schema(parameter?.schema ?? true).check
  // A key of an earlier run may have been used with another body.
  const keys = [randomUUID(), randomUUID()]
  if (parameter === undefined || !keys.every(accepts))
    throw new NotTested('its schema of the key allows no UUID')
  const send = async (key: string | undefined): Promise<Exchange> => {
    const parameters = { ...values.parameters, [`header.${parameter.name}`]: key }
    const sent = writeHttp(operation, { ...values, parameters }, target)
    if (sent === undefined) throw new NotTested('its request cannot be written')
    return session.ask(sent)
  }
  const first = await send(keys[0])
  const second = await send(keys[0])
  const other = await send(keys[1])
  const [one, two, three] = [first, second, other].map(session.fixtures.identify)
  if (one === undefined || three === undefined || one === three)
    throw new NotTested('its responses do not name what each request created')
  if (two === undefined || two === one) return
  session.report('idempotency-key-ignored', second, {
    message: `the same request with the same ${parameter.name} created ${two} after ${one}`,
    expected: 'the first response again, or a rejection',
    operation,
  })
}
