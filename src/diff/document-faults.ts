import { isDeepStrictEqual } from 'node:util'
import type { Api } from '../model/api.js'
import type { Finding } from '../model/finding.js'
import { nameOf } from '../model/operation-name.js'
import { text } from '../read/reading.js'
import { change } from './change.js'
import type { Difference } from './differences.js'
import { writtenOperation } from './written.js'

/**
 * Mistakes in either document that do not affect callers and do not prevent a comparison. Identical documents have no
 * findings.
 */
export function documentFaults(before: Api, after: Api): readonly Finding[] {
  const pairs = [
    [before.http, after.http],
    [before.rpc, after.rpc],
  ] as const
  if (pairs.every(([one, other]) => isDeepStrictEqual(one?.bundled, other?.bundled))) return []
  const [was, is] = [faultsOf(before), faultsOf(after)]
  return [
    ...[...is].map(([key, fault]) =>
      change(fault.rule, { before: was.get(key)?.location, after: fault.location }, fault.message),
    ),
    ...[...was].flatMap(([key, fault]) =>
      is.has(key)
        ? []
        : [
            change(
              fault.rule,
              { before: fault.location, after: undefined },
              `in the old version, ${fault.message}`,
            ),
          ],
    ),
  ]
}

/** Findings for numbers that were changed but are equal as doubles, so no rule can compare them. */
export const roundedFindings = (differences: readonly Difference[]): readonly Finding[] =>
  differences.flatMap(({ location, rounded }) => {
    if (!rounded) return []
    const message = `cannot decide whether this breaks anybody: the number is ${rounded.after} now (it was ${rounded.before}), and both are read as ${Number(rounded.after)}`
    return [
      change('number-change-is-undecided', { before: rounded.place, after: location }, message),
    ]
  })

type Fault = Pick<Finding, 'location' | 'message'> & {
  readonly rule: 'operation-id-not-unique' | 'schema-unsatisfiable'
}

/** By rule and place: a fault of both versions is one finding. */
function faultsOf(api: Api): ReadonlyMap<string, Fault> {
  const faults: Fault[] = api.findings.flatMap(({ rule, location, message }) =>
    rule === 'schema-accepts-nothing' ? [{ rule: 'schema-unsatisfiable', location, message }] : [],
  )
  const first = new Map<string, string>()
  for (const operation of api.operations) {
    const id = text(writtenOperation(api, operation).operationId)
    if (operation.kind !== 'http' || id === undefined) continue
    const name = nameOf(operation)
    const other = first.get(id)
    if (other === undefined) first.set(id, name)
    else {
      faults.push({
        rule: 'operation-id-not-unique',
        location: operation.source.locate('operationId'),
        message: `the operationId \`${id}\` of ${name} is also that of ${other}: both are compared by method and path`,
      })
    }
  }
  return new Map(faults.map((one) => [`${one.rule} ${one.location.pointer}`, one]))
}
