import type { ServerReply, ServerRequest } from './request.js'
import type { Server } from './server.js'

/** Answers as `handle` does, without a promise where nothing has to be waited for. It may throw what `handle` rejects with. */
export type RespondAtOnce = (request: ServerRequest) => ServerReply | Promise<ServerReply>

/** A server that answers in this way, for callers who can do without a promise, and by `handle` for all others. */
export const serverOf = (answer: RespondAtOnce, paths: readonly string[]): Server => {
  const handle = async (request: ServerRequest): Promise<ServerReply> => answer(request)
  ANSWERS.set(handle, answer)
  return { handle, paths }
}

/** The cheapest way to ask a server. */
export const answerOf = (server: Server): RespondAtOnce =>
  ANSWERS.get(server.handle) ?? ((request) => server.handle(request))

/** By the function, and not beside it: a copy of a server whose `handle` is another one must be asked by that. */
const ANSWERS = new WeakMap<Server['handle'], RespondAtOnce>()
