import { expect, it } from 'vitest'
import { CLIENTS, cutClient } from './cut-clients.js'
import { cutConnections, faultsOf, gapsOf } from './cut-connections.js'

it('heads, logs and pending transactions of a real chain: after 100 disconnects nothing is lost without a gap', async () => {
  const outcome = await cutConnections(100)
  expect(faultsOf(outcome)).toEqual([])
  expect(gapsOf(outcome)).toEqual([100, 100, 100])
  expect(outcome.leftBehind).toEqual([])
  expect(outcome.warnings).toEqual([])
})

it('beside viem and ethers, in the same trial', async () => {
  const outcomes = new Map<string, Awaited<ReturnType<typeof cutClient>>>()
  for (const [name, subscribe] of Object.entries(CLIENTS))
    outcomes.set(name, await cutClient(100, subscribe))
  console.table(Object.fromEntries(outcomes))
  const { lost, ...own } = outcomes.get('twinspec') ?? { lost: 0 }
  expect(own).toMatchObject({ survived: 100, unreported: 0, twice: 0, leftBehind: 0 })
})
