import type { HttpOperation, HttpValidators } from '../operation.js'
import type { Input } from '../server/http.js'
import { readInput } from '../server/http.js'
import type { ReceivedBody, Tolerance } from '../server/input-body.js'
import type { ReadResult } from '../server/request.js'
import { explainRejected } from '../shared/explain.js'
import { relaxed } from '../validate/tolerant.js'
import { type Fault, open, validator } from '../validate.js'
import { explainFaults } from '../wire/faults.js'
import type { WireParameters } from '../wire/parameters.js'

/**
 * Reads what a service sends to its subscriber as a client reads a response: unknown properties are ignored, and the differences
 * that tolerant validation accepts are `warnings`.
 */
export const readSent = async (
  operation: HttpOperation,
  validators: HttpValidators,
  received: ReceivedBody,
  wire: WireParameters,
): Promise<SentReading> => {
  const warnings: Fault[] = []
  let distance = 0
  const tolerance: Tolerance = {
    relax: (one) => open(relaxed(one, validator)),
    warn: (faults) => void warnings.push(...faults),
    judge: async (check, value) => {
      if (open(check).check(value)) {
        distance = Math.max(distance, 1)
        return { repair: (one) => one }
      }
      const explained = await explainRejected(
        { check, value, shown: value, pick: () => check, reading: 'tolerant' },
        undefined,
      )
      if (!explained?.isTolerated) return { faults: explainFaults(open(check), value) }
      distance = 2
      warnings.push(...explained.faults)
      return { repair: explained.repair ?? ((one) => one) }
    },
  }
  const read = await readInput(
    operation,
    validators,
    { ...received, tolerance, undeclaredQuery: 'ignored' },
    wire,
  )
  return { read, warnings, distance }
}

/** The same without tolerance. */
export const readStrictly = async (
  operation: HttpOperation,
  validators: HttpValidators,
  received: ReceivedBody,
  wire: WireParameters,
): Promise<SentReading> => ({
  read: await readInput(operation, validators, { ...received, undeclaredQuery: 'ignored' }, wire),
  warnings: [],
  distance: 0,
})

export type SentReading = {
  readonly read: ReadResult<Input>
  /** The differences that were accepted. */
  readonly warnings: readonly Fault[]
  /** 0: as documented; 1: with unknown properties; 2: with other differences. */
  readonly distance: number
}
