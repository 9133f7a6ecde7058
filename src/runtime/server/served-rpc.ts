import type { DuplexLink } from '../link/link.js'
import type { RpcOperation } from '../operation.js'
import { createRpc, namedParams } from '../rpc.js'
import { createRoutes, splitUrl } from '../wire/routes.js'
import type { ServerCall, ServerPolicy } from './call.js'
import { headerRecord, type ServedRpc, type ServerRequest } from './request.js'
import { admit, type createRpcAnswer, endpointCredentials, rejectRpc } from './rpc.js'

/** The methods of a server for links. */
export const createServedRpc = (
  { path, sent = {} }: SentService,
  validators: object,
  answer: ReturnType<typeof createRpcAnswer>,
  policy: ServerPolicy,
): ServedRpc => {
  const routes = createRoutes([{ method: 'POST', path, target: undefined }])
  const connect: ServedRpc['admit'] = async (request) => {
    const [requested, query] = splitUrl(request.url)
    const match = request.url === '' ? NO_PATH : routes('POST', requested)
    if (match.kind !== 'found') return rejectRpc({ status: 404, message: 'Not found' })
    const callBy = (peer?: () => unknown): ServerCall => callOf(request, match.path, query, peer)
    const auth = endpointCredentials(match)
    const rejected = policy.admit && (await admit(callBy(), auth, policy))
    if (rejected) return rejected
    return { answer: async (text, peer) => (await answer(text, callBy(peer), auth)).text }
  }
  return {
    admit: connect,
    payloadBytes: policy.payloadBytes,
    peerOver: (link, maxResponseBytes) =>
      createPeer({ path, sent }, validators, link, maxResponseBytes),
  }
}

/** Of a link without a URL. */
const NO_PATH = { kind: 'found', path: {} } as const

type SentService = {
  readonly path: string
  readonly sent?: Readonly<Record<string, RpcOperation>> | undefined
}

const callOf = (
  request: ServerRequest,
  path: Readonly<Record<string, string>>,
  query: string,
  peer: (() => unknown) | undefined,
): ServerCall => ({
  request,
  headers: headerRecord(request.headers),
  path,
  query,
  remoteAddress: request.remoteAddress,
  state: request.state,
  peer,
  signal: undefined,
})

/** `notify` and `call` with a function for each method that the server sends. It is a client of the other side. */
const createPeer = (
  { path, sent = {} }: SentService,
  validators: object,
  link: DuplexLink,
  maxResponseBytes: number,
): Readonly<Record<'notify' | 'call', object>> => {
  const service = { servers: [], path, operations: sent }
  const client = createRpc<Readonly<Record<string, unknown>>>(
    service,
    validators,
    { link, maxResponseBytes },
    undefined,
    { namedParams },
  )
  const functionsOf = (isNotification: boolean): object =>
    Object.fromEntries(
      Object.values(sent)
        .filter((one) => (one.isNotification === true) === isNotification)
        .map(({ id }) => [id, client[id]]),
    )
  return { notify: functionsOf(true), call: functionsOf(false) }
}
