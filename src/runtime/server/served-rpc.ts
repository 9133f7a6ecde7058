import type { DuplexLink } from '../link/link.js'
import type { RpcOperation, RpcValidators } from '../operation.js'
import { createRpc, namedParams } from '../rpc.js'
import { validatorsFor } from '../shared/validators.js'
import { createRoutes, splitUrl } from '../wire/routes.js'
import type { ServerCall, ServerPolicy } from './call.js'
import { headerRecord, type ServedRpc, type ServerRequest } from './request.js'
import { admit, type createRpcAnswer, endpointCredentials, rejectRpc } from './rpc.js'
import { createServedSubscriptions, type ServerConnection } from './subscriptions.js'

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
    const callBy = (connection?: ServerConnection): ServerCall =>
      callOf(request, match.path, query, connection)
    const auth = endpointCredentials(match)
    const rejected = policy.admit && (await admit(callBy(), auth, policy))
    if (rejected) return rejected
    return {
      answer: async (text, connection) => (await answer(text, callBy(connection), auth)).text,
    }
  }
  return {
    admit: connect,
    payloadBytes: policy.payloadBytes,
    sideOver: (link, most, ids) => {
      const limit = policy.payloadBytes
      const own = once(() => createPeer({ path, sent }, validators, link, limit, ids))
      const checks = new Map(
        Object.values(sent).map(({ id, method }) => [
          method,
          validatorsFor<RpcValidators>(validators, id).params,
        ]),
      )
      const subscriptions = createServedSubscriptions(
        {
          sent,
          notify: (method, params) => own().client.notify(method, params),
          accepts: (method, params) => checks.get(method)?.check(params) ?? false,
          report: (error, operation) => policy.report(error, operation, {}, undefined),
        },
        most,
      )
      return { peer: () => own().peer, subscriptions }
    },
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
  connection: ServerConnection | undefined,
): ServerCall => ({
  request,
  headers: headerRecord(request.headers),
  path,
  query,
  remoteAddress: request.remoteAddress,
  state: request.state,
  connection,
  signal: undefined,
})

/** A client of the other side, and `notify` and `call` with a function for each method that the server sends. */
const createPeer = (
  { path, sent = {} }: SentService,
  validators: object,
  link: DuplexLink,
  maxResponseBytes: number,
  ids: { last: number } | undefined,
) => {
  const service = { servers: [], path, operations: sent }
  const options = { link, maxResponseBytes }
  const client = createRpc<PeerClient>(service, validators, options, undefined, {
    namedParams,
    ...(ids && { ids }),
  })
  const functionsOf = (isNotification: boolean): object =>
    Object.fromEntries(
      Object.values(sent)
        .filter((one) => (one.isNotification === true) === isNotification)
        .map(({ id }) => [id, client[id as 'notify']]),
    )
  return { client, peer: { notify: functionsOf(true), call: functionsOf(false) } }
}

type PeerClient = {
  readonly notify: (method: string, params: unknown) => Promise<unknown>
}

/** The result of the first call for all calls. */
export const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
