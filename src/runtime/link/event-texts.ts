import { createEventParser, type EventParser } from '../streams/event-stream.js'
import type { ResponseTooLarge } from './http-exchange.js'

/**
 * The data of each event of an event stream, as it arrives. Leaving the loop closes the connection. Throws a `TooLarge` if the
 * stream has more than `maxBytes`; with a parser of the caller, which may be asked for the last id, if an event has. This module
 * must not import functions of clients: bundlers would split them off.
 */
export async function* eventTexts(
  { body }: Response,
  maxBytes: number,
  TooLarge: typeof ResponseTooLarge,
  ownParser?: EventParser,
): AsyncGenerator<string, void, undefined> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  const parser = ownParser ?? createEventParser()
  let left = maxBytes
  try {
    for (;;) {
      const chunk = (await reader?.read())?.value
      left -= chunk?.byteLength ?? 0
      if (left < 0) throw new TooLarge(maxBytes)
      // Two line ends complete an event that the server did not.
      const text = chunk ? decoder.decode(chunk, { stream: true }) : `${decoder.decode()}\n\n`
      for (const { data } of parser.push(text)) {
        if (ownParser) left = maxBytes
        yield data
      }
      if (!chunk) return
    }
  } finally {
    reader?.cancel().catch(() => undefined)
  }
}
