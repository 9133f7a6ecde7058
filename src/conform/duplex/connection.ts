import type { LinkEvents } from '../../runtime/link/link.js'
import { socketLink } from '../../runtime/link/socket.js'
import { isObject } from '../../runtime/shared/json.js'
import { tryParseJson } from '../../text/json-text.js'
import type { Sent } from '../../traffic/exchange.js'
import { type StartedCommand, type StdioServer, startCommand } from './command.js'

/**
 * Opens a connection to the server of a request: to a WebSocket, or to a program that is started for it. Rejects if that is not
 * possible, for a WebSocket within `milliseconds`.
 */
export const openConnection = async (
  { url, headers: { authorization } }: Pick<Sent, 'url' | 'headers'>,
  stdio: StdioServer | undefined,
  milliseconds: number,
): Promise<DuplexConnection> => {
  const messages: DuplexMessage[] = []
  const waiting = new Set<() => void>()
  let whyClosed: string | undefined
  const wake = (): void => {
    for (const one of waiting) one()
  }
  const events = (reasonOf: (reason: unknown) => string): LinkEvents => ({
    text: (text) => {
      messages.push(readMessage(text))
      wake()
    },
    closed: (reason) => {
      whyClosed ??= reasonOf(reason)
      wake()
    },
  })
  const openSocket = () => {
    const headers = authorization === undefined ? {} : { authorization }
    const options = { headers, timeout: milliseconds, retry: { attempts: 1 } }
    return socketLink(url, options).open(events(() => 'the server closed the connection'))
  }
  const program = stdio && (await startCommand(stdio, events(String)))
  const own = program ?? (await openSocket())
  return {
    messages,
    whyClosed: () => whyClosed,
    ...(program && { program }),
    send: (text) => own.send(text).catch(() => undefined),
    until: (find, most) =>
      new Promise((resolve) => {
        const end = (found: unknown): void => {
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found as never)
        }
        const look = (): void => {
          const found = find()
          if (found !== undefined || whyClosed !== undefined) end(found)
        }
        const timer = setTimeout(() => end(undefined), most)
        waiting.add(look)
        look()
      }),
    close: () => own.close().catch(() => undefined),
  }
}

/** A connection of its own, with all that arrived over it. */
export type DuplexConnection = {
  readonly messages: readonly DuplexMessage[]
  /** Why it has ended, as a clause; undefined if it is open. */
  readonly whyClosed: () => string | undefined
  /** The program that was started for it. */
  readonly program?: Pick<StartedCommand, 'output' | 'log'>
  /** Never rejects: what could not be sent gets no response. */
  readonly send: (text: string) => Promise<unknown>
  /** What `find` returns, asked after each message; undefined after `most` milliseconds, or when the connection ended. */
  readonly until: <T>(find: () => T | undefined, most: number) => Promise<T | undefined>
  readonly close: () => Promise<unknown>
}

export type DuplexMessage = {
  readonly text: string
  /** The members of a batch, or the one message; none of a text that is no JSON. */
  readonly members: readonly Readonly<Record<string, unknown>>[]
  /** Whether it is a call of the server, and not a response. */
  readonly isOfServer: boolean
}

const readMessage = (text: string): DuplexMessage => {
  const members = [tryParseJson(text)?.value].flat().filter(isObject)
  const isOfServer = members.length > 0 && members.every(isCall)
  return { text, members, isOfServer }
}

const isCall = (member: Readonly<Record<string, unknown>>): boolean =>
  typeof member.method === 'string' && !('result' in member) && !('error' in member)
