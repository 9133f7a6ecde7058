import type { Answer } from '../wire/exchange.js'
import { lazy, type Recording } from './recording.js'

/** JSON-RPC of which only the two messages were recorded. The texts and the values are made when they are read. */
export const rpcRecording = (
  place: Pick<Recording, 'file' | 'line' | 'time'>,
  request: Message,
  response: Message | undefined,
): Recording => {
  const sent = lazy(() => ({
    method: 'POST',
    url: undefined,
    headers: { 'content-type': 'application/json' },
    body: request.text(),
  }))
  const answer = lazy(() => response && plainAnswer(response.text()))
  return {
    ...place,
    get sent() {
      return sent()
    },
    get answer() {
      return answer()
    },
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
