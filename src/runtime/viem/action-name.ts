/** What an operation is called as an action: by its id, unless every client of viem has something of that name. */
export const actionName = (id: string): string => (taken.has(id) ? `${id}Operation` : id)

export type ActionName<Id extends string> = Id extends (typeof TAKEN)[number]
  ? `${Id}Operation`
  : Id

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
