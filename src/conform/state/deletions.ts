import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation } from '../../model/api.js'
import { withoutQuery } from '../../runtime/wire/routes.js'
import { type Exchange, textOf } from '../../traffic/exchange.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { requestValues } from '../cases/input.js'
import { isAccepted, isCarriedOut } from '../outcome.js'
import { valueIn } from '../responses/read.js'
import type { Rule } from '../rule.js'
import { collectShown } from '../values/shown-values.js'
import { writeHttp } from '../wire/write-request.js'
import { resourceTypesOf } from './resource-types.js'
import type { ResourceType } from './resources.js'

/** Rules for resources that were deleted. */
export const DELETION_RULES: readonly Rule[] = [
  {
    id: 'deleted-resource-remains',
    level: 'error',
    purpose: 'After a successful DELETE, the resource is no longer found unchanged.',
    clause: 'RFC 9110, 9.3.5 and 15.3.5',
    needsState: true,
  },
]

/** Creates a resource, deletes it, and sends every request of its path to it once more. */
export const deletionCases = (plan: Plan): readonly Case[] =>
  resourceTypesOf(plan).all.flatMap((resourceType): readonly Case[] => {
    const operation = resourceType.operations.get('DELETE')
    if (operation === undefined || !resourceType.operations.has('GET')) return []
    const run = (session: Session) => tryDeletion(session, resourceType, operation, plan)
    const name = `${operation.id}, a resource that was created and deleted`
    return [{ name, operation, cost: 6, needsState: true, run }]
  })

const tryDeletion = async (
  session: Session,
  resourceType: ResourceType,
  remove: HttpOperation,
  plan: Plan,
): Promise<void> => {
  const made = await session.fixtures.create(resourceType)
  if (typeof made === 'string') throw new NotTested(made)
  const making = collectShown(plan.api, plan.checker)
  const { address } = made
  const send = async (method: string): Promise<Exchange | undefined> => {
    const operation = resourceType.operations.get(method)
    const written = operation && writeHttp(operation, requestValues(operation, making), plan.target)
    if (written === undefined) return undefined
    const query = written.url.slice(withoutQuery(written.url).length)
    return session.ask({ ...written, url: `${address}${query}` }, { isFinal: true })
  }
  const read = resourceType.operations.get('GET')
  const isFound = (exchange: Exchange | undefined): boolean =>
    exchange !== undefined && read !== undefined && isAccepted(exchange, read, session)
  const before = await send('GET')
  if (!isFound(before)) throw new NotTested(`GET of the created resource got ${statusOf(before)}`)
  const deleted = await send('DELETE')
  if (deleted === undefined || !isCarriedOut(deleted, remove, session))
    throw new NotTested(`its DELETE got ${statusOf(deleted)}`)
  let after = await send('GET')
  const began = session.now()
  for (let pause = 200; isFound(after) && isSame(before, after); pause *= 2) {
    // Other copies of the data may learn of it later.
    if (session.now() - began > LONGEST) {
      session.report('deleted-resource-remains', after as Exchange, {
        message: `it got the status ${statusOf(deleted)}, but ${LONGEST / 1_000} seconds later GET still returns the same resource`,
        expected: '404 or 410',
        operation: remove,
      })
      return
    }
    await session.sleep(pause)
    after = await send('GET')
  }
  // None of these may fail, whatever else they return: DELETE again, and a write to what is gone.
  await send('DELETE')
  for (const method of ['PATCH', 'PUT']) await send(method)
}

const LONGEST = 3_000

const statusOf = (exchange: Exchange | undefined): number | undefined => exchange?.answer?.status

/** A resource that is only marked as deleted is returned with a change. */
const isSame = (before: Exchange | undefined, after: Exchange | undefined): boolean => {
  const [one, other] = [before, after].map((exchange) => valueIn(exchange?.answer))
  return one !== undefined
    ? isDeepStrictEqual(one, other)
    : textOf(before?.answer?.body) === textOf(after?.answer?.body)
}
