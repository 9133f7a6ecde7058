import { chains, rpcSchema, rpcTransport, zktActions } from '@acme/zkt/viem'
import { createPublicClient } from 'viem'

export const use = async ({ url }) => {
  const auth = { apiKey: 'my-key' }
  const transport = rpcTransport({ server: `${url}/zgt/{apiKey}`, auth })
  const client = createPublicClient({ chain: chains.testnet, transport, rpcSchema }).extend(
    zktActions({ server: url, auth }),
  )
  const turn = [client.getChainId(), client.getBlockNumber()]
  const [chainId, height] = await Promise.all(turn)
  const { value } = await client.request({ method: 'chain_getSupportedTokens' })
  const { queueId } = await client.submitZkt({ body: { arguments: 'hello' } })
  const address = `0x${'00'.repeat(20)}`
  const refused = await client.getBalance({ address }).catch(({ details }) => details)
  return { chainId, height: String(height), tokens: value.length, queueId: queueId.length, refused }
}
