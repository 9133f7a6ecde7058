import type { Api, Operation } from '../../model/api.js'
import type { Day } from '../../model/day.js'
import type { Finding } from '../../model/finding.js'
import { change } from './change.js'
import { both, type Comparison, documentOf, nameOf } from './comparison.js'
import { lifecycleChanges, removal } from './lifecycle.js'
import { writtenOperation } from './written.js'

/** An operation that only the version after has. */
export function addition(before: Api, operation: Operation): Finding {
  const places = { before: homeOf(before, operation), after: operation.source.locate() }
  return change('operation-added', places, `${nameOf(operation)} is new`)
}

/** An operation that only the version before has; how much it matters is a matter of what was promised. */
export function withdrawal(after: Api, operation: Operation, today: Day): Finding {
  const places = { before: operation.source.locate(), after: homeOf(after, operation) }
  const name = nameOf(operation)
  const fate = removal(operation, today)
  switch (fate.kind) {
    case 'undeprecated':
      return change(
        'operation-removed-without-deprecation',
        places,
        `${name} is gone, and nobody was told: its callers are refused`,
      )
    case 'too-early':
      return change(
        'operation-removed-before-sunset',
        places,
        `${name} is gone, and was to stay until ${fate.day}: its callers are refused`,
      )
    case 'no-date':
      return change(
        'sunset-is-no-date',
        places,
        `${name} is gone, and its x-sunset was ${fate.sunset}, which is no date: nobody could plan by it`,
      )
    case 'in-time':
      return change('operation-removed-after-deprecation', places, `${name} is gone: ${fate.told}`)
  }
}

/** What both kinds of operation say of themselves. */
export function* operationChanges(comparison: Comparison): Generator<Finding> {
  const { before, after, name, today } = comparison
  yield* lifecycleChanges('operation', name, before, after, today)
  yield* stabilityChanges(comparison)
  const [oldId, newId] = [writtenId(comparison, 'before'), writtenId(comparison, 'after')]
  if (oldId !== undefined && oldId !== newId) {
    const now = newId === undefined ? 'none' : newId
    yield change(
      'operation-id-changed',
      both(comparison, 'operationId'),
      `the operationId of ${name} was ${oldId} and is ${now}: code that calls a generated client no longer compiles, callers over the wire notice nothing`,
    )
  }
}

function* stabilityChanges(comparison: Comparison): Generator<Finding> {
  const { name } = comparison
  const [before, after] = [
    writtenStability(comparison, 'before'),
    writtenStability(comparison, 'after'),
  ]
  const places = both(comparison, 'x-stability-level')
  if (before === after) return
  if (after !== undefined && !STABILITY.includes(String(after))) {
    const said = `the x-stability-level of ${name} is ${JSON.stringify(after)}`
    yield change('stability-is-unknown', places, `${said}: nobody can tell what may change`)
    return
  }
  // An operation that says nothing is taken at its word, as a stable one.
  const [from, to] = [before, after].map((level) => String(level ?? 'stable')) as [string, string]
  const rank = (level: string) => STABILITY.indexOf(level)
  if (rank(from) < 0 || rank(from) === rank(to)) return
  const [rule, so] =
    rank(to) < rank(from)
      ? (['stability-decreased', ': callers relied on more'] as const)
      : (['stability-increased', ''] as const)
  yield change(rule, places, `${name} was ${from} and is ${to}${so}`)
}

const STABILITY: readonly string[] = ['draft', 'alpha', 'beta', 'stable']

const writtenStability = ({ context, ...versions }: Comparison, which: 'before' | 'after') =>
  writtenOperation(context[which], versions[which])['x-stability-level']

/** Methods of JSON-RPC are called by their wire name. */
const writtenId = ({ context, ...versions }: Comparison, which: 'before' | 'after') => {
  const id = writtenOperation(context[which], versions[which]).operationId
  return typeof id === 'string' ? id : undefined
}

/** Where an operation would stand in a version that lacks it; undefined where even the document is missing. */
const homeOf = (api: Api, operation: Operation) => {
  const { source } = documentOf(api, operation) ?? {}
  return operation.kind === 'http'
    ? source?.locate('paths', operation.path)
    : source?.locate('methods')
}
