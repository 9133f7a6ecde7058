import { createRpcClient } from '@acme/zkt/rpc'
import { httpLink } from '@acme/zkt/runtime/links/http'

export const use = async ({ url }) => {
  const rpc = createRpcClient({ link: httpLink(`${url}/zgt/my-key`) })
  return await rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()]))
}
