import {
  type Chain,
  createTransport,
  type EIP1193RequestFn,
  type EIP1474Methods,
  HttpRequestError,
  RpcRequestError,
  rpcSchema,
  TimeoutError,
  type Transport,
} from 'viem'
import { CallError, HttpError, RpcError } from './errors.js'
import { createHttp, type HttpOptions, type HttpService } from './http.js'
import type { Server } from './operation.js'
import type { MethodMap, MethodType, Requester } from './rpc/caller.js'
import { createRpc, type RpcOptions, type RpcService } from './rpc.js'
import type { Why } from './shared/explain.js'
import { redactor } from './shared/redact.js'
import { urlSecrets } from './shared/written-secrets.js'

/**
 * Creates a viem transport for JSON-RPC. Calls of one microtask are sent as one batch, split at the limits of the document, and
 * are matched by their ids. Errors are viem's, without secrets, with the client's error as cause. viem does not retry: only
 * operations marked `x-idempotent` are retried, by `options.retry`.
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

/** The address of a chain that no document declares is from the chain itself. */
const addressOf = (chain: Parameters<RpcTransport>[0]['chain']): string | undefined =>
  chain?.rpcUrls.default.http[0]

/** The address in errors: documented ones keep their variables; possible keys are removed from others. */
const shownAddress = ({ servers, path }: RpcService, server: string | URL | undefined): string => {
  const address = server === undefined ? undefined : String(server)
  const known = address === undefined ? servers[0] : servers.find(({ name }) => name === address)
  if (known !== undefined || address === undefined) return known?.url ?? ''
  return redactor(urlSecrets(address, servers, [path]))(address)
}

/** The name of an operation as an action: its id, or `<id>Operation` if every viem client has a member of that name. */
const actionName = (id: string): string => (used.has(id) ? `${id}Operation` : id)

type ActionName<Id extends string> = Id extends (typeof RESERVED)[number] ? `${Id}Operation` : Id

/**
 * Names that a viem client has or calls: `extend` ignores actions with the former, and requires viem's own types for the
 * latter.
 */
const RESERVED = [
  ...(['account', 'batch', 'cacheTime', 'ccipRead', 'chain', 'dataSuffix', 'extend'] as const),
  ...(['experimental_blockTag', 'key', 'name', 'pollingInterval', 'request', 'tokens'] as const),
  ...(['transport', 'type', 'uid', 'call', 'createContractEventFilter'] as const),
  ...(['createEventFilter', 'estimateContractGas', 'estimateGas', 'getBlock'] as const),
  ...(['getBlockNumber', 'getChainId', 'getContractEvents', 'getEnsText'] as const),
  ...(['getFilterChanges', 'getGasPrice', 'getLogs', 'getTransaction'] as const),
  ...(['getTransactionCount', 'getTransactionReceipt', 'prepareTransactionRequest'] as const),
  ...(['readContract', 'sendRawTransaction', 'simulateContract', 'uninstallFilter'] as const),
  ...(['watchBlockNumber', 'watchContractEvent', 'sendTransaction', 'writeContract'] as const),
] as const

const used: ReadonlySet<string> = new Set(RESERVED)

/**
 * HTTP operations as actions for `client.extend`: each is the member of the HTTP client for its id. An id that is a member of
 * every viem client becomes `<id>Operation`. `Own` is their type, an `ActionsOf`.
 */
export const createActions =
  <Own>(
    { servers, limits, operations }: HttpService,
    validators: object,
    ids: readonly string[],
    options: HttpOptions,
    why: Why,
  ): Extension<Own> =>
  ({ chain }) => {
    const own = Object.fromEntries(
      ids.flatMap((id) => {
        const operation = operations[id]
        return operation ? [[id, operation]] : []
      }),
    )
    const server = options.server ?? serverOfChain(servers, chain)
    const calls = createHttp<Readonly<Record<string, unknown>>>(
      { servers, limits, operations: own },
      validators,
      { ...options, server },
      why,
    )
    const named = ids.map((id) => [actionName(id), calls[id]])
    return Object.fromEntries(named) as Own
  }

/** The argument of `client.extend` of viem; the client's chain selects the server. */
export type Extension<Own> = (client: { readonly chain?: Chain | undefined }) => Own

/** Members of an HTTP client by their names as actions. */
export type ActionsOf<Client, Id extends keyof Client & string> = {
  readonly [Name in Id as ActionName<Name>]: Client[Name]
}

/**
 * Converts an error of a call to viem's own error, with the original as its cause. A JSON-RPC error keeps its code and data, by
 * which viem selects its class and decodes the reason of a revert. `url` contains no secrets.
 */
const viemError = (error: unknown, { body, url, timeout }: Asked): unknown => {
  if (error instanceof RpcError) return new RpcRequestError({ body, error, url })
  if (error instanceof HttpError) {
    const { status, headers, message: details } = error
    return new HttpRequestError({ body, status, headers, details, url, cause: error })
  }
  if (!(error instanceof CallError)) return error
  switch (error.reason) {
    case 'timeout':
      return Object.assign(new TimeoutError({ body, url }), { cause: error, timeout })
    case 'aborted':
      return error
    case 'invalid-input':
      return rejected(error, INVALID_PARAMS, { body, url })
    default:
      return new HttpRequestError({ body, details: error.message, url, cause: error })
  }
}

/** The error that a server would return for the method. */
const unknownMethod = (asked: Asked): RpcRequestError => {
  const message = `the document has no method ${asked.body.method}`
  return rejected(new Error(message), METHOD_NOT_FOUND, asked)
}

type Asked = {
  readonly body: { readonly method: string; readonly params?: unknown }
  readonly url: string
  readonly timeout?: number | undefined
}

const rejected = (error: Error, code: number, { body, url }: Asked): RpcRequestError => {
  const { message } = error
  return new RpcRequestError({ body, error: Object.assign(error, { code, message }), url })
}

/** JSON-RPC 2.0 §5.1. */
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602

/** The methods of a document that viem does not know, as an `RpcSchema`; viem has types for the others. */
export type OwnMethods<
  Methods extends MethodMap,
  Names extends readonly (keyof Methods & string)[],
  Found extends readonly unknown[] = [],
> = Names extends readonly [
  infer Name extends keyof Methods & string,
  ...infer Rest extends readonly (keyof Methods & string)[],
]
  ? OwnMethods<
      Methods,
      Rest,
      Name extends KnownMethod ? Found : [...Found, Entry<Name, Methods[Name]>]
    >
  : Found

/** The `rpcSchema` of a viem client: viem's methods, and those of `Own`. */
export const typeMethods = <Own extends readonly unknown[]>(): TypedMethods<Own> =>
  rpcSchema<TypedMethods<Own>>()

/** viem's methods, and those of a document that it does not know. */
export type TypedMethods<Own extends readonly unknown[]> = [
  ...EIP1474Methods,
  ...Extract<Own, readonly Entry<string, MethodType>[]>,
]

type KnownMethod = EIP1474Methods[number]['Method']

/** `Parameters` is undefined for a method without params. */
type Entry<Name extends string, M extends MethodType> = {
  readonly Method: Name
  readonly Parameters: M['params'] extends readonly [] ? undefined : M['params']
  readonly ReturnType: M['result']
}

/** The documented server of a chain, by its id; undefined without a chain or a server of it. */
const serverOfChain = (servers: readonly Server[], chain: Chain | undefined): string | undefined =>
  chain && servers.find(({ chainId }) => chainId === chain.id)?.name
