import { RpcError } from 'twinspec/runtime/errors'
import { createServer, notOffered } from './generated/starknet/server.js'

const FELT = '0x1'

export const server = createServer({
  ...notOffered,
  starknetGetBlockWithTxs: ([block]) => {
    if (typeof block !== 'string') throw new RpcError({ code: 24, message: 'Block not found' })
    return {
      status: 'ACCEPTED_ON_L2',
      block_hash: FELT,
      parent_hash: FELT,
      block_number: 1,
      new_root: FELT,
      timestamp: 1_700_000_000,
      sequencer_address: FELT,
      l1_gas_price: { price_in_fri: FELT, price_in_wei: FELT },
      l2_gas_price: { price_in_fri: FELT, price_in_wei: FELT },
      l1_data_gas_price: { price_in_fri: FELT, price_in_wei: FELT },
      l1_da_mode: 'BLOB',
      starknet_version: '0.14.0',
      transactions: [
        {
          type: 'INVOKE',
          version: '0x1',
          sender_address: FELT,
          calldata: [FELT, FELT],
          max_fee: FELT,
          signature: [FELT],
          nonce: FELT,
          transaction_hash: FELT,
        },
      ],
    }
  },
})
