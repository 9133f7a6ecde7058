import { createServer as createNodeServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as validators from '../../../generated/explanations.js'
import { httpService, rpcService } from '../../../generated/operations.js'
import type { Api, RpcOperation } from '../../../src/model/api.js'
import { HttpError, RpcError } from '../../../src/runtime/errors.js'
import {
  type AuthorizedCall,
  createServerCore,
  type ServerReply,
  type ServerRequest,
  toNodeListener,
} from '../../../src/runtime/server.js'
import { pairingFor } from '../../conformance/documents.js'
import { createSubmissions, RECEIPT } from './submissions.js'

/** The one that there is; nothing that a request holds otherwise. */
export const KEY = 'seeded-Key-4f7d/only one'

/** The service of an Api, without a fault that we know of, at a port of its own; `around` plants one. */
export const startClean = async (api: Api, around: Around = {}): Promise<Started> => {
  const troubles: unknown[] = []
  const core = createCore(api, (error) => troubles.push(error))
  const serve = around.serve?.(core.handle) ?? core.handle
  const plain: RequestListener = toNodeListener({ handle: serve })
  const server = createNodeServer(around.listen?.(plain) ?? plain)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    troubles,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

export type Serve = (request: ServerRequest) => Promise<ServerReply>

export type Around = {
  /** Around the server: what it is asked, and what it answers. */
  readonly serve?: (next: Serve) => Serve
  /** Around its listener: what only a socket can do. */
  readonly listen?: (next: RequestListener) => RequestListener
}

export type Started = {
  readonly url: string
  /** Errors of the server itself, which no caller sees. */
  readonly troubles: readonly unknown[]
  readonly stop: () => Promise<unknown>
}

const createCore = (api: Api, onError: (error: unknown) => void) => {
  const { byForm, look, isOurs } = createSubmissions(() => Date.UTC(2026, 10, 22))
  const methods = api.operations.filter((one) => one.kind === 'rpc')
  const handlers = Object.fromEntries(
    methods.map((one) => [one.id, one.access === 'key' ? answer(one) : reading(one, isOurs)]),
  )
  const ids = new Set(methods.map(({ id }) => id))
  const operations = Object.fromEntries(
    Object.entries(rpcService.operations).filter(([, { id }]) => ids.has(id)),
  )
  return createServerCore(
    {
      http: httpService,
      rpc: { ...rpcService, operations },
      validators,
      openrpc: api.rpc?.bundled,
    },
    { ...handlers, tryZkt: byForm, submitZkt: byForm, getZktTransaction: look } as never,
    {
      basePath: '',
      onError,
      admit: ({ operation, auth }) => {
        if (operation ? operation.access !== 'key' : auth.apiKey === KEYLESS) return
        if (auth.apiKey !== KEY) throw unknownKey(operation?.id)
      },
      authorize: ({ operation, auth }: AuthorizedCall) => {
        if (operation?.kind !== 'rpc' || operation.access !== 'key' || auth.apiKey === KEY) return
        throw new RpcError({ code: -32600, message: `${operation.method} needs an API key` })
      },
    },
  )
}

const KEYLESS = 'try-it-out'

const unknownKey = (operation = 'rpc'): HttpError =>
  new HttpError({ operation, status: 401, body: undefined, message: 'the API key is not known' })

/** What the documents show for these params, or for others. */
const answer =
  (operation: RpcOperation) =>
  (params: readonly unknown[]): unknown => {
    const { outcome } = pairingFor(operation, params)
    if (outcome.kind === 'error') throw new RpcError(outcome.error)
    return outcome.kind === 'result' ? outcome.value : null
  }

/** The same, and the receipts of what was submitted here. */
const reading =
  (operation: RpcOperation, isOurs: (hash: string) => boolean) =>
  (params: readonly unknown[]): unknown => {
    const [hash] = params
    return operation.method === 'eth_getTransactionReceipt' && isOurs(String(hash))
      ? { ...RECEIPT, transactionHash: hash }
      : answer(operation)(params)
  }
