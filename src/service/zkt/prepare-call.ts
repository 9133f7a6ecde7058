import type { Abi } from 'viem'
import { abiOf } from './abi/abi-of.js'
import { type Chosen, chooseFunction } from './abi/choose-function.js'

/** Reads the ABI of a call, finds its function and encodes its arguments, given as the JSON of `{ abi, method, arguments }`. */
export const prepareCall = (json: string): Chosen & { readonly abi: Abi } => {
  const body: {
    readonly abi: readonly string[]
    readonly method: string
    readonly arguments: readonly unknown[]
  } = JSON.parse(json)
  const abi = abiOf(body.abi)
  return { abi, ...chooseFunction(abi, body.method, body.arguments) }
}
