import { createClient } from '@acme/zkt/client'

export const use = async ({ url }) => {
  const client = createClient({ server: url, auth: { apiKey: 'my-key' } })
  const { queueId } = await client.http.submitZkt({ body: { arguments: 'hello' } })
  return { chainId: await client.rpc.ethChainId(), queueId: queueId.length }
}
