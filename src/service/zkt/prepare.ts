import { type Abi, type AbiParameter, concatHex, type Hex } from 'viem'
import { type Chosen, chooseFunction, wrongCount } from './abi/choose-function.js'
import { readSignatures } from './abi/read-signatures.js'
import { fieldPath, RejectedSubmission } from './rejected.js'
import { encodeValues, readValues } from './values/values-in.js'

/** Parses the ABI of a call, finds its function and encodes its arguments, passed as the JSON of `{ abi, method, arguments }`. */
export const prepareCall = (json: string): Chosen & { readonly abi: Abi } => {
  const body: {
    readonly abi: readonly string[]
    readonly method: string
    readonly arguments: readonly unknown[]
  } = JSON.parse(json)
  const abi = abiOf(body.abi)
  return { abi, ...chooseFunction(abi, body.method, body.arguments) }
}

/** The ABI of a call. Throws RejectedSubmission (INVALID_BODY), which names every invalid line. */
const abiOf = (lines: readonly string[]): Abi => {
  const read = readSignatures(lines)
  if (read.abi) return read.abi
  const details = read.faults.map(({ index, message }) => ({ pointer: `/abi/${index}`, message }))
  const [first] = read.faults
  throw new RejectedSubmission('INVALID_BODY', `abi.${first?.index} ${first?.message}`, { details })
}

/** The data and the gas of a transaction that writes a text to the chain. */
export const prepareMessage = (text: string): { readonly data: Hex; readonly gas: bigint } => {
  const bytes = Buffer.from(text, 'utf8')
  return { data: `0x${bytes.toString('hex')}`, gas: gasOfData(bytes) }
}

/** The code that creates a contract, followed by its constructor's arguments, which are passed as the JSON of an array. */
export const creationCode = (abi: Abi, bytecode: Hex, json: string): Hex => {
  const args: readonly unknown[] = JSON.parse(json)
  const inputs: readonly AbiParameter[] =
    abi.find((entry) => entry.type === 'constructor')?.inputs ?? []
  if (inputs.length !== args.length) throw wrongCount('the constructor', [{ inputs }], args.length)
  const { values, faults } = readValues(inputs, args)
  if (values !== undefined) return concatHex([bytecode, encodeValues(inputs, values)])
  const [fault] = faults
  const message = `${fieldPath(fault?.pointer ?? '')} of the constructor ${fault?.message}`
  throw new RejectedSubmission('ARGUMENTS_MISMATCH', message, { details: faults })
}

/**
 * Units of gas for calldata that runs no code: 21,000, and for each byte the higher of two prices. These are EIP-2028 (16, or 4
 * for a zero) and the floor of EIP-7623 (40, or 10 for a zero). So it is enough on chains with and without that floor.
 */
const gasOfData = (data: Uint8Array): bigint => {
  let tokens = 0
  for (const byte of data) tokens += byte === 0 ? 1 : 4
  return BigInt(INTRINSIC + Math.max(4 * tokens, 10 * tokens))
}

const INTRINSIC = 21_000

/**
 * The gas limit for an estimate. Other transactions may change the contract before the block, so a quarter and two
 * writes to new slots are added. Unused gas costs nothing. The addition never exceeds the maximum of one transaction
 * (EIP-7825), unless the estimate does.
 */
export const gasWithMargin = (estimate: bigint): bigint => {
  const ample = estimate + estimate / 4n + 44_200n
  if (ample <= MOST_OF_TRANSACTION) return ample
  return estimate > MOST_OF_TRANSACTION ? estimate : MOST_OF_TRANSACTION
}

const MOST_OF_TRANSACTION = 2n ** 24n
