import { setupWorker } from 'msw/browser'
import { createHttpClient, isHttpError } from '../../generated/http.client.js'
import { createHandlers } from '../../generated/msw.js'
import { createRpcClient, isRpcError } from '../../generated/rpc.client.js'

/**
 * What a page of another team sees that starts the worker of MSW with the generated handlers. Names of `.example` lead nowhere,
 * so that whatever answers is the worker.
 */
export const tried = async (): Promise<Tried> => {
  const wrong: unknown[] = []
  const overrides = {
    ethGetBalance: { error: 'header not found' },
    getZktTransaction: { example: 'unknownQueueId' },
  } as const
  const onError = (error: unknown) => wrong.push(String(error))
  const worker = setupWorker(...createHandlers({ overrides, onError }))
  await worker.start({ quiet: true, onUnhandledRequest: 'error' })
  const controller = navigator.serviceWorker.controller?.scriptURL

  const [http, rpc] = [createHttpClient(), createRpcClient({ auth: { apiKey: 'my-key' } })]
  const message = await http.tryZkt({ body: { arguments: 'The ferry leaves at noon.' } })
  const refused = await http
    .getZktTransaction({ path: { queueId: QUEUED } })
    .catch((error: unknown) =>
      isHttpError(error, 'getZktTransaction', 404) ? error.body.error : String(error),
    )
  const batch = await rpc.batch((b) =>
    Promise.allSettled([b.ethChainId(), b.ethGetBalance(ADDRESS, '0xffff')]),
  )
  const [chain, balance] = batch.map((one) => {
    if (one.status === 'fulfilled') return one.value
    const { reason } = one
    return isRpcError(reason, -32000) ? `${reason.code} ${reason.message}` : String(reason)
  })
  const raw = await fetch(RPC, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([
      { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] },
      { jsonrpc: '2.0', id: 'eight', method: 'eth_getBalance', params: [ADDRESS, '0xffff'] },
      { jsonrpc: '2.0', id: null, method: 'eth_nope', params: [] },
    ]),
  })
  const answers = await raw.json()

  worker.stop()
  return { controller, message, refused, chain, balance, answers, wrong }
}

export type Tried = {
  /** The script that answers in place of the network. */
  readonly controller: string | undefined
  readonly message: unknown
  readonly refused: unknown
  readonly chain: unknown
  readonly balance: unknown
  readonly answers: unknown
  readonly wrong: readonly unknown[]
}

const RPC = 'https://rpc.testnet.example/zgt/my-key'
const QUEUED = 'c1f6e0d8-2b7a-45e9-b3d4-07a98f5c6e21'
const ADDRESS = '0x0ca4eedd26f62e932b3e8ff91e48cc0d063546e1'
