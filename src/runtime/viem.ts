import { createTransport, type EIP1193RequestFn, type Transport } from 'viem'
import { createRpc, type RpcCallOptions, type RpcOptions, type RpcService } from './rpc.js'
import type { Why } from './shared/explain.js'
import { redactor } from './shared/redact.js'
import { urlSecrets } from './shared/written-secrets.js'
import { unknownMethod, viemError } from './viem/errors.js'
import { serverOfChain } from './viem/server-of-chain.js'

export { type ActionsOf, createActions, type Extension } from './viem/actions.js'
export { type OwnMethods, type TypedMethods, typeMethods } from './viem/methods.js'

/**
 * JSON-RPC as a transport of viem. Calls of one turn go out as one batch, split at the limits of the document, and are
 * matched by their ids. Errors are viem's, ours their cause, without secrets. viem repeats nothing: what the document
 * calls idempotent is sent again as `options.retry` says, and nothing else ever is.
 */
export const createRpcTransport =
  (service: RpcService, validators: object, options: RpcOptions, why: Why): RpcTransport =>
  ({ chain, timeout: patience }) => {
    const server = options.server ?? serverOfChain(service.servers, chain) ?? addressOf(chain)
    const timeout = options.timeout ?? patience
    const client = createRpc<Requester>(
      service,
      validators,
      { batch: 'auto', ...options, server, timeout },
      why,
    )
    const methods = new Map(Object.values(service.operations).map((one) => [one.method, one]))
    const url = shownAddress(service, server)
    const request = async (
      body: { method: string; params?: unknown },
      { signal }: { signal?: AbortSignal | undefined } = {},
    ) => {
      const asked = { body, url, timeout }
      if (!methods.has(body.method)) throw unknownMethod(asked)
      return client.request(body, { signal }).catch((error) => {
        throw viemError(error, asked)
      })
    }
    const made = createTransport({
      key: 'rpc',
      name: 'JSON-RPC',
      type: 'rpc',
      request: request as EIP1193RequestFn,
      retryCount: 0,
      ...(timeout !== undefined && { timeout }),
    })
    const once: EIP1193RequestFn = (args, own) =>
      made.request(args as never, {
        ...own,
        ...(methods.get(args.method)?.idempotent !== true && { retryCount: 0 }),
      }) as never
    return { ...made, request: once }
  }

export type RpcTransport = Transport<'rpc', Readonly<Record<never, never>>, EIP1193RequestFn>

type Requester = {
  readonly request: (
    call: { readonly method: string; readonly params?: unknown },
    options: RpcCallOptions,
  ) => Promise<unknown>
}

/** A chain that no document names is where its own owner says. */
const addressOf = (chain: Parameters<RpcTransport>[0]['chain']): string | undefined =>
  chain?.rpcUrls.default.http[0]

/** What errors may say of an address: documented ones keep their variables, others lose what may be a key. */
const shownAddress = ({ servers, path }: RpcService, server: string | URL | undefined): string => {
  const given = server === undefined ? undefined : String(server)
  const known = given === undefined ? servers[0] : servers.find(({ name }) => name === given)
  if (known !== undefined || given === undefined) return known?.url ?? ''
  return redactor(urlSecrets(given, servers, [path]))(given)
}
