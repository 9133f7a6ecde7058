import { createRpcClient } from './generated/starknet/rpc.client.js'

/** The same block, by position: Starknet's document allows both. */
export async function run(server: string, print: (line: string) => void): Promise<void> {
  const block = await createRpcClient({ server }).starknetGetBlockWithTxs('latest')
  print(`${block.transactions.length} transactions`)
}
