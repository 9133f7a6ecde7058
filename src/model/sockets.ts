import type { Api } from './api.js'
import { isSocketUrl } from './servers.js'

/** Whether a document is served over WebSocket: it declares a `ws:` server, or methods that the server sends. */
export const speaksOverSockets = ({ rpc, serverMethods }: Api): boolean =>
  rpc !== undefined && (serverMethods.some(({ isSent }) => isSent) || declaresSocket(rpc))

/** Whether it declares a `ws:` or `wss:` server. */
export const declaresSocket = ({ servers }: Pick<NonNullable<Api['rpc']>, 'servers'>): boolean =>
  servers.some(({ url }) => isSocketUrl(url))
