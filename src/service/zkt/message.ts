import type { Hex } from 'viem'
import type { HttpContext } from '../../runtime/server.js'
import { enqueue, namesOf } from './follow.js'
import { gasOfData } from './gas.js'
import { signerOf, type ZktParts } from './parts.js'

/**
 * Writes a text to the chain: its UTF-8 bytes are the data of a transaction from the wallet to itself. Nothing runs, so the
 * gas is known here and the node is not asked.
 */
export const submitMessage = async (parts: ZktParts, context: HttpContext, text: string) => {
  const signer = signerOf(parts, context)
  const bytes = Buffer.from(text, 'utf8')
  const data: Hex = `0x${bytes.toString('hex')}`
  const accepted = await enqueue(parts, context, {
    kind: 'message',
    wallet: signer.index,
    to: signer.address,
    data,
    gas: gasOfData(bytes),
  })
  return { success: true as const, ...namesOf(accepted) }
}
