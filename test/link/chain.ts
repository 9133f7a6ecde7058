import { startAnvil } from '../service/anvil.js'

/** An account with a contract that logs nothing but the fact of its call: LOG0 of no bytes. */
export const LOGGER = '0x00000000000000000000000000000000000000aa'
const SENDER = '0x00000000000000000000000000000000000000bb'

/** Starts a real chain on which each transaction is a block with a log. */
export const startChain = async () => {
  const { url, stop } = await startAnvil()
  const call = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body })
    const { result, error } = (await response.json()) as { result: unknown; error: unknown }
    if (error) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }
  await call('anvil_setCode', LOGGER, '0x60006000a000')
  await call('anvil_impersonateAccount', SENDER)
  const transaction = { from: SENDER, to: LOGGER, gas: '0xffff', gasPrice: '0x0' }
  const sendTransaction = async () => String(await call('eth_sendTransaction', transaction))
  return { url, stop, call, sendTransaction }
}
