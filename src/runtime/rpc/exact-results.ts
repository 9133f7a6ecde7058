import type { ClientSettings } from '../client-options.js'
import type { RpcOperation } from '../operation.js'
import { convert, parseExactly } from '../shared/exact-integers.js'
import type { ParsedJson } from '../shared/json.js'
import type { pointerStep } from '../shared/pointer.js'
import type { Outcome } from './match.js'

/**
 * The outcomes of a response whose text has integers beyond 2^53 - 1, or whose results have bigints by the document. A valid
 * result is converted to bigints, at the declared places or everywhere. Rounded integers are reported; with strict validation
 * they reject the call. `read` reads the outcomes with another parser. It and `step` are arguments, because bundlers would
 * split imports of this module from the rest of a client.
 */
export const readExactResults = (
  outcomes: readonly Outcome[],
  operations: readonly RpcOperation[],
  read: (parse: (text: string) => ParsedJson) => readonly Outcome[],
  { options, validate }: ClientSettings,
  step: typeof pointerStep,
): readonly Outcome[] => {
  const exact = read(parse)
  return outcomes.map((outcome, index) => {
    const same = exact[index]
    if (outcome.kind !== 'result' || same?.kind !== 'result') return outcome
    return {
      ...outcome,
      finish: async (report) => {
        const { named, result } = operations[index]?.bigints ?? {}
        const keepsAll = options.integers === 'bigint'
        const { value, faults } = convert(same.value, { places: result, named, keepsAll }, step)
        const isTolerated = validate.response !== 'strict'
        if (faults.length > 0 && validate.response !== 'off')
          await report(faults, isTolerated, () => ROUNDED)
        return value
      },
    }
  })
}

const ROUNDED = 'has integers that a number cannot represent'

const parse = (text: string): ParsedJson => {
  try {
    return { value: parseExactly(text) }
  } catch (cause) {
    return { cause }
  }
}
