import { isCall, matchById } from '../../../runtime/rpc/match.js'
import { paramsWith } from '../../../runtime/shared/sent-params.js'
import { checkRpcResponse, TRY_ID } from './check-rpc-response.js'
import { type CheckResult, type DocumentChecks, parse } from './checks.js'
import type { RpcTry, TrySubscription } from './data.js'
import { element } from './element.js'
import { bodyFigure, checkView, factsView } from './response-view.js'
import { createSubscriptionItems } from './subscription-items.js'
import type { PreparedRequest } from './wire.js'

/**
 * Sends a call over a WebSocket of its own, and shows the response. If the call begins a subscription, its items are shown as they
 * arrive, until the reader unsubscribes or the connection ends.
 */
export function exchangeOverSocket(
  data: RpcTry,
  checks: DocumentChecks,
  wire: PreparedRequest,
  { seconds, stop, say, answered, now = () => performance.now() }: SocketView,
): Promise<void> {
  const text = String(wire.body)
  const { host } = new URL(wire.url)
  const began = now()
  const { subscription } = data
  const items = subscription && createSubscriptionItems(data, subscription, checks, text)
  const button = element('button', { type: 'button', class: 'unsubscribe' }, 'Unsubscribe')
  let isOpen = false
  let hasResponse = false
  let isEnding = false
  /** Messages of the server that belong neither to the call nor to its subscription. */
  let others = 0

  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(() => end('late'), seconds * 1000)
    }
    const settle = (): void => {
      clearTimeout(timer)
      button.remove()
      stop.removeEventListener('abort', stopped)
      for (const name of EVENTS) socket[name] = null
      socket.close()
      resolve()
    }
    const tell = (verdict: CheckResult): void =>
      say(
        verdict.tone,
        ...checkView({ ...verdict, notes: [...verdict.notes, ...otherNotes(others)] }),
      )

    /** Ends the exchange: without a response, or with the result for all items. */
    const end = (why: Ending): void => {
      if (hasResponse && items) {
        const { tone, note } = endOf(why, seconds, subscription?.unsubscribe.method)
        tell(items.verdict(tone, note))
      } else {
        const lines = [silence(why, { host, seconds, isOpen }), ...otherNotes(others)]
        say('silence', ...lines.map((line) => element('p', {}, line)))
      }
      settle()
    }
    const stopped = () => end('stopped')

    const respond = (text: string, value: unknown): void => {
      clearTimeout(timer)
      hasResponse = true
      const verdict = checkRpcResponse(data, checks, { status: 200, text })
      const facts = factsView(now() - began, new TextEncoder().encode(text).length)
      const outcome = matchById([TRY_ID], value, 'single')(TRY_ID)
      answered.replaceChildren(facts, bodyFigure(text))
      if (!items || outcome.kind !== 'result') {
        tell(verdict)
        settle()
        return
      }
      others += items.begin(outcome.value)
      answered.append(button, items.list)
      const notes = [...verdict.notes, 'Subscribed: items are shown as they arrive.']
      say(verdict.tone, ...checkView({ ...verdict, notes }))
    }

    const socket = open(wire.url)
    socket.onopen = () => {
      isOpen = true
      socket.send(text)
    }
    socket.onmessage = ({ data: received }: MessageEvent<unknown>) => {
      const read = typeof received === 'string' ? parse(received) : undefined
      if (typeof received !== 'string' || read === undefined || 'problem' in read) {
        others += 1
        return
      }
      const members = [read.value].flat()
      const responses = members.filter((one) => !isCall(one))
      for (const one of members.filter(isCall)) others += items?.take(one, received) ? 0 : 1
      if (responses.length === 0) return
      if (!hasResponse) respond(received, read.value)
      else if (isEnding) end({ response: matchById([END_ID], read.value, 'single')(END_ID) })
      else others += 1
    }
    socket.onclose = ({ code, reason }) => end({ code, reason })
    button.addEventListener('click', () => {
      if (!subscription || isEnding) return
      isEnding = true
      button.disabled = true
      socket.send(unsubscribeText(subscription, items?.id()))
      wait()
    })
    stop.addEventListener('abort', stopped)
    wait()

    /** Rejects if the browser does not open such an address. */
    function open(url: string): WebSocket {
      try {
        return new WebSocket(url)
      } catch (error) {
        reject(error)
        throw error
      }
    }
  })
}

type SocketView = {
  /** How long to wait for a response. */
  readonly seconds: number
  readonly stop: AbortSignal
  readonly say: (
    tone: CheckResult['tone'] | 'silence',
    ...words: readonly (Node | string)[]
  ) => void
  /** The place for the response and the items. */
  readonly answered: HTMLElement
  /** Milliseconds. */
  readonly now?: () => number
}

const EVENTS = ['onopen', 'onmessage', 'onclose'] as const

/** Why an exchange ends. */
type Ending =
  | 'late'
  | 'stopped'
  | { readonly code: number; readonly reason: string }
  /** The response to the method that unsubscribes. */
  | { readonly response: ReturnType<ReturnType<typeof matchById>> }

const END_ID = TRY_ID + 1

/** The first param is the id of the subscription. */
const unsubscribeText = ({ unsubscribe }: TrySubscription, id: unknown): string => {
  const { method } = unsubscribe
  const params = paramsWith(unsubscribe, [['/0', id]])
  return JSON.stringify({ jsonrpc: '2.0', id: END_ID, method, params })
}

/** How a subscription ended. Only an error of the server is one of the result. */
const endOf = (
  why: Ending,
  seconds: number,
  method = '',
): { readonly tone: CheckResult['tone']; readonly note: string } => {
  if (why === 'stopped')
    return { tone: 'fits', note: 'You closed the connection, which ends the subscription.' }
  if (why === 'late')
    return { tone: 'wrong', note: `${method} got no response within ${seconds} s.` }
  if ('code' in why) return { tone: 'error', note: `The server ${closing(why)}.` }
  const { response } = why
  if (response.kind === 'result')
    return {
      tone: 'fits',
      note: `Unsubscribed: ${method} returned ${JSON.stringify(response.value)}.`,
    }
  if (response.kind === 'rejected') {
    const { code, message } = response.error
    return { tone: 'wrong', note: `${method} returned the error ${code}, “${message}”.` }
  }
  return { tone: 'wrong', note: `${method} got an unusable response: ${response.message}.` }
}

/** RFC 6455, 7.4.1: 1005 and 1006 are no codes that a server sends. */
const closing = ({ code, reason }: { readonly code: number; readonly reason: string }): string =>
  code === 1005 || code === 1006
    ? `ended the connection without a code (${code})`
    : `closed the connection with the code ${code}${reason === '' ? '' : `, “${reason}”`}`

/** Why there is no response, in one sentence. */
const silence = (
  why: Ending,
  { host, seconds, isOpen }: Readonly<{ host: string; seconds: number; isOpen: boolean }>,
): string => {
  if (why === 'stopped') return 'You stopped the request: the server may have processed it.'
  if (why === 'late')
    return isOpen
      ? `${host} sent no response within ${seconds} s: the server may have processed the request.`
      : `The connection to ${host} was not open within ${seconds} s.`
  if (isOpen && 'code' in why) return `${host} ${closing(why)}, before it sent a response.`
  const who = location.protocol === 'file:' ? 'pages opened from a disk' : location.origin
  return `No connection to ${host}: no server of WebSockets is running there, or it does not accept ${who}. Try the command.`
}

const otherNotes = (others: number): readonly string[] =>
  others === 0
    ? []
    : [`The server also sent ${others === 1 ? '1 other message' : `${others} other messages`}.`]
