import { createRpcClient } from '@acme/zkt/rpc'
import { portLink } from '@acme/zkt/runtime/links/port'

/** The other side sends the responses in reverse order. */
export const use = async () => {
  const { port1, port2 } = new MessageChannel()
  port2.onmessage = ({ data }) => {
    const responses = JSON.parse(data).map(({ id, method }) => ({
      ...{ jsonrpc: '2.0', id },
      result: method === 'eth_chainId' ? '0x133edcb' : '0x10',
    }))
    for (const response of responses.reverse()) port2.postMessage(JSON.stringify(response))
  }
  const rpc = createRpcClient({ link: portLink(port1) })
  const results = await rpc.batch((b) => Promise.all([b.ethChainId(), b.ethBlockNumber()]))
  port1.close()
  return results
}
