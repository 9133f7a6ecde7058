import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createAnvilRpc } from '../../../src/service/embedded-chain/anvil.js'
import { startChain } from '../../../src/service/embedded-chain/start-chain.js'
import { createWallets } from '../../../src/service/wallet/wallets.js'
import { processesWith } from './running.js'

const chainId = 20180427
const wallet = createWallets('test test test test test test test test test test test junk').wallet(
  1,
)

test.runIf(process.platform === 'linux')(
  'a chain that takes too much memory is started again, one that takes little goes on',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'twinspec-test-'))
    const chain = await startChain({
      ...{ chainId, folder, log: pino({ level: 'silent' }), mostMemory: 150 * 2 ** 20 },
      savePause: 60_000,
    })
    const rpc = createAnvilRpc(chain.url)
    const anvils = () => processesWith(`--port\0${new URL(chain.url).port}\0`)
    const before = anvils()
    try {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      expect(anvils()).toEqual(before)
      // Calls nobody 10,000 times with 100 KB.
      const data = '0x6127105b5f5f620186a05f5f61dead5af1506001900380600357'
      const { raw } = await wallet.sign({ chainId, nonce: 0, gas: 5_000_000n, data })
      await rpc.call('eth_sendRawTransaction', raw).catch(() => undefined)
      await expect.poll(anvils, { timeout: 120_000 }).not.toEqual(before)
      const nonce = () => rpc.call('eth_getTransactionCount', wallet.address, 'latest')
      await expect.poll(() => nonce().catch(() => undefined), { timeout: 120_000 }).toBe('0x0')
    } finally {
      await chain.close()
      rmSync(folder, { recursive: true })
    }
  },
  60_000,
)
