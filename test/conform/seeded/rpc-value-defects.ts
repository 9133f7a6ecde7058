import { defects } from './defect.js'
import { type Fields, rpcResult } from './planting.js'

type Block = Fields & {
  readonly hash: string
  readonly number: string
  readonly miner: string
  readonly transactions: readonly unknown[]
}

/** What is wrong with the values of results. */
export const RPC_VALUE_DEFECTS = defects([
  chainId('quantity-begins-with-0X', (id) => id.replace('0x', '0X')),
  chainId('quantity-has-leading-zeros', (id) => id.replace('0x', '0x00')),
  chainId('quantity-is-a-number', (id) => Number(id)),
  chainId('quantity-has-no-0x', (id) => id.slice(2)),
  chainId('quantity-of-no-digits', () => '0x'),
  {
    ...chainId('chain-id-is-that-of-another-network', () => '0x2a'),
    by: ['workflow-failed'],
    only: ['workflow network'],
  },
  {
    name: 'bytes-of-odd-digits',
    around: rpcResult('eth_getCode', (code: string) => `${code}0`),
    by: ['result-invalid'],
    only: ['eth_getCode'],
  },
  {
    name: 'result-is-in-a-list-of-its-own',
    around: rpcResult('eth_getBalance', (balance: string) => [balance]),
    by: ['result-invalid'],
    only: ['eth_getBalance'],
  },
  {
    name: 'result-is-json-in-a-text',
    around: rpcResult('eth_getBlockByNumber', (block: Block) => JSON.stringify(block)),
    by: ['result-invalid'],
    only: ['eth_getBlockByNumber'],
  },
  block('hash-is-a-digit-short', (one) => ({ ...one, hash: String(one.hash).slice(0, -1) })),
  block('address-is-too-long', (one) => ({ ...one, miner: `${one.miner}00` })),
  block('hash-is-missing', ({ hash: _, ...one }) => one),
  block('member-is-null', (one) => ({ ...one, stateRoot: null })),
  block('list-is-null', (one) => ({ ...one, transactions: null })),
  block('list-of-other-items', (one) => ({ ...one, transactions: [1, ...one.transactions] })),
  block('number-is-decimal', (one) => ({ ...one, number: BigInt(one.number).toString() })),
  {
    ...block('undeclared-property-in-a-result', (one) => ({ ...one, sealedBy: 'nobody' })),
    by: ['response-property-undeclared'],
  },
])

function chainId(name: string, change: (id: string) => unknown) {
  const around = rpcResult('eth_chainId', change)
  return { name, around, by: ['result-invalid'], only: ['eth_chainId'] }
}

function block(name: string, change: (block: Block) => unknown) {
  const around = rpcResult('eth_getBlockByNumber', change)
  return { name, around, by: ['result-invalid'], only: ['eth_getBlockByNumber'] }
}
