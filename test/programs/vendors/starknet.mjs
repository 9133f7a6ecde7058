import { RpcProvider } from 'starknet'

export async function run(url, print) {
  const provider = new RpcProvider({ nodeUrl: `${url}/`, retries: 0 })
  const block = await provider.getBlockWithTxs('latest')
  print(`block ${block.block_hash}`)
  try {
    await provider.getBlockWithTxs(999_999_999)
  } catch (error) {
    print(error.message)
  }
}
