import { expect, it } from 'vitest'
import { MNEMONIC, startServiceProcess } from '../../trials/service-process.js'
import { startCluster } from '../postgres.js'
import { startFakeNode } from './fake-node.js'

it('a start with PostgreSQL and the node of another chain ends with exit code 2', async ({
  skip,
}) => {
  const cluster = process.env.DATABASE_URL ? undefined : await startCluster()
  const url = process.env.DATABASE_URL ?? cluster?.url
  if (url === undefined) return skip('there is no PostgreSQL here')
  const node = await startFakeNode({})
  const service = await startServiceProcess({
    args: ['--upstream', node.url, '--chain-id', '5'],
    env: { DATABASE_URL: url, TWINSPEC_MNEMONIC: MNEMONIC },
    waitUntilReady: false,
  })
  try {
    expect(await Promise.race([service.ended(), late(60_000)])).toBe(2)
    expect(service.output()).toContain('the node behind is of chain 1, not 5')
  } finally {
    if (service.isRunning()) await service.crash()
    node.close()
    await cluster?.stop()
  }
})

const late = (milliseconds: number): Promise<string> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds, 'it still runs').unref()
  })
