import { createProvider } from '@acme/zkt/eip1193'

export const use = async ({ url }) => {
  const provider = createProvider({ server: `${url}/zgt/{apiKey}`, auth: { apiKey: 'my-key' } })
  const connected = new Promise((resolve) => provider.on('connect', resolve))
  const chainId = await provider.request({ method: 'eth_chainId' })
  const code = (params) => provider.request(params).catch((error) => error.code)
  return {
    chainId,
    connected: await connected,
    unknown: await code({ method: 'wallet_unknown' }),
    refused: await code({ method: 'eth_getBalance', params: [`0x${'00'.repeat(20)}`, 'latest'] }),
  }
}
