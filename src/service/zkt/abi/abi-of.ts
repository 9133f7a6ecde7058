import type { Abi } from 'viem'
import { Refused } from '../rejected.js'
import { readSignatures } from './read-signatures.js'

/** The ABI of a call. Throws Refused (INVALID_BODY), which names every line that cannot be read. */
export const abiOf = (lines: readonly string[]): Abi => {
  const read = readSignatures(lines)
  if (read.abi) return read.abi
  const details = read.faults.map(({ index, message }) => ({ pointer: `/abi/${index}`, message }))
  const [first] = read.faults
  throw new Refused('INVALID_BODY', `abi.${first?.index} ${first?.message}`, { details })
}
