import type { IncomingMessage } from 'node:http'
import { MOST_BYTES } from './exchange.js'

/** The body of a response. Rejects with TooLarge where it has more than `MOST_BYTES`, and closes the connection. */
export const wholeBody = async (message: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop destroys the message.
    if (size > MOST_BYTES) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}
