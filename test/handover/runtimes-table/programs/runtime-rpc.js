import { ethChainId as operation } from '@acme/zkt/operations'
import { createRpc } from '@acme/zkt/runtime/rpc'
import { ethChainId } from '@acme/zkt/validators'

export const use = ({ url }) => {
  const service = { servers: [], path: '', operations: { ethChainId: operation } }
  const chain = createRpc(service, { ethChainId }, { server: `${url}/zgt/my-key` })
  return chain.ethChainId()
}
