import { pino } from 'pino'
import { startChain } from '../../../src/service/embedded-chain/start-chain.js'

/** A gateway that has nothing but its chain, to be killed. */
const chain = await startChain({
  chainId: 20180427,
  folder: process.argv[2],
  log: pino({ level: 'silent' }),
  savePause: 600_000,
})
process.send?.({ kind: 'chain', url: chain.url })
