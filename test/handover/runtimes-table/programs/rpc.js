import { createRpcClient, isRpcError } from '@acme/zkt/rpc'

export const use = async ({ url }) => {
  const options = { server: `${url}/zgt/{apiKey}`, auth: { apiKey: 'my-key' } }
  const rpc = createRpcClient(options)
  const batch = await rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()]))
  const refused = await rpc
    .request({ method: 'eth_getBalance', params: [`0x${'00'.repeat(20)}`] })
    .catch((error) => (isRpcError(error, -32000) ? error.message : String(error)))
  const unsent = await rpc.ethGetBalance('nobody').catch(({ name }) => name)
  const late = await rpc
    .with({ timeout: 100 })
    .ethSyncing()
    .catch(({ name }) => name)
  const nowhere = await createRpcClient({
    server: 'http://127.0.0.1:1025/zgt/my-key',
    timeout: 5_000,
  })
    .ethChainId()
    .catch(({ name }) => name)
  return { chainId: await rpc.ethChainId(), batch, refused, unsent, late, nowhere }
}
