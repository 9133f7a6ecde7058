import fc, { type Arbitrary } from 'fast-check'
import { arbitraryOf, type Making, samplesOf } from '../../schema/random.js'
import { dereference, typesIn } from '../../schema/schema.js'
import type { Sent } from '../../traffic/exchange.js'
import {
  type Case,
  type CasesOf,
  type ExchangeFinding,
  NotTested,
  type Plan,
  type Session,
  type VariedInput,
} from '../case.js'
import { ownName } from '../operations.js'
import { misformed } from '../responses/value.js'
import { collectShown } from '../values/shown-values.js'
import { breakageOf, type Trial } from '../values/trials.js'
import { variedInputs } from './input.js'
import { createSharing, type Sharing } from './sharing.js'
import { tryValue } from './try-value.js'

/** Generated values for each part of a request: valid ones, and valid ones with one keyword broken. Failures are minimized. */
export const generatedCasesOf = (plan: Plan, sharing = createSharing()): CasesOf => {
  const making = collectShown(plan.api, plan.checker)
  const silent = { ...plan, skip: () => undefined }
  return (operation) => {
    // The boundary cases already reported why an operation cannot be tested.
    const inputs = variedInputs(operation, silent, making)
    return inputs.flatMap((input) => [
      caseOf('valid', input, plan, making, sharing),
      caseOf('invalid', input, plan, making, sharing),
    ])
  }
}

const caseOf = (
  side: Trial['side'],
  input: VariedInput,
  plan: Plan,
  making: Making,
  sharing: Sharing,
): Case => {
  const { operation, part } = input
  // Valid requests may change data that others see, so fewer of them are sent.
  const isCareful = side === 'valid' && !operation.idempotent
  const most = isCareful ? plan.maxExamples / 4 : plan.maxExamples
  const maxExamples =
    plan.maxExamples < 1 ? 0 : Math.min(Math.max(1, Math.ceil(most)), mostOf(input, plan))
  const name = `${ownName(operation)}, ${side} values of ${part}`
  return {
    name,
    operation,
    cost: maxExamples,
    run: async (session) => {
      if (!session.isOpen(operation)) return
      const values = arbitraryOf(input.schema, making)
      if (values === undefined) throw new NotTested('no value could be made for its schema')
      const bounding = {
        making,
        bases: input.bases,
        accepts: input.accepts,
        rejects: input.rejects,
      }
      const isFormed = (value: unknown) => misformed(plan.api, input.schema, value).length === 0
      const right = values.filter((value) => input.accepts(value))
      const trials =
        side === 'valid'
          ? right.filter(isFormed).map((value): Trial => ({ ...GENERATED, value }))
          : fc
              .tuple(right, fc.nat({ max: 0x7fffffff }))
              .map(([value, choice]) => breakageOf(input.schema, value, bounding, choice))
              .filter((trial) => trial !== undefined)
      // A filter that accepts nothing never ends.
      const isPossible = samplesOf(input.schema, making).some(
        (value) =>
          input.accepts(value) &&
          ((side === 'valid' && isFormed(value)) ||
            breakageOf(input.schema, value, bounding, 0) !== undefined),
      )
      if (!isPossible)
        throw new NotTested('no value of its schema differs on the wire from other values')
      let isShown = false
      const isKnown = sharing.isTriedElsewhere(input, side)
      const found = await search({
        trials,
        maxExamples: isKnown ? Math.ceil(maxExamples / FEWER) : maxExamples,
        seed: seedOf(plan.seed, name),
        isStill: ({ value }) => (side === 'valid' ? input.accepts(value) : input.rejects(value)),
        send: async (trial) => {
          const sent = session.isOpen(operation) ? input.write(trial.value) : undefined
          if (sent === undefined) return undefined
          if (side === 'invalid' && sharing.isRejected(sent)) return []
          const result = await assess(input, trial, sent, session)
          if (result?.isEvaluated === true) {
            isShown = true
            if (side === 'invalid' && result.findings.length === 0) sharing.noteRejected(sent)
          }
          return result?.findings
        },
      })
      if (isShown && found.length === 0) sharing.note(input, side)
      session.reportAll(found)
    },
  }
}

/** The divisor of the number of values for a part that was tested at another operation. */
const FEWER = 4

/** A scalar has few kinds of values, and those at its bounds were tried. */
const mostOf = ({ schema }: VariedInput, { api }: Plan): number => {
  const real = dereference(schema, api.schemas)
  const types = (typeof real === 'object' ? typesIn(real) : undefined) ?? []
  const isScalar = types.length > 0 && types.every((type) => type !== 'object' && type !== 'array')
  return isScalar ? MOST_SCALARS : Number.POSITIVE_INFINITY
}

