import type { ServerReply, ServerRequest } from './request.js'

/** Never rejects: what goes wrong is an answer, and `onError` hears of it. */
export type Server = {
  readonly handle: (request: ServerRequest) => Promise<ServerReply>
  /** The templates of the paths that something answers on, `/orders/{id}`, for routers that ask before. */
  readonly paths?: readonly string[]
}
