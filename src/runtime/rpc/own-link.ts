import type { ClientSettings } from '../client-options.js'
import type { HttpLink } from '../link/http.js'
import type { RpcLink } from '../link/link.js'
import type { signalOf } from '../shared/deadline.js'
import type { UnmatchedWarning } from '../shared/issues.js'
import type { keepText } from '../shared/redact.js'
import { exchangeOver } from './duplex.js'

/**
 * The link of the option `link` of the client with these settings, behind the functions of the link of HTTP. Functions of clients
 * are arguments, because bundlers would split imported ones from the rest of a client.
 */
export const findOwnLink = (
  settings: ClientSettings,
  link: RpcLink,
  options: Options,
  ...by: readonly [createSignal: typeof signalOf, keep: typeof keepText]
): HttpLink => {
  const found = links.get(settings) ?? createOwnLink(link, options, ...by)
  links.set(settings, found)
  return found
}

/** Each client has settings of its own. */
const links = new WeakMap<ClientSettings, HttpLink>()

const createOwnLink = (
  link: RpcLink,
  { onWarning, signal }: Options,
  createSignal: typeof signalOf,
  keep: typeof keepText,
): HttpLink => {
  const exchange =
    link.kind === 'duplex'
      ? exchangeOver(link, (warning) => onWarning?.(warning), signal)
      : link.exchange
  const redact = () => keep
  return {
    exchange: async (text, { deadline, signals, ...sending }) => {
      if (signals) {
        const cause = new TypeError('`raw` is for HTTP, which options.link replaces')
        return { rejection: { reason: 'not-sent', cause }, redact }
      }
      const signal = createSignal(deadline)
      return { ...(await exchange(text, { ...sending, signal })), redact }
    },
    redactor: async () => keep,
  }
}

type Options = {
  readonly onWarning?: ((warning: UnmatchedWarning) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
}
