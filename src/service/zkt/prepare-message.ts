import type { Hex } from 'viem'
import { gasOfData } from './gas.js'

/** The data and the gas of a transaction that writes a text to the chain. */
export const prepareMessage = (text: string): { readonly data: Hex; readonly gas: bigint } => {
  const bytes = Buffer.from(text, 'utf8')
  return { data: `0x${bytes.toString('hex')}`, gas: gasOfData(bytes) }
}
