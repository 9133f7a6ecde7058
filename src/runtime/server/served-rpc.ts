import type { DuplexLink } from '../link/link.js'
import type { RpcOperation, RpcValidators } from '../operation.js'
import type { IncomingSide } from '../rpc/incoming.js'
import { type ProgressOption, trackProgress } from '../rpc/progress.js'
import {
  type CallMessages,
  cancelWriter,
  createRunningCalls,
  operationNamed,
  progressSender,
} from '../rpc/running-calls.js'
import { createRpc, namedParams, type RpcCallOptions } from '../rpc.js'
import { once } from '../shared/cached.js'
import { validatorsFor } from '../shared/validators.js'
import { createRoutes, splitUrl } from '../wire/routes.js'
import type { ServerCall, ServerPolicy } from './call.js'
import { headerRecord, type ServedRpc, type ServerRequest } from './request.js'
import { admit, type createRpcAnswer, endpointCredentials, rejectRpc } from './rpc.js'
import { createServedSubscriptions, type ServerConnection } from './subscriptions.js'

/** The methods of a server for links. */
export const createServedRpc = (
  service: SentService,
  validators: object,
  answer: ReturnType<typeof createRpcAnswer>,
  policy: ServerPolicy,
): ServedRpc => {
  const { path, sent = {}, cancel, progress } = service
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
    isUrgent: (text) => cancel !== undefined && isNotification(text, cancel.notification),
    sideOver: (link, { subscriptions: most, ids, send, isWaiting }) => {
      const limit = policy.payloadBytes
      const own = once(() => createPeer(service, validators, link, limit, ids))
      const checks = new Map(
        Object.values(sent).map(({ id, method }) => [
          method,
          validatorsFor<RpcValidators>(validators, id).params,
        ]),
      )
      const accepts = (method: string, params: unknown) =>
        checks.get(method)?.check(params) ?? false
      const subscriptions = createServedSubscriptions(
        {
          sent,
          notify: (method, params) => own().client.notify(method, params),
          accepts,
          report: (error, operation) => policy.report(error, operation, {}, undefined),
        },
        most,
      )
      const notification = operationNamed(sent, progress?.notification)
      const progressEnd = {
        notification,
        accepts: (params: unknown) => accepts(notification?.method ?? '', params),
        send,
        report: (error: unknown) => policy.report(error, notification, {}, undefined),
      }
      return {
        peer: () => own().peer,
        subscriptions,
        ...((cancel || progress) && { calls: createRunningCalls(service, isWaiting) }),
        ...(progress && {
          progressOf: (call) => progressSender(progress, progressEnd, call),
          receiveProgress: (params, ignore) => {
            const listener = own().listeners.get(progress.notification)
            if (listener) listener({ raw: params, value: params }, ignore)
            else ignore()
          },
        }),
      }
    },
  }
}

/** Whether a text is a notification of this method. Long texts are not read. */
const isNotification = (text: string, method: string): boolean => {
  if (text.length > LONGEST_NOTIFICATION) return false
  try {
    const message = Object(JSON.parse(text))
    return message.method === method && message.id === undefined
  } catch {
    return false
  }
}

const LONGEST_NOTIFICATION = 1_000

/** Of a link without a URL. */
const NO_PATH = { kind: 'found', path: {} } as const

type SentService = CallMessages & {
  readonly path: string
  readonly operations: Readonly<Record<string, RpcOperation>>
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
  { path, operations, sent = {}, cancel, progress }: SentService,
  validators: object,
  link: DuplexLink,
  maxResponseBytes: number,
  ids: { last: number } | undefined,
) => {
  const messages = { ...(cancel && { cancel }), ...(progress && { progress }) }
  const service = { servers: [], path, operations: sent, sent: operations, ...messages }
  const options = { link, maxResponseBytes }
  // The server core receives what the other side sends.
  const side: IncomingSide = {
    serve: () => undefined,
    ended: () => undefined,
    listeners: new Map(),
    onEnd: new Set(),
  }
  const shared = ids && { ids }
  const parts = { namedParams, serveHandlers: () => side, cancelWriter, trackProgress, ...shared }
  const client = createRpc<PeerClient>(service, validators, options, undefined, parts)
  const functionsOf = (own: PeerClient, isNotification: boolean): object =>
    Object.fromEntries(
      Object.values(sent)
        .filter((one) => (one.isNotification === true) === isNotification)
        .map(({ id }) => [id, own[id as 'notify']]),
    )
  const peerOf = (own: PeerClient): object => ({
    notify: functionsOf(own, true),
    call: functionsOf(own, false),
    with: (more: PeerOptions) => peerOf(own.with(more)),
  })
  return { client, listeners: side.listeners, peer: peerOf(client) }
}

type PeerClient = {
  readonly notify: (method: string, params: unknown) => Promise<unknown>
  readonly with: (options: PeerOptions) => PeerClient
}

type PeerOptions = RpcCallOptions & ProgressOption<never>
