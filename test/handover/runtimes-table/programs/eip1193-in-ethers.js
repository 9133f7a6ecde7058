import { createProvider } from '@acme/zkt/eip1193'
import { BrowserProvider } from 'ethers'

export const use = async ({ url }) => {
  const eip1193 = createProvider({ server: `${url}/zgt/{apiKey}`, auth: { apiKey: 'my-key' } })
  const provider = new BrowserProvider(eip1193, undefined, { cacheTimeout: -1 })
  const answers = [await provider.getBlockNumber(), String((await provider.getNetwork()).chainId)]
  provider.destroy()
  return answers
}
