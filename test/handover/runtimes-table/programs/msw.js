import { createHttpClient } from '@acme/zkt/http'
import { createHandlers } from '@acme/zkt/msw'
import { createRpcClient } from '@acme/zkt/rpc'

/** Nothing listens at that address: what is answered was intercepted. */
export const use = async ({ intercept }) => {
  const server = 'http://127.0.0.1:1025'
  const overrides = {
    ethCall: { error: -32000 },
    getZktTransaction: [{ example: 'pending' }, { example: 'completed' }],
  }
  const end = await intercept(createHandlers({ server, overrides }))
  const rpc = createRpcClient({ server: `${server}/zgt/{apiKey}`, auth: { apiKey: 'my-key' } })
  const batch = await rpc.batch((b) => Promise.all([b.ethChainId(), b.ethAccounts()]))
  const refused = await rpc.ethCall({}, 'latest').catch(({ code }) => code)
  const http = createHttpClient({ server })
  const path = { queueId: '5d0c7a1e-94b6-4f38-8a27-6be1f0c3d942' }
  const states = []
  for await (const { status } of http.getZktTransaction.poll({ path }, { interval: 1 }))
    states.push(status)
  await end()
  return { chainId: batch[0], accounts: batch[1].length, refused, states }
}
