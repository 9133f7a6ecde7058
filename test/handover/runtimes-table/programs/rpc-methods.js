import { createRpcConnection, ethBlockNumber, ethChainId } from '@acme/zkt/rpc/methods'

export const use = async ({ url }) => {
  const rpc = createRpcConnection({ server: url, auth: { apiKey: 'my-key' } })
  return [
    await ethChainId(rpc),
    await rpc.batch((b) => Promise.all([ethChainId(b), ethBlockNumber(b)])),
  ]
}
