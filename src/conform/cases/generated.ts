import fc from 'fast-check'
import type { Making } from '../../schema/random.js'
import { samplesOf, valuesOf } from '../../schema/random.js'
import type { Case, Complaint, Session } from '../case.js'
import { ownName } from '../operation-name.js'
import { collectShown } from '../values/shown-values.js'
import { breakageOf, type Trial } from '../values/trials.js'
import type { Exchange } from '../wire/exchange.js'
import { complaintsOf, outcomeOf, tellRefused } from './evaluate.js'
import { type Input, inputsOf } from './input.js'
import { createOffered, type Offered } from './offered.js'
import type { Plan } from './plan.js'
import { search } from './search.js'

/** Values made up for each part of a request: right ones, and right ones with one thing broken. A failure is made small. */
export const generatedCases = (plan: Plan): readonly Case[] => {
  const making = collectShown(plan.api, plan.checker)
  const offered = createOffered()
  const silent = { ...plan, skip: () => undefined }
  return plan.api.operations.flatMap((operation) => {
    // Why nothing can be tried was told with the bounds of its values.
    const inputs = inputsOf(operation, silent, making)
    return inputs.flatMap((input) => [
      caseOf('valid', input, plan, making, offered),
      caseOf('invalid', input, plan, making, offered),
    ])
  })
}

const caseOf = (
  side: Trial['side'],
  input: Input,
  plan: Plan,
  making: Making,
  offered: Offered,
): Case => {
  const { operation, part } = input
  // What is right may change what others see: of that as little as will do.
  const isCareful = side === 'valid' && !operation.idempotent
  const maxExamples =
    plan.maxExamples < 1
      ? 0
      : Math.max(1, Math.ceil(isCareful ? plan.maxExamples / 4 : plan.maxExamples))
  const name = `${ownName(operation)}, ${side} values of ${part}`
  return {
    name,
    operation,
    cost: maxExamples,
    weight: 'generated',
    run: async (session) => {
      if (!offered.isOffered(operation)) return []
      const values = valuesOf(input.schema, making)
      if (values === undefined) {
        session.skip(name, 'no value could be made for its schema')
        return []
      }
      const bounding = { making, bases: input.bases, takes: input.takes, refuses: input.refuses }
      const right = values.filter((value) => input.takes(value))
      const trials =
        side === 'valid'
          ? right.map((value): Trial => ({ ...GENERATED, value }))
          : fc
              .tuple(right, fc.nat({ max: 0x7fffffff }))
              .map(([value, choice]) => breakageOf(input.schema, value, bounding, choice))
              .filter((trial) => trial !== undefined)
      // A filter that lets nothing through never ends.
      const isPossible = samplesOf(input.schema, making).some(
        (value) =>
          input.takes(value) &&
          (side === 'valid' || breakageOf(input.schema, value, bounding, 0) !== undefined),
      )
      if (!isPossible) {
        session.skip(name, 'no value of its schema can be told apart on the wire')
        return []
      }
      return search({
        trials,
        maxExamples,
        seed: seedOf(plan.seed, name),
        isStill: ({ value }) => (side === 'valid' ? input.takes(value) : input.refuses(value)),
        send: (trial) => judged(input, trial, offered, session),
      })
    },
  }
}

const GENERATED: Omit<Trial, 'value'> = {
  side: 'valid',
  keyword: '',
  pointer: '',
  at: '',
  note: 'a generated value',
}

/** Undefined where there is nothing more to ask of the operation. */
const judged = async (
  input: Input,
  trial: Trial,
  offered: Offered,
  session: Session,
): Promise<readonly Complaint[] | undefined> => {
  const { operation } = input
  const sent = offered.isOffered(operation) ? input.write(trial.value) : undefined
  if (sent === undefined) return undefined
  const exchange: Exchange = await session.probe(sent)
  const outcome = outcomeOf(operation, exchange, session)
  const always = session.judge(exchange)
  if (offered.isBeside(operation, outcome, session)) return always.length > 0 ? always : undefined
  tellRefused(input, trial, exchange, outcome, session)
  return [...always, ...complaintsOf(input, trial, exchange, outcome)]
}

/** One run's values differ from another operation's, and are the same in each run with the same seed. */
const seedOf = (seed: number, name: string): number => {
  let hash = 0x811c9dc5 ^ seed
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}
