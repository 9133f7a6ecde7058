import { type Abi, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { humanReadable } from '../../../src/service/zkt/abi/human-readable.js'
import { readSignatures } from '../../../src/service/zkt/abi/read-signatures.js'

const lines = [
  'constructor(address owner)',
  'function add(uint256 amount)',
  'function total() view returns (uint256)',
  'function pay(address[2][] who) payable returns (bool, string memory why)',
  'event Added(address indexed who, uint256 amount)',
  'error Short((uint256 left, (bool, string)[2] why)[] what)',
]

test.each(parseAbi(lines as [string]) as Abi)('what is advised means the same: %j', (entry) => {
  const line = humanReadable(entry)
  expect(readSignatures([line as string]).abi).toEqual([entry])
  expect(humanReadable(JSON.stringify(entry))).toBe(line)
  expect(humanReadable(JSON.stringify([entry, entry]))).toBe(line)
})

const nested = (depth: number): object =>
  depth === 0 ? { type: 'bool' } : { type: 'tuple', components: [nested(depth - 1)] }

test.each([
  [undefined],
  [5],
  [''],
  ['[]'],
  ['{'],
  ['['.repeat(100_000)],
  [{ type: 'receive' }],
  [{ type: 'function' }],
  [{ type: 'function', name: { toString: null } }],
  [{ type: 'function', name: 'a b' }],
  [{ type: 'function', name: 'f', stateMutability: ['view'] }],
  [{ type: 'function', name: 'f', inputs: [{ type: 'uint7' }] }],
  [{ type: 'function', name: 'f', inputs: [null, 5, nested(3)] }],
  [{ type: 'function', name: 'f', inputs: [nested(3_000)] }],
  [{ type: 'function', name: 'f', inputs: Array.from({ length: 1_000 }, () => nested(0)) }],
])('nothing is advised for %.80j', (entry) => {
  expect(humanReadable(entry)).toBeUndefined()
})
