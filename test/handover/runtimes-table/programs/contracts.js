import { contractCalls } from '@acme/zkt/contracts'
import { createHttpClient } from '@acme/zkt/http'

export const use = async ({ url }) => {
  const { tryZkt } = contractCalls(createHttpClient({ server: url }))
  const to = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
  const { output } = await tryZkt({
    body: { abi: ['function sum() view returns (uint256)'], to, method: 'sum', arguments: [] },
  })
  const { queueId } = await tryZkt({
    body: { abi: ['function add(uint256 amount)'], to, method: 'add', arguments: [7n] },
  })
  return { type: typeof output, next: String(output + 1n), queueId: queueId.length }
}
