import { RpcError } from '@acme/zkt/errors'
import { createServer, notOffered } from '@acme/zkt/server'

/** A server as small as it may be. */
export const served = () =>
  createServer({
    ...notOffered,
    ethChainId: () => '0x133edcb',
    ethGetBalance: () => {
      throw new RpcError({ code: -32000, message: 'header not found' })
    },
    getZktTransaction: ({ path }) => ({
      status: 200,
      body: { status: 'pending', queueId: path.queueId },
    }),
  })

const ID = '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942'

/** What it answers by `send`, a `fetch`: a batch, a status, what is no UUID, a path that is not there. */
export const answersBy = async (send) => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
    { jsonrpc: '2.0', id: 'b', method: 'eth_getBalance', params: [`0x${'00'.repeat(20)}`] },
  ]
  const posted = await send('/zgt/my-key', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch),
  })
  const found = await send(`/gtn/v1/zkt/transaction/${ID}`)
  const refused = await send('/gtn/v1/zkt/transaction/none')
  return {
    batch: (await posted.json()).map(({ id, result, error }) => [id, result ?? error.code]),
    status: (await found.json()).status,
    refused: refused.status,
    elsewhere: (await send('/elsewhere')).status,
  }
}
