import type { Answer } from '../wire/exchange.js'
import type { Recording } from './recording.js'

/** JSON-RPC of which only the two messages were recorded. The texts and the values are made when they are read. */
export const rpcRecording = (
  place: Pick<Recording, 'file' | 'line' | 'time'>,
  request: Message,
  response: Message | undefined,
): Recording => {
  return {
    ...place,
    sent: () => ({
      method: 'POST',
      url: undefined,
      headers: { 'content-type': 'application/json' },
      body: request.text(),
    }),
    answer: () => response && plainAnswer(response.text()),
    facts: {
      method: 'POST',
      url: undefined,
      headers: JSON_HEADERS,
      body: request.value,
      hasBody: true,
      response: response && { status: 200, headers: JSON_HEADERS, body: response.value },
    },
  }
}

export type Message = { readonly text: () => string; readonly value: () => unknown }

const JSON_HEADERS = [['content-type', 'application/json']] as const

const plainAnswer = (text: string): Answer => ({
  status: 200,
  headers: JSON_HEADERS,
  body: new TextEncoder().encode(text),
  milliseconds: 0,
})
