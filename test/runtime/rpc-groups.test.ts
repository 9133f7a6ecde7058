import { expect, it } from 'vitest'
import { createRpcClient } from '../../generated/rpc.client.js'

it('one batch after another has the methods of the client in groups as well', async () => {
  const sent: unknown[][] = []
  const rpc = createRpcClient({
    server: 'http://127.0.0.1:1/rpc',
    fetch: async (_, init) => {
      const calls = JSON.parse(String(init?.body))
      sent.push(calls)
      return Response.json(
        calls.map(({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: '0x1' })),
      )
    },
  })
  for (let time = 0; time < 2; time += 1)
    expect(
      await rpc.batch((batch) => Promise.all([batch.eth.chainId(), batch.ethBlockNumber()])),
    ).toEqual(['0x1', '0x1'])
  expect(await rpc.with({ timeout: 1_000 }).batch((batch) => batch.eth.chainId())).toBe('0x1')
  expect(sent.map(({ length }) => length)).toEqual([2, 2, 1])
})
