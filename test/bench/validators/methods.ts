/** What a batch is made of, in turn; the first is also the request that is measured by itself. */
export const METHODS = [
  'eth_getBalance',
  'eth_getBlockByNumber',
  'eth_chainId',
  'eth_getTransactionReceipt',
  'eth_getCode',
  'eth_getLogs',
  'eth_sendRawTransaction',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_blockNumber',
] as const
