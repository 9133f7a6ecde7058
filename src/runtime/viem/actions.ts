import type { Chain } from 'viem'
import type { Why } from '../ground/why.js'
import { createHttp, type HttpOptions, type HttpService } from '../http.js'
import { serverOfChain } from './server-of-chain.js'

/**
 * HTTP operations as actions, for `client.extend`: each is what the HTTP client has under its id. One that bears the name
 * of something that every client of viem has goes by `nameOperation`.
 */
export const createActions =
  <Client, Id extends keyof Client & string>(
    { servers, limits, operations }: HttpService,
    validators: object,
    ids: readonly Id[],
    options: HttpOptions,
    why: Why,
  ) =>
  ({ chain }: { readonly chain?: Chain | undefined }): Actions<Client, Id> => {
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
    const named = ids.map((id) => [taken.has(id) ? `${id}Operation` : id, calls[id]])
    return Object.fromEntries(named)
  }

export type Actions<Client, Id extends keyof Client & string> = {
  readonly [Name in Id as Name extends Taken ? `${Name}Operation` : Name]: Client[Name]
}

type Taken = (typeof TAKEN)[number]

/** What a client of viem has, or uses by name: `extend` reads over the first, and asks its own shape of the rest. */
const TAKEN = [
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

const taken: ReadonlySet<string> = new Set(TAKEN)
