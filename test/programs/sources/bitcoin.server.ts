import { createServer, notOffered } from './generated/bitcoin/server.js'

const HASH = '00000000000000000002c1f9d5c1a6b1f3a6a9d0b0f6b1f6a6d0c1f9d5c1a6b1'

const SUMMARY = {
  hash: HASH,
  confirmations: 1,
  size: 285,
  strippedsize: 285,
  weight: 1140,
  height: 840_000,
  version: 1,
  versionHex: '00000001',
  merkleroot: HASH,
  tx: [HASH],
  time: 1_713_571_767,
  mediantime: 1_713_571_767,
  nonce: 1,
  bits: '1d00ffff',
  difficulty: 1,
  chainwork: HASH,
  nTx: 1,
}

export const server = createServer({
  ...notOffered,
  getbestblockhash: () => HASH,
  getblock: ([, verbosity = 1]) => {
    if (verbosity === 0) return '00'.repeat(285)
    return verbosity === 1 ? SUMMARY : { ...SUMMARY, tx: [{ fee: 0.0001 }] }
  },
  submitpackage: ([transactions]) => ({
    package_msg: 'success',
    'tx-results': Object.fromEntries(
      transactions.map((_, index) => [
        `wtxid${index}`,
        { txid: `0${index}`, vsize: 100, fees: { base: '0.00001' } },
      ]),
    ),
  }),
})
