import { messageOf } from '../../runtime/shared/message-of.js'
import { tryParseJson } from '../../text/json-text.js'
import { isNotification } from '../../traffic/connection.js'
import { type Exchange, type Sent, textOf } from '../../traffic/exchange.js'
import { lateWords, type Wire } from '../wire/exchange.js'
import { isDuplexUrl } from './address.js'
import type { StdioServer } from './command.js'
import { type DuplexConnection, openConnection } from './connection.js'
import { failureOfFirst } from './first-response.js'

/**
 * Sends the bodies of requests to a WebSocket or a program as texts, and every other request by `http`. The next text of the
 * server that is no call of its own is the response: HTTP 200 with it as the body. Without one, a text of notifications has HTTP
 * 204. A connection is used for one text at a time, and again after its response.
 */
export const withSockets = (
  http: Wire,
  stdio: StdioServer | undefined,
): { readonly wire: Wire; readonly close: () => Promise<unknown> } => {
  const free = new Map<string, DuplexConnection[]>()
  const all = new Set<DuplexConnection>()

  const take = async (sent: Sent, milliseconds: number): Promise<DuplexConnection> => {
    const own = free.get(sent.url) ?? []
    for (let one = own.pop(); one !== undefined; one = own.pop())
      if (one.whyClosed() === undefined) return one
    const opened = await openConnection(sent, stdio, milliseconds)
    all.add(opened)
    return opened
  }
  const leave = (sent: Sent, connection: DuplexConnection): void => {
    free.set(sent.url, [...(free.get(sent.url) ?? []), connection])
  }
  const drop = async (connection: DuplexConnection): Promise<void> => {
    await connection.close()
    all.delete(connection)
  }

  const send = async (sent: Sent, milliseconds: number): Promise<Exchange> => {
    const began = performance.now()
    const failed = (failure: string, cause?: Exchange['cause']): Exchange => ({
      ...{ sent, answer: undefined, failure },
      ...(cause && { cause }),
    })
    const answered = (status: number, body: string): Exchange => ({
      sent,
      failure: undefined,
      answer: {
        status,
        headers: [['content-type', 'application/json']],
        body: new TextEncoder().encode(body),
        milliseconds: performance.now() - began,
      },
    })
    let connection: DuplexConnection
    try {
      connection = await take(sent, milliseconds)
    } catch (error) {
      return failed(messageOf(error), 'unreachable')
    }
    // A GET only asks whether the server can be reached.
    if (sent.body === undefined) {
      const first = stdio && (await failureOfFirst(connection, stdio, milliseconds))
      if (first) {
        await drop(connection)
        return failed(first.failure, first.cause)
      }
      leave(sent, connection)
      return answered(101, '')
    }
    const text = textOf(sent.body)
    const isAnswered = wantsResponse(text)
    const before = connection.messages.length
    await connection.send(text)
    const response = await connection.until(
      () => connection.messages.slice(before).find(({ isOfServer }) => !isOfServer),
      isAnswered ? milliseconds : QUIET,
    )
    if (response !== undefined) {
      leave(sent, connection)
      return answered(200, response.text)
    }
    const whyClosed = connection.whyClosed()
    void drop(connection)
    if (whyClosed !== undefined) return failed(whyClosed)
    // What arrives later is not taken for the response of another text.
    return isAnswered ? failed(lateWords(milliseconds), 'late') : answered(204, '')
  }

  return {
    wire: (sent, options) =>
      isDuplexUrl(sent.url) ? send(sent, options.milliseconds) : http(sent, options),
    close: () => Promise.all([...all].map(drop)),
  }
}

/** Milliseconds without a text, after which notifications have no response. */
export const QUIET = 500

/** Whether JSON-RPC requires a response to a text: not if it is a notification, or a batch of them. */
const wantsResponse = (text: string): boolean => {
  const value = tryParseJson(text)?.value
  if (Array.isArray(value)) return value.length === 0 || !value.every(isNotification)
  return !isNotification(value)
}
