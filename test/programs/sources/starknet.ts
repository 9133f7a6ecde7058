import { createRpcClient, isRpcError } from './generated/starknet/rpc.client.js'

/** The newest block and its transactions, of every kind; then a block that does not exist. */
export async function run(server: string, print: (line: string) => void): Promise<void> {
  const starknet = createRpcClient({ server })
  const method = 'starknet_getBlockWithTxs'
  const block = await starknet.request({ method, params: { block_id: 'latest' } })
  print('block_hash' in block ? `block ${block.block_hash}` : `pending ${block.block_number}`)
  for (const transaction of block.transactions) {
    if (transaction.type === 'INVOKE' && 'calldata' in transaction)
      print(`invoke with ${transaction.calldata.length} felts`)
    else print(transaction.type)
  }
  try {
    await starknet.request({ method, params: { block_id: { block_number: 999_999_999 } } })
  } catch (error) {
    if (!isRpcError(error, 24)) throw error
    print(`no such block: ${error.message}`)
  }
}
