import { isDeepStrictEqual } from 'node:util'
import type { Api, HttpOperation, Operation } from '../model/api.js'
import type { Day } from '../model/day.js'
import type { Finding } from '../model/finding.js'
import { entriesOf } from '../model/json.js'
import { nameOf } from '../model/operation-name.js'
import { objects, text } from '../read/reading.js'
import type { Limits } from '../runtime/operation.js'
import type { JsonObject } from '../runtime/validate/json-value.js'
import type { Source } from '../schema/source.js'
import { both, type Change, type Comparison, change, documentOf, ofPart } from './change.js'
import { lifecycleChanges, removal, withdrawal } from './lifecycle.js'
import { asObject, dereferenced, writtenOperation } from './written.js'

/** The finding of an operation that only the new version has. */
export function addition(before: Api, operation: Operation): Finding {
  const places = { before: homeOf(before, operation), after: operation.source.locate() }
  return change('operation-added', places, `${nameOf(operation)} is new`)
}

/** The finding of an operation that only the old version has; its level depends on the declared lifecycle. */
export function removedOperation(after: Api, operation: Operation, today: Day): Finding {
  const places = { before: operation.source.locate(), after: homeOf(after, operation) }
  return withdrawal('operation', nameOf(operation), places, removal(operation, today), {
    rule: 'operation-removed-without-deprecation',
    words: ' without a deprecation',
    loss: 'its callers are rejected',
  })
}

/** Changes that both kinds of operation have in common. */
export function* operationChanges(comparison: Comparison): Generator<Finding> {
  const { before, after, name, today } = comparison
  yield* lifecycleChanges('operation', name, before, after, today)
  yield* stabilityChanges(comparison)
  const [oldId, newId] = [writtenId(comparison, 'before'), writtenId(comparison, 'after')]
  if (oldId !== undefined && oldId !== newId) {
    const now = newId === undefined ? 'none' : newId
    const message = `the operationId of ${name} is ${now} now, and was ${oldId}: code that calls a generated client no longer compiles, requests stay the same`
    yield change('operation-id-changed', both(comparison, 'operationId'), message)
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

/** Undefined for JSON-RPC methods, which are called by their wire name. */
const writtenId = ({ context, ...versions }: Comparison, which: 'before' | 'after') => {
  const id = writtenOperation(context[which], versions[which]).operationId
  return typeof id === 'string' ? id : undefined
}

/** The location of an operation in a version that lacks it; undefined if the document is missing too. */
const homeOf = (api: Api, operation: Operation) => {
  const { source } = documentOf(api, operation) ?? {}
  return operation.kind === 'http'
    ? source?.locate('paths', operation.path)
    : source?.locate('methods')
}

/** Changes of the extensions of an operation of either kind. */
export function* promiseChanges(comparison: Comparison): Generator<Finding> {
  const { before, after, name } = comparison
  const access = both(comparison, 'x-access')
  if (before.access !== 'key' && after.access === 'key') {
    const message = `${name} needs a key now${before.access === 'public' ? '; it was public' : ''}: callers without a key are rejected`
    yield change('access-became-restricted', access, message)
  }
  if (before.access === 'key' && after.access !== 'key') {
    yield change('access-became-public', access, `${name} no longer needs a key`)
  }
  const repeated = both(comparison, 'x-idempotent')
  if (before.idempotent && !after.idempotent) {
    const message = `${name} is no longer idempotent: clients that retry may execute it twice`
    yield change('idempotence-withdrawn', repeated, message)
  }
  if (!before.idempotent && after.idempotent) {
    yield change('idempotence-declared', repeated, `${name} is idempotent now`)
  }
  yield* limitChanges(name, before, after)
}

/** Changes of `x-limits` of an operation or a whole document. */
export function* limitChanges(what: string, before: Limited, after: Limited): Generator<Finding> {
  for (const [key, unit] of UNITS) {
    const [was, is] = [before.limits[key], after.limits[key]]
    const places = both({ before, after }, 'x-limits', key)
    if (was === is) continue
    if (is === undefined) {
      yield change('limit-raised', places, `${what} is no longer limited to ${was} ${unit}`)
    } else if (was === undefined) {
      const message = `${what} is limited to ${is} ${unit} now: callers who exceed it are rejected`
      yield change('limit-added', places, message)
    } else if (is < was) {
      const message = `${what} is limited to ${is} ${unit} now, and allowed ${was}: callers who exceed it are rejected`
      yield change('limit-lowered', places, message)
    } else {
      yield change('limit-raised', places, `${what} allows ${is} ${unit} now, and allowed ${was}`)
    }
  }
}

type Limited = { readonly limits: Limits; readonly source: Source }

const UNITS = [
  ['requestsPerMinute', 'requests a minute'],
  ['batchSize', 'calls a batch'],
  ['payloadBytes', 'bytes'],
] as const

/** Changes of `x-poll`: how clients wait until an asynchronous operation ends. */
export function* pollChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, name } = comparison
  if (before.poll && !isDeepStrictEqual(before.poll, after.poll)) {
    const shown = after.poll
      ? `is to be polled until ${endOf(after.poll)} now, not until ${endOf(before.poll)}`
      : `is no longer to be polled until ${endOf(before.poll)}`
    const message = `${name} ${shown}: clients may wait forever or stop too early`
    yield change('poll-changed', both(comparison, 'x-poll'), message)
  }
}

