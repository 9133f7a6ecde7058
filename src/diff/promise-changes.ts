import { isDeepStrictEqual } from 'node:util'
import type { HttpOperation } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import type { Limits } from '../runtime/operation.js'
import type { Source } from '../schema/source.js'
import { change } from './change.js'
import { both, type Comparison } from './comparison.js'

/** What the extensions promise of an operation of either kind. */
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

/** `x-limits` of an operation or a whole document. */
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

/** `x-poll`: how clients wait for the end of what an operation began. */
export function* pollChanges(comparison: Comparison<HttpOperation>): Generator<Finding> {
  const { before, after, name } = comparison
  if (before.poll && !isDeepStrictEqual(before.poll, after.poll)) {
    const shown = after.poll
      ? `is to be polled until ${said(after.poll)} now, not until ${said(before.poll)}`
      : `is no longer to be polled until ${said(before.poll)}`
    const message = `${name} ${shown}: clients may wait forever or stop too early`
    yield change('poll-changed', both(comparison, 'x-poll'), message)
  }
}

const said = ({ field, terminal }: NonNullable<HttpOperation['poll']>) =>
  `${field} is ${terminal.join(' or ')}`
