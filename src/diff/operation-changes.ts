import type { Api, Operation } from '../model/api.js'
import type { Day } from '../model/day.js'
import type { Finding } from '../model/finding.js'
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
        `${name} is removed without a deprecation: its callers are rejected`,
      )
    case 'too-early':
      return change(
        'operation-removed-before-sunset',
        places,
        `${name} is removed before its x-sunset ${fate.day}: its callers are rejected`,
      )
    case 'no-date':
      return change(
        'sunset-is-no-date',
        places,
        `${name} is removed, and its x-sunset was ${fate.sunset}, which is not a date: callers could not plan for it`,
      )
    case 'in-time':
      return change(
        'operation-removed-after-deprecation',
        places,
        `${name} is removed: ${fate.text}`,
      )
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
      `the operationId of ${name} is ${now} now, and was ${oldId}: code that calls a generated client no longer compiles, requests stay the same`,
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
  const [from, to] = [before, after].map((level) => STABILITY.indexOf(String(level))) as [
    number,
    number,
  ]
  for (const [level, rank, verb] of [
    [before, from, 'was'],
    [after, to, 'is'],
  ] as const) {
    if (level === undefined || rank >= 0) continue
    const message = `the x-stability-level of ${name} ${verb} ${JSON.stringify(level)}, which is not a level: callers cannot tell what may change`
    yield change('stability-is-unknown', places, message)
    return
  }
  if (before === undefined || after === undefined) {
    const message =
      before === undefined
        ? `${name} declares the stability level ${after}; it declared none`
        : `${name} no longer declares a stability level; it was ${before}`
    yield change('stability-declaration-changed', places, message)
  } else if (to < from) {
    const message = `${name} was ${before} and is ${after}: it may change sooner than callers expect`
    yield change('stability-decreased', places, message)
  } else yield change('stability-increased', places, `${name} was ${before} and is ${after}`)
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
