import { CallError, HttpError, RpcError } from 'twinspec/runtime/errors'
import { describe, expect, test } from 'vitest'
import { busy, responseTooLarge } from '../../../src/service/node/ask.js'
import { MemoryBoundExceeded } from '../../../src/service/node/memory-cost.js'
import { clean, resultOfError } from '../../../src/service/outbox/broadcast-result.js'

const rpc = (code: number, message: string) => new RpcError({ code, message })

/** What nodes say, word for word, from their sources. */
const said: readonly (readonly [node: string, code: number, message: string, kind: string])[] = [
  ['geth', -32000, 'already known', 'known'],
  ['geth', -32000, 'nonce too low: next nonce 5, tx nonce 3', 'spent'],
  ['geth', -32000, 'nonce too high: address 0x1, tx: 9 state: 3', 'again'],
  ['geth', -32000, 'replacement transaction underpriced', 'again'],
  ['geth', -32000, 'future transaction tries to replace pending', 'again'],
  ['geth', -32000, 'txpool is full', 'again'],
  ['geth', -32000, 'account limit exceeded', 'again'],
  ['geth', -32000, 'address already reserved', 'again'],
  ['geth', -32000, 'in-flight transaction limit reached for delegated accounts', 'again'],
  ['geth', -32000, 'transaction underpriced', 'unclear'],
  ['geth', -32000, 'transaction underpriced: gas tip cap 0, minimum needed 1', 'price'],
  ['geth', -32000, 'max fee per gas less than block base fee', 'price'],
  [
    'geth',
    -32000,
    'max fee per gas less than block base fee: address 0x1, maxFeePerGas: 0, baseFee: 7',
    'price',
  ],
  ['geth', -32000, 'gas limit reached', 'unclear'],
  ['geth', -32000, 'invalid sender', 'rejected'],
  ['geth', -32000, 'exceeds block gas limit', 'rejected'],
  ['geth', -32000, 'intrinsic gas too low: gas 20000, minimum needed 21000', 'rejected'],
  ['geth', -32000, 'insufficient gas for floor data gas cost: gas 1, minimum needed 2', 'rejected'],
  ['geth', -32000, 'insufficient funds for gas * price + value: balance 0, tx cost 1', 'rejected'],
  ['geth', -32000, 'max initcode size exceeded: code size 9, limit 8', 'rejected'],
  ['geth', -32000, 'oversized data: transaction size 200000, limit 131072', 'rejected'],
  ['geth', -32000, 'transaction type not supported', 'rejected'],
  ['geth', -32000, 'invalid chain id for signer: have 1 want 2', 'rejected'],
  ['geth', -32000, 'rlp: value size exceeds available input length', 'rejected'],
  ['geth', -32000, 'gas uint64 overflow', 'rejected'],
  ['geth', -32000, 'nonce has max value', 'rejected'],
  ['geth', -32000, 'sender not an eoa', 'rejected'],
  ['geth', -32000, 'negative value', 'rejected'],
  ['geth', -32000, 'only replay-protected (EIP-155) transactions allowed over RPC', 'rejected'],
  ['anvil', -32003, 'transaction already imported', 'known'],
  ['anvil', -32003, 'Tx: [0x12ab] already Imported', 'known'],
  ['anvil', -32003, 'nonce too low', 'spent'],
  ['anvil', -32003, 'max fee per gas less than block base fee', 'price'],
  ['anvil', -32003, 'Nonce too high', 'again'],
  ['anvil', -32003, 'replacement transaction underpriced', 'again'],
  ['anvil', -32003, 'Tx: [0x12ab] insufficient gas price to replace existing transaction', 'again'],
  ['anvil', -32003, 'intrinsic gas too low', 'rejected'],
  ['anvil', -32003, 'intrinsic gas too high -- tx.gas_limit > env.block.gas_limit', 'rejected'],
  ['anvil', -32003, 'Insufficient funds for gas * price + value', 'rejected'],
  ['anvil', -32003, 'max initcode size exceeded', 'rejected'],
  ['anvil', -32003, 'invalid chain id for signer', 'rejected'],
  ['anvil', -32003, 'Incompatible EIP-155 transaction, signed for another chain', 'rejected'],
  ['anvil', -32602, 'Failed to decode signed transaction', 'rejected'],
  [
    'anvil',
    -32003,
    'Transaction gas limit is greater than the block gas limit, gas_limit: 2, cap: 1',
    'rejected',
  ],
  ['erigon', -32000, 'existing tx with same hash', 'known'],
  ['erigon', -32000, 'mined', 'spent'],
  ['erigon', -32000, 'replaced by transaction with higher tip', 'again'],
  ['erigon', -32000, 'could not replace existing tx', 'again'],
  ['erigon', -32000, 'pending sub-pool is full', 'again'],
  ['erigon', -32000, 'fee too low', 'price'],
  ['erigon', -32000, 'IntrinsicGas', 'rejected'],
  ['erigon', -32000, 'GasUintOverflow', 'rejected'],
  ['erigon', -32000, 'RLPTooLong', 'rejected'],
  ['erigon', -32000, 'initcode too large', 'rejected'],
  ['erigon', -32000, 'unsupported transaction type', 'rejected'],
  ['erigon', -32000, 'gas limit too high. Max: 30000000', 'rejected'],
  ['nethermind', -32010, 'AlreadyKnown', 'known'],
  ['nethermind', -32010, 'OldNonce, Current nonce: 5, nonce of rejected tx: 3', 'spent'],
  ['nethermind', -32010, 'NonceGap, Future nonce. Expected nonce: 3', 'again'],
  ['nethermind', -32010, 'GasLimitExceeded, Gas limit: 1, gas limit of rejected tx: 2', 'rejected'],
  ['nethermind', -32010, 'FailedToResolveSender', 'rejected'],
  ['nethermind', -32010, 'InsufficientFunds, Account balance: 0', 'rejected'],
  ['nethermind', -32010, 'SenderIsContract', 'rejected'],
  ['nethermind', -32010, 'MaxTxSizeExceeded', 'rejected'],
  ['nethermind', -32010, 'Invalid, transaction is not well-formed', 'rejected'],
  ['nethermind', -32010, 'FeeTooLow', 'unclear'],
  ['besu', -32000, 'Known transaction', 'known'],
  ['besu', -32001, 'Nonce too low', 'spent'],
  ['besu', -32006, 'Nonce too high', 'again'],
  ['besu', -32000, 'Replacement transaction underpriced', 'again'],
  ['besu', -32008, 'Initial sync is still in progress', 'again'],
  ['besu', -32002, 'Invalid signature', 'rejected'],
  ['besu', -32003, 'Intrinsic gas exceeds gas limit', 'rejected'],
  ['besu', -32004, 'Upfront cost exceeds account balance', 'rejected'],
  ['besu', -32005, 'Transaction gas limit exceeds block gas limit', 'rejected'],
  ['besu', -32007, 'Sender account not authorized to send transactions', 'rejected'],
  ['besu', -32000, 'Wrong chainId', 'rejected'],
  ['besu', -32602, 'Invalid transaction type', 'rejected'],
  ['besu', -32009, 'Gas price below configured minimum gas price', 'price'],
  ['besu', -32009, 'Gas price below current base fee', 'price'],
  ['a provider', -32005, 'limit exceeded', 'again'],
  ['a provider', -32005, 'daily request count exceeded, request rate limited', 'again'],
  ['a provider', -32603, 'Internal error', 'again'],
  ['a provider', 429, 'Too Many Requests', 'again'],
  ['a provider', -32000, 'request timed out', 'again'],
  ['a provider', -32600, 'batch too large', 'again'],
  ['a provider', -32000, 'something that nobody has heard of', 'unclear'],
]

