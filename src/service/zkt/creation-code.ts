import { type Abi, type AbiParameter, concatHex, type Hex } from 'viem'
import { wrongCount } from './abi/choose-function.js'
import { placeOf, Refused } from './rejected.js'
import { encodeValues, readValues } from './values/values-in.js'

/** The code that creates a contract, its constructor's arguments behind it, which are given as the JSON of an array. */
export const creationCode = (abi: Abi, bytecode: Hex, json: string): Hex => {
  const given: readonly unknown[] = JSON.parse(json)
  const inputs: readonly AbiParameter[] =
    abi.find((entry) => entry.type === 'constructor')?.inputs ?? []
  if (inputs.length !== given.length)
    throw wrongCount('the constructor', [{ inputs }], given.length)
  const { values, faults } = readValues(inputs, given)
  if (values !== undefined) return concatHex([bytecode, encodeValues(inputs, values)])
  const [fault] = faults
  const message = `${placeOf(fault?.pointer ?? '')} of the constructor ${fault?.message}`
  throw new Refused('ARGUMENTS_MISMATCH', message, { details: faults })
}
