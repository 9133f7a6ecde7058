import { expect, it } from 'vitest'
import { emitAll } from '../../src/emit/emit.js'
import { diagnose } from '../emit/strictest.js'
import { readEthereum } from './cut-connections.js'

const USE = `import { createRpcClient } from './rpc.client.js'
import { createServer } from './server.js'

const rpc = createRpcClient({ server: 'wss://node.example' })
for await (const head of rpc.subscribe.ethSubscribe('newHeads')) console.log(head.parentHash.length)
const onGap = (gap: { reason: string }) => console.log(gap)
for await (const log of rpc.subscribe.ethSubscribe('logs', { topics: [] }, { onGap }))
  console.log(log.topics.length)
for await (const hash of rpc.subscribe.ethSubscribe('newPendingTransactions'))
  console.log(hash.slice(2))
// @ts-expect-error there is no such kind
export const wrong = rpc.subscribe.ethSubscribe('syncing')

export const server = createServer({
  ethBlockNumber: () => '0x1',
  ethSubscribe: async function* () {
    yield '0x12' as const
  },
})
`

it('the kind of a subscription decides the type of its items', async () => {
  const files = emitAll(await readEthereum(), [], ['client', 'server'])
  const texts = new Map(files.map(({ name, text }) => [name, text]))
  expect(diagnose(new Map([...texts, ['use.ts', USE]]))).toEqual([])
})
