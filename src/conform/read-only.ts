import type { Api } from '../model/api.js'
import { isObject } from '../runtime/validate/json-value.js'
import { parseJson, readExchange } from './responses/read.js'
import { isRead } from './state/follow.js'
import type { Target } from './target.js'
import { type Sent, textOf } from './wire/exchange.js'

/** Throws NotSent for whatever could write. */
export const assertReads =
  (api: Api, target: Target) =>
  (sent: Sent): void => {
    if (couldWrite(api, target, sent)) throw new NotSent(READ_ONLY)
  }

/**
 * Whether a request could write: any method of HTTP but those that are safe (RFC 9110, 9.2.1), and a text with a
 * documented method of JSON-RPC that no `x-idempotent` lets anybody send again, however broken the text is around its name.
 */
export const couldWrite = (api: Api, target: Target, sent: Sent): boolean => {
  const reading = readExchange(api, target, { sent, answer: undefined, failure: undefined })
  if (reading.kind !== 'rpc') return !SAFE.has(sent.method)
  const text = textOf(sent.body)
  const named = [parseJson(text)?.value].flat().map((one) => (isObject(one) ? one.method : ''))
  return api.operations.some(
    (one) =>
      one.kind === 'rpc' &&
      !isRead(one) &&
      (named.includes(one.method) || text.includes(JSON.stringify(one.method))),
  )
}

/** What was to be sent is not, at the word of whoever runs us. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
}

export const READ_ONLY = 'it may write, which --read-only leaves out'

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
