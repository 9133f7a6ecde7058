import { CallError, HttpError, RpcError } from '@acme/zkt/errors'
import { createRpcClient } from '@acme/zkt/rpc'

export const use = async ({ url }) => {
  const cause = new Error('why')
  const made = new RpcError({ code: 3, message: 'reverted', data: '0x' }, { cause })
  const rpc = createRpcClient({ server: `${url}/zgt/my-key` })
  const thrown = await rpc.ethGetBalance(`0x${'00'.repeat(20)}`).catch((error) => error)
  const unsent = await rpc.ethGetBalance('nobody').catch((error) => error)
  return {
    made: [made.name, made.code, made.data, made.cause === cause, made instanceof Error],
    thrown: [thrown instanceof RpcError, thrown instanceof HttpError, thrown.method],
    unsent: unsent instanceof CallError,
  }
}
