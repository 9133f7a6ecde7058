import { expect, test } from 'vitest'
import { createServer, notOffered, toFetchHandler } from '../../generated/server.js'

const handle = toFetchHandler(createServer({ ...notOffered, ethChainId: () => '0x1' }))

const post = async (path: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await handle(new Request(`http://127.0.0.1${path}`, request))
  return { status: response.status, body: await response.json() }
}

test('what is not written yet refuses by name, and what is written answers', async () => {
  const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method })
  expect(await post('/zgt/some-key', [call(1, 'eth_chainId'), call(2, 'eth_blockNumber')])).toEqual(
    {
      status: 200,
      body: [
        { jsonrpc: '2.0', id: 1, result: '0x1' },
        {
          jsonrpc: '2.0',
          id: 2,
          error: { code: -32601, message: 'eth_blockNumber is not offered' },
        },
      ],
    },
  )
  expect(await post('/zkt/try-it-out', { arguments: 'hello' })).toMatchObject({
    status: 501,
    body: { error: 'tryZkt is not offered' },
  })
})