describe('what a node says of signed bytes', () => {
  test.each(said)('%s %i %s: %s', (_, code, message, kind) => {
    expect(resultOfError(rpc(code, message))).toEqual({ kind, message })
  })

  test('words in the data count too', () => {
    const error = new RpcError({ code: -32010, message: 'Server error', data: 'AlreadyKnown' })
    expect(resultOfError(error).kind).toBe('known')
  })

  test('no answer is no refusal', () => {
    const operation = 'eth_sendRawTransaction'
    const http = (status: number) =>
      new HttpError({ operation, status, body: '', message: `answered ${status}` })
    const timeout = new CallError({ reason: 'timeout', operation, message: 'timed out' })
    const given = [timeout, http(429), http(500), http(502), http(401), new Error('what'), 'what']
    expect(given.map((error) => resultOfError(error).kind)).toEqual(given.map(() => 'away'))
    expect(resultOfError(http(413)).kind).toBe('rejected')
  })

  test('what this service refuses itself is known by its class, not by its words', () => {
    const refusals = [busy(), responseTooLarge(), new MemoryBoundExceeded()]
    expect(refusals.map((error) => resultOfError(error).kind)).toEqual([
      'again',
      'unclear',
      'rejected',
    ])
  })

  test('addresses of machines are not reported', () => {
    const message =
      'bad gateway https://user:secret@node.internal:8545/key at 10.0.0.7:8545 (node.internal:8545, localhost:1)\n next'
    expect(clean(message)).toBe('bad gateway the node at the node (the node, the node) next')
    expect(clean('x'.repeat(1_000))).toHaveLength(300)
  })
})
