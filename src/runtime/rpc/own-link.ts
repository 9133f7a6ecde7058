import type { ClientSettings } from '../client-options.js'
import type { HttpLink, PostedCall } from '../link/http.js'
import type { ResponseTooLarge } from '../link/http-exchange.js'
import type { RpcLink } from '../link/link.js'
import type { onEnd, signalOf } from '../shared/deadline.js'
import type { UnmatchedWarning } from '../shared/issues.js'
import type { redactor } from '../shared/redact.js'
import type { RpcService } from './call.js'
import {
  exchangeOver,
  type Incoming,
  type IncomingCall,
  parseMessage,
  serveCalls,
  unmatched,
} from './duplex.js'
import type { isCall } from './match.js'
import type { cancelWriter } from './running-calls.js'

/**
 * The link of the option `link` of the client with these settings, behind the functions of the link of HTTP, which speaks the
 * version of JSON-RPC of the options. Functions of clients
 * are arguments, because bundlers would split imported ones from the rest of a client.
 */
export const findOwnLink = (
  settings: ClientSettings,
  link: RpcLink | HttpLink,
  options: Options,
  by: Functions,
): HttpLink => {
  const create = () => {
    const created = 'kind' in link ? createOwnLink(settings, link, options, by) : link
    const isDuplex = 'kind' in link && link.kind === 'duplex'
    return options.jsonRpc === '1.0' ? speakVersion1(created, isDuplex) : created
  }
  const found = links.get(settings) ?? create()
  links.set(settings, found)
  return found
}

/** Each client has settings of its own. */
const links = new WeakMap<ClientSettings, HttpLink>()

const createOwnLink = (
  { maxResponseBytes }: ClientSettings,
  link: RpcLink,
  { onWarning, signal, incoming, cancelWriter, service }: Options,
  { signalOf, onEnd, redactor, ResponseTooLarge, isCall }: Functions,
): HttpLink => {
  const report = (warning: UnmatchedWarning) => onWarning?.(warning)
  const cancel = cancelWriter?.(service)
  const terms = { report, signal, maxResponseBytes, incoming, cancel }
  const exchange =
    link.kind === 'duplex'
      ? exchangeOver(link, { ...terms, onEnd, ResponseTooLarge, isCall })
      : link.exchange
  const stop = signal ?? new AbortController().signal
  const sendAlone =
    link.kind === 'exchange'
      ? (text: string) => link.exchange(text, { calls: [], attempt: 1, signal: stop })
      : undefined
  /** Over exchanges, another one cancels a call. */
  const cancelLater = ({ id, deadline }: PostedCall): void => {
    if (sendAlone === undefined || cancel === undefined || id === undefined) return
    onEnd(deadline, () => {
      if (!stop.aborted) sendAlone(cancel(id)).catch(() => undefined)
    })
  }
  const redact = () => redactor(link.secrets?.() ?? [])
  const own: HttpLink = {
    exchange: async (text, { deadline, signals, ...sending }) => {
      if (signals) {
        const cause = new TypeError('`raw` is for HTTP, which options.link replaces')
        return { rejection: { reason: 'not-sent', cause }, redact }
      }
      const signal = signalOf(deadline)
      for (const call of sending.calls) cancelLater(call)
      return { ...(await exchange(text, { ...sending, signal })), redact }
    },
    redactor: async () => redact(),
  }
  if (link.kind === 'exchange' && link.listen && sendAlone) {
    const receive = (text: string): void =>
      serveText(text, isCall, { respond: sendAlone, incoming, report })
    link.listen(receive, stop).catch((error) => {
      if (!stop.aborted) report(unmatched('', `what the server sends after "${error?.message}"`))
    })
  }
  return own
}

const speakVersion1 = (link: HttpLink, isDuplex: boolean): HttpLink => ({
  ...link,
  exchange: async (text, posting) => {
    if (isDuplex) {
      const cause = new TypeError("options.jsonRpc '1.0' is for HTTP and for links of exchanges")
      return { rejection: { reason: 'not-sent', cause }, redact: () => (shown) => shown }
    }
    const { jsonRpc1Link } = await import('./json-rpc-1.js')
    return await jsonRpc1Link(link).exchange(text, posting)
  },
})

type Functions = {
  readonly signalOf: typeof signalOf
  readonly redactor: typeof redactor
  readonly onEnd: typeof onEnd
  readonly ResponseTooLarge: typeof ResponseTooLarge
  readonly isCall: typeof isCall
}

type Options = {
  readonly onWarning?: ((warning: UnmatchedWarning) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
  readonly incoming?: Incoming | undefined
  readonly cancelWriter?: typeof cancelWriter | undefined
  readonly service: RpcService
  readonly jsonRpc?: '2.0' | '1.0' | undefined
}

/** How calls of the server are processed that arrive over a link of exchanges. */
export type ServingTerms = {
  /** Sends the response to a request by an exchange of its own. */
  readonly respond: (text: string) => Promise<{ readonly rejection?: unknown }>
  readonly incoming: Pick<Incoming, 'serve'> | undefined
  readonly report: (warning: UnmatchedWarning) => unknown
}

/** Processes calls of the server that arrive over a link of exchanges. */
export const serveByExchange = (
  calls: readonly IncomingCall[],
  text: string,
  isBatch: boolean,
  { respond, incoming, report }: ServingTerms,
): void => {
  const send = async (response: string): Promise<void> => {
    const { rejection } = await respond(response)
    if (rejection) await report(unmatched('', 'a response to a call of the server'))
  }
  serveCalls(calls, { text, isBatch, send }, incoming, report)
}

/** A text that arrives outside of exchanges: it can have no responses. */
const serveText = (text: string, isCall: Functions['isCall'], terms: ServingTerms): void => {
  const message = parseMessage(text)
  const calls: IncomingCall[] = []
  for (const member of Array.isArray(message) ? message : [message])
    if (isCall(member) && typeof member.method === 'string') calls.push(member as IncomingCall)
    else terms.report(unmatched('', 'a text without a call'))
  if (calls.length > 0) serveByExchange(calls, text, Array.isArray(message), terms)
}
