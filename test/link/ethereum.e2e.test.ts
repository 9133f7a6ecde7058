import { expect, it } from 'vitest'
import { lint } from '../../src/lint/lint.js'
import { cutConnections, faultsOf, gapsOf, readEthereum } from './cut-connections.js'

it('the document has no errors and no warnings', async () => {
  const found = lint(await readEthereum()).filter(({ level }) => level !== 'note')
  expect(found.map(({ rule, message }) => `${rule} ${message}`)).toEqual([])
})

it('heads, logs and pending transactions of a real chain: after 5 disconnects nothing is lost without a gap', async () => {
  const outcome = await cutConnections(5)
  expect(faultsOf(outcome)).toEqual([])
  expect(gapsOf(outcome)).toEqual([5, 5, 5])
  expect(outcome.leftBehind).toEqual([])
  expect(outcome.warnings).toEqual([])
})

it('what is lost, comes twice or comes late is found', async () => {
  const heads = ['1', '2', '3', '4']
  const seen = (...all: readonly string[]) =>
    faultsOf({
      produced: { newHeads: heads, logs: [], newPendingTransactions: [] },
      seen: { newHeads: all, logs: [], newPendingTransactions: [] },
      leftBehind: [],
      warnings: [],
    }).filter((fault) => fault.startsWith('newHeads'))
  expect(seen('2', '3', '4')).toEqual([])
  expect(seen('1', '3', '4')).toEqual(['newHeads: 1 lost before 3'])
  expect(seen('1', '2', '2', '3', '4')).toEqual(['newHeads: 2 came twice or late'])
  expect(seen('1', '5', '2', '3')).toEqual([
    'newHeads: 5 is unknown',
    'newHeads: the last ones are lost',
  ])
})