const MOST_SCALARS = 4

const GENERATED: Omit<Trial, 'value'> = {
  side: 'valid',
  keyword: '',
  pointer: '',
  at: '',
  note: 'a generated value',
}

/** Undefined if no more requests need be sent to the operation. `isEvaluated`: the response depends on the value. */
const assess = async (
  input: VariedInput,
  trial: Trial,
  sent: Sent,
  session: Session,
): Promise<
  { readonly findings: readonly ExchangeFinding[]; readonly isEvaluated: boolean } | undefined
> => {
  const result = await tryValue(input, trial, sent, session, (one) => session.probe(one))
  if (result === undefined) return undefined
  const { exchange, outcome, evaluated } = result
  const always = session.check(exchange)
  if (evaluated !== undefined)
    return { findings: [...always, ...evaluated.findings], isEvaluated: true }
  const mayDiffer = outcome.kind === 'rejected' && outcome.cause === 'state'
  return always.length > 0 || mayDiffer ? { findings: always, isEvaluated: false } : undefined
}

/** A seed that differs between cases, and is the same in each run with the same seed. */
const seedOf = (seed: number, name: string): number => {
  let hash = 0x811c9dc5 ^ seed
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}

/**
 * Sends generated values, and looks for the smallest value with the same finding. That value is verified and sent once more: if
 * the finding does not repeat, the value that was found first is reported. Each finding is reported once, and a search ends
 * after a few of them.
 */
export const search = async (searching: Searching): Promise<readonly ExchangeFinding[]> => {
  const reported = new Map<string, ExchangeFinding>()
  let left = searching.maxExamples
  for (let round = 0; round < ROUNDS && left > 0; round++) {
    const { found, sent } = await searchOnce(searching, left, searching.seed + round, reported)
    left -= sent
    for (const finding of found) reported.set(keyOf(finding), finding)
    if (found.length === 0) break
  }
  return [...reported.values()]
}

type Searching = {
  readonly trials: Arbitrary<Trial>
  readonly maxExamples: number
  readonly seed: number
  /** Whether a value is still valid, or still invalid, as its case requires. */
  readonly isStill: (trial: Trial) => boolean
  /** Sends it and returns the findings; undefined if no more need be sent. */
  readonly send: (trial: Trial) => Promise<readonly ExchangeFinding[] | undefined>
}

const ROUNDS = 3
/** The maximum number of requests for minimizing a value. */
const SMALLER = 80

const searchOnce = async (
  { trials, isStill, send }: Omit<Searching, 'maxExamples'>,
  maxExamples: number,
  seed: number,
  reported: ReadonlyMap<string, ExchangeFinding>,
) => {
  const count = { sent: 0, smaller: 0 }
  let first: readonly ExchangeFinding[] = []
  let isOver = false
  let smallest: Trial | undefined
  const isNew = (finding: ExchangeFinding) => !reported.has(keyOf(finding))
  const property = fc.asyncProperty(trials, async (trial) => {
    if (isOver) return true
    const isSearching = first.length > 0
    if (isSearching && (count.smaller >= SMALLER || !isStill(trial))) return true
    if (isSearching) count.smaller += 1
    else count.sent += 1
    const findings = await send(trial)
    if (findings === undefined) {
      isOver = true
      return true
    }
    if (!isSearching) {
      first = findings.filter(isNew)
      // A server that has crashed or hangs may also fail for smaller values that did not cause it.
      if (first.some(({ exchange }) => exchange.answer === undefined)) count.smaller = SMALLER
      return first.length === 0
    }
    const isSame = sameAs(first, findings).length > 0
    if (isSame) smallest = trial
    return !isSame
  })
  const { failed, errorInstance } = await fc.check(property, { numRuns: maxExamples, seed })
  // An error that a trial throws is not a finding, and must not be ignored.
  if (failed && first.length === 0) throw errorInstance
  if (first.length === 0) return { found: [], sent: isOver ? maxExamples : count.sent }
  const again = smallest && isStill(smallest) ? await send(smallest) : undefined
  const same = sameAs(first, again ?? [])
  // Findings that do not repeat are reported as first received.
  const others = first.filter((one) => !same.some((other) => keyOf(other) === keyOf(one)))
  return { found: [...same, ...others], sent: count.sent }
}

const sameAs = (
  first: readonly ExchangeFinding[],
  findings: readonly ExchangeFinding[],
): readonly ExchangeFinding[] => {
  const keys = new Set(first.map(keyOf))
  return findings.filter((one) => keys.has(keyOf(one)))
}

const keyOf = ({ rule, operation, aspect }: ExchangeFinding): string =>
  `${rule} ${operation?.id} ${aspect}`
