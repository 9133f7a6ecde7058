import type { ClientSettings } from '../client-options.js'
import type { Server } from '../operation.js'
import { type Address, createFindAddress, type FindAddress, redactorOf } from '../shared/address.js'
import { type Deadline, signalOf } from '../shared/deadline.js'
import { JSON_TYPE } from '../shared/media-type.js'
import { keepText, type Redact, redactor } from '../shared/redact.js'
import { isBusy } from '../shared/retry.js'
import {
  exchange,
  isEventStream,
  ResponseTooLarge,
  rejectionBy,
  reportDeprecation,
} from './http-exchange.js'
import type { LinkRejection, Sending, SentCall } from './link.js'
import type { IncomingResponse } from './transport.js'

/** The link of HTTP. */
export type HttpLink = {
  /** Never rejects. With `signals`, the response has its body unread, and they abort it. */
  readonly exchange: (text: string, posting: Posting) => Promise<Posted>
  /** Removes the current secrets of the link from a text. */
  readonly redactor: () => Promise<Redact>
}

/** A listener of a deadline costs less than a signal. */
export type Posting = Omit<Sending, 'signal' | 'calls'> & {
  readonly calls: readonly PostedCall[]
  readonly deadline: Deadline
  readonly signals?: readonly AbortSignal[]
}

/** A call in a text. */
export type PostedCall = SentCall & {
  readonly deadline: Deadline
  /** The request object as JSON. */
  readonly text: string
}

type Posted = {
  readonly texts?: readonly string[] | AsyncIterable<string> | undefined
  /** The parsed texts, if the link has parsed them. */
  readonly messages?: readonly unknown[] | undefined
  readonly rejection?: LinkRejection | undefined
  /** Of a posting with `signals`. */
  readonly response?: IncomingResponse
  /** Removes the secrets of the link from texts that errors quote. */
  readonly redact: () => Redact
}

/**
 * Creates the link that sends each text as a POST request. It adds credentials, follows redirects that keep the method, runs the
 * hooks, and reports deprecations. After a 401 it sends the text once more if the functions of `auth` return other secrets. A
 * status outside 2xx is a rejection. Each event of an event stream is a text, which is returned as it arrives. Throws a TypeError
 * for invalid options.
 */
export const createHttpLink = (
  { servers, path }: { readonly servers: readonly Server[]; readonly path: string },
  settings: ClientSettings,
): HttpLink => {
  const findAddress = createFindAddress({ servers, path, names: [] }, settings)
  const { transport, rawTransport, fetchOptions } = settings
  const headers = { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...settings.headers }

  const post = async (
    body: string,
    { calls, attempt, deadline, signals }: Posting,
  ): Promise<Posted> => {
    let address: Address | undefined
    let response: IncomingResponse | undefined
    let reason: 'not-sent' | 'network' | 'hook' = 'not-sent'
    const operations = () => calls.map(({ method }) => method.operation)
    const redact = () => (address ? redactorOf(address) : keepText)
    const sendTo = async (found: Address): Promise<IncomingResponse> => {
      address = found
      const { url, secrets } = found
      const exchanged = await exchange(signals ? rawTransport : transport, settings.options, {
        operations: () => operations().map(({ method }) => method),
        attempt,
        // The address of the origin of a page is empty.
        url: url || '/',
        shown: () => redactor(secrets())(url),
        method: 'POST',
        headers,
        body,
        deadline,
        signal: signals && AbortSignal.any([signalOf(deadline), ...signals]),
        maxResponseBytes: settings.maxResponseBytes,
        redirect: 'manual',
        fetchOptions,
        protocol: 'rpc',
      })
      if ('response' in exchanged) return exchanged.response
      reason = exchanged.by
      throw exchanged.error
    }
    try {
      const first = await findAddress()
      response = await sendTo(first)
      if (response.status === UNAUTHORIZED) {
        const renewed = await renew(findAddress, first)
        if (renewed !== undefined) {
          response.discard()
          response = await sendTo(renewed)
        }
      }
      reason = 'hook'
      const reporting = reportDeprecation(settings, response, operations, (text) => redact()(text))
      if (reporting) await reporting
      reason = 'network'
      if (signals) return { response, redact }
      if (!isEventStream(response)) return readText(response, await response.text(), redact)
      if (calls.some(({ id }) => id !== undefined)) {
        const { eventTexts } = await import('./event-texts.js')
        const texts = eventTexts(response.response(), settings.maxResponseBytes, ResponseTooLarge)
        return { texts, redact }
      }
      // Notifications have no response to wait for.
      response.discard()
      return { texts: [], redact }
    } catch (cause) {
      response?.discard()
      return { rejection: rejectionBy(cause, reason), redact }
    }
  }

  return { exchange: post, redactor: async () => redactorOf(await findAddress()) }
}

const UNAUTHORIZED = 401

/** The address with other secrets than the rejected ones; undefined if the functions of `auth` return no others. */
const renew = async (
  findAddress: FindAddress,
  { credentials }: Address,
): Promise<Address | undefined> => {
  try {
    const renewed = await findAddress(credentials)
    return JSON.stringify(renewed.credentials) === JSON.stringify(credentials) ? undefined : renewed
  } catch {
    // The calls fail with the 401, which explains the need for a new secret.
    return undefined
  }
}

const readText = (response: IncomingResponse, text: string, redact: () => Redact): Posted => {
  const { status } = response
  if (status >= 200 && status < 300) return { texts: [text], redact }
  const headers = response.headers()
  const retryAfter = isBusy(status) ? response.header('retry-after') : undefined
  return { rejection: { reason: 'status', status, headers, text, retryAfter }, redact }
}
