import { expect, test } from 'vitest'
import { createProvider } from '../../generated/eip1193.js'

/** A provider whose server answers by method, and is out of reach where it has no answer. */
const provided = (answers: Readonly<Record<string, unknown>>) => {
  const own = { ...answers }
  const fetch = async (_: unknown, init: RequestInit) => {
    const calls: readonly { id: number; method: string }[] = [JSON.parse(String(init.body))].flat()
    const isBatch = String(init.body).startsWith('[')
    const replies = calls.map(({ id, method }) => {
      if (!(method in own)) throw new TypeError('fetch failed')
      const answer = own[method]
      return {
        jsonrpc: '2.0',
        id,
        ...(typeof answer === 'string' ? { result: answer } : Object(answer)),
      }
    })
    return Response.json(isBatch ? replies : replies[0])
  }
  const server = 'http://127.0.0.1:1/zgt/my-key'
  const provider = createProvider({ server, fetch, retry: { attempts: 1 } })
  const heard: unknown[] = []
  for (const event of ['connect', 'disconnect', 'chainChanged'] as const) {
    provider.on(event, (payload: unknown) =>
      heard.push([event, payload instanceof Error ? 'code' in payload && payload.code : payload]),
    )
  }
  const ask = (method: string) => provider.request({ method }).catch((error: unknown) => error)
  const settled = () => new Promise((resolve) => setTimeout(resolve, 5))
  return { provider, own, heard, ask, settled }
}

test('it connects with the first answer, and says once that it lost the server', async () => {
  const { own, heard, ask, settled } = provided({ eth_blockNumber: '0x1', eth_chainId: '0x7' })
  await ask('eth_blockNumber')
  await ask('eth_blockNumber')
  await settled()
  expect(heard.splice(0)).toEqual([['connect', { chainId: '0x7' }]])
  delete own.eth_blockNumber
  expect(await ask('eth_blockNumber')).toMatchObject({ name: 'ProviderRpcError', code: 4900 })
  await ask('eth_blockNumber')
  await settled()
  expect(heard.splice(0)).toEqual([['disconnect', 4900]])
  own.eth_blockNumber = '0x2'
  own.eth_chainId = '0x8'
  await ask('eth_blockNumber')
  await settled()
  expect(heard).toEqual([
    ['chainChanged', '0x8'],
    ['connect', { chainId: '0x8' }],
  ])
})

test('a refusal keeps code, message and data, and is no loss of the server', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' }
  const { heard, ask, settled } = provided({ eth_gasPrice: { error } })
  expect(await ask('eth_gasPrice')).toMatchObject({ name: 'ProviderRpcError', ...error })
  await settled()
  expect(heard).toEqual([])
})

test('a listener that was taken away hears nothing', async () => {
  const { provider, ask, settled } = provided({ eth_chainId: '0x7' })
  const heard: unknown[] = []
  const listener = (payload: unknown) => heard.push(payload)
  provider.on('connect', listener).on('connect', listener).removeListener('connect', listener)
  await ask('eth_chainId')
  await settled()
  expect(heard).toEqual([{ chainId: '0x7' }])
})

test('what is no request is refused, and the key is in no error', async () => {
  const { provider, ask } = provided({})
  const request = provider.request as (given: unknown) => Promise<unknown>
  await expect(request(undefined)).rejects.toMatchObject({ code: -32600 })
  expect(String((await ask('eth_gasPrice')) as Error)).not.toContain('my-key')
})
