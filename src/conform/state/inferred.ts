import type { Api, HttpOperation } from '../../model/api.js'
import type { HttpParameter } from '../../model/http-content.js'
import { httpOperations } from '../../model/operations.js'
import type { Making } from '../../schema/random.js'
import { dereference } from '../../schema/schema.js'
import { type Case, NotTested, type Plan, type Session } from '../case.js'
import { requestValues, whyNot } from '../cases/input.js'
import { isAccepted } from '../outcome.js'
import { valueIn } from '../responses/read.js'
import { DEPTH, findValue, parentPath, propertiesFor } from '../values/identifiers.js'
import { collectShown } from '../values/shown-values.js'
import { writeHttp } from '../wire/write-request.js'

/**
 * Operations with a path parameter that has no example. The value is taken, by its name, from the response of an
 * operation that lists or creates such things. If a link leads to the operation, the link is followed instead.
 */
export const inferredCases = (plan: Plan): readonly Case[] => {
  const making = collectShown(plan.api, plan.checker)
  const operations = httpOperations(plan.api)
  const linked = new Set(operations.flatMap(({ links }) => links.map(({ operation }) => operation)))
  return operations
    .filter((target) => !linked.has(target.id) && whyNot(target, plan) === undefined)
    .toSorted((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method))
    .flatMap((target): readonly Case[] => {
      const [parameter, ...more] = unshown(plan.api, target)
      // Names alone do not show which of two values belong together.
      if (parameter === undefined || more.length > 0) return []
      const source = sourceFor(plan, target, parameter, operations)
      if (source === undefined) return []
      const name = `${target.id}, ${parameter.name} from the response of ${source.operation.id}`
      return [
        {
          name,
          operation: target,
          cost: 2,
          needsState: true,
          run: (session) => run(session, { target, parameter, source, making }),
        },
      ]
    })
}

/** Methods that read come first, and DELETE comes last. */
const ORDER: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

type Source = { readonly operation: HttpOperation; readonly properties: readonly string[] }

type Inference = {
  readonly target: HttpOperation
  readonly parameter: HttpParameter
  readonly source: Source
  readonly making: Making
}

const run = async (
  session: Session,
  { target, parameter, source, making }: Inference,
): Promise<void> => {
  const listed = writeHttp(
    source.operation,
    requestValues(source.operation, making),
    session.target,
  )
  if (listed === undefined) return
  const exchange = await session.ask(listed)
  const isListed = isAccepted(exchange, source.operation, session)
  const body = isListed ? valueIn(exchange.answer) : undefined
  const value = findValue(body, source.properties, DEPTH)
  if (value === undefined)
    throw new NotTested(`its response has no ${source.properties.join(' or ')}`)
  const values = requestValues(target, making)
  const id = `path.${parameter.name}`
  const parameters = { ...values.parameters, [id]: value }
  const sent = writeHttp(target, { ...values, parameters }, session.target)
  if (sent === undefined) return
  session.infer({ operation: target.id, parameter: id, from: source.operation.id })
  await session.ask(sent)
}

const unshown = ({ schemas }: Api, { parameters }: HttpOperation): readonly HttpParameter[] =>
  parameters.filter(({ in: place, secret, examples, schema }) => {
    if (place !== 'path' || secret === true || examples.length > 0) return false
    const real = dereference(schema, schemas)
    if (typeof real !== 'object') return true
    return real.enum === undefined && real.default === undefined && real.examples === undefined
  })

/** The operation that lists or creates what the parameter identifies. If several do, the one with the closest path. */
const sourceFor = (
  plan: Plan,
  target: HttpOperation,
  parameter: HttpParameter,
  operations: readonly HttpOperation[],
): Source | undefined => {
  const isRead = target.method === 'GET' || target.method === 'HEAD'
  const parent = parentPath(target, parameter)
  const rank = ({ path, method }: HttpOperation) =>
    Number(path !== parent) * 2 + Number((method === 'GET') !== isRead)
  const [found] = operations
    .filter(
      (one) =>
        one !== target && unshown(plan.api, one).length === 0 && whyNot(one, plan) === undefined,
    )
    // Only resources that this run has created may be changed or deleted.
    .filter(
      ({ method, path }) => (method === 'GET' && isRead) || (method === 'POST' && path === parent),
    )
    .map((operation): Source => {
      const found = propertiesFor(plan.api, operation, parameter, parent)
      return { operation, properties: found.map(({ name }) => name) }
    })
    .filter(({ properties }) => properties.length > 0)
    .toSorted((a, b) => rank(a.operation) - rank(b.operation))
  return found
}
