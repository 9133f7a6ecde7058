import type { HttpContext } from 'twinspec/runtime/server'
import { inThread, LARGE } from '../thread/in-thread.js'
import { enqueue, namesOf } from './follow.js'
import { signerOf, type ZktParts } from './parts.js'
import { prepareMessage } from './prepare-message.js'

/**
 * Writes a text to the chain: its UTF-8 bytes are the data of a transaction from the wallet to itself. Nothing runs, so the
 * gas is known here and the node is not asked.
 */
export const submitMessage = async (parts: ZktParts, context: HttpContext, text: string) => {
  const signer = signerOf(parts, context)
  const { data, gas } =
    text.length < LARGE ? prepareMessage(text) : await inThread('prepareMessage', text)
  const accepted = await enqueue(parts, context, {
    kind: 'message',
    wallet: signer.index,
    to: signer.address,
    data,
    gas,
  })
  return { success: true as const, ...namesOf(accepted) }
}