const endOf = ({ field, terminal }: NonNullable<HttpOperation['poll']>) =>
  `${field} is ${terminal.join(' or ')}`

/** Changes of links: those of responses (OpenAPI), or those of the result (OpenRPC). */
export function* linkChanges(comparison: Comparison): Generator<Change> {
  const { before, after, context, name } = comparison
  const [was, is] = [linksOf(context.before, before), linksOf(context.after, after)]
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [earlier, later] = [was.get(key), is.get(key)]
    const places = {
      before: before.source.locate(...((earlier ?? later)?.members ?? [])),
      after: after.source.locate(...((later ?? earlier)?.members ?? [])),
    }
    const what = `the link ${key}`
    if (!later) {
      yield* ofPart(key, [change('link-removed', places, `${what} of ${name} is removed`)])
    } else if (!earlier) {
      yield* ofPart(key, [change('link-added', places, `${what} of ${name} is new`)])
    } else if (!isDeepStrictEqual(earlier.means, later.means)) {
      const [from, to] = [targetOf(earlier), targetOf(later)]
      const now = from === to ? 'gives other parameters now' : `leads to ${to} now, not to ${from}`
      yield* ofPart(key, [change('link-changed', places, `${what} of ${name} ${now}`)])
    }
  }
}

type Link = {
  /** The path from the operation to the link. */
  readonly members: readonly (string | number)[]
  /** The link without its description, summary and name. */
  readonly means: JsonObject
}

function linksOf(api: Api, operation: Operation): ReadonlyMap<string, Link> {
  const bundled: JsonObject = documentOf(api, operation)?.bundled ?? {}
  const written = writtenOperation(api, operation)
  const linkOf = (value: unknown, members: Link['members']): Link => {
    const { description: _, summary: __, name: ___, ...means } = dereferenced(bundled, value)
    return { members, means }
  }
  if (operation.kind === 'rpc') {
    const links = objects(written.links).map((value, index) => {
      const name = text(dereferenced(bundled, value).name) ?? String(index)
      return [`\`${name}\``, linkOf(value, ['links', index])] as const
    })
    return new Map(links)
  }
  const links = entriesOf(asObject(written.responses)).flatMap(([status, response]) =>
    entriesOf(asObject(dereferenced(bundled, response).links)).map(
      ([name, value]) =>
        [
          `\`${name}\` in the ${status} response`,
          linkOf(value, ['responses', status, 'links', name]),
        ] as const,
    ),
  )
  return new Map(links)
}

const targetOf = ({ means }: Link): string =>
  text(means.operationId) ??
  text(means.operationRef) ??
  text(means.method) ??
  text(means['x-rpc-method']) ??
  'no operation'
