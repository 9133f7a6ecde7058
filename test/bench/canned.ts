import type { HttpOperation } from '../../src/model/api.js'
import { findDocuments, loadApi } from '../../src/read/load.js'

/** What servers answer in these benches, by method: all of it fits the document. */
export const CANNED_RESULTS = {
  eth_getBalance: '0x1b1ae4d6e2ef500000',
  eth_getBlockByNumber: null,
  eth_chainId: '0x133edcb',
  eth_getTransactionReceipt: null,
  eth_getCode: '0x600a600c600039600a6000f3602a60005260206000f3',
  eth_getLogs: [],
  eth_sendRawTransaction: `0x${'9f'.repeat(32)}`,
  eth_getStorageAt: `0x${'00'.repeat(32)}`,
  eth_getTransactionCount: '0x5',
  eth_blockNumber: '0x1b4',
}

/** A contract call and its answer, as the document shows them. */
export async function zktExchange(): Promise<{ readonly body: unknown; readonly answer: unknown }> {
  const api = await loadApi(findDocuments(new URL('../../spec', import.meta.url).pathname))
  const operation = api.operations.find(
    (one): one is HttpOperation => one.kind === 'http' && one.id === 'tryZkt',
  )
  const sent = operation?.body?.content.flatMap(({ examples }) => examples)
  const body = sent?.find(({ name }) => name === 'callWrite')?.value
  if (body === undefined) throw new Error('tryZkt shows no contract call')
  const hash = CANNED_RESULTS.eth_sendRawTransaction
  return { body, answer: { success: true, hash, transactionHash: hash, id: 'add-1' } }
}
