import { expect, it } from 'vitest'
import { cutConnections, faultsOf, gapsOf } from './cut-connections.js'

it('heads, logs and pending transactions of a real chain: after 100 disconnects nothing is lost without a gap', async () => {
  const outcome = await cutConnections(100)
  expect(faultsOf(outcome)).toEqual([])
  expect(gapsOf(outcome)).toEqual([100, 100, 100])
  expect(outcome.leftBehind).toEqual([])
  expect(outcome.warnings).toEqual([])
})
